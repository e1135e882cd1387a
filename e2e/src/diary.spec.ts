/** The calendar of an institute, on two screens at once. */
import type { Page } from '@playwright/test'
import { signInByStorage, type Account } from './support/accounts.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { dayAhead } from './support/times.ts'

const path = '/mysalon/appointments/calendar'

async function openDay(page: Page, owner: Account, day: string): Promise<void> {
  await signInByStorage(page, owner)
  await page.goto(`${path}?day=${day}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

test('[P-07] at the desk a walk-in takes four clicks, is dragged to somebody else, taken back, and the other screen sees it', async ({
  page,
  browser,
  request,
}) => {
  test.slow()
  const { owner } = await ownInstitute(request, 'Atelier Tilleul')
  const day = dayAhead(3)
  await openDay(page, owner, day)
  const other = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await setBrowserClock(other)
  const laptop = await other.newPage()
  await openDay(laptop, owner, day)

  await page.getByRole('button', { name: 'New appointment' }).click()
  const form = page.getByRole('dialog', { name: 'New appointment' })
  await form.getByRole('button', { name: 'Cut' }).first().click()
  await form.getByRole('button', { name: 'Walk-in' }).click()
  await form.getByRole('button', { name: /^Book \d/ }).click()
  await expect(page.getByText(/^Walk-in booked/)).toBeVisible()
  const walkIn = (on: Page) => on.getByRole('button', { name: /Cut Walk-in, / }).first()
  await expect(walkIn(page)).toBeVisible()
  await expect(walkIn(laptop)).toBeVisible()

  const columnOf = (on: Page, name: string) => on.getByRole('list', { name, exact: true })
  const isNoras =
    (await columnOf(page, 'Nora')
      .filter({ has: walkIn(page) })
      .count()) > 0
  const taker = isNoras ? 'Karim' : 'Nora'
  await walkIn(page).scrollIntoViewIfNeeded()
  const [from, to] = [await walkIn(page).boundingBox(), await columnOf(page, taker).boundingBox()]
  if (!from || !to) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 30, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 40, from.y + 12, { steps: 2 })
  await page.mouse.move(to.x + to.width / 2, from.y + 10, { steps: 8 })
  await page.mouse.up()
  const question = page.getByRole('dialog', { name: /^Move Walk-in to / })
  await expect(question).toContainText(taker)
  await page.keyboard.press('Enter')
  await expect(
    columnOf(page, taker)
      .getByRole('button', { name: /Walk-in/ })
      .first(),
  ).toBeVisible()
  await expect(
    columnOf(laptop, taker)
      .getByRole('button', { name: /Walk-in/ })
      .first(),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(columnOf(laptop, taker).getByRole('button', { name: /Walk-in/ })).toHaveCount(0)
  await other.close()
})
