import type { Customer, CustomerRow, Duplicate } from '@soigne/contract/customers'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { mayDo } from '#/testing/sales.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import CustomerPage from './customer-page.tsx'
import CustomersPage from './customers-page.tsx'

/** The part is rendered at any address; which record is asked for is said here. */
vi.mock('react-router', async (original) => ({ ...(await original<object>()), useParams: () => ({ id: 'c1' }) }))

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const now = '2026-11-24T10:00:00.000Z'
const timeZone = 'Europe/Paris'
const rowOf = (id: string, more: Partial<CustomerRow> = {}): CustomerRow => ({
  _id: id,
  name: 'Camille Renaud',
  firstName: 'Camille',
  lastName: 'Renaud',
  phone: '06 44 18 20 93',
  email: null,
  imageUrl: null,
  lastVisitAt: '2025-10-01T09:00:00.000Z',
  nextVisitAt: null,
  visits: 14,
  spend: { amount: 61_200, currency: 'EUR' },
  noShows: 0,
  tags: [],
  isBlocked: false,
  ...more,
})
const recordOf = (more: Partial<Customer> = {}): Customer => ({
  ...rowOf('c1'),
  locale: 'fr',
  birthday: '1990-06-02',
  age: 36,
  isMinor: false,
  hasAccount: true,
  chatId: null,
  paysFirst: null,
  alert: '',
  notes: '',
  noted: null,
  since: '2023-03-01T09:00:00.000Z',
  everyDays: 26,
  mostlyWith: 'Inès',
  nextTotal: null,
  months: Array.from({ length: 12 }, (_, index) => ({ month: `2026-${String(index + 1).padStart(2, '0')}`, amount: index * 100 })),
  relations: [],
  files: [],
  consents: [],
  health: { isKept: true, mayOpen: true, lastOpened: null },
  merges: [],
  timeZone,
  now,
  ...more,
})
const listOf = (items: CustomerRow[]) => ({ items, page: 1, pageSize: 10, total: items.length, tags: [], timeZone, now })

function openList(more: Parameters<typeof fakeServer>[0] = {}, at = '/mysalon/customers') {
  const seen = fakeServer({ me: () => owner, customers: () => listOf([rowOf('c1')]), ...more })
  return { seen, ...renderPart(<CustomersPage />, { at }) }
}
function openRecord(customer: Customer, more: Parameters<typeof fakeServer>[0] = {}) {
  const visits = { items: [], page: 1, pageSize: 10, total: 0 }
  const seen = fakeServer({ me: () => owner, customer: () => customer, customerVisits: () => visits, ...more })
  return { seen, ...renderPart(<CustomerPage />, { at: '/mysalon/customers/c1' }) }
}

