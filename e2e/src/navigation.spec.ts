/** Header, footer and menus by who is looking and how wide the window is. */
import { demoOwner, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { institute } from './support/times.ts'

const visitorLinks = [
  ['Home', '/'],
  ['Institutes', '/institutes'],
  ['Login', '/login'],
  ['Sign Up', '/register'],
  ['Contact', '/contact'],
  ['Terms', '/terms'],
] as const

test('[N-02] [N-07] [N-08] a visitor reaches every link from the full-screen menu below 800 pixels, and only there @phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 799, height: 900 })
  await page.goto('/institutes')
  await page.getByRole('button', { name: 'Open the menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  for (const [name, path] of visitorLinks) {
    await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', new RegExp(`^${path}(?:\\?|$)`))
  }
  await expect(menu.locator('[data-panel]')).toHaveCSS('width', '799px')
  await expect(menu.locator('[data-panel]')).toHaveCSS('height', '900px')
  await menu.getByRole('link', { name: 'Contact', exact: true }).click()
  await expect(page).toHaveURL('/contact')
  await expect(menu).toBeHidden()
  await page.setViewportSize({ width: 800, height: 900 })
  await expect(page.getByRole('button', { name: 'Open the menu' })).toBeHidden()
})

test('the words of a button stand in its middle, whatever order the sheets come in', async ({ page }) => {
  for (const path of ['/', '/institutes', '/login']) {
    await page.goto(path)
    const button = page.getByRole('banner').getByRole('link', { name: 'Sign Up' })
    const offset = await button.evaluate((link) => {
      const range = document.createRange()
      range.selectNodeContents(link)
      const [words, box] = [range.getBoundingClientRect(), link.getBoundingClientRect()]
      return Math.abs((words.top + words.bottom) / 2 - (box.top + box.bottom) / 2)
    })
    expect(offset).toBeLessThan(2)
  }
})

test('[N-02] a visitor on a wide window finds the same links in the header and the footer', async ({ page }) => {
  await page.goto('/institutes')
  const banner = page.getByRole('banner')
  for (const name of ['Home', 'Institutes', 'Login', 'Sign Up', 'Contact', 'Terms'])
    await expect(banner.getByRole('link', { name, exact: true })).toBeVisible()
  for (const [name, heading] of [
    ['Contact', /./],
    ['Terms', /Terms/],
    ['Institutes', /Institutes/],
    ['Home', /hour/],
  ] as const) {
    await banner.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(visitorLinks.find(([link]) => link === name)?.[1] ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  }
})

test('[N-06] every public page has the footer with terms, help, social icons and 2025', async ({ page }) => {
  for (const path of [
    '/',
    '/institutes',
    '/salon/atelier-nacre',
    '/terms',
    '/contact',
    '/icons',
    '/login',
    '/register',
    '/reset-password',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('banner')).toBeVisible()
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByRole('link', { name: 'Terms & Conditions' })).toHaveAttribute('href', '/terms')
    await expect(footer.getByRole('link', { name: 'Help Center' })).toHaveAttribute('href', '/contact')
    // Each passes the site on; none leads to a bare front page elsewhere.
    for (const name of ['Share on Facebook', 'Share on WhatsApp']) {
      const link = footer.getByRole('link', { name })
      await expect(link.locator('svg')).toBeVisible()
      await expect(link).toHaveAttribute('href', new RegExp(encodeURIComponent(new URL(page.url()).origin)))
    }
    await expect(footer).toContainText('© 2025')
  }
})

test('[N-08] from 800 to 1023 pixels the links stay in the header and the panel beside the page becomes a bar below it', async ({
  page,
  request,
}) => {
  const { services } = await institute(request, 'atelier-nacre')
  await page.goto(`/salon/atelier-nacre?service=${services[0]?._id}`)
  const panel = page.getByRole('complementary', { name: 'Book a visit' })
  const book = page.getByRole('link', { name: /^Book \d{1,2}:\d\d$/ })
  for (const width of [1024, 1023, 800]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('banner').getByRole('link', { name: 'Home' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open the menu' })).toBeHidden()
    await expect(panel).toBeVisible({ visible: width === 1024 })
    await expect(book).toHaveCount(1)
    if (width < 1024) await expect(book).toBeInViewport()
  }
})

test('[N-09] guests, and only guests, switch the home page between a Client and a Pro view', async ({ page, request }) => {
  await page.goto('/')
  const view = page.getByRole('navigation', { name: 'View' })
  const client = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await view.getByRole('link', { name: 'Pro' }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(client)
  await view.getByRole('link', { name: 'Client' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(client)
  for (const account of [await newAccount(request), await demoOwner(request)]) {
    await signInByStorage(page, account)
    await page.goto('/')
    await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
    await expect(view).toBeHidden()
  }
})

test('a signed-in visitor sees no part meant for guests and nothing that shifts', async ({ page, request }) => {
  const account = await newAccount(request)
  await signInByStorage(page, account)
  await page.addInitScript(() => {
    const seen: { shifts: number; guestParts: string[] } = { shifts: 0, guestParts: [] }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      // What is painted of a page half read has its place by what has come; slow-document.spec.ts looks at that.
      const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      const readAt = visit?.domInteractive || Number.POSITIVE_INFINITY
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        if (entry.startTime > readAt) seen.shifts += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    const look = () => {
      for (const part of document.querySelectorAll('.guest-only'))
        if (part.getClientRects().length > 0) seen.guestParts.push(part.textContent ?? '')
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  // The faces come with the first page; what their coming moves is no matter of who is signed in.
  await page.goto('/icons')
  await page.evaluate(() => document.fonts.ready)
  for (const path of ['/', '/institutes', '/salon/atelier-nacre', '/contact', '/terms']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Account of Lucie Verdier' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const seen = await page.evaluate(() => (window as unknown as { seen: { shifts: number; guestParts: string[] } }).seen)
    expect(seen, path).toEqual({ shifts: 0, guestParts: [] })
  }
})
