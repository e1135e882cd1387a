import type { Till } from '@soigne/contract/sales'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { diaryOf, diarySegment, diaryVisit } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { handMassage, ines, maud, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { euros, mayDo, oil, openSale, paidSale, payment } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { TillPlace } from './till-place.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const visit = () => ({
  ...diaryVisit('v1', '14:00', '15:20', {
    segments: [diarySegment('14:00', '15:00'), diarySegment('15:00', '15:20', { position: 1, staffId: maud, serviceId: handMassage })],
  }),
  history: [],
})
function server(more: Parameters<typeof fakeServer>[0] = {}) {
  return fakeServer({
    me: () => owner,
    ownPermissions: () => mayDo(),
    diary: () => diaryOf(),
    institute: () => nacre,
    products: () => ({ items: [oil] }),
    diaryVisit: visit as never,
    visitTill: () => openSale(),
    customers: () => ({ items: [], page: 1, pageSize: 10, total: 0, tags: [], timeZone: 'Europe/Paris', now: '' }),
    ...more,
  })
}
function open(more: Parameters<typeof fakeServer>[0] = {}, visitId: string | null = 'v1') {
  const seen = server(more)
  return { seen, ...renderPart(<TillPlace visitId={visitId} />) }
}
const sent = (seen: ReturnType<typeof fakeServer>, name: 'takeForVisit' | 'sellOverCounter' = 'takeForVisit') =>
  seen.filter((one) => one.name === name)