describe('the list of clients', () => {
  it('[P-09] tells who came when, and is searched while one types; the address keeps what was asked', async () => {
    const { seen, place } = openList({
      customers: () => listOf([rowOf('c1'), rowOf('c2', { name: 'Léa', isBlocked: true, tags: ['VIP'] })]),
    })
    const row = (await screen.findByText('Camille Renaud')).closest('tr')
    expect(row?.textContent).toContain('€612')
    expect(row?.textContent).toContain('2025')
    expect(screen.getAllByText('Blocked').length).toBeGreaterThan(1)
    await userEvent.type(screen.getByRole('searchbox'), 'lé')
    await waitFor(() => expect(place()).toBe('/mysalon/customers?search=l%C3%A9'))
    expect(seen.filter(({ name }) => name === 'customers').length).toBeGreaterThan(1)
    await userEvent.click(screen.getByRole('link', { name: 'Regulars' }))
    expect(place()).toContain('filter=regular')
  })

  it('offers the export to who may have it, and to nobody else', async () => {
    for (const [own, offered] of [
      [mayDo('customers.read', 'customers.export'), true],
      [mayDo('customers.read'), false],
    ] as const) {
      const { seen } = openList({ ownPermissions: () => own })
      await waitFor(() => expect(seen.some(({ name }) => name === 'ownPermissions')).toBe(true))
      await userEvent.click(await screen.findByRole('button', { name: 'More' }))
      await screen.findByRole('menuitem', { name: 'Import a list' })
      await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Export all as CSV' }) !== null).toBe(offered))
      cleanup()
    }
  })

  it('says what to do while nobody is in it, and where nobody is like that', async () => {
    openList({ customers: () => listOf([]) })
    expect(await screen.findByText('Nobody is in your book yet.')).toBeTruthy()
    cleanup()
    openList({ customers: () => listOf([]) }, '/mysalon/customers?filter=blocked')
    expect(await screen.findByText('Nobody like that.')).toBeTruthy()
  })

  it('shows everyone with nothing left in the search, and Back brings what was searched', async () => {
    const { router } = openList({ customers: ({ query }) => listOf(query.get('search') ? [] : [rowOf('c1')]) })
    await screen.findByText('Camille Renaud')
    const search = () => screen.getByRole<HTMLInputElement>('searchbox').value
    await userEvent.type(screen.getByRole('searchbox'), 'nobody')
    await userEvent.click(await screen.findByRole('link', { name: 'Show everyone' }))
    expect(await screen.findByText('Camille Renaud')).toBeTruthy()
    expect(search()).toBe('')
    await act(() => router.navigate(-1))
    await waitFor(() => expect(search()).toBe('nobody'))
  })

  it('warns of somebody who is known before they are added again', async () => {
    let times = 0
    const { seen } = openList({
      addCustomer: () =>
        times++ === 0
          ? refused(409, { code: 'customer_known', message: 'Known.', details: { customers: [{ _id: 'c9', name: 'Old Camille' }] } })
          : recordOf(),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Add a client' }))
    const dialog = within(screen.getByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('First name'), 'Camille')
    await userEvent.type(dialog.getByLabelText('Phone'), '0644182093')
    await userEvent.click(dialog.getByRole('button', { name: 'Add client' }))
    expect(await dialog.findByText('Old Camille')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Add as another person' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const sent = seen.filter(({ name }) => name === 'addCustomer').map(({ body }) => body)
    expect(sent).toMatchObject([{ isAnother: false }, { isAnother: true, firstName: 'Camille', tags: [] }])
  })
})

describe('a client’s record', () => {
  it('says the one thing to know first, and opens what is restricted only when asked', async () => {
    const { seen } = openRecord(recordOf(), { openCustomerHealth: () => ({ allergies: 'Acrylates', formulas: '', openings: [] }) })
    expect(await screen.findByText('Health notes are kept. Open them before you begin.')).toBeTruthy()
    expect(screen.queryByText('Acrylates')).toBeNull()
    expect(seen.some(({ name }) => name === 'openCustomerHealth')).toBe(false)
    expect(screen.getByRole('link', { name: 'Book' }).getAttribute('href')).toBe('/mysalon/appointments/calendar?new=1&customer=c1')
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    expect(await screen.findByDisplayValue('Acrylates')).toBeTruthy()
  })

  it('shows nothing to open to those who may not', async () => {
    openRecord(recordOf({ alert: 'Rings twice', health: { isKept: true, mayOpen: false, lastOpened: null } }))
    expect(await screen.findByText('Rings twice')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Open' })).toBeNull()
  })

  it('keeps a note, with who wrote it', async () => {
    const noted = recordOf({ notes: 'Almond oil', noted: { by: 'Odile', at: now } })
    const { seen } = openRecord(recordOf(), { changeCustomer: () => noted })
    await userEvent.click(await screen.findByRole('button', { name: 'Add a note' }))
    await userEvent.type(screen.getByLabelText('Notes'), 'Almond oil')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Odile wrote, Today')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'changeCustomer')?.body).toEqual({ notes: 'Almond oil', notesBefore: '' })
  })

  it('is not left with a note half written before that was asked about', async () => {
    const { place } = openRecord(recordOf())
    await userEvent.click(await screen.findByRole('button', { name: 'Add a note' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Notes' }), 'Almond')
    await userEvent.click(screen.getByRole('link', { name: 'Clients' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getAllByRole('button')[0] as HTMLElement)
    expect(place()).toBe('/mysalon/customers/c1')
    expect(screen.getByDisplayValue('Almond')).toBeTruthy()
  })
})

describe('what hangs on a record', () => {
  it('[P-09] keeps files and forms: a picture is sent with its person, a form with who signed it, and may be withdrawn', async () => {
    const consent = {
      _id: 'f1',
      title: 'Lash lift',
      text: 'I agree to the glue.',
      signedBy: 'Camille Renaud',
      signedAt: now,
      takenBy: 'Odile',
      withdrawnAt: null,
    }
    const file = { _id: 'p1', kind: 'document' as const, name: 'patch-test.pdf', url: '/files/p1', addedAt: now }
    const { seen, container } = openRecord(recordOf(), {
      addCustomerFile: () => recordOf({ files: [file] }),
      addCustomerConsent: () => recordOf({ files: [file], consents: [consent] }),
      withdrawCustomerConsent: () => recordOf({ files: [file], consents: [{ ...consent, withdrawnAt: now }] }),
    })
    await userEvent.click(await screen.findByRole('tab', { name: 'Files and forms' }))
    const chooser = container.querySelector<HTMLInputElement>('input[type=file]')
    if (!chooser) throw new Error('no chooser')
    await userEvent.upload(chooser, new File(['x'], 'patch-test.pdf', { type: 'application/pdf' }))
    expect(await screen.findByText('patch-test.pdf')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'addCustomerFile')?.params).toEqual({ id: 'c1' })
    await userEvent.click(screen.getByRole('button', { name: 'Have a form signed' }))
    await userEvent.type(screen.getByLabelText('What it is about'), 'Lash lift')
    await userEvent.type(screen.getByLabelText('The text that was shown'), 'I agree to the glue.')
    await userEvent.click(screen.getByRole('button', { name: 'They agree' }))
    expect(await screen.findByText('Lash lift')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'addCustomerConsent')?.body).toEqual({
      title: 'Lash lift',
      text: 'I agree to the glue.',
      signedBy: 'Camille Renaud',
    })
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
    expect(await screen.findByText(/^Withdrawn /)).toBeTruthy()
    expect(seen.find(({ name }) => name === 'withdrawCustomerConsent')?.params).toEqual({ id: 'c1', consentId: 'f1' })
  })

  it('[P-09] two joined records are taken apart again by one press', async () => {
    const merges = [{ _id: 'm1', name: 'Camille R.', at: now, until: now }]
    const { seen } = openRecord(recordOf({ merges }), { undoMerge: () => recordOf() })
    await userEvent.click(await screen.findByRole('button', { name: 'Take apart' }))
    await waitFor(() => expect(seen.find(({ name }) => name === 'undoMerge')?.params).toEqual({ id: 'm1' }))
    await waitFor(() => expect(screen.queryByText(/Camille R\./)).toBeNull())
  })

  it('shows tags, and says of somebody who is blocked that nothing can be booked online', async () => {
    openRecord(recordOf({ tags: ['Evenings'], isBlocked: true, health: { isKept: false, mayOpen: true, lastOpened: null } }))
    expect(await screen.findByText('Evenings')).toBeTruthy()
    expect(screen.getByText('Blocked: nothing can be booked online.')).toBeTruthy()
  })

  it('says what a client with an account pays before a visit, and sends another choice', async () => {
    const { seen } = openRecord(recordOf(), { changeCustomer: ({ body }) => recordOf(body as Partial<Customer>) })
    const choice = await screen.findByLabelText<HTMLSelectElement>('Paying before a visit')
    expect(choice.value).toBe('')
    await userEvent.selectOptions(choice, 'The whole price')
    await waitFor(() => expect(choice.value).toBe('all'))
    await userEvent.selectOptions(choice, 'Like everyone')
    await waitFor(() => expect(choice.value).toBe(''))
    expect(seen.filter(({ name }) => name === 'changeCustomer').map(({ body }) => body)).toEqual([
      { paysFirst: 'all' },
      { paysFirst: null },
    ])
    cleanup()
    openRecord(recordOf({ hasAccount: false }))
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(screen.queryByLabelText('Paying before a visit')).toBeNull()
  })
})

describe('joining two records', () => {
  it('puts two records side by side and sends what was chosen', async () => {
    const more = { birthday: null, locale: null, hasAccount: false, since: now }
    const pair: Duplicate = {
      reasons: ['phone'],
      records: [
        { ...rowOf('c1'), ...more, email: 'camille@mail.test' },
        {
          ...rowOf('c2', { name: 'camille r', phone: '+33 6 44 18 20 93', visits: 1, spend: { amount: 2800, currency: 'EUR' } }),
          ...more,
          birthday: '1990-06-02',
        },
      ],
    }
    const merged = { mergeId: 'm1', until: now, customer: recordOf({ visits: 15, spend: { amount: 64_000, currency: 'EUR' } }) }
    const { seen } = openList(
      { customerDuplicates: () => ({ items: [pair] }), mergeCustomers: () => merged },
      '/mysalon/customers?view=merge',
    )
    expect(await screen.findByText('Same phone.')).toBeTruthy()
    expect(screen.getByText('the same on both')).toBeTruthy()
    expect(screen.getByText('€640')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Merge the two' }))
    expect(await screen.findByText('Now one person: 15 visits, €640.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'mergeCustomers')?.body).toMatchObject({
      keepId: 'c1',
      mergeId: 'c2',
      take: { name: 'keep', email: 'keep', birthday: 'merge' },
    })
  })
})
