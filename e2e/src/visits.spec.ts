/** The visits of a client: the list, its filters and pages, and the question before one is let go. */
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { book, freeOpening } from './support/times.ts'

test('[U-13] [P-01] the question is one dialog, Enter confirms, and both answers close it', async ({ page, request }) => {
  const account = await newAccount(request)
  const visit = await book(request, account, await freeOpening(request, 'studio-dune', ['Spray tan']))
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  const question = page.getByRole('alertdialog')
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible()
  await expect(question).toHaveCount(0)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(question).toHaveCount(1)
  await expect(question.getByRole('button')).toHaveText(['cancle', 'confirm'])
  await question.getByRole('button', { name: 'cancle' }).click()
  await expect(question).toHaveCount(0)
  const still = await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(account.token) })
  expect(((await still.json()) as { status: string }).status).toBe('pending')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(question).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect
    .poll(
      async () =>
        (
          (await (await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(account.token) })).json()) as {
            status: string
          }
        ).status,
    )
    .toBe('cancelled')
})

test('[R-13] [K-01] the list of a client has what comes, what is over and what was cancelled, and is paged by 10 to 50', async ({
  page,
  request,
}) => {
  const account = await newAccount(request)
  for (let made = 0; made < 11; made += 1) await book(request, account, await freeOpening(request, 'plumb-line', ['Stretching']))
  await signInByStorage(page, account)
  await page.goto('/appointment/list')
  await expect(page.getByRole('region', { name: 'Your next visit' })).toBeVisible()
  for (const size of ['10', '20', '30', '40', '50']) await expect(page.getByRole('link', { name: size, exact: true })).toBeVisible()
  await expect(page.getByText('1–10 of 11')).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByText('11–11 of 11')).toBeVisible()
  await page.getByRole('link', { name: '20', exact: true }).click()
  await expect(page.getByText('1–11 of 11')).toBeVisible()
  const parts = page.getByRole('navigation', { name: 'Which appointments' })
  await parts.getByRole('link', { name: 'Past' }).click()
  await expect(page).toHaveURL(/when=past/)
  await expect(page.getByText('No past visits yet.')).toBeVisible()
  await parts.getByRole('link', { name: 'Cancelled' }).click()
  await expect(page.getByText('Nothing cancelled.')).toBeVisible()
})

test.describe('the visit of somebody else', () => {
  test.use({ refusals: [404] })
  test('[R-13] is not shown', async ({ page, request }) => {
    const visit = await book(request, await newAccount(request), await freeOpening(request, 'nour', ['LED light']))
    await signInByStorage(page, await newAccount(request))
    await page.goto(`/appointment/${visit._id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'We can’t find this appointment.' })).toBeVisible()
  })
})

test('a visit that moves takes the new time and frees the old one', async ({ page, request }) => {
  const account = await newAccount(request)
  const opening = await freeOpening(request, 'rose-de-l-oued', ['LED light'])
  const visit = await book(request, account, opening)
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  const other = page
    .getByRole('radiogroup', { name: /^Times on/ })
    .locator(`input:not([disabled]):not([value="${visit.startsAt}"])`)
    .first()
  const value = await other.getAttribute('value')
  await page
    .locator('label')
    .filter({ has: page.locator(`input[value="${value}"]`) })
    .click()
  await page.getByRole('button', { name: /^Move to/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Moved to' })).toBeVisible()
  const now = await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(account.token) })
  expect(Date.parse(((await now.json()) as { startsAt: string }).startsAt)).toBe(Date.parse(value ?? ''))
})

test('one service of two is let go by the keyboard; the other stays at its hour, and the time is free again', async ({ page, request }) => {
  const account = await newAccount(request)
  const opening = await freeOpening(request, 'bleu-volet', ['Gel manicure', 'Hand massage'])
  const visit = await book(request, account, opening)
  const [first, second] = visit.segments
  if (!first || !second) throw new Error('the visit has no two services')
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  await page.getByRole('button', { name: `Remove ${second.serviceName}` }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog', { name: `Remove ${second.serviceName}?` })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: `${second.serviceName} is removed.` })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const left = await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(account.token) })
  expect(await left.json()).toMatchObject({ startsAt: first.startsAt, endsAt: first.endsAt, total: first.price })
})
