/** What other rules would have done to what was booked, said before they are stored. */
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { book, dayAhead, freeDays, institute } from './support/times.ts'

test('[P-11] a rule is tried on what clients have booked before it is saved, and the visit stays as it was booked', async ({
  page,
  request,
}) => {
  const own = await ownInstitute(request, 'Atelier Aubépine')
  const client = await newAccount(request)
  const service = [own.services[0]?._id ?? '']
  // Forty days from now is within ninety and beyond twenty-eight, at any hour of today.
  const offered = async () => (await freeDays(request, own._id, service, dayAhead(40), 1))[0]?.times ?? []
  const startsAt = (await offered())[0]?.startsAt ?? ''
  const visit = await book(request, client, { institute: await institute(request, own.slug), service, startsAt })

  await signInByStorage(page, own.owner)
  await page.goto('/mysalon/settings/rules')
  const ahead = page.getByRole('radiogroup', { name: /^Not earlier than/ }).or(page.getByRole('group', { name: /^Not earlier than/ }))
  const lost = page.getByRole('region', { name: 'Bookings lost' })
  await ahead.getByText('28 days').click()
  await expect(lost).toContainText('of 1 booking made online')
  await expect(lost).toContainText('Too far ahead')
  await expect(page.getByText('Too few searches to judge by.')).toBeVisible()
  // The way back costs nothing, and nothing was stored meanwhile.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(lost).toBeHidden()
  await page.reload()
  await expect(ahead.getByRole('radio', { name: '90 days' })).toBeChecked()

  await ahead.getByText('60 days').click()
  await expect(lost).toContainText('of 1 booking made online')
  await expect(lost).not.toContainText('Too far ahead')
  await ahead.getByText('28 days').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden()
  expect(await offered()).toEqual([])
  const kept = await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(client.token) })
  expect(await kept.json()).toMatchObject({ startsAt })
})
