/** The waiting list: somebody lets a time go, and whoever waited for it takes it with one tap. */
import type { APIRequestContext, Page } from '@playwright/test'
import type { Appointment } from '@soigne/contract/appointments'
import type { WaitingEntry } from '@soigne/contract/waiting'
import { bearer, newAccount, signInByStorage, type Account } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute, townAwake } from './support/own-institute.ts'
import { book, bookingAddress, clock, dayAhead, freeDays, institute, serviceIds, type Opening } from './support/times.ts'

/** A salon where it is day, and a time of its on that day, on its own clock. */
async function salonAwake(request: APIRequestContext, name: string) {
  const town = townAwake()
  const { _id, slug } = await ownInstitute(request, name, town)
  const found = await institute(request, slug)
  const service = serviceIds(found, ['Cut'])
  return {
    timeZone: town.timeZone,
    async timeOn(day: string, hour: string): Promise<Opening> {
      const [free] = await freeDays(request, _id, service, day, 1)
      const time = free?.times.find(({ startsAt }) => clock(startsAt, town.timeZone) === hour)
      if (!time) throw new Error(`nothing is free on ${day} at ${hour}`)
      return { institute: found, service, day, ...time }
    },
  }
}

async function visitsOf(request: APIRequestContext, { token }: Account): Promise<Appointment[]> {
  const answer = await request.get('/api/v1/secure/appointments?when=upcoming', { headers: bearer(token) })
  return ((await answer.json()) as { items: Appointment[] }).items
}

async function letGo(request: APIRequestContext, { token }: Account, { _id }: Appointment): Promise<void> {
  const gone = await request.put(`/api/v1/secure/appointments/${_id}/cancel`, { headers: bearer(token), data: {} })
  expect(gone.status(), await gone.text()).toBe(200)
}

/** What is held for somebody stands above their visits, once it has been held: a moment after it fell free. */
async function offerOn(page: Page, request: APIRequestContext, { token }: Account) {
  const isOffered = async (): Promise<boolean> => {
    const answer = await request.get('/api/v1/secure/waiting', { headers: bearer(token) })
    const { items } = (await answer.json()) as { items: WaitingEntry[] }
    return items.some((one) => one.offer !== null)
  }
  await expect.poll(isOffered, { timeout: 120_000 }).toBe(true)
  await page.reload()
  const offer = page.getByRole('region', { name: 'Held for you' })
  await expect(offer).toBeVisible()
  return offer
}

test('a time that somebody lets go is held for who waits, who takes it with one tap @phone', async ({ page, request }) => {
  const [holder, waiting] = [await newAccount(request), await newAccount(request)]
  const { timeZone, timeOn } = await salonAwake(request, 'Atelier Patience')
  const wanted = await timeOn(dayAhead(3), '17:00')
  const visit = await book(request, holder, wanted)
  await signInByStorage(page, waiting)

  await page.goto(bookingAddress({ ...wanted, startsAt: wanted.startsAt }, 'time').replace(/&at=[^&]*/, `&day=${wanted.day}`))
  const sheet = page.getByRole('dialog')
  // A click on a page whose scripts have not come yet may be lost.
  await expect(async () => {
    // The sheet of an earlier one may have come meanwhile.
    if (!(await sheet.isVisible()))
      await page.getByRole('button', { name: 'Nothing that suits? Tell me when something falls free' }).click()
    await expect(sheet).toBeVisible()
  }).toPass()
  await sheet.getByRole('button', { name: 'Join the waiting list' }).click()
  await expect(sheet).toBeHidden()
  await page.goto('/appointment/list#waiting')
  await expect(page.getByRole('region', { name: 'Waiting' }).getByText('Cut')).toBeVisible()

  await letGo(request, holder, visit)
  const offer = await offerOn(page, request, waiting)
  await expect(offer.getByRole('heading')).toContainText(clock(wanted.startsAt, timeZone))
  await expect(offer.getByRole('timer')).toHaveText(/^[12]\d:\d\d$/)
  await offer.getByRole('button', { name: 'Take it' }).click()
  await expect(offer).toBeHidden()
  await expect(page.getByRole('region', { name: 'Your next visit' })).toContainText('Cut')
  expect((await visitsOf(request, waiting)).map(({ startsAt }) => startsAt)).toEqual([wanted.startsAt])
})

test('[P-01] who waits between two hours with a visit to give back swaps it with one tap: the old time is free in that moment', async ({
  page,
  request,
}) => {
  test.slow()
  const [holder, waiting] = [await newAccount(request), await newAccount(request)]
  const { timeOn } = await salonAwake(request, 'Atelier Échange')
  const [early, late] = [await timeOn(dayAhead(3), '17:00'), await timeOn(dayAhead(4), '10:00')]
  const sold = await book(request, holder, early)
  const own = await book(request, waiting, late)
  const isFreeWith = async (): Promise<boolean> => {
    const query = new URLSearchParams({
      service: late.service[0] ?? '',
      staff: own.segments[0]?.staffId ?? '',
      from: late.day,
      days: '1',
    })
    const answer = await request.get(`/api/v1/client/institutes/${late.institute._id}/availability?${query}`)
    const { days } = (await answer.json()) as { days: { times: { startsAt: string }[] }[] }
    return days.some(({ times }) => times.some(({ startsAt }) => startsAt === late.startsAt))
  }
  expect(await isFreeWith()).toBe(false)
  await signInByStorage(page, waiting)

  await page.goto(`/appointment/${own._id}`)
  await page.getByRole('button', { name: 'Find me an earlier time' }).click()
  const sheet = page.getByRole('dialog', { name: 'An earlier time' })
  await sheet.getByRole('radio', { name: 'Between two times' }).check({ force: true })
  await expect(sheet.getByRole('group', { name: 'Between two times' }).getByLabel('From')).toHaveValue('17:00')
  await sheet.getByRole('radio', { name: 'Anyone' }).check({ force: true })
  await expect(sheet.getByText('Your visit stays yours until you accept')).toBeVisible()
  await sheet.getByRole('button', { name: 'Join the waiting list' }).click()
  await expect(sheet).toBeHidden()
  await page.goto('/appointment/list#waiting')
  await expect(page.getByRole('region', { name: 'Waiting' }).getByText('17:00–19:00')).toBeVisible()

  await letGo(request, holder, sold)
  const offer = await offerOn(page, request, waiting)
  await expect(offer.getByRole('heading')).toContainText('17:00')
  await expect(offer).toContainText(/at 10:00 is given back when you take it/)
  expect((await visitsOf(request, waiting)).map(({ startsAt }) => startsAt)).toEqual([late.startsAt])
  await offer.getByRole('button', { name: 'Take it' }).click()
  await expect(offer).toBeHidden()
  await expect(page.getByRole('region', { name: 'Your next visit' })).toContainText('17:00')
  expect((await visitsOf(request, waiting)).map(({ startsAt }) => startsAt)).toEqual([early.startsAt])
  expect(await isFreeWith()).toBe(true)
})
