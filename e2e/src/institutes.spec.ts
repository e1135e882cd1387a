/** The list of institutes: filters in the address, pages, suggestions of places, the map. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/journey.ts'
import { journeyNow, takeClock } from './support/journey-clock.ts'

test('[R-07] [E-14] [E-15] [E-11] the filters name every audience and language, none that cannot be kept, and live in the address', async ({
  page,
}) => {
  await page.goto('/institutes')
  await page.getByRole('link', { name: /^All filters/ }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  // Its ground lies under all of it, however far it goes on below the window.
  const isCovered = (dialog: HTMLElement) => (dialog.firstElementChild?.getBoundingClientRect().height ?? 0) >= dialog.scrollHeight - 1
  await expect.poll(() => panel.evaluate(isCovered)).toBe(true)
  const options = async (name: string) => (await panel.getByRole('group', { name, exact: true }).getByRole('radio').all()).length
  const audience = panel.getByRole('group', { name: 'Audience', exact: true })
  for (const name of ['All', 'Men', 'Woman', 'Kids']) await expect(audience.getByRole('radio', { name, exact: true })).toBeAttached()
  expect(await options('Audience')).toBe(4)
  await expect(audience.getByRole('radio', { name: 'All', exact: true })).toBeChecked()
  const language = panel.getByRole('group', { name: 'Language spoken' })
  for (const name of ['English', 'French', 'Arabic', 'Other'])
    await expect(language.getByRole('radio', { name, exact: true })).toBeAttached()
  const online = panel.getByRole('group', { name: 'Pay online' })
  for (const name of ['Any', 'Card', 'PayPal', 'Klarna']) await expect(online.getByRole('radio', { name, exact: true })).toBeAttached()
  await expect(panel.getByText(/at home/i)).toHaveCount(0)
  await audience.getByText('Kids', { exact: true }).click()
  await language.getByText('Arabic', { exact: true }).click()
  await panel.getByRole('button', { name: 'Show institutes' }).click()
  await expect(page).toHaveURL(/audience=Kids/)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ audience: 'Kids', language: 'Arabic' })
  await expect(panel).toBeHidden()
  const address = page.url()
  const heading = await page.getByRole('heading', { level: 1 }).innerText()
  await page.reload()
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
})

test('what is opened before the scripts have come stays open', async ({ page }) => {
  const scripts = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto('/institutes', { waitUntil: 'commit' })
  const size = page.getByRole('group').filter({ hasText: /^10/ }).first()
  await size.locator('summary').click()
  await expect(size.getByRole('link', { name: '50', exact: true })).toBeVisible()
  scripts.resolve()
  await expect.poll(() => page.evaluate(() => (history.state as { idx?: number } | null)?.idx)).toBe(0)
  await size.getByRole('link', { name: '50', exact: true }).click()
  await expect(page).toHaveURL(/pageSize=50/)
  await expect(page.locator('details[open]')).toHaveCount(0)
})

test('what is chosen among the filters before the scripts have come counts in their dialog', async ({ page }) => {
  const scripts = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto('/institutes?place=Lyon&panel=filters', { waitUntil: 'commit' })
  await page.getByRole('switch', { name: /^At your home/ }).click()
  await page.getByRole('group', { name: 'Language spoken' }).getByText('Arabic', { exact: true }).click()
  await page.getByLabel('Sort by').selectOption({ label: 'Lowest price' })
  scripts.resolve()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  await expect(panel.getByRole('switch', { name: /^At your home/ })).toBeChecked()
  await panel.getByRole('button', { name: 'Show institutes' }).click()
  await expect(page).toHaveURL(/place=Lyon/)
  await expect(page).toHaveURL(/atHome=true/)
  await expect(page).toHaveURL(/language=Arabic/)
  await expect(page).toHaveURL(/sort=price/)
})

test('[K-01] pages hold 10, 20, 30, 40 or 50 institutes', async ({ page }) => {
  await page.goto('/institutes')
  const cards = page.getByRole('list', { name: 'Institutes found' }).getByRole('article')
  await expect(cards).toHaveCount(10)
  const size = page.getByRole('group').filter({ hasText: /^10/ }).first()
  await size.locator('summary').click()
  for (const one of ['10', '20', '30', '40', '50']) await expect(page.getByRole('link', { name: one, exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: '50', exact: true }).first().click()
  await expect(page).toHaveURL(/pageSize=50/)
  await expect(cards).toHaveCount(50)
})

test('[C-29] places are suggested in any spelling, and institutes stand on a map', async ({ page }) => {
  await page.goto('/institutes')
  const form = page.getByRole('search', { name: 'Find a time' })
  await form.getByLabel('Where').focus()
  const where = form.getByRole('combobox', { name: 'Where' })
  await where.fill('marrakch')
  await page
    .getByRole('option', { name: /^Marrak/ })
    .first()
    .click()
  await form.getByRole('button', { name: 'Find a time' }).click()
  await expect(page).toHaveURL(/lat=31\.\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/near Marrak/)
  const map = page
    .locator('[class*=map i]')
    .filter({ has: page.getByRole('button', { name: /Riad des Mains/ }) })
    .first()
  await expect(map).toBeVisible()
})

/** Wherever it stands at the moment, whatever is drawn there. */
const pressOn = (page: Page) => async (one: Locator) => {
  await one.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await one.boundingBox())!
  await page.touchscreen.tap(x + width / 2, y + height / 2)
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('[C-29] suggestions on the first page lie over no field: a finger that goes on meets what it was meant for', async ({ page }) => {
    await page.goto('/')
    const form = page.getByRole('search', { name: 'Find a time' })
    const press = pressOn(page)
    const what = form.locator('input[name=what]')
    const where = form.locator('input[name=place]')
    const suggestions = form.locator('li[role=option]')
    await press(what)
    await page.keyboard.type('col')
    await expect(suggestions.first()).toBeVisible()
    await press(where)
    await expect(where).toBeFocused()
    await expect(suggestions).toHaveCount(0)
    await expect(what).toHaveValue('col')
    await press(what)
    await page.keyboard.type('o')
    await expect(suggestions.first()).toBeVisible()
    await press(form.getByRole('button', { name: 'Find a time' }))
    await expect(page).toHaveURL(/\/institutes\?.*what=colo/)
  })
})

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 900, height: 800 }, hasTouch: true })

  test('[C-29] [N-08] suggestions above a list lie over no field below them', async ({ page }) => {
    await page.goto('/institutes?place=Lyon')
    const form = page.getByRole('search', { name: 'Find a time' })
    const press = pressOn(page)
    const where = form.locator('input[name=place]')
    await press(form.locator('input[name=what]'))
    await page.keyboard.type('col')
    await expect(form.locator('li[role=option]').first()).toBeVisible()
    await press(where)
    await expect(where).toBeFocused()
    await expect(form.locator('input[name=what]')).toHaveValue('col')
  })
})

