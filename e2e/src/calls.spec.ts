/** How the pages call the server, seen on the wire. */
import { bearer, newAccount, signInByStorage, store } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { takeClock } from './support/journey-clock.ts'
import { book, freeOpening } from './support/times.ts'

test.describe('the language', () => {
  test.use({ refusals: [401] })
  for (const [stored, sent] of [
    [undefined, 'en'],
    ['fr', 'fr'],
    ['ar', 'ar'],
  ] as const) {
    test(`[C-01] [K-05] every call says ${sent} when ${stored ?? 'no locale'} is stored`, async ({ page, request }) => {
      const account = await newAccount(request)
      const languages: (string | undefined)[] = []
      page.on('request', (call) => {
        if (new URL(call.url()).pathname.startsWith('/api/')) languages.push(call.headers()['accept-language'])
      })
      await store(page, { AuthToken: account.token, ...(stored && { locale: stored }) })
      await page.goto('/appointment/list')
      await expect.poll(() => languages.length).toBeGreaterThanOrEqual(2)
      expect(new Set(languages)).toEqual(new Set([sent]))
    })
  }

  test('[C-01] refusals come in the stored language', async ({ page, request }) => {
    const account = await newAccount(request)
    const answers = []
    for (const locale of ['en', 'fr', 'ar']) {
      const answer = await request.post('/api/v1/client/auth/login', {
        headers: { 'accept-language': locale },
        data: { email: account.email, password: 'nobody knows this one', role: 'isClient' },
      })
      answers.push(((await answer.json()) as { message: string }).message)
    }
    expect(new Set(answers).size).toBe(3)
    await store(page, { locale: 'fr' })
    await page.goto('/login')
    await page.locator('input[name=email]').fill(account.email)
    await page.locator('input[name=password]').fill('nobody knows this one')
    await page.locator('form button[type=submit]').last().click()
    await expect(page.getByRole('alert').filter({ hasText: answers[1] ?? '' })).toBeVisible()
  })
})

test('[C-02] secure calls carry the token of the storage, and public ones do not', async ({ page, request }) => {
  const account = await newAccount(request)
  await signInByStorage(page, account)
  const seen = new Map<string, string | undefined>()
  page.on('request', (call) => {
    const { pathname } = new URL(call.url())
    if (pathname.startsWith('/api/')) seen.set(pathname, call.headers()['authorization'])
  })
  await page.goto('/appointment/list')
  await expect(page.getByRole('heading', { level: 1, name: 'Your appointments' })).toBeVisible()
  await page.goto('/salon/atelier-nacre?service=' + (await freeOpening(request, 'atelier-nacre', ['Hand massage'])).service.join())
  // A link followed before the scripts are there is a new document, which the server has filled already.
  await page.waitForLoadState('networkidle')
  await page.getByRole('link', { name: 'Add Gel manicure' }).click()
  await expect.poll(() => [...seen.keys()].some((path) => path.startsWith('/api/v1/client/'))).toBe(true)
  expect(seen.size).toBeGreaterThan(2)
  for (const [path, authorization] of seen)
    expect(authorization, path).toBe(path.startsWith('/api/v1/secure/') ? `Bearer ${account.token}` : undefined)
})

test('[C-02] a secure call without a good token is answered 401', async ({ request }) => {
  for (const [method, path] of [
    ['GET', 'client/profile/me'],
    ['GET', 'appointments'],
    ['POST', 'appointments/holds'],
    ['POST', 'client/verify-email'],
    ['POST', 'client/resend-verification'],
    ['POST', 'client/session/logout'],
    ['PUT', 'client/profile/image'],
  ] as const) {
    for (const headers of [{}, bearer('nobody'), { authorization: 'Basic bm9ib2R5' }]) {
      const answer = await request.fetch(`/api/v1/secure/${path}`, { method, headers, ...(method === 'GET' ? {} : { data: {} }) })
      expect(answer.status(), `${method} ${path}`).toBe(401)
    }
  }
})

