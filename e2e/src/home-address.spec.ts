/** The address of a visit at home was written down wrong: its client puts it right, and so does the salon. */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { bearer, newAccount, signInByStorage, type Account } from './support/accounts.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { mailTo } from './support/mailbox.ts'
import { ajaccio, ownInstitute, type OwnInstitute } from './support/own-institute.ts'
import { dayAhead } from './support/times.ts'

async function comesHome(request: APIRequestContext, { owner, services }: OwnInstitute, name: string): Promise<string> {
  const headers = bearer(owner.token)
  const settings = await request.get('/api/v1/secure/mysalon/institute', { headers })
  const { profile } = (await settings.json()) as { profile: object }
  const set = await request.put('/api/v1/secure/mysalon/institute', {
    headers,
    data: { profile: { ...profile, atHome: true, atHomeRadiusKm: 12, homeTravelMinutes: 30 } },
  })
  expect(set.status(), await set.text()).toBe(200)
  const menu = await request.get('/api/v1/secure/mysalon/services', { headers })
  const { items } = (await menu.json()) as { items: { _id: string }[] }
  const id = services.find((one) => one.name === name)?._id ?? ''
  const service = items.find(({ _id }) => _id === id)
  const changed = await request.put(`/api/v1/secure/mysalon/services/${id}`, { headers, data: { ...service, venue: 'either' } })
  expect(changed.status(), await changed.text()).toBe(200)
  return id
}

/** A visit at home with Nora, who is the owner and reads its address. */
async function bookedAtHome(request: APIRequestContext, salon: OwnInstitute, client: Account, serviceId: string) {
  const staffId = salon.team.find(({ name }) => name === 'Nora')?._id ?? ''
  const times = await request.get(
    `/api/v1/client/institutes/${salon._id}/availability?service=${serviceId}&staff=${staffId}&from=${dayAhead(6)}&days=2&atHome=true`,
  )
  const { days } = (await times.json()) as { days: { times: { startsAt: string }[] }[] }
  const startsAt = days.flatMap((one) => one.times)[0]?.startsAt
  const headers = { ...bearer(client.token), 'idempotency-key': randomUUID() }
  const home = { line: '12 chemin des Genêts', postalCode: '20000', city: 'Ajaccio' }
  const held = await request.post('/api/v1/secure/appointments/holds', {
    headers,
    data: { instituteId: salon._id, services: [{ serviceId, staffId }], startsAt, home },
  })
  expect(held.status(), await held.text()).toBe(201)
  const { _id: holdId } = (await held.json()) as { _id: string }
  const booked = await request.post('/api/v1/secure/appointments', { headers: bearer(client.token), data: { holdId } })
  expect(booked.status(), await booked.text()).toBe(201)
  return (await booked.json()) as { _id: string; startsAt: string }
}

test('[F-26] the address of a visit at home is put right, by its client and at the desk', async ({ page, browser, request }) => {
  const salon = await ownInstitute(request, 'Atelier Verveine', ajaccio)
  const cut = await comesHome(request, salon, 'Cut')
  const client = await newAccount(request)
  const visit = await bookedAtHome(request, salon, client, cut)

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await setBrowserClock(context)
  const phone = await context.newPage()
  await signInByStorage(phone, client)
  await phone.goto(`/appointment/${visit._id}`)
  const place = phone.getByRole('complementary')
  await expect(place.getByText('12 chemin des Genêts')).toBeVisible()
  await place.getByRole('button', { name: 'Correct the address' }).click()
  const own = phone.getByRole('form', { name: 'Address of your visit' })
  await expect(own.getByLabel('Street and number')).toBeFocused()
  await own.getByLabel('Street and number').fill('21 chemin des Genêts')
  await own.getByRole('combobox', { name: 'Town' }).fill('Bastia')
  await own.getByRole('option', { name: /^Bastia, Corsica/ }).click()
  await own.getByRole('button', { name: 'Save the address' }).click()
  await expect(own.getByText(/The institute comes as far as 12 km/)).toBeVisible()
  await expect(own.getByLabel('Street and number')).toHaveValue('21 chemin des Genêts')
  await own.getByRole('combobox', { name: 'Town' }).fill('Ajaccio')
  await own
    .getByRole('option', { name: /^Ajaccio/ })
    .first()
    .click()
  await own.getByRole('button', { name: 'Save the address' }).click()
  await expect(place.getByText('21 chemin des Genêts')).toBeVisible()
  await expect(place.getByRole('button', { name: 'Correct the address' })).toBeFocused()
  await phone.reload()
  await expect(place.getByText('21 chemin des Genêts')).toBeVisible()
  const letter = await mailTo(request, salon.owner.email, ({ text }) => text.includes('21 chemin des Genêts'))
  expect(letter.subject).toContain('New address')

  // By telephone, by the keyboard alone.
  await signInByStorage(page, salon.owner)
  await page.goto(`/mysalon/appointments/calendar?day=${visit.startsAt.slice(0, 10)}&visit=${visit._id}`)
  const part = page.getByRole('region', { name: 'At the client’s home' })
  await expect(part.getByText('21 chemin des Genêts')).toBeVisible()
  await part.getByRole('button', { name: 'Correct the address' }).press('Enter')
  const form = page.getByRole('form', { name: 'Correct the address' })
  const street = form.getByLabel('Street and number')
  await expect(street).toBeFocused()
  await expect(street).toHaveValue('21 chemin des Genêts')
  await street.fill('21 bis chemin des Genêts')
  await street.press('Enter')
  await expect(page.getByText('The client and whoever goes there are told.')).toBeVisible()
  await expect(part.getByText('21 bis chemin des Genêts')).toBeVisible()
  await expect(part.getByRole('button', { name: 'Correct the address' })).toBeFocused()
  await mailTo(request, client.email, ({ text }) => text.includes('21 bis chemin des Genêts'))
  await phone.reload()
  await expect(place.getByText('21 bis chemin des Genêts')).toBeVisible()
  await context.close()
})
