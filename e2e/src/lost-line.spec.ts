/** A line that breaks while somebody books, on a phone in Arabic: nothing untrue is said, and there is one visit. */
import type { Locator } from '@playwright/test'
import { newAccount, bearer, signInByStorage } from './support/accounts.ts'
import { arabicPhone, chooseArabic } from './support/arabic-phone.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'

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
