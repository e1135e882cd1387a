/** The waiting list: somebody lets a time go, and whoever waited for it takes it with one tap. */
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { journeyNow } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { book, bookingAddress, clock, freeOpening } from './support/times.ts'

/** From 22:00 to 8:00 of the institute nothing is offered. */
function isNight(timeZone: string): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(journeyNow()).toZonedDateTimeISO(timeZone)
  return hour >= 22 || hour < 8
}

test('a time that somebody lets go is held for who waits, who takes it with one tap @phone', async ({ page, request }) => {
  const [holder, waiting] = [await newAccount(request), await newAccount(request)]
  const wanted = await freeOpening(request, 'atelier-nacre', ['Gel manicure'])
  const { timeZone } = wanted.institute
  const visit = await book(request, holder, wanted)
  await signInByStorage(page, waiting)

  await page.goto(bookingAddress({ ...wanted, startsAt: wanted.startsAt }, 'time').replace(/&at=[^&]*/, `&day=${wanted.day}`))
  const sheet = page.getByRole('dialog')
  // A click on a page whose scripts have not come yet is lost.
  await expect(async () => {
    // The sheet of an earlier one may have come meanwhile.
    if (!(await sheet.isVisible()))
      await page.getByRole('button', { name: 'Nothing that suits? Tell me when something falls free' }).click({ timeout: 2000 })
    await expect(sheet).toBeVisible({ timeout: 2000 })
  }).toPass()
  await sheet.getByRole('button', { name: 'Join the waiting list' }).click()
  await expect(sheet).toBeHidden()
  await page.goto('/appointment/list#waiting')
  const rows = page.getByRole('region', { name: 'Waiting' })
  await expect(rows.getByText('Gel manicure')).toBeVisible()

  const nightBefore = isNight(timeZone)
  const gone = await request.put(`/api/v1/secure/appointments/${visit._id}/cancel`, { headers: bearer(holder.token), data: {} })
  expect(gone.status()).toBe(200)
  if (nightBefore || isNight(timeZone)) {
    await expect(rows.getByText('Gel manicure')).toBeVisible()
    return
  }
  const offer = page.getByRole('region', { name: 'Held for you' })
  await expect(async () => {
    await page.reload()
    await expect(offer).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 40_000 })
  await expect(offer.getByRole('heading')).toContainText(clock(wanted.startsAt, timeZone))
  await expect(offer.getByRole('timer')).toHaveText(/^1\d:\d\d$/)
  await offer.getByRole('button', { name: 'Take it' }).click()
  await expect(offer).toBeHidden()
  await expect(page.getByRole('region', { name: 'Your next visit' })).toContainText('Gel manicure')
  const visits = await request.get('/api/v1/secure/appointments?when=upcoming', { headers: bearer(waiting.token) })
  expect(((await visits.json()) as { items: { startsAt: string }[] }).items.map(({ startsAt }) => startsAt)).toEqual([wanted.startsAt])
})
