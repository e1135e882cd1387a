/** The held time of a booking: its countdown, its end, and what happens when somebody else was faster. */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { freeTimes, stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'
import { takeClock } from './support/journey-clock.ts'
import { bookingAddress, clock, freeDays, freeOpening, hold, liveHolds, type Opening } from './support/times.ts'

/** Other clients hold the start until nobody of the team is left. */
async function takeAll(request: APIRequestContext, opening: Opening): Promise<void> {
  for (let others = 0; others < 8; others += 1) {
    const days = await freeDays(request, opening.institute._id, opening.service, opening.day, 1)
    if (!days[0]?.times.some(({ startsAt }) => Date.parse(startsAt) === Date.parse(opening.startsAt))) return
    const other = await newAccount(request, { verified: false })
    await hold(request, other, opening)
  }
  throw new Error('the start is still free')
}

test('[P-01] a held time counts down, can be had for ten more minutes once, and is let go on the way back', async ({ page, request }) => {
  const account = await newAccount(request)
  const opening = await freeOpening(request, 'meche-et-mistral', ['Child’s cut'])
  const time = clock(opening.startsAt, opening.institute.timeZone)
  await takeClock(page)
  await signInByStorage(page, account)
  await page.goto(bookingAddress(opening, 'time'))
  await expect(page.getByText(`We’re holding ${time} for you.`)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^(?:10:00|9:\d\d)$/)
  expect(await liveHolds(request, account)).toHaveLength(1)
  await page.clock.fastForward('08:30')
  await expect(page.getByRole('timer')).toHaveText(/^1:\d\d$/)
  await page.getByRole('button', { name: 'Ten more minutes' }).click()
  await expect(page.getByRole('timer')).toHaveText(/^1[01]:\d\d$/)
  const [extended] = await liveHolds(request, account)
  expect(extended?.extended).toBe(true)
  await page.getByRole('main').getByRole('link', { name: 'Leave' }).click()
  await expect(page).not.toHaveURL(/\/book/)
  await expect.poll(async () => liveHolds(request, account)).toHaveLength(0)
})

test('[P-01] a held time is one hold through reloads, windows and the back button', async ({ page, context, request }) => {
  const account = await newAccount(request)
  const opening = await freeOpening(request, 'tenpenny-nails', ['Hand massage'])
  const { slug } = opening.institute
  const calls: string[] = []
  context.on('request', (sent) => {
    if (sent.url().includes('/appointments/holds') && sent.method() !== 'GET') calls.push(sent.method())
  })
  await signInByStorage(page, account)
  await page.goto(`/salon/${slug}?service=${opening.service.join()}`)
  await page
    .getByRole('complementary', { name: 'Book a visit' })
    .getByRole('link', { name: /^Book \d{1,2}:\d\d$/ })
    .click()
  const notice = page.getByText(/^We’re holding/)
  await expect(notice).toBeVisible()
  const [held] = await liveHolds(request, account)
  await page.reload()
  await expect(notice).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`/salon/${slug}\\?`))
  await page.goForward()
  await expect(notice).toBeVisible()
  const second = await context.newPage()
  await second.goto(page.url())
  await expect(second.getByText(/^We’re holding/)).toBeVisible()
  await second.close()
  await page.reload()
  await expect(notice).toBeVisible()
  expect(calls).toEqual(['POST'])
  expect((await liveHolds(request, account)).map(({ _id }) => _id)).toEqual([held?._id])
  await page.getByRole('main').getByRole('link', { name: 'Leave' }).click()
  await expect.poll(async () => liveHolds(request, account)).toHaveLength(0)
  expect(calls).toEqual(['POST', 'DELETE'])
})

test('another time takes the place of the held one', async ({ page, request }) => {
  const account = await newAccount(request)
  const opening = await freeOpening(request, 'salon-petit-jour', ['Child’s cut'])
  await signInByStorage(page, account)
  await page.goto(bookingAddress(opening, 'time'))
  await expect(page.getByText(/^We’re holding/)).toBeVisible()
  const other = freeTimes(page)
    .and(page.locator(`input:not([value="${opening.startsAt}"])`))
    .first()
  const value = await other.getAttribute('value')
  await page
    .locator('label')
    .filter({ has: page.locator(`input[value="${value}"]`) })
    .click()
  await expect.poll(async () => (await liveHolds(request, account)).map(({ startsAt }) => startsAt)).toEqual([value])
})

