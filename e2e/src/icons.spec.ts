/** The gallery of icons. */
import { expect, test } from './support/journey.ts'

const categories = [
  'barbering',
  'massage',
  'body',
  'counseling',
  'fillers',
  'nails',
  'skincare',
  'fitness',
  'eyebrows',
  'tatto',
  'medical',
  'hair',
  'hair-removal',
  'makeup',
]

test('[R-04] [U-15] [U-16] shows a different icon with its name for each category, person and way to pay', async ({ page }) => {
  await page.goto('/icons')
  const drawings = new Set<string>()
  const names = [...categories, 'professional', 'client', 'card', 'wallet', 'buy-now-pay-later']
  for (const name of names) {
    const item = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
    await expect(item, name).toHaveCount(1)
    await expect(item.locator('svg').first()).toBeVisible()
    drawings.add(await item.locator('svg').first().innerHTML())
  }
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(names.length)
  expect(drawings.size).toBe(names.length)
  await expect(page.getByText('Tattoo', { exact: true })).toBeVisible()
})