const due = async () => (await screen.findByText('To pay now')).parentElement?.textContent
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
async function choose(line: string, action: string) {
  await press(`More for ${line}`)
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}
async function type(label: string, text: string) {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

describe('the till of a visit', () => {
  it('[P-10] takes the whole by terminal, and shows the sale', async () => {
    const { seen, place } = open({ takeForVisit: () => paidSale() })
    expect(await due()).toContain('€52.00')
    expect(screen.getByText(/14:00–15:20, with Inès and Maud$/)).toBeTruthy()
    await press('Take €52.00 by terminal')
    await waitFor(() => expect(place()).toBe('/mysalon/invoices/v1'))
    expect(await screen.findByText('€52.00 taken.')).toBeTruthy()
    expect(sent(seen)[0]?.params).toEqual({ id: 'v1' })
    expect(sent(seen)[0]?.body).toEqual({
      lines: [{ segment: 0 }, { segment: 1 }],
      tips: [],
      payments: [{ method: 'terminal', amount: 5200 }],
    })
    expect(sent(seen)[0]?.headers.get('idempotency-key')).toBeTruthy()
  })

  it('takes off what was paid before, and says what it was', async () => {
    const before = [payment('p0', { kind: 'deposit', method: 'card', amount: 1500 })]
    const { seen } = open({
      visitTill: () => openSale({ paid: euros(15), due: euros(37), payments: before }),
      takeForVisit: () => paidSale(),
    })
    expect(await due()).toContain('€37.00')
    expect(screen.getByText(/^Deposit, Card, /).parentElement?.textContent).toContain('−€15.00')
    await press('Take €37.00 by terminal')
    await waitFor(() => expect(sent(seen)[0]?.body).toMatchObject({ payments: [{ method: 'terminal', amount: 3700 }] }))
  })

  it('removes a line, gives it back, and agrees on another amount', async () => {
    const { seen } = open({ takeForVisit: () => paidSale() })
    await choose('Hand massage', 'Remove')
    expect(await due()).toContain('€38.00')
    await press('Undo')
    expect(await due()).toContain('€52.00')
    await choose('Gel manicure', 'Another amount')
    await type('Amount of Gel manicure', '30,50')
    expect(await due()).toContain('€44.50')
    await type('Amount of Gel manicure', 'x')
    expect(screen.getAllByText('A line has no amount yet.').length).toBeGreaterThan(0)
    await type('Amount of Gel manicure', '30,50')
    await press('Take €44.50 by terminal')
    await waitFor(() => expect(sent(seen)[0]?.body).toMatchObject({ lines: [{ segment: 0, amount: 3050 }, { segment: 1 }] }))
  })

  it('adds a service with whoever does it, and a product as often as wanted', async () => {
    const { seen } = open({ takeForVisit: () => paidSale() })
    await press('Service')
    await type('Find a service', 'massage')
    await userEvent.click(
      within(screen.getByLabelText('Find a service').closest('div[class*=picker]') ?? document.body).getByText('Hand massage'),
    )
    await press('Product')
    await userEvent.click(screen.getByText('Almond cuticle oil'))
    await press('More of Almond cuticle oil')
    expect(await due()).toContain('€91.00')
    await userEvent.selectOptions(screen.getByLabelText('Who did Hand massage'), 'Inès')
    await press('Take €91.00 by terminal')
    await waitFor(() =>
      expect(sent(seen)[0]?.body).toMatchObject({
        lines: [
          { segment: 0 },
          { segment: 1 },
          { serviceId: handMassage, staffId: ines, amount: 1400 },
          { productId: 'p-oil', quantity: 2 },
        ],
      }),
    )
  })

  it('takes a discount off the services, in percent or as an amount', async () => {
    const { seen } = open({ takeForVisit: () => paidSale() })
    await press('Discount')
    expect(await due()).toContain('€46.80')
    const percent = screen.getByRole('textbox', { name: 'Percent' })
    await userEvent.clear(percent)
    await userEvent.type(percent, '150')
    expect(screen.getAllByText('The discount is larger than the services.').length).toBeGreaterThan(0)
    await userEvent.click(screen.getByRole('radio', { name: 'Amount' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Amount' }), '2')
    await userEvent.type(screen.getByLabelText('Reason'), 'Regular')
    await press('Take €50.00 by terminal')
    await waitFor(() => expect(sent(seen)[0]?.body).toMatchObject({ discount: { amount: 200, reason: 'Regular' } }))
    await press('Remove the discount')
    expect(await due()).toContain('€52.00')
  })

  it('[P-10] splits a tip between two by one slider, and the payment in two', async () => {
    const { seen } = open({ takeForVisit: () => paidSale() })
    await press('Other')
    await type('Amount of the tip', '5')
    expect(await due()).toContain('€57.00')
    const slider = screen.getByRole('slider', { name: 'Split between Inès and Maud' })
    expect(slider.getAttribute('aria-valuetext')).toBe('Inès €3.75, Maud €1.25')
    fireEvent.change(slider, { target: { value: '14' } })
    expect(slider.getAttribute('aria-valuetext')).toBe('Inès €3.50, Maud €1.50')
    await press('Split in two payments')
    expect(screen.getAllByText('Say how much of it is the first payment.').length).toBeGreaterThan(0)
    await type('Amount of the first', '40')
    await type('Cash given', '20')
    expect(screen.getByText('Change').parentElement?.textContent).toContain('€3.00')
    await press('Take €57.00 in two ways')
    await waitFor(() =>
      expect(sent(seen)[0]?.body).toMatchObject({
        tips: [
          { staffId: ines, amount: 350 },
          { staffId: maud, amount: 150 },
        ],
        payments: [
          { method: 'terminal', amount: 4000 },
          { method: 'cash', amount: 1700 },
        ],
      }),
    )
  })

  it('reckons the change of cash, and does not take too little', async () => {
    open()
    await userEvent.click(await screen.findByRole('radio', { name: /^Cash/ }))
    await type('Cash given', '50')
    expect(screen.getByText('€2.00 missing.')).toBeTruthy()
    expect((screen.getByRole('button', { name: 'Take €52.00 in cash' }) as HTMLButtonElement).disabled).toBe(true)
    await type('Cash given', '60')
    expect(screen.getByText('Change').parentElement?.textContent).toContain('€8.00')
    expect((screen.getByRole('button', { name: 'Take €52.00 in cash' }) as HTMLButtonElement).disabled).toBe(false)
  })
})

describe('what the server refuses', () => {
  it('says that the sum has changed, keeps everything, and takes the new one', async () => {
    let times = 0
    const { seen } = open({
      takeForVisit: () =>
        times++ === 0 ? refused(409, { code: 'amount_differs', message: 'It differs.', details: { due: 5400 } }) : paidSale(),
    })
    await press('10% €5.20')
    await press('Take €57.20 by terminal')
    expect(await screen.findByText('The sum has changed.')).toBeTruthy()
    expect(screen.getByText(/It comes to €54.00 now. Nothing was taken./)).toBeTruthy()
    await press('Take €54.00 by terminal')
    await waitFor(() => expect(sent(seen)).toHaveLength(2))
    expect(sent(seen)[1]?.body).toMatchObject({ payments: [{ method: 'terminal', amount: 5400 }] })
    const [first, second] = sent(seen).map(({ body }) => body as Till)
    expect(second?.tips).toEqual(first?.tips)
  })

  it('loses nothing with the connection, and asks again under the same key', async () => {
    let times = 0
    const { seen } = open({
      takeForVisit: () => {
        if (times++ === 0) throw new TypeError('Failed to fetch')
        return paidSale()
      },
    })
    await press('Other')
    await type('Amount of the tip', '4,40')
    await press('Take €56.40 by terminal')
    expect(await screen.findByText('Nothing was noted yet.')).toBeTruthy()
    expect((screen.getByLabelText('Amount of the tip') as HTMLInputElement).value).toBe('4,40')
    await press('Take €56.40 by terminal')
    await waitFor(() => expect(sent(seen)).toHaveLength(2))
    expect(new Set(sent(seen).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })

  it('says that a visit is paid already, is nothing to pay, or is not for the caller', async () => {
    open({ visitTill: () => paidSale() })
    expect((await screen.findByRole('link', { name: 'See the sale' })).getAttribute('href')).toBe('/mysalon/invoices/v1')
    cleanup()
    open({ visitTill: () => openSale({ status: 'cancelled', can: { take: false, refund: false } }) })
    expect(await screen.findByText('Nothing to take here.')).toBeTruthy()
    cleanup()
    open({ visitTill: () => refused(403, { code: 'forbidden', message: 'Not for you.' }) })
    expect(await screen.findByText('Sales are for those who handle the money.')).toBeTruthy()
    cleanup()
    open({ visitTill: () => refused(409, { code: 'wrong_state', message: 'Not now.' }) })
    expect(await screen.findByText('Not now.')).toBeTruthy()
  })
})
