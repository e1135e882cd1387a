/** Money at the counter: a walk-in pays, is found in Sales, and gets a line back. */
import { signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'

const calendar = '/mysalon/appointments/calendar'

test('[P-10] an owner takes a walk-in’s payment with a tip in two ways, finds it in Sales, and gives a line back', async ({
  page,
  request,
}) => {
  const { owner } = await ownInstitute(request, 'Atelier Genévrier')
  await signInByStorage(page, owner)
  await page.goto(calendar)
  // Tomorrow has free times at any hour of today.
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page).toHaveURL(/day=/)
  await page.getByRole('button', { name: 'New appointment' }).click()
  const form = page.getByRole('dialog', { name: 'New appointment' })
  await form.getByRole('button', { name: 'Cut' }).first().click()
  await form.getByRole('button', { name: 'Walk-in' }).click()
  await form.getByRole('button', { name: /^Book \d/ }).click()
  await page
    .getByRole('button', { name: /Cut Walk-in, / })
    .first()
    .click()
  await page.getByRole('link', { name: 'Take payment' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Ready to pay' })).toBeVisible()
  await expect(page.getByText('€42.00').first()).toBeVisible()
  await page.getByRole('button', { name: 'Product', exact: true }).click()
  await page.getByRole('button', { name: 'New product' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Juniper oil')
  await page.getByLabel('Price').fill('12,50')
  await page.getByLabel('In stock').fill('3')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByRole('button', { name: 'Other' }).click()
  await page.getByLabel('Amount of the tip').fill('5')
  await page.getByRole('button', { name: 'Split in two payments' }).click()
  await page.getByLabel('Amount of the first').fill('40')
  await page.getByLabel('Cash given').fill('20')
  await expect(page.getByText('€0.50', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Take €59.50 in two ways' }).click()

  await expect(page.getByText('Sealed and unbroken')).toBeVisible()
  const number = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  expect(number).toMatch(/\d/)
  await page.getByRole('button', { name: 'Refund a line' }).click()
  const refund = page.getByRole('dialog')
  await refund.getByLabel('Juniper oil', { exact: true }).check()
  await refund.getByLabel('Reason').fill('The bottle leaks')
  await refund.getByRole('button', { name: 'Give back €12.50' }).click()
  await expect(page.getByText('“The bottle leaks”')).toBeVisible()
  await expect(page.getByText('Partly refunded')).toBeVisible()

  await page.getByRole('link', { name: 'Sales' }).first().click()
  await page.getByRole('searchbox').fill(number)
  const row = page.getByRole('row').filter({ hasText: number })
  await expect(row).toContainText('€54.50')
  await expect(row).toContainText('Paid')
  await expect(page.getByText('€47.00').first()).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()

  await page.goto(calendar)
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page).toHaveURL(/day=/)
  await page
    .getByRole('button', { name: /Cut Walk-in, / })
    .first()
    .click()
  await expect(page.getByRole('link', { name: 'See the sale' })).toBeVisible()
})
