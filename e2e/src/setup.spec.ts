/** The first step of the setup, and the draft this device keeps of it. */
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

test('[E-03] the draft of somebody else is not shown', async ({ page, request }) => {
  await signInByStorage(page, await newAccount(request, { role: 'isPro' }))
  await page.evaluate(() => localStorage.setItem('instituteSetupForm', JSON.stringify({ _id: 'somebody', name: 'Not yours', step: 0 })))
  await page.goto('/institute-register')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
})
