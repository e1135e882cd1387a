/** From home to booked with the keyboard alone: few keys, and what has the focus is where the eye is. */
import type { Page } from '@playwright/test'
import { newAccount, signInByStorage } from './support/accounts.ts'
import { journeyNow } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'

type Stop = { name: string; isSeen: boolean; isWanted: boolean }

/** What has the focus, and whether all of it, or all that has room, is in the window and on top. */
function stop(page: Page, wanted: string): Promise<Stop> {
  return page.evaluate((selector) => {
    const element = document.activeElement ?? document.body
    const { top, bottom, left, right, height } = element.getBoundingClientRect()
    const line = Math.min(top + height / 2, innerHeight - 1)
    const found = document.elementFromPoint((left + right) / 2, line)
    const isCovered = found === null || !(element.contains(found) || found.contains(element))
    return {
      name: `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)}`,
      isSeen: element !== document.body && height > 0 && top >= -1 && (bottom <= innerHeight + 1 || height > innerHeight) && !isCovered,
      isWanted: element.matches(selector),
    }
  }, wanted)
}

/** Counts what is pressed, and looks where the focus is after each. */
class Keyboard {
  pressed = 0
  private readonly page: Page
  constructor(page: Page) {
    this.page = page
  }
  async press(key: string): Promise<void> {
    this.pressed += 1
    await this.page.keyboard.press(key)
  }
  async tabTo(selector: string): Promise<void> {
    while (this.pressed <= 40) {
      const here = await stop(this.page, selector)
      if (here.isWanted) return
      await this.press('Tab')
      const next = await stop(this.page, selector)
      expect(next, `key ${this.pressed}`).toMatchObject({ name: expect.any(String), isSeen: true })
    }
    throw new Error(`more than 40 keys, and not at ${selector}`)
  }
}

/** Where the first time on show leads that does not pass while somebody books it. */
async function timeAhead(page: Page): Promise<string> {
  const soonest = journeyNow() + 15 * 60_000
  const links = await page.locator('article a[href*="/book?"][href*="at="]').all()
  for (const link of links) {
    const href = (await link.getAttribute('href')) ?? ''
    if (Date.parse(new URL(href, page.url()).searchParams.get('at') ?? '') >= soonest) return href
  }
  throw new Error('no time is far enough ahead')
}

const languages = [
  {
    locale: 'en',
    title: 'a client who is signed in goes',
    what: 'hand massage',
    check: 'Check, and it’s yours',
    held: /^We’re holding/,
    booked: /^See you/,
  },
  {
    locale: 'fr',
    title: '[P-12] a client who reads French goes',
    what: 'brushing',
    check: 'Un dernier regard, et c’est à vous',
    held: /^Nous vous gardons/,
    booked: /^À bientôt/,
  },
  {
    locale: 'ar',
    title: '[P-12] a client who reads Arabic goes',
    what: 'تهذيب اللحية',
    check: 'مراجعة أخيرة ويصبح لك',
    held: /^نحتفظ لك/,
    booked: /^موعدنا/,
  },
]

for (const { locale, title, what, check, held, booked } of languages) {
  test(`${title} from home to booked with at most 40 keys @phone`, async ({ page, context, request, baseURL }, { project }) => {
    await context.addCookies([{ name: 'locale', value: locale, url: baseURL ?? '' }])
    await page.addInitScript((value) => localStorage.setItem('locale', value), locale)
    await signInByStorage(page, await newAccount(request))
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(page.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    const keys = new Keyboard(page)
    await keys.press('Tab')
    await keys.press('Enter')
    await keys.tabTo('[role="search"] input[name="what"]')
    await page.keyboard.type(what)
    await keys.press('Enter')
    await expect(page).toHaveURL(/\/institutes\?/)
    await expect(page.locator('#content')).toBeFocused()
    await keys.tabTo(`article a[href="${await timeAhead(page)}"]`)
    await keys.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: check })).toBeFocused()
    await expect(page.getByText(held)).toBeVisible()
    await keys.tabTo('button[form="booking-step"]')
    // How it is paid is read after the hold, and nothing is booked before that is said.
    await expect(page.locator('button[form="booking-step"]:focus')).not.toHaveAttribute('aria-disabled', 'true')
    await keys.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: booked })).toBeFocused()
    expect(keys.pressed, project.name).toBeLessThanOrEqual(40)
  })
}
