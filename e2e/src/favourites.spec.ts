/** Favoris: a guest's heart goes through sign-in, and what was marked is found again. */
import { newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'

test('[P-02] [N-05] [R-12] [E-28] a guest taps a heart, signs in, and finds the place under Favoris with a time to book @phone', async ({
  page,
  request,
}) => {
  const account = await newAccount(request)
  await page.goto('/salon/atelier-nacre')
  const heart = page.getByRole('button', { name: 'Add Atelier Nacre to Favoris' })
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  // A click on a page whose scripts have not come yet may be lost.
  await expect(async () => {
    if (!page.url().includes('/login')) await heart.click()
    await expect(page).toHaveURL(/\/login\?from=/)
  }).toPass()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/salon/atelier-nacre')
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')

  await page.goto('/institutes')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /^(?:Account of|Open the menu)/ }).click()
  await page.getByRole('link', { name: 'Favoris' }).click()
  await expect(page).toHaveURL('/wishlists')
  await expect(page.getByRole('heading', { level: 1, name: 'Favoris' })).toBeVisible()
  await page
    .getByRole('list', { name: /^Next times for .* at Atelier Nacre$/ })
    .getByRole('link')
    .first()
    .click()
  await expect(page).toHaveURL(/\/salon\/atelier-nacre\/book\?.*at=/)

  await page.goto('/wishlists')
  await heart.click()
  await expect(page.getByRole('heading', { name: 'No favourites yet' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No favourites yet' })).toBeVisible()
})

test.describe('a heart the server does not hear of', () => {
  test.use({ losesConnection: true })
  test('[E-28] goes back to what it was', async ({ page, request }) => {
    await signInByStorage(page, await newAccount(request))
    await page.route('**/favorites/institute/*', (route) => route.abort())
    await page.goto('/institutes?what=nails')
    const heart = page.getByRole('button', { name: /^Add .* to Favoris$/ }).first()
    await heart.click()
    await expect(page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\S/ }).first()).toBeVisible()
    await expect(heart).toHaveAttribute('aria-pressed', 'false')
  })
})
