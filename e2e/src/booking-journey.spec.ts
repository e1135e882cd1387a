/** The main road of the product, from the home page to a visit that is moved and let go. */
import { confirmEmail, freshEmail, signUp } from './support/accounts.ts'
import { chooseTime, dayFoundFor, search, stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'
import { mailTo } from './support/mailbox.ts'

/** Each window books elsewhere, so that both can at once. */
const institutes = { desktop: { slug: 'atelier-nacre', name: 'Atelier Nacre' }, phone: { slug: 'onze-doigts', name: 'Onze Doigts' } } as const

test('[P-01] [E-18] [U-06] [U-13] a visitor finds an institute, books two services, moves the visit and lets it go @phone', async ({ page, request }, { project }) => {
  test.slow()
  const { slug, name } = project.name === 'phone' ? institutes.phone : institutes.desktop
  const email = freshEmail()
  const day = await dayFoundFor(request, slug, 'gel manicure', 'Lyon')

  await search(page, { what: 'gel manicure', where: 'Lyon', day })
  const query = new URL(page.url()).searchParams
  expect([query.get('what'), query.get('place'), query.get('day')]).toEqual(['gel manicure', 'Lyon', day])
  await expect(page.getByRole('heading', { level: 1 })).toContainText('near Lyon')
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name }) })
  await expect(card.getByRole('list', { name: `Next times for Gel manicure at ${name}` }).getByRole('link', { name: /\d\d:\d\d/ }).first()).toBeVisible()
  await card.getByRole('link', { name, exact: true }).click()

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('link', { name: 'Add Gel manicure' }).click()
  await page.getByRole('link', { name: 'Add Hand massage' }).click()
  await expect(page.getByRole('link', { name: 'Hand massage is added. Take it out' })).toBeVisible()
  const bookingQuery = new URL(page.url()).searchParams
  expect(bookingQuery.getAll('service')).toHaveLength(2)
  await page.goto(`/salon/${slug}/book?${new URLSearchParams(bookingQuery.getAll('service').map((id) => ['service', id]))}`)
  await stepButton(page, 'Choose a time').click()
  await expect(page.getByRole('heading', { level: 1, name: 'When suits you?' })).toBeVisible()
  await page.getByRole('button', { name: 'Later days' }).first().click()
  const time = await chooseTime(page)
  await stepButton(page, 'Review and book').click()

  await expect(page.getByRole('heading', { level: 1, name: 'Almost yours' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, { email })
  await expect(page.getByRole('heading', { level: 1, name: 'Email Confirmation' })).toBeVisible()
  await expect(page.getByRole('main').getByText('is held for you')).toContainText(time)
  await expect(page.getByRole('timer')).toHaveText(/^(?:10:00|9:\d\d)$/)
  await confirmEmail(page, request, email)

  await expect(page.getByRole('heading', { level: 1, name: 'Check, and it’s yours' })).toBeVisible()
  await expect(page.getByText(`We’re holding ${time} for you.`)).toBeVisible()
  await page.getByLabel(/^A note for/).fill('The quiet chair, please.')
  await stepButton(page, `Book ${time}`).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`See youat ${time}.`)

  const mail = await mailTo(request, email, ({ attachments }) => attachments.length > 0)
  expect(mail.text).toContain(time)
  expect(mail.text).toContain(name)
  expect(JSON.stringify(mail.attachments)).toContain('.ics')

  await page.goto('/appointment/list')
  const next = page.getByRole('region', { name: 'Your next visit' })
  await expect(next).toContainText('Gel manicure')
  await expect(next).toContainText('Hand massage')
  await expect(next).toContainText(name)
  await next.getByRole('link', { name: 'See details' }).click()
  await expect(page.getByText('The quiet chair, please.')).toBeVisible()

  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('button', { name: 'Later days' }).first().click()
  const later = await chooseTime(page, 'last')
  await page.getByRole('button', { name: /^Move to/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Moved to' })).toContainText(later)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(later)
  await mailTo(request, email, ({ text, at }) => text.includes(later) && at > mail.at)

  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Let this hour go?' })
  await question.getByRole('button', { name: 'cancle', exact: true }).click()
  await expect(question).toBeHidden()
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(question).toContainText('It costs you')
  await question.getByRole('button', { name: 'confirm', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The hour is free again.' })).toBeVisible()
  await page.goto('/appointment/list')
  await expect(page.getByText('No hour of your own yet.')).toBeVisible()
  await page.getByRole('navigation', { name: 'By status' }).getByRole('link', { name: 'Cancelled' }).click()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Gel manicure' })).toContainText('Cancelled')
})