test.describe('a hold that is over', () => {
  test.use({ refusals: [404, 409, 410, 422] })
  test('is explained, nothing is booked, and the time can be held again', async ({ page, request }) => {
    const account = await newAccount(request)
    const opening = await freeOpening(request, 'le-blaireau-dore', ['Child’s cut'])
    const time = clock(opening.startsAt, opening.institute.timeZone)
    await signInByStorage(page, account)
    await page.goto(bookingAddress(opening))
    await expect(page.getByText(`We’re holding ${time} for you.`)).toBeVisible()
    await expect(stepButton(page, `Book ${time}`)).toBeVisible()
    const [held] = await liveHolds(request, account)
    const released = await request.delete(`/api/v1/secure/appointments/holds/${held?._id}`, { headers: bearer(account.token) })
    expect(released.ok()).toBe(true)
    await stepButton(page, `Book ${time}`).click()
    await expect(page.getByRole('status').filter({ hasText: 'The time we held ran out.' })).toContainText('Nothing was booked.')
    await page.getByRole('button', { name: `Hold ${time} again` }).click()
    await expect(page.getByText(`We’re holding ${time} for you.`)).toBeVisible()
    await stepButton(page, `Book ${time}`).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`See youat ${time}.`)
  })
})

test.describe('a race for one time', () => {
  test.use({ refusals: [409] })

  test('[P-01] that is lost while choosing says so, keeps the choice and offers the nearest free times', async ({ page, request }) => {
    const account = await newAccount(request)
    const opening = await freeOpening(request, 'galet-rose', ['Hand massage'])
    const { startsAt, institute } = opening
    const time = clock(startsAt, institute.timeZone)
    await signInByStorage(page, account)
    await page.goto(bookingAddress({ ...opening, startsAt: '' }, 'time').replace(/&at=&/, `&day=${opening.day}&`))
    const wanted = page.locator('label').filter({ has: page.locator(`input[value="${startsAt}"]`) })
    await expect(wanted).toBeVisible()
    await takeAll(request, opening)
    await wanted.click()
    const refused = page.getByRole('status').filter({ hasText: `${time} was just taken.` })
    await expect(refused).toContainText('everything you chose is still here')
    expect(new URL(page.url()).searchParams.getAll('service')).toEqual(opening.service)
    await expect(page.locator(`input[value="${startsAt}"]`)).toBeDisabled()
    const nearest = refused.getByRole('button', { name: /\d{1,2}:\d\d/ }).first()
    await nearest.click()
    await expect(page.getByText(/^We’re holding \d{1,2}:\d\d for you\.$/)).toBeVisible()
    await stepButton(page, 'Review and book').click()
    await stepButton(page, /^Book \d{1,2}:\d\d$/).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^See youat/)
  })

  test('that is lost before signing in offers the nearest times on the confirm step', async ({ page, request }) => {
    const account = await newAccount(request)
    const opening = await freeOpening(request, 'bleu-volet', ['Hand massage'])
    await takeAll(request, opening)
    await signInByStorage(page, account)
    await page.goto(bookingAddress(opening))
    const refused = page.getByRole('status').filter({ hasText: `${clock(opening.startsAt, opening.institute.timeZone)} was just taken.` })
    await refused
      .getByRole('button', { name: /\d{1,2}:\d\d/ })
      .first()
      .click()
    await expect(page.getByText(/^We’re holding/)).toBeVisible()
    expect(new URL(page.url()).searchParams.getAll('service')).toEqual(opening.service)
    await expect(stepButton(page, /^Book \d{1,2}:\d\d$/)).toBeVisible()
  })
})

test('the loser of a race gets 409 slot_taken with the nearest free times', async ({ request }) => {
  const opening = await freeOpening(request, 'harlow-yard', ['Child’s cut'])
  await takeAll(request, opening)
  const { token } = await newAccount(request, { verified: false })
  const answer = await request.post('/api/v1/secure/appointments/holds', {
    headers: { ...bearer(token), 'idempotency-key': randomUUID() },
    data: { instituteId: opening.institute._id, services: opening.service.map((serviceId) => ({ serviceId })), startsAt: opening.startsAt },
  })
  expect(answer.status()).toBe(409)
  const body = (await answer.json()) as { code: string; details: { nearest: { startsAt: string; endsAt: string }[] } }
  expect(body.code).toBe('slot_taken')
  expect(body.details.nearest.length).toBeGreaterThan(0)
  expect(Object.keys(body.details.nearest[0] ?? {}).sort()).toEqual(['endsAt', 'startsAt'])
})
