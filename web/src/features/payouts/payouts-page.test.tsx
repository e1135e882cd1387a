import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Payout, PayoutMove } from '@soigne/contract/payouts'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { brand } from '#/platform/brand.ts'
import { diaryOf } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import { euros, mayDo, saleRow, salesOf } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import SalesPage from '#/features/sales/sales-page.tsx'
import { linesOf } from './payout-lines.ts'
import PayoutsPage from './payouts-page.tsx'

const saved = vi.hoisted(() => vi.fn())
vi.mock('#/ui/save-file.ts', () => ({ saveFile: saved }))

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  saved.mockReset()
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

/** 1500 came in and 200 went back; of the rest 80 was kept. */
const payout = (more: Partial<Payout> = {}): Payout => ({
  _id: 'po1',
  provider: 'stripe',
  amount: euros(12.2),
  state: 'coming',
  problem: null,
  madeAt: '2031-11-30T02:00:00.000Z',
  arrivesOn: '2031-12-02',
  reference: 'po_1QNacre',
  parts: 3,
  sums: { payments: 1500, refunds: -200, disputes: 0, other: 0 },
  fees: { provider: 35, site: 38, tax: 7 },
  ...more,
})
const none = { parts: null, sums: { payments: 0, refunds: 0, disputes: 0, other: 0 }, fees: { provider: 0, site: 0, tax: 0 } }
const move = (more: Partial<PayoutMove> = {}): PayoutMove => ({
  kind: 'payment',
  amount: 1500,
  fees: { provider: 30, site: 38, tax: 7 },
  at: '2031-11-29T13:02:00.000Z',
  said: null,
  saleId: 'v1',
  client: 'Camille Renaud',
  ...more,
})
const moves = [
  move({ kind: 'fee', amount: -5, fees: { provider: 0, site: 0, tax: 0 }, said: 'Monthly fee', saleId: null, client: null }),
  move({ kind: 'refund', amount: -200, fees: { provider: 5, site: 0, tax: 0 } }),
  move(),
]
const payoutsOf = (items: Payout[], more: Partial<Answer<Calls['payouts']>> = {}): Answer<Calls['payouts']> => ({
  items,
  page: 1,
  pageSize: 10,
  total: items.length,
  timeZone: 'Europe/Paris',
  provider: 'stripe',
  readAt: '2031-11-30T03:05:00.000Z',
  waiting: [],
  waitingReadAt: '2031-11-30T03:05:00.000Z',
  ...more,
})
const onePayout = (more: Partial<Answer<Calls['payout']>> = {}): Answer<Calls['payout']> => ({
  ...payout(),
  timeZone: 'Europe/Paris',
  moves,
  ...more,
})

const base = '/mysalon/invoices/payouts'
function open(more: Parameters<typeof fakeServer>[0] = {}, at = base, locale: 'en' | 'fr' | 'ar' = 'en') {
  const seen = fakeServer({
    me: () => owner,
    ownPermissions: () => mayDo(),
    payouts: () => payoutsOf([payout()]),
    payout: () => onePayout(),
    ...more,
  })
  return { seen, ...renderPart(<PayoutsPage />, { at, locale }) }
}
const card = async (amount: string) => within(await screen.findByRole('article', { name: amount }))
/** The lines of a breakdown, each with its name and its amount. */
const linesIn = (shown: Awaited<ReturnType<typeof card>>) =>
  shown.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent])

