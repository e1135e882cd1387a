import type { Customer } from '@soigne/contract/customers'
import type { Product } from '@soigne/contract/products'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { diaryOf } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, ines, maud, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { euros, mayDo, oil, paidSale } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import CounterPage from './counter-page.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const found = { _id: 'c9', name: 'Hélène Vidal' } as Customer
const counterSale = () => paidSale({ _id: 's1', appointmentId: null, startsAt: null, endsAt: null })
function open(more: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({
    me: () => owner,
    ownPermissions: () => mayDo(),
    diary: () => diaryOf(),
    institute: () => nacre,
    products: () => ({ items: [oil] }),
    customers: () => ({ items: [found], page: 1, pageSize: 10, total: 1, tags: [], timeZone: 'Europe/Paris', now: '' }),
    sellOverCounter: () => counterSale(),
    ...more,
  })
  return { seen, ...renderPart(<CounterPage />) }
}
const sent = (seen: ReturnType<typeof fakeServer>) => seen.filter(({ name }) => name === 'sellOverCounter')
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const isOff = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled

describe('a sale over the counter', () => {
  it('[P-10] sells a product for cash to a client, and shows the sale', async () => {
    const { seen, place } = open()
    await userEvent.type(await screen.findByLabelText('Client'), 'vidal')
    await press('Hélène Vidal')
    expect(screen.getByText('3 left on the shelf')).toBeTruthy()
    await userEvent.click(screen.getByText('Almond cuticle oil'))
    await userEvent.click(screen.getByRole('radio', { name: /^Cash/ }))
    await press('Take €12.50 in cash')
    await waitFor(() => expect(place()).toBe('/mysalon/invoices/s1'))
    expect(sent(seen)[0]?.body).toEqual({
      customerId: 'c9',
      lines: [{ productId: 'p-oil', quantity: 1 }],
      tips: [],
      payments: [{ method: 'cash', amount: 1250 }],
    })
  })

  it('begins with nothing, says so, and takes nothing', async () => {
    open({ products: () => ({ items: [] }) })
    expect(await screen.findByText('No products yet.')).toBeTruthy()
    expect(screen.getAllByText('Add a service or a product first.').length).toBeGreaterThan(0)
    expect(isOff('Close the sale')).toBe(true)
    expect(screen.getByRole('link', { name: 'Leave' }).getAttribute('href')).toBe('/mysalon/invoices')
  })

  it('puts a new product on the shelf on the spot; a refusal keeps what was typed', async () => {
    const cream: Product = { ...oil, _id: 'p-cream', name: 'Hand cream', price: euros(9), stock: 6 }
    let times = 0
    const { seen } = open({
      addProduct: () => (times++ === 0 ? refused(409, { code: 'menu_full', message: 'The shelf is full.' }) : cream),
    })
    await press('New product')
    await userEvent.type(screen.getByLabelText('Name'), 'Hand cream')
    expect(isOff('Add it')).toBe(true)
    await userEvent.type(screen.getByLabelText('Price'), '9')
    await userEvent.type(screen.getByLabelText('In stock'), 'many')
    expect(screen.getByText('A whole number, or nothing.')).toBeTruthy()
    await userEvent.clear(screen.getByLabelText('In stock'))
    await userEvent.type(screen.getByLabelText('In stock'), '6')
    await press('Add it')
    expect(await screen.findByText('The shelf is full.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Hand cream')
    await press('Add it')
    expect(await screen.findByRole('button', { name: 'Take €9.00 by terminal' })).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'addProduct').map(({ body }) => body)).toEqual([
      { name: 'Hand cream', price: 900, stock: 6 },
      { name: 'Hand cream', price: 900, stock: 6 },
    ])
  })

  it('leads who takes money and reads no sales back to the calendar', async () => {
    const { seen, place } = open({ ownPermissions: () => mayDo('sales.take', 'diary.read') })
    await userEvent.click(await screen.findByText('Almond cuticle oil'))
    await press('Take €12.50 by terminal')
    await waitFor(() => expect(place()).toBe('/mysalon/appointments/calendar'))
    expect(sent(seen)).toHaveLength(1)
  })

  it('makes no product for who may not change the menu', async () => {
    open({ ownPermissions: () => mayDo('sales.take', 'diary.read') })
    expect(await screen.findByText('Almond cuticle oil')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'New product' })).toBeNull()
  })

  it('takes the price of whoever does a service, and wants one where it depends', async () => {
    const [first, ...others] = nacre.services
    const from = first ? [{ ...first, priceKind: 'from' as const }, ...others] : []
    const { seen } = open({ institute: () => ({ ...nacre, services: from }) })
    await press('Service')
    await userEvent.click(await screen.findByText('Gel manicure'))
    expect(screen.getAllByText('A line has no amount yet.').length).toBeGreaterThan(0)
    await userEvent.type(screen.getByLabelText('Amount of Gel manicure'), '41')
    await press('Take €41.00 by terminal')
    await waitFor(() => expect(sent(seen)[0]?.body).toMatchObject({ lines: [{ serviceId: gelManicure, staffId: ines, amount: 4100 }] }))
    cleanup()
    open()
    await press('Service')
    await userEvent.click(await screen.findByText('Gel manicure'))
    expect(await screen.findByRole('button', { name: 'Take €38.00 by terminal' })).toBeTruthy()
    await userEvent.selectOptions(screen.getByLabelText('Who did Gel manicure'), 'Maud')
    expect(await screen.findByRole('button', { name: 'Take €44.00 by terminal' })).toBeTruthy()
  })

  it('asks for whom a tip is where nobody did anything', async () => {
    const { seen } = open()
    await userEvent.click(await screen.findByText('Almond cuticle oil'))
    await press('10% €1.25')
    expect(screen.getAllByText('Say who the tip is for.').length).toBeGreaterThan(0)
    await userEvent.selectOptions(screen.getByLabelText('Who is it for?'), 'Maud')
    await press('Take €13.75 by terminal')
    await waitFor(() => expect(sent(seen)[0]?.body).toMatchObject({ tips: [{ staffId: maud, amount: 125 }] }))
  })

  it('goes on without a name when clients cannot be searched', async () => {
    open({ customers: () => refused(403, { code: 'forbidden', message: 'Not for you.' }) })
    await userEvent.type(await screen.findByLabelText('Client'), 'vidal')
    expect(await screen.findByText('The search did not work. The sale can go on without a name.')).toBeTruthy()
    await userEvent.click(screen.getByText('Almond cuticle oil'))
    expect(isOff('Take €12.50 by terminal')).toBe(false)
  })
})
