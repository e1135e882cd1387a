/** A client's pages in Arabic: hours, phones and booking numbers run from left to right, digits are of one kind, and what leads on points to the left. */
import type { Page } from '@playwright/test'
import { newAccount, signInByStorage } from './support/accounts.ts'
import { arabicPhone, chooseArabic } from './support/arabic-phone.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { book, bookingAddress, dayAhead, freeDays, institute, serviceIds } from './support/times.ts'

test.use(arabicPhone)

type Found = { values: string[]; turned: string[]; otherDigits: string[] }

/** Hours, phones and numbers of the page as they are drawn: those whose first sign stands right of their last are turned. The page is left after it. */
function look(page: Page): Promise<Found> {
  return page.evaluate(() => {
    const found: Found = { values: [], turned: [], otherDigits: [] }
    // What is written as one stands in one node, whichever parts it was put together from.
    const marks = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT)
    const comments: Node[] = []
    while (marks.nextNode()) comments.push(marks.currentNode)
    for (const one of comments) one.parentNode?.removeChild(one)
    document.body.normalize()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    /** Times, two of them with a dash, phones, and numbers with letters. */
    const value = /(?:\+\d[\d ]{7,}\d)|(?:\d{1,2}:\d\d(?:–\d{1,2}:\d\d)?)|(?:\b[A-Z\d]{2,}(?:-[A-Z\d]{2,})+\b)/g
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const element = node.parentElement
      if (!element || element.closest('script, style, noscript')) continue
      if (/[٠-٩۰-۹]/.test(text)) found.otherDigits.push(text.trim())
      for (const match of text.matchAll(value)) {
        const at = (offset: number): DOMRect => {
          const range = document.createRange()
          range.setStart(node, offset)
          range.setEnd(node, offset + 1)
          return range.getBoundingClientRect()
        }
        const [first, last] = [at(match.index), at(match.index + match[0].length - 1)]
        if (first.width === 0 || Math.abs(first.top - last.top) > 2) continue
        found.values.push(match[0])
        if (first.left >= last.left) found.turned.push(text.trim())
      }
    }
    // Fields and names that are read aloud have digits too.
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], input'))
      for (const said of [
        one.getAttribute('aria-label'),
        one.getAttribute('title'),
        one.getAttribute('placeholder'),
        (one as HTMLInputElement).value,
      ])
        if (typeof said === 'string' && /[٠-٩۰-۹]/.test(said)) found.otherDigits.push(said)
    return found
  })
}

test('[P-12] values keep their direction, digits are of one kind, and arrows lead on to the left', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  test.slow()
  const salon = await ownInstitute(request, 'Atelier Guéliz')
  const found = await institute(request, salon.slug)
  const service = serviceIds(found, ['Cut'])
  const times = (await freeDays(request, salon._id, service, dayAhead(2), 1))[0]?.times ?? []
  const client = await newAccount(request)
  const visit = await book(request, client, { institute: found, service, startsAt: times[0]?.startsAt ?? '' })
  await chooseArabic(context, baseURL)
  await signInByStorage(page, client)
  const seen: string[] = []
  for (const path of [
    '/',
    '/institutes?place=Lyon',
    `/salon/${salon.slug}`,
    '/salon/atelier-nacre',
    bookingAddress({ institute: found, service, startsAt: times[6]?.startsAt ?? '' }, 'time'),
    bookingAddress({ institute: found, service, startsAt: times[6]?.startsAt ?? '' }),
    `/salon/${salon.slug}/book?booked=${visit._id}`,
    '/appointment/list',
    `/appointment/${visit._id}`,
    '/settings',
    '/contact',
  ]) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    const { values, turned, otherDigits } = await look(page)
    expect.soft([turned, otherDigits], path).toEqual([[], []])
    seen.push(...values)
  }
  // All three kinds were there to be looked at.
  expect(seen).toContain(visit.reference)
  expect(seen).toContain('8:00–20:00')
  expect(seen.some((value) => value.startsWith('+33'))).toBe(true)

  // They would be seen.
  await page.evaluate(() => document.querySelector('main')?.prepend('8:00–20:00 ١٢'))
  expect(await look(page)).toMatchObject({ turned: [expect.stringContaining('8:00–20:00')], otherDigits: [expect.stringContaining('١٢')] })

  await page.goto(bookingAddress({ institute: found, service, startsAt: times[6]?.startsAt ?? '' }, 'time'))
  const [earlier, later] = [
    page.getByRole('button', { name: 'أيام سابقة' }).first(),
    page.getByRole('button', { name: 'أيام تالية' }).first(),
  ]
  await expect(later).toBeVisible()
  const [before, after] = [await earlier.boundingBox(), await later.boundingBox()]
  expect(after?.x ?? 0).toBeLessThan(before?.x ?? 0)
  for (const button of [earlier, later]) expect(await button.locator('svg').evaluate((arrow) => getComputedStyle(arrow).scale)).toBe('-1 1')
})