test('a search without result says which filter to give up', async ({ page }) => {
  await page.goto('/institutes?what=gel+manicure&place=Lyon&maxPrice=1')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Institutes near Lyon, nothing found')
  await page.getByRole('link', { name: /^\d+ institutes? without the price$/ }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('[U-11] a place that stays unknown is told in a warning at the bottom right, which can be closed or goes after five seconds', async ({
  page,
  context,
}) => {
  await context.clearPermissions()
  await takeClock(page)
  await page.goto('/institutes')
  const warning = page.getByRole('status').filter({ hasText: 'We couldn’t find where you are.' })
  await page.getByRole('button', { name: 'Near me' }).click()
  await expect(warning).toHaveAttribute('data-type', 'warning')
  const box = await warning.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1440 - 40)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(900 - 40)
  await warning.getByRole('button', { name: 'Close' }).click()
  await expect(warning).toBeHidden()
  // From here on only as much time passes as this journey lets pass.
  await page.clock.pauseAt(journeyNow() + 3_600_000)
  await page.getByRole('button', { name: 'Near me' }).click()
  await expect(warning).toBeVisible()
  await page.mouse.move(10, 10)
  await page.clock.runFor(4_000)
  await expect(warning).toBeVisible()
  await page.clock.runFor(2_000)
  await expect(warning).toBeHidden()
})
