/** The site in three languages: the choice keeps the page, and nothing is left untranslated. */
import type { Page } from '@playwright/test'
import { newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'

test('[K-05] the language is chosen at the foot of a page, which stays where it is, and is kept @phone', async ({ page }) => {
  await page.goto('/institutes?category=nails&page=1#content')
  await page.getByRole('contentinfo').getByRole('button', { name: 'Français' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page).toHaveURL(/\/institutes\?category=nails&page=1#content$/)
  await page.getByRole('contentinfo').getByRole('button', { name: 'العربية' }).click()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('ar')
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('الشروط')
  await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Terms')
})

test('an address in a language is read in it, names the others, and chooses none for good', async ({ page }) => {
  await page.goto('/contact?lang=fr')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Que pouvons-nous')
  const links = await page
    .locator('link[rel=alternate]')
    .evaluateAll((all) => all.map((link) => [link.getAttribute('hreflang'), new URL((link as HTMLLinkElement).href).search]))
  expect(links).toEqual([
    ['en', ''],
    ['fr', '?lang=fr'],
    ['ar', '?lang=ar'],
    ['x-default', ''],
  ])
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/contact\?lang=fr$/)
  expect(await page.evaluate(() => localStorage.getItem('locale'))).toBeNull()
})

const publicPages = [
  '/',
  '/institutes',
  '/salon/atelier-nacre',
  '/terms',
  '/reviews-policy',
  '/contact',
  '/icons',
  '/login',
  '/register',
  '/reset-password',
  '/?view=pro',
]
const clientPages = ['/appointment/list', '/salon/atelier-nacre/book']

/** Texts of the page that look like keys of a catalogue; and in Arabic, Latin words outside of what is marked as a name. */
function strays(page: Page, isArabic: boolean): Promise<string[]> {
  return page.evaluate((arabic) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    const brands = /Soigné?|Google|PayPal|Klarna|Facebook|WhatsApp/g
    // What the translator has put in as a value, isolated.
    const values = /\u2068[^\u2069]*\u2069/g
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element || element.closest('script, style, noscript, svg')) continue
      const text = node.textContent?.trim() ?? ''
      if (/^[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)+$/.test(text) || /\{\{\w+\}\}/.test(text)) found.push(text)
      const isMarked = element.closest('bdi, address, [dir=auto], [lang]:not(html), option') !== null
      if (arabic && !isMarked && /\p{Script=Latin}{3,}/u.test(text.replace(values, '').replace(brands, ''))) found.push(text)
    }
    return [...new Set(found)]
  }, isArabic)
}

for (const locale of ['fr', 'ar'] as const) {
  test(`[P-12] no page shows a key or a word left in another language (${locale})`, async ({ page, context, request, baseURL }) => {
    await context.addCookies([{ name: 'locale', value: locale, url: baseURL ?? '' }])
    await page.addInitScript((value) => localStorage.setItem('locale', value), locale)
    const found: Record<string, string[]> = {}
    const look = async (path: string): Promise<void> => {
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      await page.waitForLoadState('networkidle')
      const here = await strays(page, locale === 'ar')
      if (here.length > 0) found[path] = here
    }
    for (const path of publicPages) await look(path)
    await signInByStorage(page, await newAccount(request))
    for (const path of clientPages) await look(path)
    expect(found).toEqual({})
  })
}
