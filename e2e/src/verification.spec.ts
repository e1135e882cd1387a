/** Email Confirmation: the code, its rules, asking for another one, and the ways out. */
import { bearer, confirmEmail, newAccount, signInByStorage, stored } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { codeFor } from './support/mailbox.ts'

const wrongCodeFor = (code: string) => (code === '135790' ? '246801' : '135790')

test('[U-05] [V-01] the code takes six digits and nothing else', async ({ page, request }) => {
  await signInByStorage(page, await newAccount(request, { verified: false }))
  await page.goto('/')
  const code = page.getByLabel('6-digit code')
  const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
  await expect(page.getByRole('button', { name: 'Resend' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expect(confirm).toBeDisabled()
  await code.pressSequentially('12a b3-4')
  await expect(code).toHaveValue('1234')
  await code.pressSequentially('5')
  await expect(confirm).toBeDisabled()
  await code.pressSequentially('6789')
  await expect(code).toHaveValue('123456')
  await expect(confirm).toBeEnabled()
  await code.press('Backspace')
  await expect(confirm).toBeDisabled()
})

test.describe('a wrong code', () => {
  test.use({ refusals: [400, 422] })
  test('[V-02] is called invalid in red while it stands there', async ({ page, request }) => {
    const account = await newAccount(request, { verified: false })
    const right = await codeFor(request, account.email)
    await signInByStorage(page, account)
    await page.goto('/')
    const code = page.getByLabel('6-digit code')
    const cell = page.locator('input + div[aria-hidden] > span').first()
    const border = () => cell.evaluate((element) => getComputedStyle(element).borderTopColor)
    await expect(code).toBeVisible()
    const before = await border()
    await code.fill(wrongCodeFor(right))
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(page.getByText('Invalid code', { exact: true })).toBeVisible()
    await expect(code).toHaveAttribute('aria-invalid', 'true')
    const [red = 0, green = 0, blue = 0] = (await border()).match(/[\d.]+/g)?.map(Number) ?? []
    expect(await border()).not.toBe(before)
    expect(red).toBeGreaterThan(Math.max(green, blue))
    await code.fill('')
    await expect(page.getByText('Invalid code', { exact: true })).toBeHidden()
    await code.fill(right)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Email Confirmation' })).toBeHidden()
  })
})

test('[C-21] [E-18] [U-06] the right code opens the page that was asked for and shows the message of the server', async ({
  page,
  request,
}) => {
  const account = await newAccount(request, { verified: false })
  await signInByStorage(page, account)
  await page.goto('/appointment/list?when=past')
  const answer = page.waitForResponse('**/api/v1/secure/client/verify-email')
  await confirmEmail(page, request, account.email)
  const { message } = (await (await answer).json()) as { message: string }
  await expect(page.getByRole('status').filter({ hasText: message })).toBeVisible()
  await expect(page).toHaveURL('/appointment/list?when=past')
  await expect(page.getByRole('heading', { level: 1, name: 'Your appointments' })).toBeVisible()
})

test('[R-16] the code opens the trust page, which says what is verified', async ({ page, request }) => {
  const account = await newAccount(request, { verified: false })
  await signInByStorage(page, account)
  await page.goto('/verification')
  await confirmEmail(page, request, account.email)
  await expect(page).toHaveURL('/verification')
  await expect(page.getByRole('heading', { level: 1, name: 'Account trust' })).toBeVisible()
  const email = page.getByRole('listitem').filter({ hasText: account.email })
  await expect(email.getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Connect your calendar' })).toBeVisible()
})

for (const [role, place] of [
  ['isClient', '/'],
  ['isPro', '/institute-register'],
] as const) {
  test(`[U-06] after the code ${role} goes on from a page for guests to ${place}`, async ({ page, request }) => {
    const account = await newAccount(request, { verified: false, role })
    await signInByStorage(page, account)
    await page.goto('/login')
    await confirmEmail(page, request, account.email)
    // A professional passes My Salon, which leads to the setup while there is no institute.
    await expect(page).toHaveURL(place)
  })
}

test('[U-05] Cancel signs out', async ({ page, request }) => {
  await signInByStorage(page, await newAccount(request, { verified: false }))
  await page.goto('/appointment/list')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await stored(page, 'AuthToken')).toBeNull()
})

test('[E-19] [V-05] a new code replaces the old one and starts a minute of waiting', async ({ page, request }) => {
  const account = await newAccount(request, { verified: false })
  const first = await codeFor(request, account.email)
  await signInByStorage(page, account)
  await page.goto('/')
  await page.getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'A new code has been sent.' })).toHaveAttribute('data-type', 'success')
  await expect(page.getByRole('main').getByText(/^Please try again in (?:60|[1-5]\d) seconds$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resend' })).toBeHidden()
  const second = await codeFor(request, account.email, first)
  await page.getByLabel('6-digit code').fill(second)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Email Confirmation' })).toBeHidden()
})

test.describe('a resend that is refused', () => {
  test.use({ refusals: [429] })
  test('[E-20] [V-04] [C-22] blocks resending for the time the server names', async ({ page, request }) => {
    const account = await newAccount(request, { verified: false })
    const sent = await request.post('/api/v1/secure/client/resend-verification', { headers: bearer(account.token) })
    expect(sent.status()).toBe(200)
    await signInByStorage(page, account)
    await page.goto('/')
    const answer = page.waitForResponse('**/resend-verification')
    await page.getByRole('button', { name: 'Resend' }).click()
    const { timeLeft } = (await (await answer).json()) as { timeLeft: number }
    expect(timeLeft).toBeGreaterThan(0)
    expect(timeLeft).toBeLessThanOrEqual(60_000)
    const seconds = Math.ceil(timeLeft / 1000)
    await expect(page.getByRole('alert').filter({ hasText: `Please try again in ${seconds} seconds` })).toBeVisible()
    await expect(page.getByRole('timer').filter({ hasText: /^Please try again in \d+ seconds$/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Resend' })).toBeHidden()
  })
})
