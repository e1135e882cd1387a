// A client's record on two screens: each stores what was changed on it, and nothing of what it had read before.
import type { Customer } from '@soigne/contract/customers'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import CustomerPage from './customer-page.tsx'

vi.mock('react-router', async (original) => ({ ...(await original<object>()), useParams: () => ({ id: 'c1' }) }))

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const now = '2026-11-24T10:00:00.000Z'
const record: Customer = {
  _id: 'c1',
  name: 'Camille Renaud',
  firstName: 'Camille',
  lastName: 'Renaud',
  phone: '06 44 18 20 93',
  email: null,
  imageUrl: null,
  lastVisitAt: null,
  nextVisitAt: null,
  visits: 0,
  spend: { amount: 0, currency: 'EUR' },
  noShows: 0,
  tags: ['VIP'],
  isBlocked: false,
  // The small DOM shows nothing chosen in a list of its own accord.
  locale: null,
  birthday: null,
  age: null,
  isMinor: false,
  hasAccount: false,
  chatId: null,
  paysFirst: null,
  alert: '',
  notes: '',
  noted: null,
  since: now,
  everyDays: null,
  mostlyWith: null,
  nextTotal: null,
  months: [],
  relations: [],
  files: [],
  consents: [],
  health: { isKept: false, mayOpen: true, lastOpened: null },
  merges: [],
  timeZone: 'Europe/Paris',
  now,
}

/** The page is open, and somebody else stores something. */
async function open() {
  let stored = record
  const seen = fakeServer({
    me: () => owner,
    customer: () => stored,
    customerVisits: () => ({ items: [], page: 1, pageSize: 10, total: 0 }),
    changeCustomer: ({ body }) => ({ ...stored, ...(body as object) }),
    openCustomerHealth: () => ({ allergies: 'Latex', formulas: '', openings: [] }),
    changeCustomerHealth: () => ({ allergies: 'Latex', formulas: '', openings: [] }),
  })
  renderPart(<CustomerPage />, { at: '/mysalon/customers/c1' })
  await screen.findByRole('heading', { level: 1 })
  return {
    elsewhere: (change: Partial<Customer>) => void (stored = { ...stored, ...change }),
    sent: (call = 'changeCustomer') => seen.filter(({ name }) => name === call).map(({ body }) => body),
  }
}
async function edit() {
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit details' }))
}
const type = (label: string, value: string): boolean => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

it('a client’s details keep what the other stored meanwhile', async () => {
  const { elsewhere, sent } = await open()
  await edit()
  elsewhere({ phone: '06 00 00 00 01', tags: ['VIP', 'Evenings'] })
  type('One thing to know', 'Rings twice')
  type('Tags', 'VIP, Colour')
  await save()
  await waitFor(() => expect(sent()).toEqual([{ alert: 'Rings twice', tags: ['VIP', 'Evenings', 'Colour'] }]))
})

it('where both changed the same, nothing is stored before somebody has read what the other wrote', async () => {
  const { elsewhere, sent } = await open()
  await edit()
  elsewhere({ alert: 'Afraid of dogs', lastName: 'Renaud-Petit' })
  type('One thing to know', 'Rings twice')
  await save()
  expect(await screen.findByText('Changed on another screen meanwhile, to: Afraid of dogs')).toBeTruthy()
  expect(within(screen.getByRole('alert')).getByText(/^Some of this was changed on another screen meanwhile\./)).toBeTruthy()
  expect(sent()).toEqual([])
  expect(screen.getByLabelText<HTMLInputElement>('One thing to know').value).toBe('Rings twice')
  expect(screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('Renaud-Petit')
  await save()
  await waitFor(() => expect(sent()).toEqual([{ alert: 'Rings twice' }]))
})

it('what is kept of their health is sent with what was read, so that nothing of the other is lost', async () => {
  const { sent } = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Write down' }))
  fireEvent.change(await screen.findByDisplayValue('Latex'), { target: { value: 'Latex, nuts' } })
  await save()
  const body = { allergies: 'Latex, nuts', formulas: '', before: { allergies: 'Latex', formulas: '' } }
  await waitFor(() => expect(sent('changeCustomerHealth')).toEqual([body]))
})
