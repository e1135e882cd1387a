/** A sick leave: who has to be asked, what is proposed to them, and what they answer. */
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { book, dayAhead, freeDays, institute } from './support/times.ts'

test('[E-12] somebody is ill: a colleague is proposed at the same time, the client takes it with one tap, and the salon sees the answer', async ({
  page,
  browser,
  request,
}) => {
  test.slow()
  const found = await ownInstitute(request, 'Atelier Aubépine')
  const { owner } = found
  const cut = found.services.find(({ name }) => name === 'Cut')?._id ?? ''
  const day = dayAhead(4)
  const [free] = await freeDays(request, found._id, [cut], day, 1)
  const startsAt = free?.times[0]?.startsAt ?? ''
  const client = await newAccount(request)
  const visit = await book(request, client, { institute: await institute(request, found.slug), service: [cut], startsAt })
  const ill = visit.segments[0]?.staffName ?? ''
  const other = ill === 'Nora' ? 'Karim' : 'Nora'
  const away = await request.put(`/api/v1/secure/mysalon/staff/${visit.segments[0]?.staffId ?? ''}/availability`, {
    headers: bearer(owner.token),
    data: { status: 'sick_leave', fromDay: day, toDay: day },
  })
  expect(away.status(), await away.text()).toBe(200)

  await signInByStorage(page, owner)
  await page.goto('/mysalon/appointments/calendar')
  const banner = page.getByRole('status').filter({ hasText: `One visit of ${ill} needs a new time` })
  await banner.getByRole('link', { name: 'Rearrange' }).click()
  await expect(page.getByText(`with ${other}`, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send one proposal' }).click()
  await expect(page.getByText('Every visit has its time.')).toBeVisible()
  const answer = page.getByRole('listitem').filter({ hasText: 'Lucie' })
  await expect(answer).toContainText('Not answered yet')

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await setBrowserClock(context)
  const phone = await context.newPage()
  await signInByStorage(phone, client)
  await phone.goto('/appointment/list')
  const card = phone.getByRole('region', { name: 'Another time?' })
  await expect(card).toContainText('Your salon proposes another time')
  await expect(card).toContainText(other)
  await card.getByRole('button', { name: 'Take this time' }).click()
  await expect(card).toHaveCount(0)
  await expect(phone.getByRole('main').getByText(other).first()).toBeVisible()
  await context.close()

  await page.reload()
  await expect(answer).toContainText('Accepted')
  await expect(page.getByRole('status').filter({ hasText: 'needs a new time' })).toHaveCount(0)
})
