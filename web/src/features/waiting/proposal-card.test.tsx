import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { visitAt } from '#/testing/visits.ts'
import { ProposalCard } from './proposal-card.tsx'

type Leaving = NonNullable<Answer<Calls['ownProposal']>['late']>['leaving']
const fourPm = '2031-03-20T15:00:00.000Z'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a salon that is late', () => {
  const eur = (amount: number) => ({ amount, currency: 'EUR' })
  const late = { startsAt: '2031-03-20T14:40:00.000Z', expectedAt: fourPm, minutes: 20, canLeave: true }
  function openLate(leaving: Leaving | null) {
    localStorage.setItem('AuthToken', 't')
    const seen = fakeServer({
      me: () => client,
      ownProposal: () => ({
        now: '2031-03-20T14:30:00.000Z',
        timeZone: 'Europe/Paris',
        proposal: null,
        late: { ...late, canLeave: leaving !== null, leaving },
      }),
      declineProposal: () => visitAt(fourPm),
    })
    renderSite('/terms', { '/terms': <ProposalCard appointment={visitAt(fourPm)} onOther={() => undefined} /> })
    return () => seen.filter(({ name }) => name === 'declineProposal').map(({ params }) => params)
  }

  it('says what of a visit under way may be left, what it costs then and what comes back, before the click', async () => {
    const left = openLate({ isWhole: false, services: ['Blow-dry', 'Scalp massage'], refunded: eur(1260), total: eur(6800) })
    expect(await screen.findByText('Expected at 16:00 instead of 15:40.')).toBeTruthy()
    expect(screen.getByText('Without Blow-dry and Scalp massage your visit costs €68.00.')).toBeTruthy()
    expect(screen.getByText('€12.60 goes back to you.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Leave out Blow-dry and Scalp massage, free' }))
    await waitFor(() => expect(left()).toEqual([{ id: visitAt(fourPm)._id }]))
  })

  it('says so of all of a visit that has not begun; nothing of money where none was paid, nor where nothing may be left', async () => {
    openLate({ isWhole: true, services: ['Blow-dry'], refunded: eur(900), total: eur(0) })
    expect(await screen.findByRole('button', { name: 'Give it up, free' })).toBeTruthy()
    expect(screen.getByText('€9.00 goes back to you.')).toBeTruthy()
    expect(screen.queryByText(/your visit costs/)).toBeNull()
    cleanup()
    openLate(null)
    expect(await screen.findByText('Expected at 16:00 instead of 15:40.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /free$/ })).toBeNull()
    expect(screen.queryByText(/goes back/)).toBeNull()
  })
})
