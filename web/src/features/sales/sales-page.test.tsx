import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { diaryOf } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { maud } from '#/testing/institutes.ts'
import { owner, professional } from '#/testing/people.ts'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import { renderSite } from '#/testing/render-site.tsx'
import { euros, mayDo, saleRow, salesOf } from '#/testing/sales.ts'
import SalesPage from './sales-page.tsx'

const saved = vi.hoisted(() => vi.fn())
vi.mock('#/ui/save-file.ts', () => ({ saveFile: saved }))

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  saved.mockReset()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const rows = [
  saleRow('v1', { status: 'deposit_paid', methods: ['card'], paid: euros(15) }),
  saleRow('v2', {
    number: 'F-2025-0412',
    status: 'completed',
    methods: ['cash', 'terminal'],
    client: { _id: null, name: '' },
    services: ['Nail art'],
    staff: ['Salma'],
    total: euros(24),
    refunded: euros(10),
  }),
  saleRow('v3', { status: 'pending', services: ['Pedicure'], total: euros(52) }),
  saleRow('v4', { status: 'cancelled', methods: ['paypal'], total: euros(38) }),
  saleRow('v5', { number: 'F-2025-0413', status: 'completed', methods: ['klarna'], total: euros(38.5), refunded: euros(38.5) }),
]

function open(more: Parameters<typeof fakeServer>[0] = {}, at = '/mysalon/invoices', locale: 'en' | 'fr' | 'ar' = 'en') {
  const seen = fakeServer({
    me: () => owner,
    ownPermissions: () => mayDo(),
    diary: () => diaryOf(),
    sales: () => salesOf(rows),
    ...more,
  })
  return { seen, ...renderPart(<SalesPage />, { at, locale }) }
}
const asked = (seen: ReturnType<typeof fakeServer>) =>
  seen.filter(({ name }) => name === 'sales').map(({ query }) => Object.fromEntries(query))
/** The filters have some of the same words. */
const table = async () => within(await screen.findByRole('table'))
const rowOf = async (name: string) => (await (await table()).findByText(name)).closest('tr') ?? document.createElement('tr')

