/** Fees of late cancellations: set by the owner, agreed with a card that is kept on the provider's page, told before the click, and waived. */
import type { Page } from '@playwright/test'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { bookingAddress, freeOpening } from './support/times.ts'

/** A month: whoever books within it can never cancel for free. */
const month = 43_200

/** Half of a Cut (€42) whoever cancels late, and all of it whoever does not come. */
async function setFees(page: Page): Promise<void> {
  await page.goto('/mysalon/settings/payments')
  const card = page.getByRole('switch', { name: 'Card', exact: true })
  if (!(await card.isChecked())) await card.click()
  const late = page.getByRole('radiogroup', { name: 'When they cancel late' })
  await late.getByText('Percent', { exact: true }).click()
  await page.getByLabel('When they cancel late: Percent of the price').fill('50')
  const missed = page.getByRole('radiogroup', { name: 'When they do not come' })
  await missed.getByText('Fixed', { exact: true }).click()
  await page.getByLabel('When they do not come: Amount').fill('90')
  await page.getByRole('radiogroup', { name: 'Grace' }).getByText('0 min', { exact: true }).click()
  await expect(page.getByText('Cancelled late: €30.00.')).toBeVisible()
  await expect(page.getByText('Not coming: €60.00.')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeHidden()
}

test('@phone [E-10] [E-11] [P-11] a card is kept for a fee: late it is said before the click, waived by the institute, and the card removed', async ({
  page,
  request,
  browser,
}) => {
  test.slow()
  const { slug, owner } = await ownInstitute(request, 'Maison Parole')
  await request.put('/api/v1/secure/mysalon/institute', {
    headers: bearer(owner.token),
    data: {
      rules: {
        gridMinutes: 20,
        noticeMinutes: 0,
        horizonDays: 28,
        maxWaitMinutes: 20,
        gapPolicy: 'off',
        serviceOrder: 'given',
        cancelWindowMinutes: month,
        rescheduleWindowMinutes: 0,
      },
    },
  })
  const desk = await browser.newPage()
  await signInByStorage(desk, owner)
  await setFees(desk)

  const client = await newAccount(request)
  const opening = await freeOpening(request, slug, ['Cut'])
  await signInByStorage(page, client)
  await page.goto(bookingAddress(opening))
  await expect(page.getByText('Your card is kept. Nothing is taken from it now.')).toBeVisible()
  await expect(page.getByText('If you cancel, €21.00 is charged.')).toBeVisible()
  await expect(page.getByText('If you do not come, €42.00 is charged.')).toBeVisible()
  await stepButton(page, 'Keep a card and book').first().click()

  await expect(page.getByText('no real money')).toBeVisible()
  await page.getByRole('radio', { name: /^Card with 3-D Secure/ }).check()
  await page.getByRole('button', { name: 'Keep this card', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByRole('link', { name: 'See my appointment' }).click()
  await expect(page.getByText('Cancelling late costs €21.00. Not coming costs €42.00.')).toBeVisible()
  await expect(page.getByText('Kept: Visa ending in 4242')).toBeVisible()
  const visit = page.url()

  await page.goto('/settings')
  const cards = page.getByRole('list', { name: 'Saved cards' })
  await expect(cards.getByText('Needed by a coming visit or an open fee')).toBeVisible()

  await page.goto(visit)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Let this hour go?' })
  await expect(question.getByText('€21.00 is charged to your card a day later.')).toBeVisible()
  await question.getByRole('button', { name: 'confirm', exact: true }).click()
  await expect(page.getByText('Fee: cancelled late')).toBeVisible()

  await desk.goto('/mysalon/invoices')
  await desk.getByRole('link', { name: /Cancelled late/ }).click()
  await desk.getByRole('button', { name: 'Waive the fee' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Waive the fee' })
  await dialog.getByLabel(/^Reason/).fill('Their train stood still.')
  await dialog.getByRole('button', { name: 'Waive', exact: true }).click()
  await expect(desk.getByText('Reason: Their train stood still.')).toBeVisible()
  await desk.close()

  await page.reload()
  await expect(page.getByText('Waived', { exact: true })).toBeVisible()
  await page.goto('/settings')
  await cards.getByRole('button', { name: /^Remove Visa/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'confirm', exact: true }).click()
  await expect(page.getByText('The card is removed.')).toBeVisible()
  await expect(cards).toBeHidden()
})
