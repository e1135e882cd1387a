/** What an owner writes about services and team, and what a guest reads of it at once. */
import type { Locator } from '@playwright/test'
import { signInByStorage } from './support/accounts.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { dayAhead, institute } from './support/times.ts'

/** Day first: what is read on the way is never a longer time than the one that is meant. */
async function typeDay(field: Locator, day: string): Promise<void> {
  for (const [part, text] of [
    ['day', day.slice(8)],
    ['month', day.slice(5, 7)],
    ['year', day.slice(0, 4)],
  ] as const)
    await field.getByRole('spinbutton', { name: new RegExp(`^${part},`) }).pressSequentially(text)
}

test('[P-08] [P-11] a service with a price dated ahead is on the public page, done by whom the owner chose', async ({
  page,
  browser,
  request,
  baseURL,
}) => {
  test.slow()
  const { owner, slug } = await ownInstitute(request, 'Atelier Sureau')
  const later = dayAhead(20)
  await signInByStorage(page, owner)
  await page.goto('/mysalon/services')
  await page.getByRole('link', { name: 'Service', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Gloss')
  await page.getByRole('textbox', { name: 'Price', exact: true }).fill('30')
  await page.getByRole('button', { name: 'Another price from a day on' }).click()
  await typeDay(page.getByRole('group', { name: 'From', exact: true }), later)
  await page.getByRole('textbox', { name: 'New price' }).fill('34')
  await page.getByRole('button', { name: 'Karim', exact: true }).click()
  await page.getByRole('button', { name: 'Add to the menu' }).click()
  await expect(page.getByText('Gloss is on the menu.')).toBeVisible()

  const guest = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) })
  await setBrowserClock(guest)
  const salon = await guest.newPage()
  await salon.goto(`/salon/${slug}`)
  const row = salon.getByRole('listitem').filter({ has: salon.getByRole('heading', { name: 'Gloss' }) })
  await expect(row).toContainText('€30')
  await expect(row).toContainText(/from \d+ \w+: €34/)
  const gloss = (await institute(request, slug)).services.find(({ name }) => name === 'Gloss')
  const { team } = await institute(request, slug)
  expect(gloss?.performers.map(({ staffId }) => team.find(({ _id }) => _id === staffId)?.name)).toEqual(['Nora'])
  await guest.close()
})

test('[P-08] [E-12] somebody marked as away is offered no more, and again once they are back @phone', async ({ page, request }) => {
  test.slow()
  const { owner, _id, slug, services } = await ownInstitute(request, 'Atelier Aubépine')
  const cut = services.find(({ name }) => name === 'Cut')?._id ?? ''
  const { team } = await institute(request, slug)
  const karim = team.find(({ name }) => name === 'Karim')
  const offered = async (day: string): Promise<number> => {
    const query = new URLSearchParams({ service: cut, staff: karim?._id ?? '', from: day, days: '1' })
    const answer = await request.get(`/api/v1/client/institutes/${_id}/availability?${query}`)
    return ((await answer.json()) as { days: { times: unknown[] }[] }).days.flatMap(({ times }) => times).length
  }
  await signInByStorage(page, owner)
  await page.goto('/mysalon/staff')
  await page.getByRole('button', { name: 'Time off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Time off' })
  await dialog.getByLabel('Who').selectOption('Karim')
  // Days in the midst of it and after it, whichever day it is in Lyon by now.
  const [within, after] = [dayAhead(2), dayAhead(6)]
  expect(await offered(within)).toBeGreaterThan(0)
  await typeDay(dialog.getByRole('group', { name: 'Last day', exact: true }), dayAhead(4))
  await expect(dialog.getByText('No visit falls on these days.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Mark as away' }).click()
  await expect(dialog).toBeHidden()
  const card = page.getByRole('list', { name: 'Members of the team' }).getByRole('listitem').filter({ hasText: 'Karim' })
  await expect(card.getByText('Holiday')).toBeVisible()
  expect(await offered(within)).toBe(0)
  expect(await offered(after)).toBeGreaterThan(0)

  await page.getByRole('button', { name: 'Take the time off of Karim back' }).click()
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await expect(card.getByText('Available')).toBeVisible()
  expect(await offered(within)).toBeGreaterThan(0)
})
