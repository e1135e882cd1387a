/** A line that breaks while somebody books, on a phone in Arabic: nothing untrue is said, and there is one visit. */
import type { Locator } from '@playwright/test'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { arabicPhone, chooseArabic } from './support/arabic-phone.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { book, bookingAddress, dayAhead, freeDays, institute, serviceIds } from './support/times.ts'

test.use({ ...arabicPhone, losesConnection: true })

/** Taps, counted. */
function thumb() {
  const state = { taps: 0 }
  return {
    state,
    async tap(target: Locator): Promise<void> {
      await target.tap()
      state.taps += 1
    },
  }
}

test('[P-01] [P-12] the line breaks once Confirm was tapped: it says that it is checking, and there is one visit', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const { slug } = await ownInstitute(request, 'Atelier Sans Fil')
  const client = await newAccount(request)
  await chooseArabic(context, baseURL)
  await signInByStorage(page, client)
  await page.goto(`/salon/${slug}`)
  // Links lead on before scripts run; a page that is left then has nothing to lose.
  await page.waitForLoadState('networkidle')
  const { tap, state } = thumb()

  await tap(page.getByRole('link', { name: /^إضافة .?قص الشعر/ }))
  await tap(page.getByRole('link', { name: /^حجز .?\d/ }))
  await expect(page.getByRole('heading', { level: 1, name: 'مراجعة أخيرة ويصبح لك' })).toBeVisible()
  await expect(page.getByText(/^نحتفظ لك بالساعة/)).toBeVisible()
  const book = page.getByRole('button', { name: /^حجز .?\d/, disabled: false })

  // The server hears of it, and books; its answer is lost with the line.
  let status = 0
  await page.route(
    '**/api/v1/secure/appointments',
    async (route) => {
      const answer = await route.fetch()
      status = answer.status()
      await context.setOffline(true)
      await route.abort('internetdisconnected')
    },
    { times: 1 },
  )
  await tap(book)
  expect(state.taps).toBeLessThanOrEqual(4)
  const said = page.getByText('نتحقق مما إذا تم الحجز.')
  await expect(said).toBeVisible()
  expect(status).toBe(201)
  const untrue = page.getByText(/لم يتم الحجز بعد|Failed to fetch|NetworkError/)
  await expect(untrue).toHaveCount(0)
  // Asked again without a line, it still knows nothing, and says nothing else.
  await page.waitForEvent('requestfailed', (one) => one.url().endsWith('/api/v1/secure/appointments'))
  await expect(said).toBeVisible()
  await expect(untrue).toHaveCount(0)

  await context.setOffline(false)
  await expect(page).toHaveURL(/booked=/)
  await expect(page.getByRole('heading', { level: 1, name: /^موعدنا/ })).toBeVisible()
  const visits = await request.get('/api/v1/secure/appointments?when=upcoming', { headers: bearer(client.token) })
  expect(((await visits.json()) as { items: unknown[] }).items).toHaveLength(1)
})

test.describe('without a connection', () => {
  test.use({ serviceWorkers: 'allow' })

  test('[P-12] a visit is read as of when it was, and a booking that is open says why it cannot, and goes on with the line', async ({
    page,
    context,
    request,
    baseURL,
  }) => {
    test.slow()
    const salon = await ownInstitute(request, 'Atelier du Métro')
    const found = await institute(request, salon.slug)
    const service = serviceIds(found, ['Cut'])
    const times = (await freeDays(request, salon._id, service, dayAhead(2), 1))[0]?.times ?? []
    const client = await newAccount(request)
    const visit = await book(request, client, { institute: found, service, startsAt: times[0]?.startsAt ?? '' })
    await chooseArabic(context, baseURL)
    await signInByStorage(page, client)
    await page.goto('/appointment/list')
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await page.goto(`/appointment/${visit._id}`)
    await expect(page.getByText(visit.reference)).toBeVisible()
    const kept = () =>
      page.evaluate(async () =>
        (await Promise.all(['own-1', 'pages-1'].map(async (one) => (await caches.open(one)).keys()))).flat().map(({ url }) => url),
      )
    await expect.poll(async () => (await kept()).filter((url) => url.includes(visit._id)).length).toBeGreaterThanOrEqual(2)

    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText(visit.reference)).toBeVisible()
    await expect(page.getByText(/^آخر تحديث: .*\d:\d\d.*\. الحجز والتغيير والإلغاء تحتاج إلى اتصال\.$/)).toBeVisible()

    await context.setOffline(false)
    await page.goto(bookingAddress({ institute: found, service, startsAt: times[6]?.startsAt ?? '' }, 'time'))
    await expect(page.getByText(/^نحتفظ لك بالساعة/)).toBeVisible()
    await context.setOffline(true)
    const others = page.locator('label').filter({ has: page.getByRole('radio', { disabled: false, checked: false }) })
    await others.last().tap()
    await expect(page.getByText('يحتاج الحجز إلى اتصال.')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('يحتاج الحجز إلى اتصال.')).toHaveCount(0)
    await expect(page.getByText(/^نحتفظ لك بالساعة/)).toBeVisible()
  })
})
