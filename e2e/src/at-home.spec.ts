/** A visit at home: offered by the salon, booked with an address, and told to who goes there. */
import { newAccount, signInByStorage } from './support/accounts.ts'
import { chooseTime, stepButton } from './support/booking-road.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { mailTo } from './support/mailbox.ts'
import { ajaccio, ownInstitute } from './support/own-institute.ts'

test('[F-26] a service is offered at home; a client gives an address within the radius; only who performs it reads that', async ({
  page,
  browser,
  request,
}) => {
  const { owner, services, slug, team } = await ownInstitute(request, 'Atelier Bruyère', ajaccio)
  const cut = services.find(({ name }) => name === 'Cut')?._id ?? ''
  const nora = team.find(({ name }) => name === 'Nora')?._id ?? ''

  await signInByStorage(page, owner)
  await page.goto('/mysalon/settings/profile')
  await page.getByRole('switch', { name: 'At home' }).click()
  await expect(page.getByRole('textbox', { name: 'Travel time each way' })).toHaveValue(/30 min/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved. Clients see it now.')).toBeVisible()
  await page.goto(`/mysalon/services/${cut}`)
  await page.getByLabel('Where', { exact: true }).selectOption({ label: 'In the salon or at home' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.waitForURL('**/mysalon/services')

  const client = await newAccount(request)
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await setBrowserClock(context)
  const phone = await context.newPage()
  await signInByStorage(phone, client)
  // Where people want somebody to come, the times are those of a visit at home, and lead to one.
  await phone.goto('/institutes?place=Ajaccio')
  await phone
    .getByRole('button', { name: 'All filters' })
    .or(phone.getByRole('link', { name: 'All filters' }))
    .first()
    .click()
  // Where the panel came with its document, a press that begins there and ends in the dialog is none.
  const filters = phone.getByRole('dialog')
  await filters.getByRole('switch', { name: /^At your home/ }).click()
  await filters.getByRole('button', { name: 'Show institutes' }).click()
  const found = phone.getByRole('article').filter({ hasText: 'Atelier Bruyère' })
  await expect(found.getByText('At home', { exact: true })).toBeVisible()
  await expect(
    found
      .getByRole('list', { name: /^Next times for Cut/ })
      .getByRole('link')
      .first(),
  ).toHaveAttribute('href', new RegExp(`/salon/${slug}/book\\?service=${cut}&at=.*&home=1`))
  await phone.goto(`/salon/${slug}/book?service=${cut}&staff=${nora}&step=time&home=1`)
  // What is typed before the scripts have come is of another test: typed-before.test.tsx.
  await phone.waitForLoadState('networkidle')
  await phone.getByLabel('Street and number').fill('4 chemin des Genêts')
  await phone.getByRole('combobox', { name: 'Town' }).fill('Bastia')
  // The places that may be meant are read in the window.
  const places = phone.getByRole('listbox', { name: 'Town' })
  await expect(places.getByRole('option').first()).toBeVisible()
  const { x, width } = (await places.boundingBox()) ?? { x: -1, width: 0 }
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(390)
  await phone.getByRole('button', { name: 'See times' }).click()
  await expect(phone.getByText(/The salon comes as far as 10 km/)).toBeVisible()
  await phone.getByRole('combobox', { name: 'Town' }).fill('Ajaccio')
  await phone.getByRole('button', { name: 'See times' }).click()
  await phone.getByRole('button', { name: /Tell me when something falls free$/ }).click()
  const sheet = phone.getByRole('dialog', { name: 'Tell me when it’s free' })
  await expect(sheet.getByText('At your home · 4 chemin des Genêts, Ajaccio')).toBeVisible()
  await sheet.getByRole('button', { name: 'Join the waiting list' }).click()
  await expect(phone.getByText('You’re on the waiting list')).toBeVisible()
  await chooseTime(phone)
  await expect(phone.getByText(/We’re holding/)).toBeVisible()
  await stepButton(phone, 'Review and book').click()
  await expect(phone.getByText('At your home: 4 chemin des Genêts, Ajaccio').filter({ visible: true })).toBeVisible()
  await stepButton(phone, /^Book/).click()
  await expect(phone.getByText('4 chemin des Genêts, Ajaccio').filter({ visible: true })).toBeVisible()
  await phone.getByRole('link', { name: 'See my appointment' }).click()
  await expect(phone.getByRole('complementary').getByText('4 chemin des Genêts')).toBeVisible()
  await context.close()

  const letter = await mailTo(request, owner.email, ({ text }) => text.includes('4 chemin des Genêts'))
  expect(letter.text).toContain('Ajaccio')
  const visits = await request.get('/api/v1/secure/mysalon/appointments', { headers: { authorization: `Bearer ${owner.token}` } })
  const { items } = (await visits.json()) as { items: { _id: string; startsAt: string }[] }
  await page.goto(`/mysalon/appointments/calendar?day=${items[0]?.startsAt.slice(0, 10)}&visit=${items[0]?._id}`)
  const part = page.getByRole('region', { name: 'At the client’s home' })
  await expect(part.getByText('4 chemin des Genêts')).toBeVisible()
  await expect(part.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', /openstreetmap/)

  // By telephone, further away than clients are told.
  await page.goto(`/mysalon/appointments/calendar?day=${items[0]?.startsAt.slice(0, 10)}`)
  await page.getByRole('button', { name: 'New appointment' }).click()
  const form = page.getByRole('dialog', { name: 'New appointment' })
  await form.getByRole('button', { name: /^Cut/ }).click()
  await form.getByRole('button', { name: 'Walk-in' }).click()
  await form.getByText('At the client’s home', { exact: true }).click()
  await form.getByLabel('Street and number').fill('2 route de la Mer')
  await form.getByRole('combobox', { name: 'Town' }).fill('Bastia')
  await form.getByRole('group', { name: 'Free times' }).getByRole('button').last().click()
  await form.getByRole('button', { name: /^Book \d/ }).click()
  await expect(page.getByText(/^Walk-in booked:/)).toBeVisible()
})
