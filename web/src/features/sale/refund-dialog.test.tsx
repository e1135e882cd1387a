// What goes back of a sale that gave something back before, and what is sent of it.
import type { Sale } from '@soigne/contract/sales'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { paidSale, saleLine } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { RefundDialog } from './refund-dialog.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

function open(sale: Sale, more: Parameters<typeof fakeServer>[0] = {}) {
  const onClose = vi.fn()
  const seen = fakeServer({ me: () => owner, refundSale: () => sale, ...more })
  renderPart(<RefundDialog sale={sale} onClose={onClose} />)
  return { onClose, sent: () => seen.filter(({ name }) => name === 'refundSale') }
}
const cream = saleLine('2', 'Hand cream', 9, { kind: 'product', quantity: 2, staffName: null })
const withCream = (more: Partial<Sale> = {}) => paidSale({ lines: [...paidSale().lines, cream], ...more })
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const isOff = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled
async function retype(name: string, text: string) {
  const field = screen.getByLabelText<HTMLInputElement>(`Amount for ${name}`)
  await userEvent.clear(field)
  if (text !== '') await userEvent.type(field, text)
}

describe('giving money back', () => {
  it('begins with nothing chosen, and wants a line and words of why', async () => {
    const { sent } = open(withCream())
    expect((await screen.findAllByRole('checkbox')).filter((box) => (box as HTMLInputElement).checked)).toEqual([])
    await userEvent.type(screen.getByLabelText('Reason'), 'Lifted')
    expect(isOff('Refund a line')).toBe(true)
    await userEvent.click(screen.getByLabelText('Hand cream'))
    expect(isOff('Give back €9.00')).toBe(false)
    await userEvent.clear(screen.getByLabelText('Reason'))
    await userEvent.type(screen.getByLabelText('Reason'), '   ')
    expect(isOff('Give back €9.00')).toBe(true)
    expect(sent()).toEqual([])
  })

  it('sends an amount with the part of a line alone: the whole of a product is back on the shelf', async () => {
    const { sent, onClose } = open(withCream())
    await userEvent.click(await screen.findByLabelText('Hand cream'))
    await userEvent.click(screen.getByLabelText('Gel manicure'))
    await retype('Gel manicure', '٧٫٥')
    await userEvent.type(screen.getByLabelText('Reason'), '  A chip  ')
    await press('Give back €16.50')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(sent()[0]?.params).toEqual({ id: 'v1' })
    const lines = expect.arrayContaining([{ _id: '2' }, { _id: '0', amount: 750 }]) as unknown
    expect(sent()[0]?.body).toEqual({ lines, reason: 'A chip', method: 'terminal' })
  })

  it.each(['', '0', '38.01', 'all'])('takes no «%s» of a line of 38, and says between what', async (text) => {
    open(withCream())
    await userEvent.click(await screen.findByLabelText('Gel manicure'))
    await userEvent.type(screen.getByLabelText('Reason'), 'A chip')
    expect(screen.queryByText('Between nothing and €38.00.')).toBeNull()
    await retype('Gel manicure', text)
    expect(screen.getByText('Between nothing and €38.00.')).toBeTruthy()
    const submit = screen.getByRole<HTMLButtonElement>('button', { name: /^(Give back|Refund a line)/ })
    expect(submit.disabled).toBe(true)
  })

  it('counts what went back before with the discount, so that both together are all of it', async () => {
    // Ten percent of 52; of the 38 all went back already, with 3.80 of the discount.
    const cut = saleLine('d', 'Regular', -5.2, { kind: 'discount', staffName: null, refunded: -380 })
    open(paidSale({ lines: [saleLine('0', 'Gel manicure', 38, { refunded: 3800 }), saleLine('1', 'Hand massage', 14), cut] }))
    await userEvent.click(await screen.findByLabelText('Hand massage'))
    expect(screen.queryByLabelText('Gel manicure')).toBeNull()
    expect(screen.getByText('Their part of the discount: −€1.40.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Give back €12.60' })).toBeTruthy()
  })

  it('offers the last way it came first, then over the counter, each once', async () => {
    open(withCream({ methods: ['paypal', 'cash'] }))
    const way = await screen.findByRole<HTMLSelectElement>('combobox')
    expect([...way.options].map(({ value }) => value)).toEqual(['cash', 'paypal', 'terminal'])
    expect(way.value).toBe('cash')
  })

  it('is another request once something of it is changed', async () => {
    const { sent, onClose } = open(withCream(), {
      refundSale: () => refused(409, { code: 'more_than_left', message: 'Only €4.00 is left of it.', details: { left: 400 } }),
    })
    await userEvent.click(await screen.findByLabelText('Hand cream'))
    await userEvent.type(screen.getByLabelText('Reason'), 'Dry')
    await press('Give back €9.00')
    await screen.findByText('Only €4.00 is left of it.')
    await retype('Hand cream', '4')
    await press('Give back €4.00')
    await waitFor(() => expect(sent()).toHaveLength(2))
    const [first, second] = sent().map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toBeTruthy()
    expect(second).not.toBe(first)
    expect(onClose).not.toHaveBeenCalled()
  })

  it.each(['a double click', 'two presses before anything is drawn'])('is one request and one note for %s', async (how) => {
    const answer = Promise.withResolvers<Sale>()
    const { sent, onClose } = open(withCream(), { refundSale: () => answer.promise })
    await userEvent.click(await screen.findByLabelText('Hand cream'))
    await userEvent.type(screen.getByLabelText('Reason'), 'Dry')
    const button = screen.getByRole('button', { name: 'Give back €9.00' })
    if (how === 'a double click') await userEvent.dblClick(button)
    else
      act(() => {
        fireEvent.click(button)
        fireEvent.click(button)
      })
    await waitFor(() => expect(sent()).not.toHaveLength(0))
    await act(async () => {
      answer.resolve(withCream({ can: { take: false, refund: true } }))
      await answer.promise
    })
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(sent()[0]?.headers.get('idempotency-key')).toBeTruthy()
    expect(sent().map(({ body }) => body)).toEqual([{ lines: [{ _id: '2' }], reason: 'Dry', method: 'terminal' }])
    expect(onClose).toHaveBeenCalledOnce()
  })
})
