/** Camille's evening on a phone, in French: what, which quarter, which day and which part of it, and few taps to a start. */
import type { Locator } from '@playwright/test'
import { expect, test } from './support/journey.ts'
import { dayAhead } from './support/times.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('[P-01] [P-12] [R-07] gel in the evening around a quarter is at most five taps to a start, and all in the address', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await context.addCookies([{ name: 'locale', value: 'fr', url: baseURL ?? '' }])
  await page.addInitScript(() => localStorage.setItem('locale', 'fr'))
  let day = ''
  for (let ahead = 2; day === '' && ahead < 13; ahead += 1) {
    const params = { what: 'gel', place: 'Croix-Rousse', day: dayAhead(ahead), part: 'evening' }
    const answer = await request.get('/api/v1/client/institutes', { params })
    if (((await answer.json()) as { items: unknown[] }).items.length > 0) day = params.day
  }
  let taps = 0
  const tap = async (target: Locator): Promise<void> => {
    await target.tap()
    taps += 1
  }
  /** A list of the phone's own: one tap opens it, and its line is the other half of it. */
  const choose = async (list: Locator, value: string): Promise<void> => {
    await list.selectOption(value)
    taps += 1
  }
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  const form = page.getByRole('search', { name: 'Trouver un créneau' })
  await tap(form.getByLabel('Quoi'))
  await page.keyboard.type('gel')
  // What a phone's keyboard does with its key for the next field: what is suggested for the first lies over it.
  await page.keyboard.press('Tab')
  await page.keyboard.type('Croix-Rousse')
  await tap(page.getByRole('option', { name: /^Croix-Rousse/ }).first())
  await choose(form.getByLabel('Quand'), day)
  await choose(form.getByLabel('Moment de la journée'), 'evening')
  await tap(form.getByRole('button', { name: 'Trouver un créneau' }))

  await expect(page).toHaveURL(/\/institutes\?/)
  const asked = Object.fromEntries(new URL(page.url()).searchParams)
  expect(asked).toMatchObject({ what: 'gel', place: expect.stringContaining('Croix-Rousse'), day, part: 'evening' })
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Croix-Rousse')
  const starts = page.locator('article a[href*="at="]')
  await expect(starts.first()).toBeVisible()
  expect(taps).toBeLessThanOrEqual(5)
  for (const href of await starts.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))) {
    const at = Temporal.Instant.from(new URL(href).searchParams.get('at') ?? '').toZonedDateTimeISO('Europe/Paris')
    expect([at.toPlainDate().toString(), at.hour >= 17], href).toEqual([day, true])
  }
  // Somebody to whom the address is sent sees the same.
  await page.reload()
  await expect(starts.first()).toBeVisible()
  await expect(form.getByLabel('Moment de la journée')).toHaveValue('evening')
})
