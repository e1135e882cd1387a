/** The calendar of an institute, on two screens at once. */
import type { APIRequestContext, Page } from '@playwright/test'
import { bearer, demoOwner, signInByStorage, type Account } from './support/accounts.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'

const path = '/mysalon/appointments/calendar'
type Member = { _id: string; name: string; services: string[] }
type Diary = {
  now: string
  members: Member[]
  visits: { startsAt: string; segments: { staffId: string }[]; customer: { _id: string | null } }[]
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

function asking(request: APIRequestContext, owner: Account) {
  return async <Answer>(address: string): Promise<Answer> => {
    const answer = await request.get(`/api/v1/secure/mysalon/${address}`, { headers: bearer(owner.token) })
    expect(answer.status()).toBe(200)
    return (await answer.json()) as Answer
  }
}

/** A day well ahead on which two people are free for a service at the same time. */
async function freeDay(ask: ReturnType<typeof asking>, serviceId: string, members: readonly Member[], today: string) {
  const able = members.filter(({ services }) => services.includes(serviceId))
  const from = addDays(today, 24)
  const free = await Promise.all(
    able.map(async ({ _id, name }) => {
      const { days } = await ask<{ days: { day: string; times: { startsAt: string }[] }[] }>(
        `diary/times?service=${serviceId}&staff=${_id}&from=${from}&days=7`,
      )
      return { name, byDay: new Map(days.map(({ day, times }) => [day, times.map(({ startsAt }) => startsAt)])) }
    }),
  )
  for (const [day, times] of free[0]?.byDay ?? []) {
    for (const first of free)
      for (const second of free) {
        const both =
          first === second ? undefined : times.find((time) => first.byDay.get(day)?.includes(time) && second.byDay.get(day)?.includes(time))
        if (both !== undefined) return { day, first: first.name, second: second.name, startsAt: both }
      }
  }
  throw new Error('nobody is free at the same time as somebody else')
}

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
  const owner = await demoOwner(request)
  const ask = asking(request, owner)
  const today = new Date().toISOString().slice(0, 10)
  const diary = await ask<Diary>(`diary?from=${today}&days=1`)
  const menu = (await (await request.get('/api/v1/client/institutes/atelier-nacre')).json()) as {
    services: { _id: string; name: string; durationMinutes: number }[]
  }
  const service = menu.services.find(
    ({ _id, durationMinutes }) => durationMinutes >= 40 && diary.members.filter(({ services }) => services.includes(_id)).length > 1,
  )
  if (!service) throw new Error('no service that two people perform')
  const free = await freeDay(ask, service._id, diary.members, diary.now.slice(0, 10))
  await openDay(page, owner, free.day)
  const other = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await setBrowserClock(other)
  const laptop = await other.newPage()
  await openDay(laptop, owner, free.day)

  await page.getByRole('button', { name: 'New appointment' }).click()
  const form = page.getByRole('dialog', { name: 'New appointment' })
  await form.getByRole('button', { name: service.name }).first().click()
  await form.getByRole('button', { name: 'Walk-in' }).click()
  await form.getByRole('button', { name: /^Book \d/ }).click()
  await expect(page.getByText(/^Walk-in booked/)).toBeVisible()
  const walkIn = (on: Page) => on.getByRole('button', { name: new RegExp(`^${service.name}, Walk-in, `) }).first()
  await expect(walkIn(page)).toBeVisible()
  await expect(walkIn(laptop)).toBeVisible()

  const columnOf = (on: Page, name: string) => on.getByRole('list', { name, exact: true })
  const holder =
    (await columnOf(page, free.first)
      .filter({ has: walkIn(page) })
      .count()) > 0
      ? free.first
      : free.second
  const taker = holder === free.first ? free.second : free.first
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