describe('the sales of a period', () => {
  it('[P-10] [E-10] [U-16] lists each with its number, client, ways to pay, status and amount to the cent', async () => {
    open()
    await screen.findAllByText('Gel manicure, Hand massage')
    expect(
      screen
        .getAllByRole('row')
        .slice(1)
        .map((row) => within(row).getByText(/^(Paid|Deposit Paid|Pending|Cancelled)$/).textContent),
    ).toEqual(['Deposit Paid', 'Paid', 'Pending', 'Cancelled', 'Paid'])
    const paid = await rowOf('F-2025-0412')
    expect(within(paid).getByText('Walk-in')).toBeTruthy()
    expect(within(paid).getByText('Cash').querySelector('svg')).toBeTruthy()
    expect(within(paid).getByText('Terminal')).toBeTruthy()
    expect(within(paid).getByText('Partly refunded')).toBeTruthy()
    expect(within(paid).getByText('€24.00')).toBeTruthy()
    expect(within(await rowOf('F-2025-0413')).getByText('Refunded')).toBeTruthy()
    expect(within(await rowOf('Pedicure')).getAllByText('—')).toHaveLength(2)
    expect(
      within(await rowOf('PayPal'))
        .getByText('€38.00')
        .closest('del'),
    ).toBeTruthy()
    expect(within(paid).getByRole('link').getAttribute('href')).toBe('/mysalon/invoices/v2')
  })

  it('[P-10] says what was taken, what is still to pay, what a payment is on average and what was cancelled', async () => {
    open()
    expect(await screen.findByText('€655.00')).toBeTruthy()
    expect(screen.getByText('17 payments, €610.00 by now last week')).toBeTruthy()
    expect(screen.getByText('€214.00')).toBeTruthy()
    expect(screen.getByText('€38.53')).toBeTruthy()
    expect(screen.getByText('€12.50 of it tips')).toBeTruthy()
    expect(screen.getByText('€76.00')).toBeTruthy()
    expect(screen.getByText('2 visits')).toBeTruthy()
  })

  it.each([
    ['en', 'Invoiced €330.20, VAT €55.04 in it, €275.16 without VAT: 8 invoices and 1 credit note.'],
    ['fr', 'Facturé\u00a0: 330,20\u00a0€ TTC dont 55,04\u00a0€ de TVA, soit 275,16\u00a0€ HT (8 factures et 1 avoir).'],
    ['ar', /^قيمة الفواتير: .*330\.20.*55\.04.*275\.16.* \(8 فواتير وإشعار دائن واحد\)\.$/],
  ] as const)('says what was invoiced as the file for the accountant adds up, in %s', async (locale, words) => {
    open({}, '/mysalon/invoices', locale)
    expect(await screen.findByText(words, { normalizer: (text) => text.replaceAll(/[\u2066-\u2069]/g, '') })).toBeTruthy()
  })

  it('says nothing of invoices where there were none', async () => {
    const { totals } = salesOf([])
    open({ sales: () => salesOf([], { totals: { ...totals, invoiced: { invoices: 0, creditNotes: 0, gross: 0, vat: 0 } } }) })
    expect(await screen.findByText('€655.00')).toBeTruthy()
    expect(screen.queryByText(/^Invoiced/)).toBeNull()
  })

  it('compares with nothing where there is nothing before, and has no average without payments', async () => {
    const { totals } = salesOf([])
    open({ sales: () => salesOf(rows, { totals: { ...totals, before: null, payments: 0, taken: euros(0) } }) }, '/x?period=allTime')
    expect(await screen.findByText('0 payments')).toBeTruthy()
    expect(screen.getByText('Average payment').parentElement?.textContent).toContain('—')
  })

  it('[K-03] has the six periods by their names; the chosen one is in the address', async () => {
    const { place, seen } = open()
    const nav = await screen.findByRole('navigation', { name: 'Period' })
    expect(
      within(nav)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['Today', 'Yesterday', 'Last 7 Days', 'This Month', 'Last Month', 'All Time'])
    expect(within(nav).getByText('Today').getAttribute('aria-current')).toBe('true')
    await userEvent.click(within(nav).getByText('Last Month'))
    expect(place()).toBe('/mysalon/invoices?period=lastMonth')
    await waitFor(() => expect(asked(seen).at(-1)).toMatchObject({ period: 'lastMonth', page: '1' }))
    await userEvent.click(within(nav).getByText('Today'))
    expect(place()).toBe('/mysalon/invoices')
  })

  it('[K-01] has pages of 10, 20, 30, 40 and 50 rows, and keeps what else is asked', async () => {
    const { seen } = open(
      { sales: ({ query }) => salesOf(rows, { total: 63, page: Number(query.get('page')), pageSize: Number(query.get('pageSize')) }) },
      '/mysalon/invoices?period=allTime&page=2&pageSize=20',
    )
    const sizes = await screen.findByRole('navigation', { name: 'Rows' })
    expect(
      within(sizes)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['10', '20', '30', '40', '50'])
    expect(screen.getByText('21–40 of 63')).toBeTruthy()
    expect(queryOf(screen.getByRole('link', { name: 'Next page' }))).toEqual({ period: 'allTime', page: '3', pageSize: '20' })
    expect(asked(seen)[0]).toMatchObject({ period: 'allTime', page: '2', pageSize: '20' })
  })

  it('is searched while one types, and narrowed by status, way to pay and member', async () => {
    const { place, seen } = open()
    await userEvent.type(await screen.findByRole('searchbox'), 'F-2025')
    await waitFor(() => expect(place()).toBe('/mysalon/invoices?what=F-2025'))
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Paid')
    await userEvent.selectOptions(screen.getByLabelText('Paid by'), 'Cash')
    await userEvent.selectOptions(screen.getByLabelText('With'), 'Maud')
    await waitFor(() =>
      expect(asked(seen).at(-1)).toEqual({
        period: 'today',
        what: 'F-2025',
        status: 'completed',
        method: 'cash',
        staff: maud,
        page: '1',
        pageSize: '10',
      }),
    )
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Any status')
    expect(place()).not.toContain('status')
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Over, not paid in full')
    await waitFor(() => expect(asked(seen).at(-1)).toMatchObject({ due: 'true', method: 'cash' }))
    expect(screen.getByLabelText('Status')).toHaveProperty('value', 'due')
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Paid')
    expect(place()).not.toContain('due')
  })

  it('asks for nothing the address makes up', async () => {
    const { seen } = open({}, '/mysalon/invoices?period=ever&status=free&method=shells&page=-3&pageSize=7')
    await screen.findAllByText('Gel manicure, Hand massage')
    expect(asked(seen)[0]).toEqual({ period: 'today', page: '1', pageSize: '10' })
  })
})

