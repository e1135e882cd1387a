/** People of the journeys: accounts made through the API, and ways to sign them in. */
import { randomUUID } from 'node:crypto'
import { expect, type APIRequestContext, type Locator, type Page } from '@playwright/test'
import { codeFor } from './mailbox.ts'

export type Role = 'isClient' | 'isPro'

export type Account = { email: string; password: string; role: Role; firstName: string; lastName: string; token: string }

export const goodPassword = 'rosemary on the windowsill'

export function freshEmail(): string {
  return `${randomUUID()}@journeys.test`
}

export type AccountOptions = { role?: Role; verified?: boolean }

/** A new account; its email is confirmed unless told otherwise. */
export async function newAccount(
  request: APIRequestContext,
  { role = 'isClient', verified = true }: AccountOptions = {},
): Promise<Account> {
  const person = { email: freshEmail(), password: goodPassword, role, firstName: 'Lucie', lastName: 'Verdier' }
  const answer = await request.post('/api/v1/client/auth/register', { data: { ...person, acceptTerms: true } })
  expect(answer.status()).toBe(201)
  const { token } = (await answer.json()) as { token: string }
  const account = { ...person, token }
  if (verified) await verify(request, account)
  return account
}

/** Confirms the email with the code that was mailed. */
export async function verify(request: APIRequestContext, { email, token }: Pick<Account, 'email' | 'token'>): Promise<void> {
  const code = await codeFor(request, email)
  const answer = await request.post('/api/v1/secure/client/verify-email', { headers: bearer(token), data: { code } })
  expect(answer.status()).toBe(200)
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** The owner of the demo's first institute. */
export async function demoOwner(request: APIRequestContext): Promise<Account> {
  const person = {
    email: 'pro@soigne.test',
    password: 'belle-heure-1640',
    role: 'isPro' as const,
    firstName: 'Odile',
    lastName: 'Marchand',
  }
  const answer = await request.post('/api/v1/client/auth/login', {
    data: { email: person.email, password: person.password, role: person.role },
  })
  expect(answer.status()).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  return { ...person, token }
}

/** Puts entries into the browser's storage as an earlier visit would have left them. */
export async function store(page: Page, entries: Readonly<Record<string, string>>): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate((all) => {
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value)
  }, entries)
}

/** As if the person had signed in earlier. */
export async function signInByStorage(page: Page, { token }: Pick<Account, 'token'>): Promise<void> {
  await store(page, { AuthToken: token })
}

export function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((one) => localStorage.getItem(one), key)
}

/** Presses the button of a form once it sends by script: the page is there a moment before its scripts are. */
export async function send(button: Locator): Promise<void> {
  await expect(button).toHaveAttribute('type', 'submit')
  await button.click()
}

/** Fills the login form that is on screen and sends it. */
export async function logIn(page: Page, { email, password, role }: Pick<Account, 'email' | 'password' | 'role'>): Promise<void> {
  await page.getByRole('radio', { name: role === 'isPro' ? 'Professionnel' : 'Client' }).check()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await send(page.getByRole('main').getByRole('button', { name: 'Login' }))
}

/** Fills the registration form that is on screen and sends it. */
export async function signUp(page: Page, { email, role = 'isClient' }: { email: string; role?: Role }): Promise<void> {
  await page.getByRole('radio', { name: role === 'isPro' ? 'Professionnel' : 'Client' }).check()
  await page.getByLabel('First name').fill('Lucie')
  await page.getByLabel('Last name').fill('Verdier')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('checkbox', { name: /I agree to the/ }).check()
  await send(page.getByRole('button', { name: 'Create my account' }))
}

/** The six cells of Email Confirmation. */
export async function confirmEmail(page: Page, request: APIRequestContext, email: string): Promise<void> {
  await page.getByLabel('6-digit code').fill(await codeFor(request, email))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
}
