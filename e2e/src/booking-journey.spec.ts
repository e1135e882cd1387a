/** The main road of the product, from the home page to a visit that is moved and let go. */
import type { APIRequestContext, Page } from '@playwright/test'
import { confirmEmail, freshEmail, signUp } from './support/accounts.ts'
import { chooseTime, dayFoundFor, search, stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'
import { mailTo } from './support/mailbox.ts'

type Place = { slug: string; name: string }

/** Each window books elsewhere, so that both can at once. */
const places = {
  desktop: { slug: 'atelier-nacre', name: 'Atelier Nacre' },
  phone: { slug: 'onze-doigts', name: 'Onze Doigts' },
} as const

async function findInstitute(page: Page, request: APIRequestContext, { slug, name }: Place): Promise<void> {
  const day = await dayFoundFor(request, slug, 'gel manicure', 'Lyon')
  await search(page, { what: 'gel manicure', where: 'Lyon', day })
  const query = new URL(page.url()).searchParams
  expect([query.get('what'), query.get('place'), query.get('day')]).toEqual(['gel manicure', 'Lyon', day])
  await expect(page.getByRole('heading', { level: 1 })).toContainText('near Lyon')
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name }) })
  const times = card.getByRole('list', { name: `Next times for Gel manicure at ${name}` }).getByRole('link', { name: /\d{1,2}:\d\d/ })
  await expect(times.first()).toBeVisible()
  await card.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** Answers the chosen time as the institute's clock reads it. */
async function chooseServicesAndTime(page: Page, { slug }: Place): Promise<string> {
  await page.getByRole('link', { name: 'Add Gel manicure' }).click()
  await page.getByRole('link', { name: 'Add Hand massage' }).click()
  await expect(page.getByRole('link', { name: 'Hand massage added. Remove' })).toBeVisible()
  const services = new URL(page.url()).searchParams.getAll('service')
  expect(services).toHaveLength(2)
  await page.goto(`/salon/${slug}/book?${new URLSearchParams(services.map((id) => ['service', id]))}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Who would you like?' })).toBeVisible()
  await stepButton(page, 'Choose a time').click()
  await expect(page.getByRole('heading', { level: 1, name: 'When suits you?' })).toBeVisible()
  await page.getByRole('button', { name: 'Later days' }).first().click()
  const time = await chooseTime(page)
  await stepButton(page, 'Review and book').click()
  return time
}

async function signUpHolding(page: Page, request: APIRequestContext, email: string, time: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Almost yours' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, { email })
  await expect(page.getByRole('heading', { level: 1, name: 'Email Confirmation' })).toBeVisible()
  await expect(page.getByRole('main').getByText('is held for you')).toContainText(time)
  await expect(page.getByRole('timer')).toHaveText(/^(?:10:00|9:\d\d)$/)
  await confirmEmail(page, request, email)
}

async function book(page: Page, time: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Check, and it’s yours' })).toBeVisible()
  await expect(page.getByText(`We’re holding ${time} for you.`)).toBeVisible()
  await page.getByLabel(/^A note for/).fill('The quiet chair, please.')
  await stepButton(page, `Book ${time}`).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`See youat ${time}.`)
}

async function openFromList(page: Page, { name }: Place): Promise<void> {
  await page.goto('/appointment/list')
  const next = page.getByRole('region', { name: 'Your next visit' })
  for (const text of ['Gel manicure', 'Hand massage', name]) await expect(next).toContainText(text)
  await next.getByRole('link', { name: 'See details' }).click()
  await expect(page.getByText('The quiet chair, please.')).toBeVisible()
}

async function move(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('button', { name: 'Later days' }).first().click()
  const later = await chooseTime(page, 'last')
  await page.getByRole('button', { name: /^Move to/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Moved to' })).toContainText(later)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(later)
  return later
}

async function letGo(page: Page): Promise<void> {
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
  const question = page.getByRole('alertdialog', { name: 'Let this hour go?' })
  await cancel.click()
  await question.getByRole('button', { name: 'cancle', exact: true }).click()
  await expect(question).toBeHidden()
  await cancel.click()
  await expect(question).toContainText('Nothing has been charged.')
  await question.getByRole('button', { name: 'confirm', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The hour is free again.' })).toBeVisible()
  await page.goto('/appointment/list')
  await expect(page.getByText('No hour of your own yet.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Which appointments' }).getByRole('link', { name: 'Cancelled' }).click()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Gel manicure' })).toContainText('Cancelled')
}

test('[P-01] [R-08] [R-13] [E-18] [U-06] [U-13] a visitor finds an institute, books two services, moves the visit and lets it go @phone', async ({
  page,
  request,
}, { project }) => {
  test.slow()
  const place = project.name === 'phone' ? places.phone : places.desktop
  const email = freshEmail()
  await findInstitute(page, request, place)
  const time = await chooseServicesAndTime(page, place)
  await signUpHolding(page, request, email, time)
  await book(page, time)
  const booked = await mailTo(request, email, ({ attachments }) => attachments.length > 0)
  for (const text of [time, place.name]) expect(booked.text).toContain(text)
  expect(JSON.stringify(booked.attachments)).toContain('.ics')
  await openFromList(page, place)
  const later = await move(page)
  await mailTo(request, email, ({ text, at }) => text.includes(later) && at > booked.at)
  await letGo(page)
  await mailTo(request, email, ({ at, subject }) => at > booked.at && subject !== booked.subject && /cancel|let go|free/i.test(subject))
})
