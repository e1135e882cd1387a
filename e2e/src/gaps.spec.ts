/** A gap between two visits: the salon offers it with one press, and who waited for it takes it. */
import type { Gaps } from '@soigne/contract/gaps'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { madeGap } from './support/gap.ts'
import { journeyNow, setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { clock } from './support/times.ts'

/** From 22:00 to 8:00 of the institute nobody is written to. */
function isNight(): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(journeyNow()).toZonedDateTimeISO('Europe/Paris')
  return hour >= 22 || hour < 8
}

test('a gap is offered to who waits with one press, and taken', async ({ page, browser, request }) => {
  const { owner, startsAt, cut, day, _id } = await madeGap(request, 'Atelier Genêt')
  await signInByStorage(page, owner)
  await page.goto('/mysalon')
  const card = page.getByRole('region', { name: '1 gap to fill' })
  await expect(card).toContainText('Nobody on the waiting list fits.')
  await expect(card.getByRole('button')).toHaveCount(0)
  // Counted a moment after the bookings.
  const countedMinutes = async (): Promise<number> => {
    const answer = await request.get('/api/v1/secure/mysalon/gaps', { headers: bearer(owner.token) })
    return ((await answer.json()) as Gaps).kept?.minutes ?? 0
  }
  await expect.poll(countedMinutes, { timeout: 120_000 }).toBeGreaterThan(0)
  await page.reload()
  await expect(card.getByText(/saved about .* this week/)).toBeVisible()

  const waiting = await newAccount(request)
  const joined = await request.post('/api/v1/secure/waiting', {
    headers: bearer(waiting.token),
    data: { instituteId: _id, services: [{ serviceId: cut }], fromDay: day, toDay: day },
  })
  expect(joined.status(), await joined.text()).toBe(201)
  const nightBefore = isNight()
  await page.reload()
  await expect(card).toContainText(clock(startsAt, 'Europe/Paris'))
  await expect(card).toContainText('2 h with Nora')
  if (nightBefore || isNight()) return
  await card.getByRole('button', { name: 'Offer to 1 waiting' }).click()
  await expect(page.getByText(/^Held for .* until/)).toBeVisible()

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await setBrowserClock(context)
  const phone = await context.newPage()
  await signInByStorage(phone, waiting)
  await phone.goto('/appointment/list')
  const offer = phone.getByRole('region', { name: 'Held for you' })
  await expect(offer).toContainText(clock(startsAt, 'Europe/Paris'))
  await offer.getByRole('button', { name: 'Take it' }).click()
  await expect(phone.getByRole('region', { name: 'Your next visit' })).toContainText('Cut')
  await context.close()
})
