/** Every page for everybody: no violation axe can find, no line that runs out of a narrow window or by large text, both directions. */
import type { APIRequestContext, Page } from '@playwright/test'
import { demoOwner, newAccount, signInByStorage } from './support/accounts.ts'
import { violations } from './support/axe.ts'
import { expect, test } from './support/journey.ts'
import { book, bookingAddress, freeOpening } from './support/times.ts'

const guestPages = [
  '/',
  '/?view=pro',
  '/institutes',
  '/institutes?what=zzzz',
  '/institutes?panel=filters',
  '/salon/atelier-nacre',
  '/login',
  '/register',
  '/reset-password',
  '/terms',
  '/reviews-policy',
  '/contact',
  '/icons',
  '/salon/atelier-nacre/book',
]

const salonPages = [
  '/mysalon',
  '/mysalon/current',
  ...['day', 'week', 'month', 'agenda'].map((view) => `/mysalon/appointments/calendar?view=${view}`),
  '/mysalon/messages',
  '/mysalon/appointments/rearrange',
  '/mysalon/invoices',
  '/mysalon/invoices/new',
  '/mysalon/invoices/payouts',
  '/mysalon/customers',
  '/mysalon/services',
  '/mysalon/staff',
  '/mysalon/staff/resources',
  ...['profile', 'hours', 'rules', 'payments', 'documents', 'notifications', 'permissions', 'export'].map(
    (part) => `/mysalon/settings/${part}`,
  ),
]

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }
type Window = typeof wide
type Language = 'en' | 'fr' | 'ar'
interface Look {
  colorScheme: 'light' | 'dark'
  size: Window
}
const everyLook = process.env['EVERY_LOOK'] === '1'
/** A page that is open is turned from one to the next, as by somebody who turns a phone at dusk. */
const looks: Look[] = everyLook
  ? (['light', 'dark'] as const).flatMap((colorScheme) =>
      [wide, { width: 820, height: 1180 }, narrow].map((size) => ({ colorScheme, size })),
    )
  : [
      { colorScheme: 'light', size: wide },
      { colorScheme: 'dark', size: narrow },
    ]
const languages: Language[] = everyLook ? ['en', 'fr', 'ar'] : ['en', 'ar']
/** Each direction of writing in turn; `npm run test:looks` reads every page in every language and look. */
const languagesOf = (group: number): Language[] => (everyLook ? languages : languages.slice(group % 2, (group % 2) + 1))

async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/** How far the document is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** A visitor who reads this language. Each has a browser of its own: one that has read Latin pages complains of Arabic faces. */
async function speak(page: Page, locale: Language, address: string): Promise<void> {
  await page.context().addCookies([{ name: 'locale', value: locale, url: address }])
  await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
}

async function turn(page: Page, { colorScheme, size }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(size)
  // Colours that fade from one scheme to the other are looked at once they are there.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.all(ending.map(({ finished }) => finished.catch(() => null)))
  })
}

/** The narrowest window that nothing may run out of: WCAG 2.2, 1.4.10. */
const narrowest = { width: 320, height: 700 }

/** What of the page lies outside the window; what scrolls by itself, such as the row of windows, is left out. */
function lost(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const scrolls = (element: Element | null): boolean =>
      element !== null && element !== document.body && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement))
    const outside = [...document.querySelectorAll('main *, header *')].filter((element) => {
      const { left, right, height } = element.getBoundingClientRect()
      return height > 1 && right - left > 1 && (right > width + 1 || left < -1) && !scrolls(element.parentElement)
    })
    return outside.map((element) => `${element.tagName} ${element.textContent.slice(0, 40)}`)
  })
}

/** A page takes a moment to settle in another window. */
const expectRoom = (page: Page, message: string): Promise<void> => expect.poll(() => overflow(page), { message }).toBeLessThanOrEqual(0)

/** Text twice as large as the browser's own: WCAG 2.2, 1.4.4. */
async function expectRoomForLargeText(page: Page, path: string): Promise<void> {
  const style = await page.addStyleTag({ content: 'html { font-size: 32px }' })
  for (const width of [1280, narrow.width]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => lost(page), { message: `${path} ${width}, large text` }).toEqual([])
    await expectRoom(page, `${path} ${width}, large text`)
  }
  await style.evaluate((element) => (element as HTMLElement).remove())
  await page.setViewportSize(wide)
}

