/** Prices that are no plain number, and the person who does a visit: said before anything is clicked. */
import type { Institute, Service } from '@soigne/contract/institutes'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { chooseTime, freeTimes, stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'
import { book, freeOpening, institute } from './support/times.ts'

const houses = ['onze-doigts', 'poudre', 'studio-dune']
const amounts = ({ performers }: Service) => performers.flatMap(({ price }) => price?.amount ?? [])
const whole = (amount = 0) => String(amount / 100)

/** Somebody asks more than the menu says, and is had by name alone; the others ask the same. */
const depends = ({ performers, capacity }: Service): boolean =>
  capacity === undefined &&
  performers.some(({ onlyByName }) => onlyByName === true) &&
  new Set(performers.flatMap(({ onlyByName, price }) => (onlyByName ? [] : (price?.amount ?? [])))).size === 1

/** A service of several people who do not all ask the same. */
function dependingOnPerson({ services, team }: Institute) {
  const service = services.find(depends)
  if (!service) throw new Error('everybody asks the same')
  const [least, most] = [Math.min(...amounts(service)), Math.max(...amounts(service))]
  const dear = service.performers.find(({ price }) => price?.amount === most)
  const member = team.find(({ _id }) => _id === dear?.staffId)
  return { service, least, most, name: member?.name ?? '' }
}

test('what is on request leads to a call, and no time of it can be had', async ({ page, request }) => {
  const salon = await institute(request, 'atelier-nacre')
  const service = salon.services.find(({ priceKind }) => priceKind === 'on_request')
  await page.goto('/salon/atelier-nacre')
  const row = page
    .getByRole('region', { name: 'Services' })
    .getByRole('listitem')
    .filter({ hasText: service?.name ?? '' })
  await expect(row).toContainText('on request')
  await expect(row.getByRole('link')).toHaveAttribute('href', /^tel:\+?\d+$/)
  await expect(row.getByRole('link')).toHaveAccessibleName(`Call ${salon.name} about ${service?.name}`)
  await page.goto(`/salon/atelier-nacre/book?service=${service?._id}&staff=any`)
  await expect(page.getByText('1 service you had can no longer be booked online.')).toBeVisible()
  await expect(page.getByRole('main').getByText('€0')).toHaveCount(0)
})

test('a price that depends on the person is the menu’s for anyone, and the person’s own when they are chosen and held', async ({
  page,
  request,
}) => {
  const salons = await Promise.all(houses.map((slug) => institute(request, slug)))
  const salon = salons.find(({ services }) => services.some(depends))
  if (!salon) throw new Error('everybody asks the same')
  const { service, least, most, name } = dependingOnPerson(salon)
  await signInByStorage(page, await newAccount(request))
  await page.goto(`/salon/${salon.slug}`)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: service.name, exact: true }) })
  await expect(row).toContainText(`€${whole(least)}`)
  await expect(row).not.toContainText(`€${whole(most)}`)
  await page.goto(`/salon/${salon.slug}/book?service=${service._id}`)
  await expect(page.getByText('Anyone free').first()).toBeVisible()
  const card = (who: string) => page.locator('label').filter({ hasText: who })
  await expect(card('Anyone free')).toContainText(`€${whole(least)}`)
  await expect(card('Anyone free')).not.toContainText(`€${whole(most)}`)
  await expect(card(name)).toContainText(`€${whole(most)}`)
  await card(name).click()
  await stepButton(page, 'Choose a time').click()
  await chooseTime(page)
  await stepButton(page, 'Review and book').click()
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`€${whole(most)}`)
})

test('a move keeps the person, and says who else and for how much once anyone is chosen', async ({ page, request }) => {
  const account = await newAccount(request)
  const visit = await book(request, account, await freeOpening(request, 'atelier-nacre', ['Gel manicure']))
  const [before] = visit.segments
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('radio', { name: `With ${before?.staffName}` })).toBeChecked()
  await expect(freeTimes(page).first()).toBeVisible()
  await page.getByText('Anyone free', { exact: true }).click()
  await expect(page.getByRole('radio', { name: 'Anyone free' })).toBeChecked()
  await chooseTime(page)
  const change = page.getByRole('status').filter({ hasText: 'New time' })
  await expect(change).toContainText(/New time.*with \S+.*€/)
  const promised = /New time.*with (?<who>.+?) · (?<price>€[\d.]+)/.exec(
    await change.innerText().then((text) => text.replaceAll('\n', ' ')),
  )?.groups
  await page.getByRole('button', { name: /^Move to/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Moved to' })).toBeVisible()
  const answer = await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(account.token) })
  const moved = (await answer.json()) as typeof visit
  expect([moved.segments[0]?.staffName, `€${whole(moved.total.amount)}`]).toEqual([promised?.['who'], promised?.['price']])
})

test('book again is one tap to the times of the same service and person', async ({ page, request }) => {
  const account = await newAccount(request)
  const visit = await book(request, account, await freeOpening(request, 'atelier-nacre', ['Gel manicure']))
  await request.put(`/api/v1/secure/appointments/${visit._id}/cancel`, { headers: bearer(account.token), data: {} })
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  await page.getByRole('link', { name: 'Book again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'When suits you?' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`with ${visit.segments[0]?.staffName}`)
  await expect(freeTimes(page).first()).toBeVisible()
})
