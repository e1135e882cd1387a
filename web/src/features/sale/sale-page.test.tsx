import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Sale } from '@soigne/contract/sales'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { euros, openSale, paidSale, payment, saleLine } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import SalePage from './sale-page.tsx'

/** The part is rendered at any address; which sale is asked for is said here. */
vi.mock('react-router', async (original) => ({ ...(await original<object>()), useParams: () => ({ id: 'v1' }) }))
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

const note: Sale['documents'][number] = {
  _id: 'd2',
  kind: 'credit_note',
  number: 'A-2025-0031',
  issuedAt: '2025-11-22T09:05:00.000Z',
  total: -1400,
  vat: -233,
  reason: 'Two nails lifted the next morning.',
  by: 'Odile',
  lines: [saleLine('n1', 'Hand massage', -14)],
}
/** The massage went back two days later. */
const refundedSale = (): Sale => {
  const sale = paidSale()
  return paidSale({
    refunded: euros(14),
    lines: [sale.lines[0] ?? saleLine('0', 'Gel manicure', 38), saleLine('1', 'Hand massage', 14, { refunded: 1400 })],
    documents: [...sale.documents, note],
    payments: [
      payment('p0', { kind: 'deposit', method: 'paypal', amount: 1500, at: '2025-11-18T10:42:00.000Z', by: null }),
      payment('p1', { amount: 3700 }),
      payment('p2', { kind: 'refund', amount: 1400, at: '2025-11-22T09:05:00.000Z' }),
    ],
    tips: [{ staffId: 'ines', staffName: 'Inès', amount: 500 }],
  })
}

/** What was given back is read again: the sale is then what the change answered. */
function open(sale: Sale, more: Parameters<typeof fakeServer>[0] = {}, after: Sale = sale) {
  let times = 0
  const seen = fakeServer({ me: () => owner, sale: () => (times++ === 0 ? sale : after), ...more })
  return { seen, ...renderPart(<SalePage />) }
}
const sent = (seen: ReturnType<typeof fakeServer>) => seen.filter(({ name }) => name === 'refundSale')
const pdf = new Blob(['%PDF'], { type: 'application/pdf' }) as unknown as Answer<Calls['saleInvoice']>

