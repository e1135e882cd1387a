/** Signing in at a provider of identities, and visits in a calendar there; both over the stand-in of a trial. */
import type { Page } from '@playwright/test'
import { freshEmail, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { watchFor } from './support/moments.ts'
import { book, freeOpening } from './support/times.ts'

async function beSomebody(page: Page, person: { email: string; name?: string; letsCalendar: boolean }): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible()
  await page.getByLabel('Name').fill(person.name ?? 'Camille Martin')
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Let Soigné add a calendar of its own').setChecked(person.letsCalendar)
  await page.getByRole('button', { name: 'Allow' }).click()
}

test('[C-04] [C-28] [R-09] [R-24] [U-07] [U-08] [U-09] [E-27] a new client comes in through a provider, skips the calendar, and is asked for it in the bell', async ({
  page,
}) => {
  const email = freshEmail()
  await page.goto('/login?from=%2Fwishlists')
  const wasCounting = await watchFor(page, /You can skip in \d seconds?/)
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await beSomebody(page, { email, letsCalendar: false })
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your calendar' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Connect Google Calendar' })).toBeVisible()
  await expect.poll(wasCounting).toBe(true)
  await page.getByRole('link', { name: 'Skip for now' }).click()
  await expect(page).toHaveURL(/\/wishlists$/)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('link', { name: /Connect your calendar/ }).click()
  await expect(page).toHaveURL(/\/give-access\?type=calendar$/)
  // Asked for the calendar and refused once more.
  await page.getByRole('link', { name: 'Connect Google Calendar' }).click()
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Calendar access is not granted.')).toBeVisible()
  await page.getByRole('link', { name: 'Connect Google Calendar' }).click()
  await beSomebody(page, { email, letsCalendar: true })
  await expect(page.getByText('Your calendar is connected.')).toBeVisible()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('link', { name: /Connect your calendar/ })).toHaveCount(0)
  await page.goto('/give-access')
  await expect(page).toHaveURL(/\/$/)
})

test('[P-05] [E-01] a client connects a calendar, the visit appears in it, and leaves it again @phone', async ({ page, request }) => {
  const account = await newAccount(request)
  const visit = await book(request, account, await freeOpening(request, 'studio-dune', ['Spray tan']))
  await signInByStorage(page, account)
  await page.goto('/appointment/list')
  const card = page.getByRole('region', { name: 'Calendar' })
  await card.getByRole('link', { name: 'Connect Google Calendar' }).click()
  await beSomebody(page, { email: account.email, letsCalendar: true })
  await expect(page).toHaveURL(/\/appointment\/list$/)
  await expect(card.getByText(`Google Calendar is connected: ${account.email}`)).toBeVisible()
  const written = async (): Promise<number> => {
    const calendars = (await (await request.get('/dev/google/calendars.json')).json()) as { events: { id: string; status: string }[] }[]
    return calendars.flatMap(({ events }) => events).filter(({ id }) => id === visit._id.replaceAll('-', '')).length
  }
  await expect.poll(written).toBe(1)
  await page.reload()
  await expect(card.getByText(/Last synced/)).toBeVisible()
  await card.getByRole('button', { name: 'Make an address' }).click()
  const address = await card.getByLabel('Your address').inputValue()
  expect(await (await request.get(address)).text()).toContain(`UID:${visit._id}@soigne`)
  await card.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'confirm' }).click()
  await expect(card.getByRole('link', { name: 'Connect Google Calendar' })).toBeVisible()
  await expect.poll(written).toBe(0)
})
