/** A visit that comes again: every visit is named before it is booked, one that is taken gets another time, and the rest can be let go at once. */
import type { APIRequestContext } from '@playwright/test'
import { type Account, bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { chance } from './support/chance.ts'
import { expect, test } from './support/journey.ts'
import { book, dayAhead, freeDays, institute, type Opening, serviceIds } from './support/times.ts'

type Plan = { items: { startsAt: string; conflict: string | null }[] }

/** Books a time whose member is free in the next two weeks too: not away, and not taken by another journey. */
async function visitThatRepeats(request: APIRequestContext, account: Account, wanted: Pick<Opening, 'institute' | 'service'>) {
  for (let tries = 0; tries < 12; tries++) {
    const days = await freeDays(request, wanted.institute._id, wanted.service, dayAhead(9))
    const { startsAt } = chance().pick(days.flatMap(({ times }) => times))
    const visit = await book(request, account, { ...wanted, startsAt })
    const path = `/api/v1/secure/appointments/${visit._id}/series/plan?everyWeeks=1&times=3`
    const { items } = (await (await request.get(path, { headers: bearer(account.token) })).json()) as Plan
    const [next] = items
    if (next && items.every(({ conflict }) => conflict === null)) return { visit, next: next.startsAt }
  }
  throw new Error('no time of the salon is free three weeks running')
}

test('[P-06] [P-11] a visit is repeated every week around what is taken, and let go from the second on @phone', async ({
  page,
  request,
}) => {
  const salon = await institute(request, 'studio-dune')
  const service = serviceIds(salon, ['Spray tan'])
  const account = await newAccount(request)
  const { visit, next } = await visitThatRepeats(request, account, { institute: salon, service })
  // Somebody else has the hour a week later.
  const staffId = visit.segments[0]?.staffId
  const held = await request.post('/api/v1/secure/appointments/holds', {
    headers: bearer((await newAccount(request)).token),
    data: { instituteId: salon._id, services: [{ serviceId: service[0], staffId }], startsAt: next },
  })
  expect(held.status()).toBe(201)
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  await page.getByRole('button', { name: 'Repeat this visit' }).click()
  const sheet = page.getByRole('region', { name: 'How often would you like to come?' })
  await sheet.getByLabel('How many visits').selectOption('3')
  await sheet.getByLabel('How often').selectOption('1')
  await expect(sheet.getByText(/This time is taken\./).first()).toBeVisible()
  await expect(sheet.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await sheet.getByRole('button', { name: 'Book 2 more visits' }).click()
  await expect(page.getByRole('heading', { name: '2 more visits are booked.' })).toBeFocused()
  await page.getByRole('button', { name: 'Done' }).click()

  await expect(page.getByRole('heading', { name: 'Every week' })).toBeVisible()
  await page.getByRole('region', { name: 'Every week' }).getByRole('link').first().click()
  await expect(page).not.toHaveURL(new RegExp(visit._id))
  await expect(page.getByText('this visit', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel this and later' }).click()
  await page.getByRole('alertdialog', { name: 'Let these hours go?' }).getByRole('button', { name: 'confirm' }).click()
  await expect(page.getByText('2 visits are cancelled.')).toBeVisible()
  await expect(page.getByText('Cancelled. Nothing to pay.')).toBeVisible()
  const kept = await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(account.token) })
  expect(((await kept.json()) as { status: string }).status).toBe('pending')
})
