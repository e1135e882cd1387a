/** What is paid for before it is used: a gift card in two parts, and a package of five of which one is used. */
import type { Page } from '@playwright/test'
import { bearer, signInByStorage } from './support/accounts.ts'
import { violations } from './support/axe.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'

/** A sale over the counter to Anna. */
async function counterFor(page: Page): Promise<void> {
  await page.goto('/mysalon/invoices/new')
  await page.getByLabel('Client', { exact: true }).fill('Anna')
  await page.getByRole('button', { name: 'Anna Vidal' }).click()
}
async function addCut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Service', exact: true }).click()
  await page.getByRole('button', { name: /^Cut/ }).click()
}
async function payByCard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pay with a gift card' }).click()
  await page.getByRole('button', { name: /^Gift card ending/ }).click()
}
const isInvoiced = (page: Page) => expect(page.getByText('Sealed and unbroken')).toBeVisible()
async function isForEverybody(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow).toBeLessThanOrEqual(0)
}

test('[P-10] an owner sells a gift card that is used in two parts, and a package of five cuts of which one is used', async ({
  page,
  request,
}) => {
  test.slow()
  const { owner } = await ownInstitute(request, 'Atelier Arbousier')
  const customer = { firstName: 'Anna', lastName: 'Vidal' }
  const added = await request.post('/api/v1/secure/mysalon/customers', { headers: bearer(owner.token), data: customer })
  const { _id: anna } = (await added.json()) as { _id: string }
  await signInByStorage(page, owner)

  await counterFor(page)
  await page.getByRole('button', { name: 'Gift card', exact: true }).click()
  await page.getByLabel('Amount on the card').fill('50')
  await isForEverybody(page)
  await page.getByRole('button', { name: 'Add the card' }).click()
  await page.getByRole('button', { name: 'Take €50.00 by terminal' }).click()
  await isInvoiced(page)
  const printed = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Print the card' }).click()
  expect((await printed).suggestedFilename()).toBe('gift-card.pdf')

  await counterFor(page)
  await addCut(page)
  await payByCard(page)
  await expect(page.getByText('€8.00 stays on it')).toBeVisible()
  await page.getByRole('button', { name: 'Take it from the gift card' }).click()
  await isInvoiced(page)

  await counterFor(page)
  await addCut(page)
  await payByCard(page)
  await expect(page.getByText('€0.00 stays on it')).toBeVisible()
  await isForEverybody(page)
  await page.getByRole('button', { name: 'Take €34.00 by terminal' }).click()
  await isInvoiced(page)

  await counterFor(page)
  await page.getByRole('button', { name: 'Package', exact: true }).click()
  await page.getByRole('button', { name: 'New package' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Five cuts')
  await page.getByLabel('Price', { exact: true }).fill('150')
  await page.getByLabel('Cut', { exact: true }).check()
  await isForEverybody(page)
  await page.getByRole('button', { name: 'Sell it from now on' }).click()
  await page.getByRole('button', { name: 'Take €150.00 by terminal' }).click()
  await isInvoiced(page)

  await counterFor(page)
  await addCut(page)
  await page.getByRole('button', { name: 'More for Cut' }).click()
  await page.getByRole('menuitem', { name: 'From Five cuts, 5 left' }).click()
  await page.getByRole('button', { name: 'Close the sale' }).click()
  await isInvoiced(page)
  await expect(page.getByText('From a package')).toBeVisible()

  await page.setViewportSize({ width: 320, height: 720 })
  await page.goto(`/mysalon/customers/${anna}`)
  await expect(page.getByText('4 sessions left of 5')).toBeVisible()
  await expect(page.getByText('€0.00 left of €50.00')).toBeVisible()
  await isForEverybody(page)
})