async function expectAccessible(page: Page, path: string, locale: Language): Promise<void> {
  for (const [n, one] of looks.entries()) {
    const { colorScheme, size } = one
    await turn(page, one)
    if (n === 0) await page.goto(path)
    await settle(page)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(page.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    const seen = `${path} ${locale}, ${size.width} pixels, ${colorScheme}`
    expect.soft(await violations(page), seen).toEqual([])
    await expectRoom(page, seen)
    if (size === wide && path !== '/icons') await expectRoomForLargeText(page, path)
    if (size !== narrow) continue
    await page.setViewportSize(narrowest)
    await expectRoom(page, `${path} ${narrowest.width}`)
  }
}

/** Pages that are looked at one after the other, with what a browser has by then: a page of its own takes a third longer. */
const atOnce = 5
const grouped = (pages: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(pages.length / atOnce) }, (_, group) => pages.slice(group * atOnce, (group + 1) * atOnce))

for (const [n, pages] of grouped(guestPages).entries())
  for (const locale of languagesOf(n))
    test(`axe finds nothing on ${pages.join(', ')}, which stay in their window: ${locale}`, async ({ page, baseURL }) => {
      await speak(page, locale, baseURL ?? '')
      for (const path of pages) await expectAccessible(page, path, locale)
    })

async function clientPages(request: APIRequestContext): Promise<{ token: string; pages: string[] }> {
  const account = await newAccount(request)
  const first = await freeOpening(request, 'chez-madame-brique', ['Patch test'])
  const visit = await book(request, account, first)
  const second = await freeOpening(request, 'chez-madame-brique', ['Patch test'])
  const chat = (await (
    await request.post('/api/v1/secure/chats', {
      headers: { authorization: `Bearer ${account.token}` },
      data: { instituteId: visit.institute._id },
    })
  ).json()) as { _id: string }
  return {
    token: account.token,
    pages: [
      '/appointment/list',
      '/wishlists',
      '/settings',
      '/verification',
      '/chat',
      `/chat/${chat._id}`,
      `/appointment/${visit._id}`,
      bookingAddress(second, 'time'),
      bookingAddress(second),
      `/salon/chez-madame-brique/book?booked=${visit._id}`,
    ],
  }
}

for (const locale of languagesOf(1))
  test(`axe finds nothing on the pages of a client, which stay in their window: ${locale}`, async ({ page, request, baseURL }) => {
    test.slow()
    const { token, pages } = await clientPages(request)
    await speak(page, locale, baseURL ?? '')
    await signInByStorage(page, { token })
    for (const path of pages) await expectAccessible(page, path, locale)
  })

for (const [n, pages] of grouped(salonPages).entries())
  for (const locale of languagesOf(n))
    test(`axe finds nothing on ${pages.join(', ')}, which stay in their window: ${locale}`, async ({ page, request, baseURL }) => {
      await speak(page, locale, baseURL ?? '')
      await signInByStorage(page, await demoOwner(request))
      for (const path of pages) await expectAccessible(page, path, locale)
    })

for (const locale of languagesOf(0))
  test(`axe finds nothing on the setup and Email Confirmation: ${locale}`, async ({ page, request, baseURL }) => {
    await speak(page, locale, baseURL ?? '')
    await signInByStorage(page, await newAccount(request, { role: 'isPro' }))
    await expectAccessible(page, '/institute-register', locale)
    await signInByStorage(page, await newAccount(request, { verified: false }))
    await expectAccessible(page, '/appointment/list', locale)
  })

test('axe finds nothing in the full-screen menu and the question of a cancellation', async ({ page, request }) => {
  const account = await newAccount(request)
  const visit = await book(request, account, await freeOpening(request, 'savon-d-ixelles', ['Spray tan']))
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('a link that stands alone is at least 24 pixels high, and the header stays one line from 800 pixels on', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 900 })
  for (const [path, name] of [
    ['/login', 'Forgotten?'],
    ['/login', 'Sign Up'],
    ['/salon/atelier-nacre', /^\d+ reviews?$/],
    ['/', /^As .+ is rated/],
  ] as const) {
    await page.goto(path)
    const link = page.getByRole('main').getByRole('link', { name })
    expect((await link.boundingBox())?.height, `${path} ${name}`).toBeGreaterThanOrEqual(24)
    expect((await page.getByRole('banner').boundingBox())?.height, path).toBeLessThanOrEqual(81)
  }
})
