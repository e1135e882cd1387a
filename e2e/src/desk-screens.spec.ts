/** A salon's day on three screens at once, the desk, a laptop and the phone of somebody of the team; and what clients book online appears on it. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { bearer, newAccount, signInByStorage, type Account } from './support/accounts.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { book, dayAhead, institute } from './support/times.ts'

const wide = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The day on a screen of one's own. */
async function screenOf(browser: Browser, account: Account, day: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  await setBrowserClock(context)
  const page = await context.newPage()
  await signInByStorage(page, account)
  await page.goto(`/mysalon/appointments/calendar?day=${day}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return page
}

/** A visit as a column shows it. */
const visitOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`Cut ${name}`) }).first()

/** Somebody new in the book, with one of the team. */
async function bookAtDesk(desk: Page, name: string, person: string): Promise<void> {
  await desk.getByRole('button', { name: 'New appointment' }).click()
  const form = desk.getByRole('dialog', { name: 'New appointment' })
  await form.getByRole('button', { name: 'Cut' }).first().click()
  await form.getByRole('radio', { name: person }).check()
  await form.getByRole('button', { name: 'New client' }).click()
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByRole('button', { name: /^Book \d/ }).click()
  await expect(visitOf(desk, name)).toBeVisible()
}

test('[P-07] a change on one of three screens is on all; a phone of the team shows its own column; clients appear without a reload', async ({
  browser,
  request,
}) => {
  test.slow()
  const salon = await ownInstitute(request, 'Atelier Trois Écrans')
  const karim = await newAccount(request, { role: 'isPro' })
  const joined = await request.post('/api/v1/secure/mysalon/members', {
    headers: bearer(salon.owner.token),
    data: { email: karim.email, level: 'staff', staffId: salon.team.find(({ name }) => name === 'Karim')?._id },
  })
  expect(joined.status(), await joined.text()).toBe(201)
  const day = dayAhead(3)
  const desk = await screenOf(browser, salon.owner, day, wide)
  const laptop = await screenOf(browser, salon.owner, day, wide)
  const own = await screenOf(browser, karim, day, phone)

  await bookAtDesk(desk, 'Mme Roux', 'Karim')
  await expect(visitOf(laptop, 'Mme Roux')).toBeVisible()
  await expect(visitOf(own, 'Mme Roux')).toBeVisible()
  await bookAtDesk(desk, 'Paul Masson', 'Nora')
  await expect(visitOf(laptop, 'Paul Masson')).toBeVisible()

  // With one thumb: who sits in his chair is seen at the desk.
  await visitOf(own, 'Mme Roux').tap()
  await own.getByRole('dialog').getByRole('button', { name: 'Arrived', exact: true }).last().tap()
  for (const page of [desk, laptop]) await expect(page.getByRole('button', { name: /Cut Mme Roux, .*Arrived/ }).first()).toBeVisible()

  // Online, with anyone who is free then.
  const found = await institute(request, salon.slug)
  const nora = salon.team.find(({ name }) => name === 'Nora')?._id ?? ''
  const cut = found.services.find(({ name }) => name === 'Cut')?._id ?? ''
  const free = await request.get(`/api/v1/client/institutes/${salon._id}/availability?service=${cut}&staff=${nora}&from=${day}&days=1`)
  const { days } = (await free.json()) as { days: { times: { startsAt: string }[] }[] }
  await book(request, await newAccount(request), {
    institute: found,
    service: [cut],
    startsAt: days[0]?.times.at(-1)?.startsAt ?? '',
  })
  for (const page of [desk, laptop]) await expect(visitOf(page, 'Lucie Verdier')).toBeVisible()

  // His column is all he is shown, however long the day is by now.
  await expect(own.getByRole('button', { name: /Paul Masson/ })).toHaveCount(0)
  await own.reload()
  await expect(visitOf(own, 'Mme Roux')).toBeVisible()
  await expect(own.getByText(/Paul Masson|Nora/)).toHaveCount(0)
  for (const page of [desk, laptop, own]) await page.context().close()
})
