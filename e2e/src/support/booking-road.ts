/** The road of a booking as a person walks it; the window decides which of its two buttons is on screen. */
import { expect, type APIRequestContext, type Page } from '@playwright/test'
import { dayAhead } from './times.ts'

/** The first of the next days on which the institute is found for the words. */
export async function dayFoundFor(request: APIRequestContext, slug: string, what: string, place: string): Promise<string> {
  for (let ahead = 1; ahead < 13; ahead += 1) {
    const day = dayAhead(ahead)
    const answer = await request.get('/api/v1/client/institutes', { params: { what, place, day, pageSize: 50 } })
    const { items } = (await answer.json()) as { items: { slug: string }[] }
    if (items.some((item) => item.slug === slug)) return day
  }
  throw new Error(`${slug} has no free day`)
}

export type Search = { what: string; where: string; day: string }

/** Searches from the home page by what, where and when, choosing a suggested place. */
export async function search(page: Page, { what, where, day }: Search): Promise<void> {
  await page.goto('/')
  const form = page.getByRole('search', { name: 'Find a time' })
  await form.locator('input[name=what]').fill(what)
  const place = form.getByLabel('Where')
  await place.focus()
  await expect(form.getByRole('combobox', { name: 'Where' })).toBeFocused()
  await form.getByRole('combobox', { name: 'Where' }).fill(where.slice(0, -1))
  await page
    .getByRole('option', { name: new RegExp(`^${where}\\b`) })
    .first()
    .click()
  await expect(form.getByRole('combobox', { name: 'Where' })).toHaveValue(where)
  await form.getByLabel('When').selectOption(day)
  await form.getByRole('button', { name: 'Find a time' }).click()
  await expect(page).toHaveURL(/\/institutes\?/)
}

/** A free start of the day on show, at some distance from the edge. */
export function freeTimes(page: Page) {
  return page.getByRole('radiogroup', { name: /^Times on/ }).getByRole('radio', { disabled: false })
}

/** Takes a free time and answers how it reads. */
export async function chooseTime(page: Page, place: 'first' | 'last' = 'first'): Promise<string> {
  const radio = place === 'first' ? freeTimes(page).first() : freeTimes(page).last()
  await expect(radio).toBeVisible()
  const value = (await radio.getAttribute('value')) ?? ''
  const label = page.locator('label').filter({ has: page.locator(`input[value="${value}"]`) })
  const time = (await label.innerText()).trim().slice(0, 5)
  await label.click()
  await expect(label.getByRole('radio')).toBeChecked()
  return time
}

/** The button of the present step, in the summary or at the bottom of a phone. */
export function stepButton(page: Page, name: string | RegExp) {
  return page.getByRole('button', { name, disabled: false })
}
