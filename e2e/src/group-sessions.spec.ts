/** Classes at the desk: opened for weeks, a client takes a place, somebody else is added, moved, cancelled with a reason. */
import type { APIRequestContext, Page } from '@playwright/test'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute, type OwnInstitute } from './support/own-institute.ts'
import { dayAhead } from './support/times.ts'

const shots = process.env['CLASS_SHOTS']
const shoot = async (page: Page, name: string): Promise<void> => {
  if (shots) await page.screenshot({ path: `${shots}/${name}-${test.info().project.name}.png`, animations: 'disabled' })
}

async function withClass(request: APIRequestContext): Promise<OwnInstitute> {
  const institute = await ownInstitute(request, 'Studio Tilleul')
  const added = await request.post('/api/v1/secure/mysalon/services', {
    headers: bearer(institute.owner.token),
    data: { category: 'fitness', name: { en: 'Morning yoga', fr: 'Yoga du matin' }, activeMinutes: 60, priceAmount: 1500, capacity: 12 },
  })
  expect(added.status(), await added.text()).toBe(201)
  return institute
}

/** A place in the class that begins first, as clients take it. */
async function takePlace(request: APIRequestContext, { _id, slug }: OwnInstitute, day: string): Promise<void> {
  const { services } = (await (await request.get(`/api/v1/client/institutes/${slug}`)).json()) as OwnInstitute
  const serviceId = services.find(({ name }) => name === 'Morning yoga')?._id ?? ''
  const days = await request.get(`/api/v1/client/institutes/${_id}/availability?service=${serviceId}&from=${day}&days=1`)
  const answer = (await days.json()) as { days: { times: { startsAt: string; seatsLeft: number }[] }[] }
  const [time] = answer.days[0]?.times ?? []
  expect(time?.seatsLeft).toBe(12)
  const headers = bearer((await newAccount(request)).token)
  const held = await request.post('/api/v1/secure/appointments/holds', {
    headers,
    data: { instituteId: _id, services: [{ serviceId, staffId: 'any' }], startsAt: time?.startsAt },
  })
  expect(held.status(), await held.text()).toBe(201)
  const { _id: hold } = (await held.json()) as { _id: string }
  const booked = await request.post('/api/v1/secure/appointments', { headers, data: { holdId: hold } })
  expect(booked.status(), await booked.text()).toBe(201)
}

test.use({ refusals: [409] })

test('classes are opened for weeks, filled, moved and cancelled with a reason', async ({ page, request }) => {
  const institute = await withClass(request)
  const day = dayAhead(3)
  await signInByStorage(page, institute.owner)
  await page.goto(`/mysalon/appointments/calendar?day=${day}`)

  await page.getByRole('button', { name: 'New appointment' }).click()
  await page.getByRole('button', { name: 'New class instead' }).click()
  const form = page.getByRole('dialog', { name: 'New class' })
  await form.getByRole('radio', { name: 'Karim' }).check()
  await form.getByRole('combobox', { name: 'Comes again' }).selectOption({ label: 'Every week' })
  await form.getByRole('combobox', { name: 'How many' }).selectOption({ label: '3 times' })
  await expect(form.getByText('All of them fit.')).toBeVisible()
  await shoot(page, 'new-class')
  await form.getByRole('button', { name: 'Open 3 classes' }).click()
  await expect(page.getByText('3 classes are open for booking')).toBeVisible()
  const block = page.getByRole('button', { name: /Morning yoga/ })
  await expect(block).toContainText('0 of 12 seats')

  await takePlace(request, institute, day)
  await expect(block).toContainText('1 of 12 seats')
  await block.click()
  const drawer = page.getByRole('dialog', { name: 'Morning yoga' })
  await drawer.getByRole('button', { name: 'Add someone' }).click()
  await drawer.getByRole('button', { name: 'Walk-in' }).click()
  await shoot(page, 'add-someone')
  await drawer.getByRole('button', { name: 'Book 18:00' }).click()
  await expect(drawer.getByText('2 of 12 seats taken')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Lucie Verdier Pending' })).toBeVisible()
  await shoot(page, 'drawer')

  await drawer.getByRole('button', { name: 'Seats' }).click()
  await drawer.getByRole('textbox', { name: 'Seats' }).fill('1')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByText('2 seats are taken. Fewer won’t do.')).toBeVisible()
  await drawer.getByRole('button', { name: 'Keep it' }).click()

  await drawer.getByRole('button', { name: 'Move' }).click()
  await drawer.getByRole('radio', { name: 'Nora' }).check()
  await shoot(page, 'move')
  await drawer.getByRole('button', { name: 'Move to 18:00' }).click()
  await expect(page.getByRole('list', { name: 'Nora', exact: true }).getByRole('button', { name: /Morning yoga/ })).toBeVisible()

  if (shots) {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(drawer).toBeVisible()
    await shoot(page, 'narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await drawer.getByRole('textbox', { name: 'Why?' }).fill('The heating is off.')
  await shoot(page, 'cancel')
  await drawer.getByRole('button', { name: 'Cancel the class' }).click()
  await expect(block).toHaveCount(0)
})
