/** The book of clients of an institute. */
import { readFileSync } from 'node:fs'
import { signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'

const csv = ['Prénom;Nom;Téléphone;Courriel', 'Zoé;Lambert;06 44 18 20 93;', 'Tom;Roux;;tom.roux@mail.test', ';;;nobody'].join('\r\n')

test('[P-09] an owner brings clients along after a dry run, finds one, writes a note, and takes the book away @phone', async ({
  page,
  request,
}) => {
  const { owner } = await ownInstitute(request, 'Atelier Sorbier')
  await signInByStorage(page, owner)
  await page.goto('/mysalon/customers')
  await expect(page.getByRole('heading', { name: 'Nobody is in your book yet.' })).toBeVisible()

  await page.goto('/mysalon/customers?view=import')
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await page.locator('input[type=file]').setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(page.getByText('Line 4', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Téléphone')).toHaveValue('phone')
  // Until it is pressed nothing was written: a column may still be left out.
  await page.getByLabel('Téléphone').selectOption('notes')
  await page.getByLabel('Téléphone').selectOption('phone')
  await page.getByRole('button', { name: 'Bring in 2 clients' }).click()
  await expect(page).toHaveURL(/\/mysalon\/customers$/)
  await expect(page.getByRole('link', { name: 'Tom Roux' })).toBeVisible()

  // However the number is written.
  await page.getByRole('searchbox').fill('+33 6 44 18')
  await expect(page.getByRole('link', { name: 'Tom Roux' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Zoé Lambert' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Zoé Lambert' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Notes').fill('Almond oil, no music.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Almond oil, no music.')).toBeVisible()

  await page.goto('/mysalon/customers')
  await page.getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /Export/ }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text).toContain('Zoé')
  expect(text).toContain('tom.roux@mail.test')
  expect(text.trim().split('\n')).toHaveLength(3)
})
