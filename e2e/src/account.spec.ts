/** Signing up, in and out, and what the browser keeps of it. */
import { demoOwner, freshEmail, logIn, newAccount, send, signInByStorage, signUp, stored, store } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { mailTo, resetTokenFor } from './support/mailbox.ts'

for (const [path, call] of [
  ['/login', 'login'],
  ['/register', 'register'],
] as const) {
  for (const role of ['isPro', 'isClient'] as const) {
    test.describe(() => {
      test.use({ refusals: [401, 409] })
      test(`[U-01] [C-0${call === 'login' ? 3 : 5}] ${path} offers Professionnel and Client and sends ${role}`, async ({
        page,
        request,
      }) => {
        const account = await newAccount(request)
        await page.goto(path)
        await expect(page.getByRole('radio', { name: 'Professionnel' })).toBeVisible()
        await expect(page.getByRole('radio', { name: 'Client' })).toBeChecked()
        const sent = page.waitForRequest(`**/api/v1/client/auth/${call}`)
        if (call === 'login') await logIn(page, { ...account, password: 'not the right one', role })
        else await signUp(page, { email: account.email, role })
        const body = (await sent).postDataJSON() as Record<string, unknown>
        expect((await sent).method()).toBe('POST')
        expect(body).toMatchObject({ role, email: account.email })
      })
    })
  }
}

test('[E-16] [E-02] a login keeps the token under AuthToken and asks who is signed in', async ({ page, request }) => {
  const account = await newAccount(request)
  await page.goto('/login')
  const answer = page.waitForResponse('**/api/v1/client/auth/login')
  const session = page.waitForResponse('**/api/v1/secure/client/profile/me')
  await logIn(page, account)
  const body = (await (await answer).json()) as { token: string; message: string; user: unknown }
  expect(body).toEqual({
    message: expect.any(String),
    token: expect.any(String),
    user: { role: 'isClient', hasGoogleCalendarAccess: false },
  })
  expect((await session).status()).toBe(200)
  await expect(page.getByRole('button', { name: 'Account of Lucie Verdier' })).toBeVisible()
  expect(await stored(page, 'AuthToken')).toBe(body.token)
})

test('[E-16] a registration keeps the token under AuthToken and asks who is signed in', async ({ page }) => {
  await page.goto('/register')
  const answer = page.waitForResponse('**/api/v1/client/auth/register')
  const session = page.waitForResponse('**/api/v1/secure/client/profile/me')
  await signUp(page, { email: freshEmail() })
  const body = (await (await answer).json()) as { token: string }
  expect((await session).status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1, name: 'Email Confirmation' })).toBeVisible()
  expect(await stored(page, 'AuthToken')).toBe(body.token)
})

test('[E-17] [K-05] [C-23] a logout removes the token, the draft and the skip flag, keeps the language, and ends the session', async ({
  page,
  request,
}) => {
  const account = await newAccount(request)
  await store(page, { AuthToken: account.token, instituteSetupForm: '{}', skipRegistration: 'true', locale: 'en' })
  await page.goto('/appointment/list')
  await page.getByRole('button', { name: 'Account of Lucie Verdier' }).click()
  const told = page.waitForResponse('**/api/v1/secure/client/session/logout')
  await page.getByText('Logout', { exact: true }).click()
  expect((await told).request().method()).toBe('POST')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ locale: 'en', sampleNotifications: expect.any(String) })
  const me = await request.get('/api/v1/secure/client/profile/me', { headers: { authorization: `Bearer ${account.token}` } })
  expect(me.status()).toBe(401)
})

test.describe('a logout the server cannot be told of', () => {
  test.use({ refusals: [500] })
  test('[E-17] [V-03] still signs out here and shows the message of the server', async ({ page, request }) => {
    await signInByStorage(page, await newAccount(request))
    await page.route('**/session/logout', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'The cellar is flooded.' } }),
    )
    await page.goto('/appointment/list')
    await page.getByRole('button', { name: 'Account of Lucie Verdier' }).click()
    await page.getByText('Logout', { exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'The cellar is flooded.' })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    expect(await stored(page, 'AuthToken')).toBeNull()
  })
})

