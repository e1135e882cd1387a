/** Paying online, over the page of the built-in provider: a deposit with the booking, the rest on the visit's page, and what goes back. */
import type { Page } from '@playwright/test'
import type { Appointment } from '@soigne/contract/appointments'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { bookingAddress, freeOpening, liveHolds } from './support/times.ts'

const money = (amount: number): string => `€${amount.toFixed(2)}`
const deposit = 15

/** On the page of the provider. */
async function answerWith(page: Page, card: RegExp | null, button: string): Promise<void> {
  await expect(page.getByText('no real money')).toBeVisible()
  if (card) await page.getByRole('radio', { name: card }).check()
  await page.getByRole('button', { name: button, exact: true }).click()
}

async function startBooking(page: Page, request: Parameters<typeof ownInstitute>[0]) {
  const { slug, owner } = await ownInstitute(request, 'Maison Acompte')
  const changed = await request.put('/api/v1/secure/mysalon/institute', {
    headers: bearer(owner.token),
    data: {
      payments: { payAtSalon: true, paymentMethods: ['card', 'paypal', 'klarna'], deposit: { kind: 'fixed', amount: deposit * 100 } },
    },
  })
  expect(changed.status(), await changed.text()).toBe(200)
  const client = await newAccount(request)
  const opening = await freeOpening(request, slug, ['Cut'])
  await signInByStorage(page, client)
  await page.goto(bookingAddress(opening))
  await expect(page.getByRole('heading', { level: 1, name: 'Check, and it’s yours' })).toBeVisible()
  return { client }
}

test('@phone [E-10] [E-11] [U-16] a deposit: abandoned, the same hold goes on; by card with 3-D Secure it is booked, and cancelling says what goes back', async ({
  page,
  request,
}) => {
  test.slow()
  const { client } = await startBooking(page, request)
  await expect(page.getByRole('timer')).toBeVisible()
  const [held] = await liveHolds(request, client)
  const rest = (held?.total.amount ?? 0) / 100 - deposit
  await expect(page.getByText(`${money(deposit)} now, ${money(rest)} at the salon.`)).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Card/ })).toBeChecked()
  await page.getByLabel(/^A note for/).fill('The quiet chair, please.')
  await page.getByRole('radio', { name: /^Klarna/ }).check()
  await stepButton(page, `Pay ${money(deposit)}`).click()
  await answerWith(page, null, 'Abandon')

  await expect(page.getByText('Nothing was taken. You can pay another way.')).toBeVisible()
  await expect(page.getByRole('timer')).toBeVisible()
  expect((await liveHolds(request, client)).map(({ _id }) => _id)).toEqual([held?._id])
  await expect(page.getByLabel(/^A note for/)).toHaveValue('The quiet chair, please.')
  await page.getByRole('radio', { name: /^Card/ }).check()
  await stepButton(page, `Pay ${money(deposit)}`).click()
  await answerWith(page, /3-D Secure/, 'Pay')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()

  await expect(page.getByRole('link', { name: 'See my appointment' })).toBeVisible()
  await expect(page.getByText('Paid now')).toBeVisible()
  await page.getByRole('link', { name: 'See my appointment' }).click()
  await expect(page.getByText('Deposit Paid', { exact: true })).toBeVisible()
  const payment = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Payment', exact: true }) })
  await expect(payment.getByText('Deposit, Card')).toBeVisible()
  await expect(payment.getByText(money(deposit), { exact: true })).toBeVisible()
  await expect(payment.getByText(money(rest), { exact: true })).toBeVisible()

  await page.getByRole('radiogroup', { name: 'Pay with' }).getByRole('radio', { name: 'PayPal' }).check()
  await page.getByRole('button', { name: 'Pay the rest online' }).click()
  await answerWith(page, null, 'Pay')
  await expect(page.getByText(`Paid: ${money(rest)}.`)).toBeVisible()
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Let this hour go?' })
  await expect(question.getByText(`${money(deposit + rest)} goes back to you.`)).toBeVisible()
  await question.getByRole('button', { name: 'confirm', exact: true }).click()
  await expect(page.getByText('The hour is free again.')).toBeVisible()
  await expect(payment.getByText('Refund, Card').first()).toBeVisible()
  await expect(payment.getByText('Refund, PayPal').first()).toBeVisible()
})

test('the browser’s way back from the provider finds the payment open, which can be given up for another way', async ({
  page,
  request,
}) => {
  test.slow()
  const { client } = await startBooking(page, request)
  await stepButton(page, `Pay ${money(deposit)}`).click()
  await expect(page.getByText('no real money')).toBeVisible()
  await page.goBack()
  await expect(page.getByText(`Your payment is still open: ${money(deposit)}, Card.`)).toBeVisible()
  await expect(stepButton(page, `Go on: pay ${money(deposit)}`).first()).toBeVisible()
  await page.getByRole('button', { name: 'Pay another way' }).click()
  await page.getByRole('radio', { name: /^PayPal/ }).check()
  await stepButton(page, `Pay ${money(deposit)}`).click()
  await answerWith(page, null, 'Pay')
  await expect(page.getByRole('link', { name: 'See my appointment' })).toBeVisible()
  const answer = await request.get('/api/v1/secure/appointments?when=upcoming', { headers: bearer(client.token) })
  const { items } = (await answer.json()) as { items: Appointment[] }
  expect(items.map(({ status }) => status)).toEqual(['deposit_paid'])
})