test('[E-02] [C-03] [C-05] login and register answer what the specification names', async ({ request }) => {
  const account = await newAccount(request)
  const { email, password } = account
  const login = await request.post('/api/v1/client/auth/login', { data: { email, password, role: 'isClient' } })
  expect(await login.json()).toEqual({
    message: expect.any(String),
    token: expect.any(String),
    user: { role: 'isClient', hasGoogleCalendarAccess: false },
  })
  const taken = await request.post('/api/v1/client/auth/register', {
    data: { email, password, role: 'isClient', firstName: 'A', lastName: 'B', acceptTerms: true },
  })
  expect(taken.status()).toBe(409)
  expect(await taken.json()).toMatchObject({ code: 'email_taken', message: expect.any(String) })
})

test('[C-26] an upload is multipart', async ({ request }) => {
  const { token } = await newAccount(request)
  const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const answer = await request.put('/api/v1/secure/client/profile/image', {
    headers: bearer(token),
    multipart: { image: { name: 'me.png', mimeType: 'image/png', buffer: pixel } },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  const { imageUrl } = (await answer.json()) as { imageUrl: string }
  expect((await request.get(imageUrl)).headers()['content-type']).toMatch(/^image\//)
  const plain = await request.put('/api/v1/secure/client/profile/image', { headers: bearer(token), data: { image: 'me' } })
  expect(plain.status()).toBeGreaterThanOrEqual(400)
})

test('[C-26] the calendar file of a visit is saved as it comes', async ({ page, request }) => {
  const account = await newAccount(request)
  const visit = await book(request, account, await freeOpening(request, 'salon-zellige', ['Patch test']))
  await signInByStorage(page, account)
  await page.goto(`/appointment/${visit._id}`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Add to calendar' }).click()
  expect((await download).suggestedFilename()).toBe(`${visit.reference}.ics`)
  const chunks: Buffer[] = []
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString('utf8')).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*DTSTART:\d{8}T\d{6}Z\r\n/)
})

test.describe('the session', () => {
  test.use({ losesConnection: true })
  test('[C-30] is asked for again on reconnect and on mount when older than ten seconds, not on focus', async ({
    page,
    request,
    context,
  }) => {
    const account = await newAccount(request)
    await takeClock(page)
    await signInByStorage(page, account)
    let asked = 0
    page.on('request', (call) => (asked += call.url().endsWith('/profile/me') ? 1 : 0))
    await page.goto('/contact')
    await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
    // What the page still loads would be cut off with the connection.
    await page.waitForLoadState('networkidle')
    expect(asked).toBe(1)
    const comeBack = async () => {
      await context.setOffline(true)
      await context.setOffline(false)
    }
    await comeBack()
    await page.clock.fastForward(5_000)
    expect(asked).toBe(1)
    await page.clock.fastForward(6_000)
    await page.evaluate(() => {
      window.dispatchEvent(new Event('focus'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.clock.fastForward(1_000)
    expect(asked).toBe(1)
    await comeBack()
    await expect.poll(() => asked).toBe(2)
    await page.reload()
    await expect.poll(() => asked).toBe(3)
  })
})

test.describe('a session that cannot be read', () => {
  test.use({ refusals: [500] })
  test('[C-30] [V-07] is not asked for again by itself, and the page says what the server said', async ({ page, request }) => {
    const account = await newAccount(request)
    let asked = 0
    await page.route('**/profile/me', (route) => {
      asked += 1
      return route.fulfill({ status: 500, json: { code: 'internal', message: 'The lamp went out.' } })
    })
    await signInByStorage(page, account)
    await page.goto('/appointment/list')
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('The lamp went out.')
    await page.waitForLoadState('networkidle')
    expect(asked).toBe(1)
    await page.unroute('**/profile/me')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your appointments' })).toBeVisible()
  })
})

test.describe('a call that finds no server', () => {
  test.use({ losesConnection: true })
  test('[V-08] shows the raw error and tries again on demand', async ({ page, request }) => {
    const account = await newAccount(request)
    await signInByStorage(page, account)
    await page.route('**/api/v1/secure/appointments?**', (route) => route.abort())
    await page.goto('/appointment/list')
    await expect(page.getByText('Failed to fetch').first()).toBeVisible()
    await page.unroute('**/api/v1/secure/appointments?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No hour of your own yet.')).toBeVisible()
  })
})
