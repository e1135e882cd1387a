/** Without a connection: the visits seen last are there and say from when, nothing is changed in secret, and signing out leaves nothing behind. */
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { book, freeOpening } from './support/times.ts'

test.use({ serviceWorkers: 'allow', losesConnection: true })

test('[P-12] visits are read without a connection, changed only with one, and forgotten with the session', async ({
  page,
  context,
  request,
}) => {
  test.slow()
  const account = await newAccount(request)
  const visit = await book(request, account, await freeOpening(request, 'studio-dune', ['Spray tan']))
  await signInByStorage(page, account)
  const keptFor = (name: string) =>
    page.evaluate(async (one) => (await (await caches.open(one)).keys()).map(({ url }) => url).join(' '), name)
  await page.goto('/appointment/list')
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 30_000 }).toBe(true)
  await page.reload()
  await expect.poll(() => keptFor('own-1')).toContain('/api/v1/secure/appointments?')
  await page.goto(`/appointment/${visit._id}`)
  await expect(page.getByText(visit.reference)).toBeVisible()
  await expect.poll(() => keptFor('own-1')).toContain(`/appointments/${visit._id}`)
  await expect.poll(() => keptFor('pages-1')).toContain(visit._id)
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .join(' '),
    )
  for (const part of ['confirm-dialog', 'toast-stack']) await expect.poll(loaded, { timeout: 30_000 }).toContain(part)

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText(visit.reference)).toBeVisible()
  await expect(page.getByText(/^As of \d\d?:\d\d today\./)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'confirm' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await page.goto('/appointment/list')
  await expect(page.getByRole('region', { name: 'Your next visit' })).toBeVisible()
  await page.goto('/contact')
  await expect(page.getByRole('heading', { name: 'You’re offline.' })).toBeVisible()

  await context.setOffline(false)
  await page.goto(`/appointment/${visit._id}`)
  await expect(page.getByText(visit.reference)).toBeVisible()
  await expect(page.getByText(/^As of/)).toHaveCount(0)
  const still = await request.get(`/api/v1/secure/appointments/${visit._id}`, { headers: bearer(account.token) })
  expect(((await still.json()) as { status: string }).status).toBe('pending')
  await page.getByRole('button', { name: 'Account of Lucie Verdier' }).click()
  await page.getByText('Logout', { exact: true }).click()
  await expect.poll(() => page.evaluate(() => caches.has('own-1'))).toBe(false)
})