describe('the payouts of an institute', () => {
  it('say how much comes on which day, and what it adds up from to the cent', async () => {
    open()
    const shown = await card('€12.20')
    expect(shown.getByText('On its way').querySelector('svg')).toBeTruthy()
    expect(shown.getByText('Arrives on Tuesday 2 December 2031')).toBeTruthy()
    expect(linesIn(shown)).toEqual([
      ['Payments', '€15.00'],
      ['Refunds', '−€2.00'],
      ['Provider’s fees', '−€0.35'],
      [`${brand} fee`, '−€0.38'],
      ['Tax on fees', '−€0.07'],
      ['To your bank', '€12.20'],
    ])
    expect(linesOf(payout()).reduce((sum, { amount }) => sum + amount, 0)).toBe(payout().amount.amount)
    expect(screen.getByText('Stripe sends what clients pay you online to your bank.')).toBeTruthy()
    expect(screen.getByText(/^Last read: .*30 Nov.*, 4:05$/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Sales' }).getAttribute('href')).toBe('/mysalon/invoices')
  })

  it('show a fee that is given back as money that comes', () => {
    expect(linesOf({ sums: none.sums, fees: { provider: 0, site: -5, tax: 0 } })).toEqual([{ name: 'site', amount: 5 }])
  })

  it('name the day of the bank the same in every zone', async () => {
    for (const timeZone of ['Pacific/Honolulu', 'Pacific/Kiritimati']) {
      open({ payouts: () => payoutsOf([payout({ state: 'paid' })], { timeZone }) })
      expect((await card('€12.20')).getByText('Arrived on Tuesday 2 December 2031')).toBeTruthy()
      cleanup()
    }
  })

  it('stand out where the bank refused one, with the reason, where the money is and what to do', async () => {
    open({ payouts: () => payoutsOf([payout({ state: 'failed', problem: 'account_gone' })]) })
    const shown = await card('€12.20')
    expect(shown.getByText('Refused by the bank')).toBeTruthy()
    expect(shown.getByText('Was to arrive on Tuesday 2 December 2031')).toBeTruthy()
    expect(shown.getByText('The bank account is closed or does not exist.')).toBeTruthy()
    expect(shown.getByText('Put your bank details right at Stripe.')).toBeTruthy()
    expect(shown.getByText(/^The money is not lost/)).toBeTruthy()
    expect(screen.getByRole('article').className).toContain('refused')
  })

  it('say in words what is taken from the bank, and that nobody knows what it is made up of', async () => {
    const taken = payout({ ...none, amount: euros(-9), state: 'paid' })
    open({ payouts: () => payoutsOf([taken, payout({ ...none, _id: 'po2', amount: euros(-7), state: 'failed' })]) })
    const shown = await card('−€9.00')
    expect(shown.getByText('Taken from your bank')).toBeTruthy()
    expect(shown.getByText('Was taken on Tuesday 2 December 2031')).toBeTruthy()
    expect(shown.getByText('The provider does not say what this payout is made up of.')).toBeTruthy()
    expect(shown.queryByRole('link')).toBeNull()
    const other = await card('−€7.00')
    expect(other.getByText('To be taken from your bank')).toBeTruthy()
    expect(other.getByText('The payment provider gave no reason.')).toBeTruthy()
    expect(other.queryByText(/^The money is not lost/)).toBeNull()
  })

  it('come in pages, and keep the page while one of them is open', async () => {
    const { seen, place } = open({ payouts: () => payoutsOf([payout()], { total: 31, page: 2 }) }, `${base}?page=2&pageSize=7`)
    expect(queryOf(await screen.findByRole('link', { name: 'Next page' }))).toEqual({ page: '3', pageSize: '10' })
    expect(Object.fromEntries(seen.find(({ name }) => name === 'payouts')?.query ?? [])).toEqual({ page: '2', pageSize: '10' })
    await userEvent.click(screen.getByRole('link', { name: 'See all 3 parts' }))
    expect(place()).toBe(`${base}?page=2&pageSize=7&payout=po1`)
    const heading = await screen.findByRole('heading', { level: 1, name: 'Payout' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    await userEvent.click(screen.getByRole('link', { name: 'Payouts' }))
    expect(place()).toBe(`${base}?page=2&pageSize=7`)
  })

  it('say plainly that a trial moves no real money', async () => {
    open({ payouts: () => payoutsOf([payout({ provider: 'sandbox', state: 'failed', problem: 'declined' })], { provider: 'sandbox' }) })
    expect(await screen.findByText('This is a trial')).toBeTruthy()
    expect(screen.getByText(/No real money moves\.$/)).toBeTruthy()
    expect(screen.getByText('Put your bank details right at your payment provider.')).toBeTruthy()
    expect(screen.queryByText(/Stripe/)).toBeNull()
  })
})

describe('where there are none', () => {
  it('says what will appear, or that nothing is paid online', async () => {
    open({ payouts: () => payoutsOf([], { readAt: null }) })
    expect(await screen.findByText('No payouts yet')).toBeTruthy()
    expect(screen.queryByText(/^Last read/)).toBeNull()
    cleanup()
    open({ payouts: () => payoutsOf([], { provider: null, readAt: null }) })
    expect(await screen.findByText(/^This site takes no payments online/)).toBeTruthy()
    expect(screen.queryByText('No payouts yet')).toBeNull()
  })

  it('says what failed and asks again', async () => {
    let times = 0
    open({ payouts: () => (times++ === 0 ? refused(409, { code: 'wrong_state', message: 'Not now.' }) : payoutsOf([payout()])) })
    expect(await screen.findByText('Not now.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await card('€12.20')).toBeTruthy()
  })

  it('shows nobody else any of it, list or part', async () => {
    const forbidden = () => refused(403, { code: 'forbidden', message: 'Not for you.' })
    for (const at of [base, `${base}?payout=po1`]) {
      open({ payouts: forbidden, payout: forbidden }, at)
      expect(await screen.findByRole('link', { name: 'Open the calendar' })).toBeTruthy()
      expect(screen.queryByText(/€/)).toBeNull()
      cleanup()
    }
  })
})

describe('the way from the sales', () => {
  it('is there for who may see payouts, and for nobody else', async () => {
    for (const own of [mayDo(), mayDo('sales.read', 'sales.take')]) {
      fakeServer({ me: () => owner, ownPermissions: () => own, diary: () => diaryOf(), sales: () => salesOf([saleRow('v1')]) })
      renderPart(<SalesPage />)
      await screen.findByRole('button', { name: 'Close the till' })
      const leads = screen.queryAllByRole('link', { name: 'Payouts' }).map((link) => link.getAttribute('href'))
      expect(leads).toEqual(own.own.includes('payouts.read') ? [base] : [])
      cleanup()
    }
  })
})

describe('one payout', () => {
  const rows = async () => (await screen.findAllByRole('row')).slice(1).map((row) => within(row))

  it('has a row for each part, which leads to its sale where there is one', async () => {
    open({}, `${base}?payout=po1`)
    const [fee, refund, payment] = await rows()
    expect(fee?.getByText('Fee')).toBeTruthy()
    expect(fee?.getByText('Monthly fee')).toBeTruthy()
    expect(fee?.queryByRole('link')).toBeNull()
    expect(refund?.getByRole('link', { name: 'Refund, Camille Renaud' }).getAttribute('href')).toBe('/mysalon/invoices/v1')
    const cells = payment?.getAllByRole('cell').map(({ textContent }) => textContent)
    expect(cells?.[0]).toMatch(/29 Nov.*, 14:02$/)
    expect(cells?.slice(1, 4)).toEqual(['Camille Renaud', '€15.00', '−€0.75'])
    expect(cells?.[4]).toMatch(/^€14\.25/)
    expect(payment?.getByText('Fee: −€0.75')).toBeTruthy()
    expect(screen.queryByText(/The file has all of them/)).toBeNull()
  })

  it('is saved as a file, which has more parts than are shown; a file that fails says so', async () => {
    const csv = new Blob(['when'], { type: 'text/csv' }) as unknown as Answer<Calls['payoutFile']>
    let times = 0
    const { seen } = open(
      {
        payout: () => onePayout({ parts: 812 }),
        payoutFile: () => (times++ === 0 ? csv : refused(409, { code: 'wrong_state', message: 'Not now.' })),
      },
      `${base}?payout=po1`,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Download' }))
    await waitFor(() => expect(saved).toHaveBeenCalledTimes(1))
    expect(saved.mock.calls[0]?.[1]).toBe('payout-2031-12-02.csv')
    expect(seen.find(({ name }) => name === 'payoutFile')?.params).toEqual({ id: 'po1' })
    expect(screen.getByText('Only the last 3 parts are shown here. The file has all of them.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Download' }))
    expect(await screen.findByText('Not now.')).toBeTruthy()
  })

  it('that is gone is said so', async () => {
    open({ payout: () => refused(404, { code: 'not_found', message: 'Not found.' }) }, `${base}?payout=po9`)
    expect(await screen.findByText('There is no such payout.')).toBeTruthy()
  })
})

describe('other languages', () => {
  it('are French and Arabic', async () => {
    open({}, base, 'fr')
    expect(await screen.findByText('Arrive le mardi 2 décembre 2031')).toBeTruthy()
    expect(screen.getByText('Voir les 3 opérations')).toBeTruthy()
    cleanup()
    open({ payouts: () => payoutsOf([payout({ arrivesOn: '2031-12-01' })]) }, base, 'fr')
    expect(await screen.findByText('Arrive le lundi 1er décembre 2031')).toBeTruthy()
    cleanup()
    open({}, base, 'ar')
    expect(await screen.findByText(/^يصل يوم .*الثلاثاء 2 ديسمبر 2031/)).toBeTruthy()
    expect(screen.getByText('عرض 3 عمليات')).toBeTruthy()
    expect(screen.getByText('€15.00')).toBeTruthy()
  })
})