describe('a sale', () => {
  it('[P-10] [E-10] tells what was sold with its VAT, and what it comes to', async () => {
    open(paidSale())
    expect(await screen.findByRole('heading', { level: 1, name: 'F-2025-0396' })).toBeTruthy()
    expect(screen.getAllByText('Paid')[0]?.querySelector('svg')).toBeTruthy()
    const row = screen.getByText('Gel manicure').closest('tr')
    expect(row?.textContent).toContain('€38.00')
    expect(row?.textContent).toContain('€6.33')
    expect(row?.textContent).toContain('Inès')
    expect(screen.getByText('Invoice, VAT €8.67 included').parentElement?.textContent).toContain('€52.00')
    expect(screen.getByText('Sealed and unbroken')).toBeTruthy()
    expect(screen.getByRole('link', { name: /Camille Renaud/ }).getAttribute('href')).toBe('/mysalon/customers/c-camille')
  })

  it('[P-10] tells what happened to the money, in order, by whom and how', async () => {
    open(refundedSale())
    const list = (await screen.findByRole('heading', { name: 'What happened to the money' })).closest('section')
    const steps = within(list ?? document.body).getAllByRole('listitem')
    expect(
      steps.map(({ textContent }) => /^(€[\d.]+ (?:deposit|paid|back)|Invoice \S+|Credit note \S+)/.exec(textContent ?? '')?.[0]),
    ).toEqual(['€15.00 deposit', '€37.00 paid', 'Invoice F-2025-0396', '€14.00 back', 'Credit note A-2025-0031'])
    expect(steps[0]?.textContent).toContain('PayPal')
    expect(steps[1]?.textContent).toContain('Terminal, taken by Odile')
  })

  it('shows a credit note under its own number, strikes its line and says what is kept', async () => {
    open(refundedSale())
    const card = within(await screen.findByRole('region', { name: 'Credit note A-2025-0031' }))
    expect(card.getByText('−€14.00')).toBeTruthy()
    expect(card.getByText('−€2.33')).toBeTruthy()
    expect(card.getByText('“Two nails lifted the next morning.”')).toBeTruthy()
    expect(card.getByText('The invoice itself never changes.')).toBeTruthy()
    expect(screen.getByText('Partly refunded')).toBeTruthy()
    expect(screen.getByText('€14.00').closest('del')).toBeTruthy()
    expect(screen.getByText('Kept').parentElement?.textContent).toContain('€38.00')
    expect(screen.getByText('Tip for Inès').parentElement?.textContent).toContain('€5.00')
  })

  it('saves the invoice and each credit note as PDF', async () => {
    let times = 0
    const { seen } = open(refundedSale(), {
      saleInvoice: () => (times++ < 2 ? pdf : refused(409, { code: 'wrong_state', message: 'Wait a little.' })),
    })
    const buttons = await screen.findAllByRole('button', { name: 'PDF' })
    for (const [index, button] of buttons.entries()) {
      await userEvent.click(button)
      await waitFor(() => expect(saved).toHaveBeenCalledTimes(index + 1))
    }
    expect(saved.mock.calls.map(([, name]: string[]) => name)).toEqual(['F-2025-0396.pdf', 'A-2025-0031.pdf'])
    expect(seen.filter(({ name }) => name === 'saleInvoice').map(({ query }) => query.get('document'))).toEqual(['d1', 'd2'])
    await userEvent.click(buttons[0] ?? document.body)
    expect(await screen.findByText('Wait a little.')).toBeTruthy()
  })

  it('that nobody paid for yet says what is due and leads to the till', async () => {
    open(
      openSale({ status: 'deposit_paid', paid: euros(15), due: euros(37), payments: [payment('p0', { kind: 'deposit', amount: 1500 })] }),
    )
    expect(await screen.findByRole('heading', { level: 1, name: 'Not invoiced yet' })).toBeTruthy()
    expect(screen.getByText('Deposit Paid')).toBeTruthy()
    expect(screen.getByText('Still to pay').parentElement?.textContent).toContain('€37.00')
    expect(screen.getByText('−€15.00')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Take payment' }).getAttribute('href')).toBe('/mysalon/appointments/v1/till')
    expect(screen.queryByText('Sealed and unbroken')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Refund a line' })).toBeNull()
  })

  it('offers nothing to whom it is not allowed, and says of a broken seal that it is', async () => {
    open(paidSale({ can: { take: false, refund: false }, sealed: false, client: null }))
    expect(await screen.findByText('The seal is broken')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Refund a line' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Take payment' })).toBeNull()
    cleanup()
    open(openSale({ can: { take: false, refund: false } }))
    expect(await screen.findByText('Nothing was paid yet.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Take payment' })).toBeNull()
  })

  it('says that it is not there, did not load, or is not for the reader', async () => {
    open(paidSale(), { sale: () => refused(404, { code: 'not_found', message: 'Not found.' }) })
    expect(await screen.findByText('There is no such sale.')).toBeTruthy()
    cleanup()
    open(paidSale(), { sale: () => refused(403, { code: 'forbidden', message: 'Not for you.' }) })
    expect(await screen.findByText('Sales are for those who handle the money.')).toBeTruthy()
  })
})

