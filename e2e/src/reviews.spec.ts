/** Saying how a visit was, and reading it where others do. */
import { bearer, signInByStorage, type Account } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import type { APIRequestContext, Locator, Page } from '@playwright/test'

/** The demo's client, who has kept visits. */
async function demoClient(request: APIRequestContext): Promise<Account> {
  const person = {
    email: 'client@soigne.test',
    password: 'belle-heure-1640',
    role: 'isClient' as const,
    firstName: 'Camille',
    lastName: 'Rousseau',
  }
  const answer = await request.post('/api/v1/client/auth/login', {
    data: { email: person.email, password: person.password, role: person.role },
  })
  expect(answer.status()).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  return { ...person, token }
}

type Kept = { _id: string; institute: { slug: string; name: string } }

/** Visits that have no review yet: the window of a desktop takes the last, a phone the one before. */
async function keptVisit(request: APIRequestContext, { token }: Account, isPhone: boolean): Promise<Kept> {
  const headers = bearer(token)
  const { items } = (await (await request.get('/api/v1/secure/appointments?when=past&pageSize=50', { headers })).json()) as {
    items: Kept[]
  }
  const open: Kept[] = []
  for (const visit of items) {
    const own = await request.get(`/api/v1/secure/appointments/${visit._id}/review`, { headers })
    // What others count there stays as it is.
    if (visit.institute.slug !== 'atelier-nacre' && ((await own.json()) as { mayReview: boolean }).mayReview) open.push(visit)
  }
  const visit = open[isPhone ? open.length - 1 : 0]
  if (!visit) throw new Error('the demo’s client has no visit to review')
  return visit
}

/** A picture of a few colours, made in the browser. */
const drawn = (): number[] => {
  const canvas = document.createElement('canvas')
  canvas.width = 600
  canvas.height = 400
  const pen = canvas.getContext('2d')
  if (pen) {
    pen.fillStyle = '#5b1f47'
    pen.fillRect(0, 0, 600, 400)
    pen.fillStyle = '#c4674a'
    pen.fillRect(150, 100, 300, 200)
  }
  return [...atob(canvas.toDataURL('image/png').split(',')[1] ?? '')].map((letter) => letter.charCodeAt(0))
}

test('[P-04] [E-09] [U-10] a kept visit is reviewed with a picture, stands on the page of the salon, and its picture opens by the keyboard @phone', async ({
  page,
  request,
  isMobile,
}) => {
  test.slow()
  const account = await demoClient(request)
  const visit = await keptVisit(request, account, isMobile)
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  await page.getByRole('button', { name: 'Write a review' }).click()
  const words = `She asked before touching anything. ${visit._id.slice(-6)}`
  await page.getByRole('textbox', { name: 'In your words' }).fill(words)
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Choose a grade.')).toHaveCount(4)
  for (const [question, grade] of [
    ['Welcoming', 5],
    ['Hygiene', 5],
    ['Atmosphere', 4],
    ['Service quality', 4],
  ] as const) {
    const group = page.getByRole('radiogroup', { name: question })
    await group.getByRole('radio', { name: `${grade} of 5` }).focus()
    await page.keyboard.press('Space')
  }
  await page
    .getByLabel('Add pictures')
    .setInputFiles({ name: 'nails.png', mimeType: 'image/png', buffer: Buffer.from(await page.evaluate(drawn)) })
  await expect(page.getByRole('img', { name: 'Picture 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('heading', { name: 'Your review' })).toBeVisible()
  await expect(page.getByText(words)).toBeVisible()
  await page.getByRole('link', { name: 'See it on the page' }).click()
  await expect(page).toHaveURL(new RegExp(`/salon/${visit.institute.slug}#reviews$`))
  const card = page.getByRole('region', { name: 'What people say' }).getByRole('article').filter({ hasText: words })
  await expect(card).toContainText('4.5 of 5')
  const again = await request.post(`/api/v1/secure/appointments/${visit._id}/review`, {
    headers: bearer(account.token),
    data: { welcoming: 1, hygiene: 1, atmosphere: 1, serviceQuality: 1 },
  })
  expect(again.status()).toBe(409)
  await card.getByRole('button', { name: 'Picture 1, larger' }).focus()
  await page.keyboard.press('Enter')
  const viewer = page.getByRole('dialog', { name: 'Pictures' })
  await expect(viewer.getByRole('button', { name: 'Close' })).toBeFocused()
  const coming = page.waitForEvent('download')
  await viewer.getByRole('button', { name: 'Download' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toMatch(/^soigne-[0-9a-f]+\.png$/)
  const bytes: Buffer[] = []
  for await (const part of await download.createReadStream()) bytes.push(part as Buffer)
  expect(Buffer.concat(bytes).subarray(1, 4).toString('latin1')).toBe('PNG')
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(card.getByRole('button', { name: 'Picture 1, larger' })).toBeFocused()
})

/** Until the page is awake a press may come too early. */
async function openFirst(page: Page, name: string, viewer: Locator): Promise<void> {
  await expect(async () => {
    if (!(await viewer.isVisible())) await page.getByRole('button', { name }).click()
    await expect(viewer).toBeVisible()
  }).toPass()
}

test('[U-10] the pictures of a salon turn by arrows, the other way in Arabic', async ({ page, context, baseURL }) => {
  await page.goto('/salon/atelier-nacre')
  const viewer = page.getByRole('dialog', { name: 'Pictures' })
  await openFirst(page, 'Picture 1 of 5, larger', viewer)
  await expect(viewer.getByText('1 of 5', { exact: true })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer.getByText('2 of 5', { exact: true })).toBeVisible()
  await viewer.getByRole('button', { name: 'Next picture' }).click()
  await viewer.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Picture 1 of 5, larger' })).toBeFocused()
  await context.addCookies([{ name: 'locale', value: 'ar', url: baseURL ?? '' }])
  await page.evaluate(() => localStorage.setItem('locale', 'ar'))
  await page.goto('/salon/atelier-nacre')
  await openFirst(page, 'تكبير الصورة 1 من 5', page.getByRole('dialog'))
  await expect(page.getByRole('dialog').getByText('1 من 5')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('dialog').getByText('2 من 5')).toBeVisible()
})
