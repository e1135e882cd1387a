import type { SettledBySession } from '@soigne/contract/vouchers'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { mayDo, openSale } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { SessionPart } from './session-part.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const offer = { _id: 'h1', name: 'Five cuts', count: 1, left: 3 }
const gone: SettledBySession['sessions'] = [{ name: 'Five cuts', count: 1, state: 'gone' }]
function open(readings: SettledBySession[], more: Parameters<typeof fakeServer>[0] = {}, locale: 'en' | 'fr' | 'ar' = 'en') {
  let times = 0
  const sessionsOfVisit = () => readings[Math.min(times++, readings.length - 1)] ?? { offers: [], sessions: [] }
  const seen = fakeServer({ me: () => owner, ownPermissions: () => mayDo('sales.take'), sessionsOfVisit, ...more })
  renderPart(<SessionPart visitId="v1" version={1} />, { locale })
  return (name: string) => seen.filter((one) => one.name === name)
}

describe('a visit that was missed or cancelled late', () => {
  it('has a session of its client’s package taken by one tap, which is said afterwards', async () => {
    const calls = open(
      [
        { offers: [offer], sessions: [] },
        { offers: [], sessions: gone },
      ],
      { takeSessionForVisit: () => openSale() },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Take a session of Five cuts' }))
    expect(await screen.findByText('The session of Five cuts is gone')).toBeTruthy()
    expect(await screen.findByText('Taken from Five cuts')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Take/ })).toBeNull()
    const [sent] = calls('takeSessionForVisit')
    expect(sent).toMatchObject({ params: { id: 'v1' }, body: { clientPackageId: 'h1' } })
    expect(sent?.headers.get('idempotency-key')).toBeTruthy()
  })

  it('says what another till took meanwhile', async () => {
    open(
      [
        { offers: [offer], sessions: [] },
        { offers: [], sessions: gone },
      ],
      { takeSessionForVisit: () => refused(409, { code: 'wrong_state', message: 'It was settled.' }) },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Take a session of Five cuts' }))
    expect(await screen.findByText('It was settled.')).toBeTruthy()
    expect(await screen.findByText('The session of Five cuts is gone')).toBeTruthy()
  })

  it('offers nothing to whoever may take no money', async () => {
    const calls = open([{ offers: [offer], sessions: gone }], { ownPermissions: () => mayDo('diary.read') })
    await waitFor(() => expect(calls('ownPermissions')).toHaveLength(1))
    expect(calls('sessionsOfVisit')).toEqual([])
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('counts them in French and in Arabic', async () => {
    open([{ offers: [{ ...offer, count: 2 }], sessions: [] }], {}, 'fr')
    expect(await screen.findByRole('button', { name: 'Prendre 2 séances du forfait Five cuts' })).toBeTruthy()
    cleanup()
    open([{ offers: [{ ...offer, count: 2 }], sessions: [] }], {}, 'ar')
    expect(await screen.findByRole('button', { name: /^خصم جلستين من الباقة .?Five cuts/ })).toBeTruthy()
  })
})
