/** The desk without a connection: who comes is noted, a walk-in is taken, and what was sold online meanwhile is chosen about by a person. */
import { book, clock, dayAhead, freeDays } from './support/times.ts'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import type { Diary } from '@soigne/contract/diary'
import type { Page } from '@playwright/test'

const path = '/mysalon/appointments/calendar'

test.use({ serviceWorkers: 'allow', losesConnection: true, refusals: [409] })

const entriesOf = (page: Page, cache: string) =>
  page.evaluate(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url).join(' '), cache)

test('[P-07] a walk-in taken without a connection meets a visit sold online; both are shown, and somebody chooses', async ({
  page,
  context,
  request,
}) => {
  test.slow()
  const { owner, _id, services, slug } = await ownInstitute(request, 'Atelier Hors Ligne')
  const day = dayAhead(1)
  const zone = 'Europe/Paris'
  const cut = services.find(({ name }) => name === 'Cut')
  const salon = (await (await request.get(`/api/v1/client/institutes/${slug}`)).json()) as Parameters<typeof book>[2]['institute']
  const times = (await freeDays(request, _id, [cut?._id ?? ''], day, 1))[0]?.times ?? []
  const [early, sold] = [times[0], times[6]]
  if (!cut || !early || !sold) throw new Error('no free times')
  const client = await newAccount(request)
  await book(request, client, { institute: salon, service: [cut._id], startsAt: early.startsAt })

  await signInByStorage(page, owner)
  await page.goto(path)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await page.reload()
  await expect.poll(() => entriesOf(page, 'own-1')).toContain('/kept/')
  await expect.poll(() => entriesOf(page, 'own-1')).toContain('/profile/me')
  await expect.poll(() => entriesOf(page, 'pages-1')).toContain(path)

  // A cold start without a connection.
  await context.setOffline(true)
  await page.goto(`${path}?day=${day}`)
  await expect(page.getByText(/^No connection\. As of \d/)).toBeVisible()
  const kept = page.getByRole('button', { name: /Cut Lucie Verdier/ }).first()
  await expect(kept).toBeVisible()
  await kept.press('Enter')
  const visit = page.getByRole('dialog', { name: 'Lucie Verdier' })
  await visit.getByRole('button', { name: 'Arrived' }).click()
  await expect(page.getByRole('button', { name: /Lucie Verdier, .*Arrived, waiting for the connection/ }).first()).toBeVisible()
  await visit.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'New appointment' }).click()
  const form = page.getByRole('dialog', { name: 'Walk-in without a connection' })
  await form.getByRole('radio', { name: /^Cut · / }).check()
  const [hour = '', minute = ''] = clock(sold.startsAt, zone).split(':')
  await form.getByRole('spinbutton', { name: /hour/ }).click()
  await page.keyboard.type(hour.padStart(2, '0') + minute)
  await form.getByRole('radio', { name: 'Nora' }).check()
  await form.getByRole('button', { name: `Add at ${clock(sold.startsAt, zone)}` }).click()
  const walkIn = page.getByRole('button', { name: /Cut Walk-in, .*waiting for the connection/ })
  await expect(walkIn.first()).toBeVisible()

  // Closed and opened again, it is still there.
  await page.goto(`${path}?day=${day}`)
  await expect(page.getByText('2 changes are waiting')).toBeVisible()
  await expect(walkIn.first()).toBeVisible()

  const nora = salon.team.find(({ name }) => name === 'Nora')?._id ?? ''
  const held = await request.post('/api/v1/secure/appointments/holds', {
    headers: { ...bearer(client.token), 'idempotency-key': 'sold-online' },
    data: { instituteId: _id, services: [{ serviceId: cut._id, staffId: nora }], startsAt: sold.startsAt },
  })
  const { _id: holdId } = (await held.json()) as { _id: string }
  await request.post('/api/v1/secure/appointments', {
    headers: { ...bearer(client.token), 'idempotency-key': 'sold-online-2' },
    data: { holdId },
  })

  // A second tab is open when the connection is back: everything is sent once.
  const second = await context.newPage()
  await second.goto(`${path}?day=${day}`)
  await context.setOffline(false)
  await expect(page.getByText('1 change needs your choice')).toBeVisible()
  await expect(second.getByText('1 change needs your choice')).toBeVisible()
  await second.close()
  const read = async (): Promise<Diary> =>
    (await (await request.get(`/api/v1/secure/mysalon/diary?from=${day}&days=1`, { headers: bearer(owner.token) })).json()) as Diary
  expect((await read()).visits.map(({ attendance }) => attendance).toSorted()).toEqual(['arrived', 'expected'])

  await page.getByRole('button', { name: 'See both and choose' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose what happens' })
  await expect(choice).toContainText(`${clock(sold.startsAt, zone)}–`)
  await expect(choice).toContainText('Lucie Verdier')
  const nearest = choice.getByRole('group', { name: 'Nearest free times' }).getByRole('button').first()
  const time = await nearest.textContent()
  await nearest.click()
  await choice.getByRole('button', { name: `Take ${time}` }).click()
  await expect(choice.getByText('Everything is settled.')).toBeVisible()
  await expect(page.getByRole('button', { name: new RegExp(`^${time}.*Cut Walk-in, Pending$`) }).first()).toBeVisible()
  expect((await read()).visits).toHaveLength(3)
  expect(await entriesOf(page, 'desk-1')).toBe('')

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => page.evaluate(() => caches.has('own-1'))).toBe(false)
})
