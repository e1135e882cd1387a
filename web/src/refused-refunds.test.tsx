import type { Sale } from '@soigne/contract/sales'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import SalePage from '#/features/sale/sale-page.tsx'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { mayDo, openSale, refusedRefund } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'

vi.mock('react-router', async (original) => ({ ...(await original<object>()), useParams: () => ({ id: 'v1' }) }))

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

/** The page of a sale; what it tells of refunds changes with each reading, and the last stays. */
function open(readings: Sale['refusedRefunds'][], more: Parameters<typeof fakeServer>[0] = {}) {
  let times = 0
  const sale = () => openSale({ refusedRefunds: readings[Math.min(times++, readings.length - 1)] ?? [] })
  const seen = fakeServer({ me: () => owner, ownPermissions: () => mayDo('sales.read', 'sales.refund'), sale, ...more })
  renderPart(<SalePage />)
  return seen
}
const card = async () => within(await screen.findByRole('region', { name: '1 refund was refused' }))

describe('a refund that was refused', () => {
  it('tells to whom, how much, when and why', async () => {
    open([[refusedRefund()]])
    const shown = await card()
    expect(shown.getByText('€15.00 to Camille Renaud')).toBeTruthy()
    expect(shown.getByText('The card was lost, closed or has expired.')).toBeTruthy()
    expect(shown.getByText(/^Refused: .*15:21$/)).toBeTruthy()
    cleanup()
    open([[refusedRefund({ why: null })]])
    expect((await card()).getByText('The payment provider gave no reason.')).toBeTruthy()
  })

  it('says what to do where the account that took it is connected no more, until that is done', async () => {
    const one = refusedRefund({ why: 'disconnected' })
    const next = /Refund it in your Stripe dashboard, or pay it back another way/
    open([[one]])
    const shown = await card()
    expect(shown.getByText(/account that is no longer connected here/)).toBeTruthy()
    expect(shown.getByText(next)).toBeTruthy()
    await shown.findByRole('button', { name: 'Try again' })
    expect(shown.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Paid back otherwise', 'Try again'])
    cleanup()
    open([[{ ...one, settled: { how: 'Cash.', at: one.at, by: null } }]])
    expect((await card()).queryByText(next)).toBeNull()
  })

  it('is asked for again, and is gone until it is refused again', async () => {
    const seen = open([[refusedRefund()], []], { sendRefundAgain: () => ({ _id: 'r1', state: 'waiting' }) })
    await userEvent.click(await (await card()).findByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('The provider is asked again. If it refuses, you see it here.')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('region', { name: '1 refund was refused' })).toBeNull())
    expect(seen.filter(({ name }) => name === 'sendRefundAgain').map(({ params }) => params)).toEqual([{ id: 'r1' }])
  })

  it('says why it cannot be asked for again', async () => {
    open([[refusedRefund()]], { sendRefundAgain: () => refused(409, { code: 'wrong_state', message: 'It changed meanwhile.' }) })
    await userEvent.click(await (await card()).findByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('It changed meanwhile.')).toBeTruthy()
  })

  it('is noted as paid back otherwise, and the note stays', async () => {
    const settled = { how: 'A bank transfer.', at: '2025-11-21T09:00:00.000Z', by: 'Odile' }
    const seen = open([[refusedRefund()], [refusedRefund({ settled })]], { settleRefund: () => ({ message: 'It is noted.' }) })
    await userEvent.click(await (await card()).findByRole('button', { name: 'Paid back otherwise' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Paid back otherwise' }))
    await userEvent.type(dialog.getByLabelText(/^How was it paid back/), ' A bank transfer. ')
    await userEvent.click(dialog.getByRole('button', { name: 'Note it' }))
    expect(await screen.findByText(/^Paid back otherwise: “A bank transfer\.”\. Noted by Odile, .*10:00\.$/)).toBeTruthy()
    expect(screen.getByText('It is noted.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(seen.filter(({ name }) => name === 'settleRefund').map(({ params, body }) => [params, body])).toEqual([
      [{ id: 'r1' }, { how: 'A bank transfer.' }],
    ])
  })

  it('keeps what was typed when it is refused', async () => {
    open([[refusedRefund()]], { settleRefund: () => refused(409, { code: 'wrong_state', message: 'It changed meanwhile.' }) })
    await userEvent.click(await (await card()).findByRole('button', { name: 'Paid back otherwise' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText(/^How was it paid back/), 'Cash.')
    await userEvent.click(dialog.getByRole('button', { name: 'Note it' }))
    expect(await dialog.findByText('It changed meanwhile.')).toBeTruthy()
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^How was it paid back/).value).toBe('Cash.')
  })

  it('has no buttons for who may not give money back', async () => {
    const seen = open([[refusedRefund()]], { ownPermissions: () => mayDo('sales.read') })
    await card()
    await waitFor(() => expect(seen.some(({ name }) => name === 'ownPermissions')).toBe(true))
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})