describe('where there is nothing to show', () => {
  it('says so of a period, and of filters that leave nothing', async () => {
    open({ sales: () => salesOf([]) })
    expect(await screen.findByText('No sales in this period.')).toBeTruthy()
    expect(queryOf(screen.getByRole('link', { name: 'Show all time' }))).toEqual({ period: 'allTime' })
    cleanup()
    open({ sales: () => salesOf([]) }, '/mysalon/invoices?period=lastMonth&status=cancelled&what=gel')
    expect(await screen.findByText('Nothing like that.')).toBeTruthy()
    expect(queryOf(screen.getByRole('link', { name: 'Drop the filters' }))).toEqual({ period: 'lastMonth' })
  })

  it('says what failed and asks again', async () => {
    let times = 0
    open({ sales: () => (times++ === 0 ? refused(409, { code: 'wrong_state', message: 'The books are being counted.' }) : salesOf(rows)) })
    expect(await screen.findByText('The books are being counted.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('F-2025-0412')).toBeTruthy()
  })

  it('tells who may not see money so, and shows none of it', async () => {
    open({ ownPermissions: () => mayDo('diary.own'), sales: () => refused(403, { code: 'forbidden', message: 'Not for you.' }) })
    expect(await screen.findByText('Sales are for those who handle the money.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the calendar' })).toBeTruthy()
    expect(screen.queryByText(/€/)).toBeNull()
  })

  it('lets reception sell and close the till, and shows no sales', async () => {
    open({ ownPermissions: () => mayDo('sales.take'), sales: () => refused(403, { code: 'forbidden', message: 'Not for you.' }) })
    expect((await screen.findByRole('link', { name: 'Sale' })).getAttribute('href')).toBe('/mysalon/invoices/new')
    expect(screen.getByRole('button', { name: 'Close the till' })).toBeTruthy()
    expect(screen.queryByText(/€/)).toBeNull()
    expect(screen.queryByRole('button', { name: /CSV|Export/ })).toBeNull()
  })

  it('keeps the till of reception open, whatever becomes of the list', async () => {
    open({ ownPermissions: () => mayDo('sales.take'), sales: () => new Promise<never>(() => {}) })
    expect(await screen.findByText('Take payments, close the till')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
  })

  it('is the way into the setup for who has no institute yet', async () => {
    localStorage.setItem('skipRegistration', 'true')
    fakeServer({ me: () => professional })
    renderSite('/mysalon/invoices', { '/mysalon/invoices': <SalesPage /> })
    expect((await screen.findByRole('link', { name: 'Continue setup' })).getAttribute('href')).toBe('/institute-register')
  })
})

describe('what can be done', () => {
  it('saves the lines of the period as a file, and says when that fails', async () => {
    const csv = new Blob(['number'], { type: 'text/csv' }) as unknown as Answer<Calls['exportSales']>
    let times = 0
    const { seen } = open(
      { exportSales: () => (times++ === 0 ? csv : refused(403, { code: 'forbidden', message: 'Not for you.' })) },
      '/mysalon/invoices?period=thisMonth',
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }))
    await waitFor(() => expect(saved).toHaveBeenCalledTimes(1))
    expect(saved.mock.calls[0]?.[1]).toBe('sales-thisMonth.csv')
    expect(seen.find(({ name }) => name === 'exportSales')?.query.get('period')).toBe('thisMonth')
    await userEvent.click(screen.getByRole('button', { name: 'Export' }))
    expect(await screen.findByText('Not for you.')).toBeTruthy()
  })

  it('begins a sale and closes the till for who takes money, and for nobody else', async () => {
    open()
    expect((await screen.findByRole('link', { name: 'Sale' })).getAttribute('href')).toBe('/mysalon/invoices/new')
    expect(screen.getByRole('button', { name: 'Close the till' })).toBeTruthy()
    cleanup()
    open({ ownPermissions: () => mayDo('sales.read') })
    await screen.findByText('F-2025-0412')
    expect(screen.queryByRole('link', { name: 'Sale' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Close the till' })).toBeNull()
  })

  it('[E-10] speaks French and Arabic', async () => {
    open({}, '/mysalon/invoices', 'fr')
    expect((await table()).getByText('Acompte versé')).toBeTruthy()
    expect(screen.getByText('655,00 €')).toBeTruthy()
    cleanup()
    open({}, '/mysalon/invoices', 'ar')
    expect((await table()).getByText('العربون مدفوع')).toBeTruthy()
    expect(screen.getByText('موعدان')).toBeTruthy()
  })
})
