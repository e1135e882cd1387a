/** Who may open which path, and where everybody else goes. */
import { demoOwner, freshEmail, logIn, newAccount, signInByStorage, signUp, store } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { codeFor } from './support/mailbox.ts'

const open = [
  ['/', /An hour\s*of your own/],
  ['/terms', /Terms and Conditions/i],
  ['/contact', /^What can we\s*put right\?$/],
  ['/icons', /icons/],
  ['/institutes', /^Institutes, /],
  ['/salon/atelier-nacre', /Atelier Nacre/],
] as const

test('[R-01] [R-02] [R-03] [R-04] [R-07] [R-08] [N-06] public pages are open to a guest, between header and footer', async ({ page }) => {
  for (const [path, heading] of open) {
    await page.goto(path)
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Soigné' })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText('© 2025 Soigné')
    if (path === '/contact') await expect(page).toHaveTitle(/Help Center/)
  }
})

const guestOnly = ['/login', '/register', '/reset-password'] as const

test('[R-05] a guest sees the pages for guests between header and footer', async ({ page }) => {
  for (const path of guestOnly) {
    await page.goto(path)
    await expect(page).toHaveURL(path)
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
  }
})

test('[R-06] a signed-in client who opens a page for guests comes home', async ({ page, request }) => {
  await signInByStorage(page, await newAccount(request))
  for (const path of guestOnly) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
  }
})

test('[R-06] the owner of an institute who opens a page for guests comes to My Salon', async ({ page, request }) => {
  await signInByStorage(page, await demoOwner(request))
  for (const path of guestOnly) {
    await page.goto(path)
    await expect(page).toHaveURL('/mysalon')
  }
})

test('[R-17] an unknown path leads home', async ({ page }) => {
  for (const path of ['/nowhere', '/a/deep/path?with=query', '/mysalonX']) {
    await page.goto(path)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
})

test('[R-13] [R-18] a guest who opens a page of people is asked to sign in', async ({ page }) => {
  for (const path of [
    '/appointment/list',
    '/wishlists',
    '/verification',
    '/institute-register',
    '/mysalon',
    '/appointment/019b8d2b-8c00-7cc5-9521-554c2efd34e7',
  ]) {
    await page.goto(path)
    await expect(page).toHaveURL(`/login?from=${encodeURIComponent(path)}`)
    await expect(page.getByRole('main').getByRole('button', { name: 'Login' })).toBeVisible()
  }
})

test('[R-18] [R-22] a client lands where they wanted to go, with query and hash', async ({ page, request }) => {
  const account = await newAccount(request)
  await page.goto('/appointment/list?when=past&pageSize=20#here')
  await expect(page).toHaveURL(/\/login\?from=/)
  expect(new URL(page.url()).searchParams.get('from')).toBe('/appointment/list?when=past&pageSize=20#here')
  await logIn(page, account)
  await expect(page).toHaveURL('/appointment/list?when=past&pageSize=20#here')
  await expect(page.getByRole('heading', { level: 1, name: 'Your appointments' })).toBeVisible()
})

test('[R-18] [R-22] a professional comes to My Salon wherever they wanted to go', async ({ page }) => {
  await page.goto('/appointment/list')
  await expect(page).toHaveURL(/\/login/)
  await logIn(page, { email: 'pro@soigne.test', password: 'belle-heure-1640', role: 'isPro' })
  await expect(page).toHaveURL('/mysalon')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('[R-18] signing in leads to no other site', async ({ page, request }) => {
  const account = await newAccount(request)
  await page.goto('/login?from=//elsewhere.test/path')
  await logIn(page, account)
  await expect(page).toHaveURL('/')
})

test('[R-19] an unconfirmed client meets Email Confirmation on every page but the public ones', async ({ page, request }) => {
  const account = await newAccount(request, { verified: false })
  await signInByStorage(page, account)
  const gate = page.getByRole('heading', { level: 1, name: 'Email Confirmation' })
  for (const path of ['/', '/appointment/list', '/institute-register', '/mysalon', '/login']) {
    await page.goto(path)
    await expect(gate).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  for (const path of ['/terms', '/contact', '/icons', '/institutes', '/salon/atelier-nacre']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(gate).toBeHidden()
  }
})

test('[R-19] [R-20] [R-23] [U-05] a new professional fills four fields and a tick, pastes the code, and is led to the setup', async ({
  page,
  context,
  request,
}) => {
  const email = freshEmail()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/register')
  // No more than these are asked for.
  await signUp(page, { email, role: 'isPro' })
  await expect(page).toHaveURL('/mysalon')
  await expect(page.getByRole('heading', { level: 1, name: 'Email Confirmation' })).toBeVisible()
  // As it is copied out of a letter, with what stands around it.
  await page.evaluate((text) => navigator.clipboard.writeText(text), ` ${await codeFor(request, email)}\n`)
  await page.getByLabel('6-digit code').focus()
  await page.keyboard.press('ControlOrMeta+V')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page).toHaveURL('/institute-register')
  await expect(page.getByRole('heading', { level: 1, name: 'Tell us where you are' })).toBeVisible()
})

test('[R-20] [K-05] a professional without an institute stays where they are once the setup is skipped', async ({ page, request }) => {
  const account = await newAccount(request, { role: 'isPro' })
  await signInByStorage(page, account)
  for (const path of ['/', '/mysalon', '/appointment/list']) {
    await page.goto(path)
    await expect(page).toHaveURL('/institute-register')
  }
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.getItem('skipRegistration'))).toBe('true')
  await page.goto('/mysalon')
  await expect(page).toHaveURL('/mysalon')
  await expect(page.getByText('Your doors are still closed.')).toBeVisible()
})

test('[R-21] an owner who opens the setup comes home, and a client who opens My Salon as well', async ({ page, request }) => {
  await store(page, { AuthToken: (await demoOwner(request)).token })
  await page.goto('/institute-register')
  await expect(page).toHaveURL('/')
  await store(page, { AuthToken: (await newAccount(request)).token })
  await page.goto('/mysalon')
  await expect(page).toHaveURL('/')
})

test('[R-22] a login from a page comes back to that page', async ({ page, request }) => {
  const account = await newAccount(request)
  await page.goto('/salon/atelier-nacre')
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await logIn(page, account)
  await expect(page).toHaveURL('/salon/atelier-nacre')
})
