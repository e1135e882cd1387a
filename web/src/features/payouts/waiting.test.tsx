import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Money } from '@soigne/contract/wire'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { euros, mayDo } from '#/testing/sales.ts'
import PayoutsPage from './payouts-page.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const payoutsOf = (waiting: Money[], waitingReadAt: string | null): Answer<Calls['payouts']> => ({
  items: [],
  page: 1,
  pageSize: 10,
  total: 0,
  timeZone: 'Europe/Paris',
  provider: 'stripe',
  readAt: '2031-11-30T03:05:00.000Z',
  waiting,
  waitingReadAt,
})
function open(waiting: Money[], locale: 'en' | 'fr' | 'ar' = 'en', readAt: string | null = '2031-11-29T13:20:00.000Z') {
  fakeServer({ me: () => owner, ownPermissions: () => mayDo(), payouts: () => payoutsOf(waiting, readAt) })
  return renderPart(<PayoutsPage />, { at: '/mysalon/invoices/payouts', locale })
}
/** Each amount, by what it is called. */
const rows = async (name: string) =>
  (await screen.findAllByText(name)).map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`)

describe('what waits at the provider', () => {
  it('stands above the payouts, with what it is and when it was read, which may be earlier than they', async () => {
    open([euros(128.4)])
    expect(await rows('Waiting at the payment provider')).toEqual(['Waiting at the payment provider €128.40'])
    const block = within(screen.getByText('Not sent to the bank yet, fees already taken off.').parentElement as HTMLElement)
    expect(block.getByText(/^Last read: .*29 Nov.*, 14:20$/)).toBeTruthy()
    expect(screen.getByText(/^Last read: .*30 Nov.*, 4:05$/)).toBeTruthy()
    const empty = screen.getByText('No payouts yet')
    expect(screen.getByText('€128.40').compareDocumentPosition(empty) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    expect(screen.queryByText(/refunded/)).toBeNull()
  })

  it('that is below zero is called so, and how it is made up for', async () => {
    open([euros(-12)])
    expect(await rows('Negative balance at the payment provider')).toEqual(['Negative balance at the payment provider −€12.00'])
    expect(screen.getByText('More was refunded than came in. The next payments make up for it.')).toBeTruthy()
    expect(screen.queryByText(/Waiting at the payment provider|fees already taken off/)).toBeNull()
  })

  it('is told apart by currency', async () => {
    open([euros(5), { amount: -1234, currency: 'TND' }, { amount: 700, currency: 'JPY' }])
    expect(await rows('Waiting at the payment provider')).toEqual([
      'Waiting at the payment provider €5.00',
      'Waiting at the payment provider ¥700',
    ])
    expect(await rows('Negative balance at the payment provider')).toEqual([expect.stringMatching(/−.*1\.234$/)])
    expect(screen.getAllByText('Not sent to the bank yet, fees already taken off.')).toHaveLength(1)
  })

  it('takes no room where there is nothing, or nobody has read it', async () => {
    for (const [waiting, readAt] of [[[]], [[euros(0)]], [[], null], [[euros(3)], null]] as [Money[], null?][]) {
      open(waiting, 'en', readAt)
      expect(await screen.findByText('No payouts yet')).toBeTruthy()
      expect(screen.queryByText(/at the payment provider$/)).toBeNull()
      expect(screen.getAllByText(/^Last read/)).toHaveLength(1)
      cleanup()
    }
  })

  it('is said in French and Arabic', async () => {
    open([euros(128.4)], 'fr')
    expect(await rows('En attente chez le prestataire de paiement')).toEqual([expect.stringMatching(/128,40\u{a0}€$/u)])
    cleanup()
    open([euros(-3)], 'ar')
    expect(await rows('رصيد سالب لدى مزوّد خدمة الدفع')).toEqual([expect.stringContaining('−€3.00')])
    expect(screen.getByText('تجاوزت المبالغ المردودة ما دفعه العملاء، وستعوّض الدفعات القادمة هذا الفرق.')).toBeTruthy()
  })
})
