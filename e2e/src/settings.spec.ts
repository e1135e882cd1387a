/** Settings: a client changes what they have told, and who is signed in where. */
import type { Page } from '@playwright/test'
import { expect, test } from './support/journey.ts'
import { newAccount, send, signInByStorage } from './support/accounts.ts'

test('[R-14] somebody takes their data along and erases their account, and the address is free again', async ({ page, request }) => {
  const account = await newAccount(request)
  await signInByStorage(page, account)
  await page.goto('/settings')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await (await download).createReadStream()
  const parts: Buffer[] = []
  for await (const part of file) parts.push(part as Buffer)
  const zip = Buffer.concat(parts)
  expect([zip.toString('latin1', 0, 2), zip.includes('data.json')]).toEqual(['PK', true])

  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase your account?' })
  await dialog.getByLabel('Current password').fill(account.password)
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('main')).toBeVisible()
  const me = await request.get('/api/v1/secure/client/profile/me', { headers: { authorization: `Bearer ${account.token}` } })
  expect(me.status()).toBe(401)
  const { email, password, role, firstName, lastName } = account
  const again = await request.post('/api/v1/client/auth/register', {
    data: { email, password, role, firstName, lastName, acceptTerms: true },
  })
  expect(again.status()).toBe(201)
})

/** A red square, wider than high. */
async function pictureOf(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 300
    canvas.height = 200
    const pen = canvas.getContext('2d')
    if (pen) pen.fillStyle = '#b33'
    pen?.fillRect(0, 0, 300, 200)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

test('[R-14] [N-05] [C-18] [C-19] [C-20] a client changes name, picture and password, and logs out another device @phone', async ({
  page,
  request,
}) => {
  const account = await newAccount(request)
  const elsewhere = await request.post('/api/v1/client/auth/login', {
    data: { email: account.email, password: account.password, role: 'isClient' },
  })
  const { token: other } = (await elsewhere.json()) as { token: string }
  await signInByStorage(page, account)
  await page.goto('/institutes')
  await page.getByRole('button', { name: /^(?:Account of|Open the menu)/ }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/settings')
  const quiet = page.getByRole('switch', { name: 'Waiting list: Email' })
  await quiet.click()
  await expect(quiet).not.toBeChecked()
  await expect(async () => {
    const choices = await request.get('/api/v1/secure/notifications/choices', { headers: { authorization: `Bearer ${account.token}` } })
    expect(((await choices.json()) as { items: unknown[] }).items).toContainEqual({ kind: 'offers', channel: 'mail', isOn: false })
  }).toPass()
  await page.reload()
  await expect(quiet).not.toBeChecked()

  await page.getByLabel('First name').fill('Salma')
  await page.getByLabel('Phone').fill('06 12 34 56 78')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()

  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await pictureOf(page) })
  await page.getByRole('slider', { name: 'Zoom' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await expect(page.getByText('Picture saved.')).toBeVisible()
  await expect(page.getByRole('main').locator('img[src^="/files/"]')).toBeVisible()

  const devices = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('Current password').fill(account.password)
  await page.getByLabel('New password').fill('loud evening coffee')
  await send(page.getByRole('button', { name: 'Change my password' }))
  await expect(page.getByText('Password changed. You’re logged out everywhere else.')).toBeVisible()
  await expect(devices).toHaveCount(1)
  const me = await request.get('/api/v1/secure/client/profile/me', { headers: { authorization: `Bearer ${other}` } })
  expect(me.status()).toBe(401)

  await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByLabel('First name')).toHaveValue('Salma')
  await expect(page.getByLabel('Phone')).toHaveValue('06 12 34 56 78')
})
