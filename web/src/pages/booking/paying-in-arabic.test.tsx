// The pay step in Arabic, where amounts of dirhams stand among words that are read from the right.
import type { HoldPayment } from '@soigne/contract/payments'
import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { fakeServer, noFees } from '#/testing/fake-server.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { holdAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { BookingFlow } from './booking-flow.tsx'

const at = '2031-03-18T15:40:00.000Z'
const dirhams = (amount: number) => ({ amount: amount * 100, currency: 'MAD' })
const plan: HoldPayment = {
  total: dirhams(250),
  // 30 % of it.
  deposit: dirhams(75),
  payAtSalon: true,
  canPayAll: true,
  methods: ['card'],
  fees: noFees,
  checkout: null,
  booked: false,
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  act(dismissAllToasts)
  vi.unstubAllGlobals()
})

/** Without the marks that keep an amount in one piece, and with spaces of one kind. */
const plain = (text: string | null): string =>
  (text ?? '').replaceAll(/[\u200e\u200f\u2066-\u2069]/g, '').replaceAll(/[\u00a0\u202f]/g, ' ')
const says = (words: string) => (_: string, element: Element | null) =>
  element?.childElementCount === 0 && plain(element.textContent) === words

it('[E-11] [U-16] says what of 250 dirhams is paid now and what is left, each amount in one piece', async () => {
  fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [holdAt(at, 600_000)] }),
    releaseHold: () => ({ message: '' }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    holdPayment: () => plan,
  })
  const address = `/salon/atelier-nacre/book?service=${gelManicure}&staff=any&at=${encodeURIComponent(at)}`
  renderPart(<BookingFlow institute={nacre} now={Date.parse('2031-03-18T08:00:00Z')} />, { at: address, locale: 'ar' })
  const split = await screen.findByText(says('75.00 د.م. الآن، و175.00 د.م. في المركز.'))
  // An amount turns nothing that stands around it, and nothing around turns it.
  expect(split.textContent?.match(/\u2068[^\u2069]*\u2069/g)?.map(plain)).toEqual(['75.00 د.م.', '175.00 د.م.'])
  expect(screen.getByText(says('للدفع: 175.00 د.م.'))).toBeTruthy()
  const button = (words: string) => screen.getAllByRole('button').filter(({ textContent }) => plain(textContent) === words)
  expect(button('دفع 75.00 د.م.').length).toBeGreaterThan(0)
  await userEvent.click(screen.getByRole('radio', { name: (name) => plain(name) === 'المبلغ كاملًا 250.00 د.م.' }))
  expect(await screen.findByText(says('250.00 د.م. الآن، ولا يبقى شيء للدفع.'))).toBeTruthy()
  expect([button('دفع 75.00 د.م.').length, button('دفع 250.00 د.م.').length > 0]).toEqual([0, true])
  expect(document.body.textContent).not.toMatch(/[٠-٩]/)
})
