/** From home to booked with the keyboard alone: few keys, and what has the focus is where the eye is. */
import type { Page } from '@playwright/test'
import { newAccount, signInByStorage } from './support/accounts.ts'
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

test('a client who is signed in goes from home to booked with at most 40 keys @phone', async ({ page, request }, { project }) => {
  await signInByStorage(page, await newAccount(request))
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  const keys = new Keyboard(page)
  await keys.press('Tab')
  await keys.press('Enter')
  await keys.tabTo('[role="search"] input[name="what"]')
  await page.keyboard.type('hand massage')
  await keys.press('Enter')
  await expect(page).toHaveURL(/\/institutes\?/)
  await expect(page.locator('#content')).toBeFocused()
  await keys.tabTo('article a[href*="/book?"][href*="at="]')
  await keys.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Check, and it’s yours' })).toBeFocused()
  await expect(page.getByText(/^We’re holding/)).toBeVisible()
  await keys.tabTo('button[form="booking-step"]')
  await keys.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /^See you/ })).toBeFocused()
  expect(keys.pressed, project.name).toBeLessThanOrEqual(40)
})