describe('giving money back', () => {
  async function start() {
    await userEvent.click(await screen.findByRole('button', { name: 'Refund a line' }))
    return within(await screen.findByRole('dialog'))
  }

  it('[P-10] goes by lines, amounts, a reason and a way, and shows the credit note afterwards', async () => {
    const { seen } = open(paidSale(), { refundSale: () => refundedSale() }, refundedSale())
    const dialog = await start()
    await userEvent.click(dialog.getByLabelText('Hand massage'))
    await userEvent.type(dialog.getByLabelText('Reason'), 'Two nails lifted the next morning.')
    await userEvent.selectOptions(dialog.getByLabelText('How it goes back'), 'Cash')
    await userEvent.click(dialog.getByRole('button', { name: 'Give back €14.00' }))
    expect(await screen.findByRole('region', { name: 'Credit note A-2025-0031' })).toBeTruthy()
    expect(screen.getByText('Given back. Credit note A-2025-0031.')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(sent(seen)[0]?.body).toEqual({
      lines: [{ _id: '1' }],
      reason: 'Two nails lifted the next morning.',
      method: 'cash',
    })
  })

  it('takes a part of a line, and no more than is left of it', async () => {
    const half = paidSale({
      lines: [saleLine('l1', 'Gel manicure', 38, { refunded: 2000 }), saleLine('l2', 'Hand cream', 9, { refunded: 900 })],
    })
    open(half)
    const dialog = await start()
    expect(dialog.queryByLabelText('Hand cream')).toBeNull()
    await userEvent.click(dialog.getByLabelText('Gel manicure'))
    const amount = dialog.getByLabelText('Amount for Gel manicure')
    expect((amount as HTMLInputElement).value).toBe('18.00')
    await userEvent.type(dialog.getByLabelText('Reason'), 'A chip')
    await userEvent.clear(amount)
    await userEvent.type(amount, '18,01')
    expect(dialog.getByText('Between nothing and €18.00.')).toBeTruthy()
    expect((dialog.getByRole('button', { name: 'Give back €18.01' }) as HTMLButtonElement).disabled).toBe(true)
    await userEvent.clear(amount)
    await userEvent.type(amount, '10')
    expect((dialog.getByRole('button', { name: 'Give back €10.00' }) as HTMLButtonElement).disabled).toBe(false)
    await userEvent.click(dialog.getByLabelText('Gel manicure'))
    expect((dialog.getByRole('button', { name: 'Refund a line' }) as HTMLButtonElement).disabled).toBe(true)
  })

  it('gives a discount back with the services it was given on', async () => {
    const cut = saleLine('d', 'Regular', -5.2, { kind: 'discount', staffName: null })
    const cream = saleLine('2', 'Hand cream', 9, { kind: 'product', staffName: null })
    open(paidSale({ lines: [...paidSale().lines, cream, cut], total: euros(55.8) }))
    const dialog = await start()
    expect(dialog.queryByLabelText('Regular')).toBeNull()
    await userEvent.click(dialog.getByLabelText('Hand cream'))
    expect(dialog.getByRole('button', { name: 'Give back €9.00' })).toBeTruthy()
    await userEvent.click(dialog.getByLabelText('Hand massage'))
    expect(dialog.getByText('Their part of the discount: −€1.40.')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Give back €21.60' })).toBeTruthy()
    await userEvent.click(dialog.getByLabelText('Gel manicure'))
    expect(dialog.getByRole('button', { name: 'Give back €55.80' })).toBeTruthy()
  })

  it('keeps what was typed when it is refused, and is sent again under the same key', async () => {
    const { seen } = open(paidSale(), {
      refundSale: () => refused(409, { code: 'more_than_left', message: 'Only €4.00 is left of it.', details: { left: 400 } }),
    })
    const dialog = await start()
    await userEvent.click(dialog.getByLabelText('Hand massage'))
    await userEvent.type(dialog.getByLabelText('Reason'), 'Lifted')
    await userEvent.click(dialog.getByRole('button', { name: 'Give back €14.00' }))
    expect(await dialog.findByText('Only €4.00 is left of it.')).toBeTruthy()
    expect((dialog.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Lifted')
    await userEvent.click(dialog.getByRole('button', { name: 'Give back €14.00' }))
    await waitFor(() => expect(sent(seen)).toHaveLength(2))
    expect(new Set(sent(seen).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    await userEvent.click(dialog.getByRole('button', { name: 'Keep it' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the fee of a visit', () => {
  const fee = (state: 'due' | 'charged' | 'unpaid' | 'waived', canWaive = true): Sale['fee'] => ({
    _id: 'f1',
    kind: 'no_show',
    amount: euros(21),
    state,
    dueAt: '2025-11-21T13:16:00.000Z',
    reason: state === 'waived' ? 'Their train stood still.' : null,
    canWaive,
  })

  it('[E-10] is waived with a reason before it is charged', async () => {
    const { seen } = open(
      openSale({ fee: fee('due') }),
      { waiveFee: () => ({ message: 'The fee is waived.' }) },
      openSale({ fee: fee('waived', false) }),
    )
    expect(await screen.findByText(/^Charged .*, unless it is waived before$/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Waive the fee' }))
    const dialog = await screen.findByRole('dialog', { name: 'Waive the fee' })
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), ' Their train stood still. ')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Waive' }))
    expect(await screen.findByText('Reason: Their train stood still.')).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'waiveFee').map(({ body }) => body)).toEqual([{ reason: 'Their train stood still.' }])
    expect(screen.queryByRole('button', { name: 'Waive the fee' })).toBeNull()
  })

  it('is given back once it was charged; a refusal loses nothing that was typed', async () => {
    open(openSale({ fee: fee('charged') }), { waiveFee: () => refused(409, { code: 'wrong_state', message: 'It changed meanwhile.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Give the fee back' }))
    const dialog = await screen.findByRole('dialog', { name: 'Give the fee back' })
    await userEvent.type(within(dialog).getByLabelText(/^Reason/), 'A mistake.')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Give back' }))
    expect(await within(dialog).findByText('It changed meanwhile.')).toBeTruthy()
    expect(within(dialog).getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('A mistake.')
  })

  it('that could not be charged says so; who may not waive it has no button', async () => {
    open(openSale({ fee: fee('unpaid', false) }))
    expect(await screen.findByText('Unpaid: the card was declined')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Waive the fee' })).toBeNull()
  })
})
