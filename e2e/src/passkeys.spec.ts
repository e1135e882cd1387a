/** Passkeys: added in the settings, and then the way in, with the authenticator that Chromium has for tests. */
import type { Page } from '@playwright/test'
import { newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'

/** A phone or computer that asks its owner and is always answered. */
async function withDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** A token that is taken away under a page which hears of something at that moment leaves it asking without one. */
async function logOut(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: 'Account of ' })
    .or(page.getByRole('button', { name: 'Open the menu' }))
    .click()
  await page
    .getByRole('menuitem', { name: 'Logout' })
    .or(page.getByRole('button', { name: 'Logout' }))
    .click()
  await expect(page).toHaveURL('/')
}

test('[E-10] somebody adds a passkey, logs out, and comes back with it to where they were @phone', async ({ page, request }) => {
  const account = await newAccount(request)
  await withDevice(page)
  await signInByStorage(page, account)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Current password').fill(account.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Passkey added. You can log in with it from now on.')).toBeVisible()
  const passkeys = page.getByRole('list', { name: 'Passkeys' })
  await expect(passkeys.getByText('Not used yet')).toBeVisible()

  await logOut(page)
  await page.goto('/login?from=%2Fsettings')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page).toHaveURL('/settings')
  await expect(passkeys.getByText(/^Last used: /)).toBeVisible()

  await passkeys.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'confirm' }).click()
  await expect(page.getByText('Passkey removed.')).toBeVisible()
  await expect(passkeys).toBeHidden()
})

test.describe(() => {
  test.use({ refusals: [401] })
  test('a passkey that was removed opens nothing, and the page stays as it was', async ({ page, request }) => {
    const account = await newAccount(request)
    await withDevice(page)
    await signInByStorage(page, account)
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Current password').fill(account.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Passkey added. You can log in with it from now on.')).toBeVisible()
    const headers = { authorization: `Bearer ${account.token}` }
    const { items } = (await (await request.get('/api/v1/secure/client/passkeys', { headers })).json()) as { items: { _id: string }[] }
    expect(items).toHaveLength(1)
    await request.delete(`/api/v1/secure/client/passkeys/${items[0]?._id}`, { headers })
    await page.evaluate(() => localStorage.removeItem('AuthToken'))
    await page.goto('/login')
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(page.getByRole('alert')).toContainText('This passkey doesn’t open an account here.')
    await expect(page).toHaveURL('/login')
  })
})
