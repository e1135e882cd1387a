/** Reception's day: she books, takes money and closes the till; what is not hers stands in no menu and is refused, and a right taken ends with the next click. */
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'

const mysalon = '/api/v1/secure/mysalon'

test.use({ refusals: [403] })

test('[R-11] [N-04] reception books, sells, takes money and closes the till, and nothing beyond; a right taken counts with the next click', async ({
  page,
  request,
}) => {
  test.slow()
  const { owner } = await ownInstitute(request, 'Atelier Accueil')
  const sofia = await newAccount(request, { role: 'isPro' })
  const joined = await request.post(`${mysalon}/members`, {
    headers: bearer(owner.token),
    data: { email: sofia.email, level: 'reception' },
  })
  const { _id: id } = (await joined.json()) as { _id: string }
  await signInByStorage(page, sofia)

  // A walk-in of tomorrow, which has free times at any hour of today, is booked and pays.
  await page.goto('/mysalon/appointments/calendar')
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page).toHaveURL(/day=/)
  await page.getByRole('button', { name: 'New appointment' }).click()
  const form = page.getByRole('dialog', { name: 'New appointment' })
  await form.getByRole('button', { name: 'Cut' }).first().click()
  await form.getByRole('button', { name: 'Walk-in' }).click()
  await form.getByRole('button', { name: /^Book \d/ }).click()
  const visit = page.getByRole('button', { name: /Cut Walk-in, / }).first()
  await visit.click()
  await page.getByRole('link', { name: 'Take payment' }).click()
  await page.getByRole('button', { name: /^Take €42\.00 by terminal/ }).click()
  await expect(page.getByText(/^€42\.00/).first()).toBeVisible()
  await expect(page).toHaveURL(/\/appointments\/calendar/)

  // Over the counter, by the menu.
  const menu = page.getByRole('navigation', { name: 'My Salon' })
  await menu.getByRole('link', { name: 'Sales' }).click()
  await expect(page.getByText('The list of sales is for those who handle the money.')).toBeVisible()
  for (const name of ['Payouts', 'Export']) await expect(page.getByRole('main').getByText(name, { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Sale', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'A sale over the counter' })).toBeVisible()

  // Clients are read and added, not taken away; what is kept of their health is the owner's.
  await menu.getByRole('link', { name: 'Clients' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: /Import/ })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /Export/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  const headers = bearer(sofia.token)
  for (const path of ['customers/export.csv', 'payouts', 'sales', 'sales/export.csv', 'members']) {
    const answer = await request.get(`${mysalon}/${path}`, { headers })
    expect([path, answer.status()]).toEqual([path, 403])
  }
  const read = await request.get(`${mysalon}/sales?period=allTime`, { headers: bearer(owner.token) })
  const taken = ((await read.json()) as { items: { _id: string }[] }).items
  expect(taken).toHaveLength(1)
  const refund = await request.post(`${mysalon}/sales/${taken[0]?._id}/credit-notes`, {
    headers: { ...headers, 'idempotency-key': 'not-hers' },
    data: { lines: [], reason: 'No reason', method: 'cash' },
  })
  expect(refund.status()).toBe(403)

  // The till is closed by who took the money.
  await menu.getByRole('link', { name: 'Sales' }).click()
  await page.getByRole('button', { name: 'Close the till' }).click()
  const till = page.getByRole('dialog', { name: 'The till today' })
  await expect(till).toContainText('€42.00')
  await till.getByRole('button', { name: 'Close', exact: true }).click()

  // At the counter, while the owner makes her one of the team who takes no money.
  await page.getByRole('link', { name: 'Sale', exact: true }).click()
  await page.getByRole('button', { name: 'Service', exact: true }).click()
  await page.getByRole('button', { name: /^Cut/ }).first().click()
  const take = page.getByRole('button', { name: /^Take €42\.00/ })
  await expect(take).toBeVisible()
  const lowered = await request.put(`${mysalon}/members/${id}`, { headers: bearer(owner.token), data: { level: 'staff' } })
  expect(lowered.status(), await lowered.text()).toBe(200)
  await take.click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  const sales = await request.get(`${mysalon}/sales?period=allTime`, { headers: bearer(owner.token) })
  expect(((await sales.json()) as { total: number }).total).toBe(1)
})
