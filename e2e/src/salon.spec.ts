/** The page of an institute and what it says of time. */
import type { Locator } from '@playwright/test'
import { expect, test } from './support/journey.ts'
import { bearer, newAccount } from './support/accounts.ts'
import { bookingAddress, freeOpening, hold, institute } from './support/times.ts'

test('[R-08] [E-13] the hours name the seven days in order', async ({ page }) => {
  await page.goto('/salon/atelier-nacre')
  const days = page.getByRole('region', { name: 'Find us' }).getByRole('term')
  await expect(days).toHaveText([/^Monday/, /^Tuesday/, /^Wednesday/, /^Thursday/, /^Friday/, /^Saturday/, /^Sunday/])
})

test('the team says who is away, and never why', async ({ page }) => {
  await page.goto('/salon/atelier-nacre')
  const team = page.getByRole('region', { name: 'The team' })
  await expect(team.getByRole('listitem').filter({ hasText: 'Salma' })).toContainText('Away')
  await expect(team.getByRole('listitem').filter({ hasText: 'Noé' })).toContainText('Away')
  await expect(page.getByText(/Sick Leave|Holiday/)).toHaveCount(0)
})

test('[K-02] services last 20, 40, 60, 80 or 100 minutes and occupy just that long', async ({ request }) => {
  const found = new Map<number, { slug: string; name: string }>()
  for (const slug of ['atelier-nacre', 'boucle-et-fils', 'salon-petit-jour', 'harlow-yard']) {
    for (const { durationMinutes, name, performers } of (await institute(request, slug)).services)
      if (performers.length > 0) found.set(durationMinutes, { slug, name })
  }
  for (const minutes of [20, 40, 60, 80, 100]) expect([...found.keys()]).toContain(minutes)
  const opening = await freeOpening(request, 'atelier-nacre', ['Pedicure, gel'])
  const { token } = await newAccount(request, { verified: false })
  const held = await hold(request, { token }, opening)
  expect(Date.parse(held.endsAt) - Date.parse(held.startsAt)).toBe(80 * 60_000)
  await request.delete(`/api/v1/secure/appointments/holds/${held._id}`, { headers: bearer(token) })
})

test('[E-09] the four grades stand beside the rating', async ({ page, request }) => {
  await page.goto('/salon/atelier-nacre')
  const grades = page.getByRole('region', { name: 'What people say' })
  for (const name of ['Welcoming', 'Hygiene', 'Atmosphere', 'Service quality']) await expect(grades).toContainText(name)
  const { averageWelcoming, averageHygiene, averageAtmosphere, averageServiceQuality } = await institute(request, 'atelier-nacre')
  for (const average of [averageWelcoming, averageHygiene, averageAtmosphere, averageServiceQuality])
    expect(average).toEqual(expect.any(Number))
})

/** Words that begin on one line and end on the next. */
const brokenWords = (texts: Locator): Promise<string[]> =>
  texts.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const words: string[] = []
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\p{L}+/gu)) {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) words.push(word)
        }
      return words
    }),
  )

test.describe('on a phone with letters twice as large', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('[R-08] no word of the name, the menu or the grades is broken', async ({ page }) => {
    await page.goto('/salon/atelier-nacre')
    await page.addStyleTag({ content: 'html { font-size: 32px }' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Atelier Nacre')
    await page.evaluate(() => document.fonts.ready)
    for (const texts of [
      page.getByRole('heading', { level: 1 }),
      page.locator('#services li'),
      page.locator('#reviews [class*=bars] > *'),
    ]) {
      expect(await texts.count()).toBeGreaterThan(0)
      expect(await brokenWords(texts)).toEqual([])
    }
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true })

  for (const locale of ['en', 'fr', 'ar'])
    test(`[P-12] the way out of a booking stands beside its steps, ${locale}`, async ({ page, context, request, baseURL }) => {
      await context.addCookies([{ name: 'locale', value: locale, url: baseURL ?? '' }])
      const opening = await freeOpening(request, 'atelier-nacre', ['Gel manicure'])
      for (const query of ['', '&step=professional', '&step=time', '&step=confirm']) {
        const address = bookingAddress(opening)
        await page.goto(query === '' ? (address.split('?')[0] ?? '') : `${address}${query}`)
        const steps = page.locator('nav:has([aria-current=step])')
        const [{ y, height }, out] = [(await steps.boundingBox())!, (await steps.locator('xpath=following-sibling::a').boundingBox())!]
        expect(Math.abs(y + height / 2 - (out.y + out.height / 2)), query).toBeLessThan(2)
      }
    })
})