test.describe('a refused login', () => {
  test.use({ refusals: [401, 403] })

  test('[V-03] [V-07] [U-11] shows the message of the server in a toast and keeps what was typed', async ({ page, request }) => {
    const account = await newAccount(request)
    await page.goto('/login')
    const answer = page.waitForResponse('**/auth/login')
    await logIn(page, { ...account, password: 'something else again' })
    const { message } = (await (await answer).json()) as { message: string }
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(account.email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('something else again')
    expect(await stored(page, 'AuthToken')).toBeNull()
  })

  test('[U-01] with the other role offers the right one in one tap', async ({ page, request }) => {
    const account = await newAccount(request)
    await page.goto('/login?from=%2Fappointment%2Flist')
    await logIn(page, { ...account, role: 'isPro' })
    await expect(page.getByText('This email belongs to a client account').first()).toBeVisible()
    await page.getByRole('button', { name: 'Log in as Client' }).click()
    await expect(page).toHaveURL('/appointment/list')
  })
})

test.describe('a refused registration', () => {
  test.use({ refusals: [409] })
  test('[V-03] [C-05] with a known email shows why and keeps what was typed', async ({ page, request }) => {
    const account = await newAccount(request)
    await page.goto('/register')
    const answer = page.waitForResponse('**/auth/register')
    await signUp(page, { email: account.email })
    const { message, code } = (await (await answer).json()) as { message: string; code: string }
    expect(code).toBe('email_taken')
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(account.email)
    await expect(page.getByLabel('First name')).toHaveValue('Lucie')
    await expect(page.getByRole('checkbox', { name: /I agree/ })).toBeChecked()
  })
})

test.describe('without a connection', () => {
  test.use({ losesConnection: true })
  test('[V-03] [V-08] a login shows the raw error', async ({ page, request }) => {
    const account = await newAccount(request)
    await page.goto('/login')
    await page.route('**/auth/login', (route) => route.abort())
    await logIn(page, account)
    await expect(page.getByRole('alert').filter({ hasText: /^Failed to fetch/ })).toBeVisible()
  })
})

test('[C-06] [C-07] [C-08] a forgotten password is replaced through the link in the mail, once', async ({ page, request }) => {
  const account = await newAccount(request)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgotten?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Forgotten? It happens.' })).toBeVisible()
  await page.getByLabel('Email').fill(account.email)
  await send(page.getByRole('button', { name: 'Send the link' }))
  const token = await resetTokenFor(request, account.email)
  await mailTo(request, account.email, ({ html }) => html.includes(token))
  await page.goto(`/reset-password?token=${token}`)
  const renewed = 'lavender under the staircase'
  await page.getByLabel('New password', { exact: true }).fill(renewed)
  await send(page.getByRole('button', { name: 'Change my password' }))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ok' }).click()
  await expect(page).toHaveURL('/login')
  await logIn(page, { ...account, password: renewed })
  await expect(page.getByRole('button', { name: 'Account of Lucie Verdier' })).toBeVisible()
  const again = await request.get('/api/v1/client/password/validate-token', { params: { token } })
  expect(again.status()).toBeGreaterThanOrEqual(400)
  const old = await request.get('/api/v1/secure/client/profile/me', { headers: { authorization: `Bearer ${account.token}` } })
  expect(old.status()).toBe(401)
})

test('[U-12] the alert dialog says it is done, throws a hundred petals, holds the page still and leads on with Ok', async ({
  page,
  request,
}) => {
  const account = await newAccount(request)
  await request.post('/api/v1/client/password/request-reset', { data: { email: account.email } })
  const token = await resetTokenFor(request, account.email)
  // A hundred still petals can be counted; flying ones are drawn on a canvas.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.goto(`/reset-password?token=${token}`)
  await page.getByLabel('New password', { exact: true }).fill('lavender under the staircase')
  await send(page.getByRole('button', { name: 'Change my password' }))
  const alert = page.getByRole('alertdialog', { name: 'Password changed.' })
  await expect(alert.locator('svg path[transform]')).toHaveCount(100)
  await expect(alert).toHaveAttribute('aria-modal', 'true')
  await expect(alert.getByRole('button', { name: 'Close' })).toBeVisible()
  await expect(alert.getByRole('button', { name: 'Ok' })).toBeFocused()
  // Pressing the button may have brought it into view.
  const before = await page.evaluate(() => scrollY)
  await page.mouse.move(300, 250)
  await page.mouse.wheel(0, 400)
  await page.keyboard.press('PageDown')
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await alert.getByRole('button', { name: 'Ok' }).click()
  await expect(alert).toHaveCount(0)
  await expect(page).toHaveURL('/login')
  expect(
    await page.evaluate(() => getComputedStyle(document.documentElement).overflow + getComputedStyle(document.body).overflow),
  ).not.toContain('hidden')
})

test('[E-01] [C-17] the session user has the fields of the specification, with an institute for its owner', async ({ request }) => {
  const client = await newAccount(request)
  const me = async (token: string) =>
    (await request.get('/api/v1/secure/client/profile/me', { headers: { authorization: `Bearer ${token}` } })).json()
  const own = (await me(client.token)) as Record<string, unknown>
  expect(own).toMatchObject({
    email: client.email,
    role: 'isClient',
    imageUrl: null,
    isEmailVerified: true,
    isConnectedGoogle: false,
    hasGoogleCalendarAccess: false,
  })
  expect(own['id']).toEqual(expect.any(String))
  expect(own).not.toHaveProperty('institute')
  const owner = await demoOwner(request)
  expect(await me(owner.token)).toMatchObject({ role: 'isPro', institute: { slug: 'atelier-nacre' } })
})
