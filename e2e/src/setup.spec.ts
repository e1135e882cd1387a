/** The first step of the setup, and the draft this device keeps of it. */
import type { Locator } from '@playwright/test'
import { newAccount, signInByStorage, stored } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'

test('[E-03] [E-13] [E-14] [E-15] [U-02] [K-05] what is typed is kept under instituteSetupForm with the defaults of the product', async ({
  page,
  request,
}) => {
  const account = await newAccount(request, { role: 'isPro' })
  await signInByStorage(page, account)
  await page.goto('/institute-register')
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(steps).toHaveText([/General$/, /Services$/, /Team$/, /Gallery$/, /Payment$/, /Let's Review!$/])
  await expect(steps.first()).toHaveAttribute('aria-current', 'step')
  for (const name of ['All', 'Men', 'Woman', 'Kids'])
    await expect(page.getByRole('group', { name: 'For', exact: true }).getByText(name, { exact: true })).toBeVisible()
  for (const name of ['English', 'French', 'Arabic', 'Other'])
    await expect(page.getByRole('group', { name: 'Languages spoken' }).getByText(name, { exact: true })).toBeVisible()
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await expect(page.getByRole('switch', { name: day })).toBeAttached()
  await page.getByLabel('Name', { exact: true }).fill('Chez Lucie')
  await expect.poll(async () => (await stored(page, 'instituteSetupForm')) ?? '').toContain('Chez Lucie')
  const draft = JSON.parse((await stored(page, 'instituteSetupForm')) ?? '{}') as Record<string, unknown>
  const me = await request.get('/api/v1/secure/client/profile/me', { headers: { authorization: `Bearer ${account.token}` } })
  const { id } = (await me.json()) as { id: string }
  expect(draft).toMatchObject({
    _id: id,
    step: 0,
    atHomeService: false,
    clientType: ['All'],
    offeredLanguages: ['English'],
    services: [],
    staff: [],
    logo: null,
    paymentMethods: ['card'],
  })
  await page.reload()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Chez Lucie')
})

test('[E-04] the step of the draft is the step shown, across reloads', async ({ page, request }) => {
  await signInByStorage(page, await newAccount(request, { role: 'isPro' }))
  await page.goto('/institute-register')
  for (const name of ['Services', 'Team', 'Gallery']) {
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeFocused()
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Gallery' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem').nth(3)).toHaveAttribute('aria-current', 'step')
})

test('[P-06] [U-02] [U-03] [U-04] a new owner is live: six steps, the banner elsewhere, published once and found', async ({
  page,
  request,
}) => {
  test.slow()
  const name = `Atelier Mimosa ${Date.now()}`
  const account = await newAccount(request, { role: 'isPro' })
  await signInByStorage(page, account)
  await page.goto('/institute-register')
  let taps = 0
  let typed = 0
  const tap = async (of: Locator, options: { force?: boolean } = {}) => {
    taps += 1
    await of.click(options)
  }
  const type = async (of: Locator, text: string) => {
    typed += 1
    await of.fill(text)
  }
  const go = async (step: string) => {
    await tap(page.getByRole('button', { name: 'Continue', exact: true }))
    await expect(page.getByRole('heading', { level: 1, name: step, exact: true })).toBeVisible()
  }
  await type(page.getByLabel('Name', { exact: true }), name)
  await tap(page.getByRole('button', { name: 'Hair', exact: true }))
  await type(page.getByRole('combobox', { name: 'Town' }), 'Lyon')
  await tap(page.getByRole('option').first())
  await expect(page.getByText('Europe/Paris · Euro')).toBeVisible()
  await type(page.getByLabel('Street and number'), '12 rue du Mimosa')
  await tap(page.getByRole('switch', { name: 'Tuesday' }), { force: true })
  await tap(page.getByRole('button', { name: 'Copy Tuesday to other days' }))
  await tap(page.getByRole('button', { name: 'Copy', exact: true }))
  await go('Services')
  await tap(page.getByRole('button', { name: /^Start with the menu/ }))
  const prices = page.getByLabel(/^Price of/)
  await expect(prices.first()).toBeVisible()
  for (const price of await prices.all()) if ((await price.inputValue()) === '') await type(price, '42')
  await page.goto('/institutes')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const banner = page.getByRole('complementary', { name: 'Finish Institute Setup' })
  await expect(banner).toContainText('Step 2 of 6: Services')
  await tap(banner.getByRole('link', { name: 'Continue' }))
  await expect(prices.first()).toHaveValue('42')
  for (const step of ['Team', 'Gallery', 'Payment', "Let's Review!"]) await go(step)
  await expect(page.getByRole('region', { name: 'Your page, as clients will see it' })).toContainText(name)
  taps += 1
  await page.getByRole('button', { name: 'Publish' }).dblclick()
  await expect(page.getByRole('alertdialog')).toContainText(name)
  await expect(page).toHaveURL(/\/mysalon$/)
  expect(await stored(page, 'instituteSetupForm')).toBeNull()
  const found = async () => {
    const answer = await request.get('/api/v1/client/institutes', { params: { what: name, lat: 45.75, lon: 4.85 } })
    return ((await answer.json()) as { items: { name: string }[] }).items.filter((one) => one.name === name).length
  }
  await expect.poll(found).toBe(1)
  expect(taps).toBeLessThanOrEqual(60)
  expect(typed).toBeLessThanOrEqual(25)
})
