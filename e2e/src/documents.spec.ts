/** What a page is before any script runs: for readers without scripts, for crawlers, for shared links. */
import { expect, test } from './support/journey.ts'
import { dayAhead } from './support/times.ts'

const publicPages = ['/', '/institutes', '/salon/atelier-nacre', '/terms', '/reviews-policy', '/contact', '/icons'] as const

for (const path of publicPages) {
  test(`${path} comes from the server with title, description, canonical address and picture`, async ({ request, baseURL }) => {
    const answer = await request.get(path)
    expect(answer.status()).toBe(200)
    const html = await answer.text()
    const one = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
    expect(one(/<title>([^<]+)<\/title>/)).toContain('Soigné')
    expect(one(/<meta name="description" content="([^"]+)"/).length).toBeGreaterThan(40)
    expect(one(/<link rel="canonical" href="([^"]+)"/)).toBe(new URL(path, baseURL).href.replace(/\/$/, path === '/' ? '/' : ''))
    expect(html).toMatch(/<h1[ >]/)
    const picture = one(/<meta property="og:image" content="([^"]+)"/)
    // Drawn for the first time on a busy machine it is there for who comes back, as the answer asks.
    let image = await request.get(picture)
    await expect(async () => {
      if (image.status() === 503) image = await request.get(picture)
      expect(image.status()).toBe(200)
    }).toPass({ timeout: 40_000 })
    expect(image.headers()['content-type']).toBe('image/png')
    expect((await image.body()).subarray(1, 4).toString()).toBe('PNG')
    expect(one(/<meta property="og:title" content="([^"]+)"/)).not.toBe('')
  })
}

const scriptsOf = (html: string) => ({
  waits: /<script type="text\/plain" id="scripts-aside" data-files="\[&quot;\/assets\/[^"]+"[^>]*>[^<]*import\("\/assets\//.test(html),
  starts: /<script[^>]*type="module"/.test(html),
  preloads: /<link[^>]*rel="modulepreload"/.test(html),
})

test('scripts wait on pages that are read, and start at once on pages made of forms', async ({ request }) => {
  for (const path of publicPages)
    expect([path, scriptsOf(await (await request.get(path)).text())]).toEqual([path, { waits: true, starts: false, preloads: false }])
  for (const path of ['/login', '/register', '/salon/atelier-nacre/book'])
    expect([path, scriptsOf(await (await request.get(path)).text())]).toEqual([path, { waits: false, starts: true, preloads: true }])
})

test('the page of an institute describes it to machines', async ({ request }) => {
  const html = await (await request.get('/salon/atelier-nacre')).text()
  const scripts = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
  )
  const business = scripts.find((script) => script['name'] === 'Atelier Nacre')
  expect(business).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'NailSalon',
    address: { addressLocality: 'Lyon' },
    aggregateRating: { '@type': 'AggregateRating' },
  })
  expect(JSON.stringify(business)).toContain('"Offer"')
})

test('who comes from an advertisement is shown the page that is kept for everybody, and it wakes up', async ({ page, request }) => {
  const from = '/salon/atelier-nacre?utm_source=letter&fbclid=made-up'
  const [advertised, plain] = [await request.get(from), await request.get('/salon/atelier-nacre')]
  expect(await advertised.text()).toBe(await plain.text())
  await page.goto(from)
  await page.getByRole('link', { name: /^Add/ }).first().click()
  await expect(page).toHaveURL(/[?&]service=/)
  await expect(page.getByRole('link', { name: /^Book/ }).first()).toBeVisible()
})

test('crawlers find every public page in the sitemap, and what to leave alone in robots.txt', async ({ request, baseURL }) => {
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  expect(robots).toContain('Disallow: /api/')
  const addresses = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
  const maps = addresses(await (await request.get('/sitemap.xml')).text())
  const listed = (await Promise.all(maps.map(async (map) => addresses(await (await request.get(map)).text())))).flat()
  expect(listed).toContain(`${baseURL}/salon/atelier-nacre`)
  expect(listed).toContain(`${baseURL}/institutes`)
  for (const address of [listed[0], listed.at(-1)]) expect((await request.get(address ?? '')).status()).toBe(200)
})

test.describe('an institute nobody knows', () => {
  test.use({ refusals: [404] })
  test('[R-08] answers 404 with a way on', async ({ page }) => {
    const answer = await page.goto('/salon/no-such-door')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'This page doesn’t exist.' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'See institutes' }).click()
    await expect(page).toHaveURL('/institutes')
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('[P-01] the search form, the filters and the links of the road work', async ({ page }) => {
    await page.goto('/')
    const form = page.getByRole('search', { name: 'Find a time' })
    await form.locator('input[name=what]').fill('gel manicure')
    await form.getByLabel('Where').fill('Lyon')
    await form.getByLabel('When').selectOption(dayAhead(1))
    await form.getByRole('button', { name: 'Find a time' }).click()
    await expect(page).toHaveURL(/\/institutes\?.*what=gel/)
    expect(new URL(page.url()).searchParams.get('day')).toBe(dayAhead(1))
    await page.goto('/institutes?what=hand+massage&place=Lyon')
    const filters = page.getByRole('navigation', { name: 'Filters' })
    await filters.locator('summary', { hasText: 'Language' }).click()
    await filters.getByRole('link', { name: 'French', exact: true }).click()
    await expect(page).toHaveURL(/language=French/)
    const card = page.getByRole('article').first()
    await card.getByRole('heading', { level: 2 }).getByRole('link').click()
    await expect(page).toHaveURL(/\/salon\/[\w-]+$/)
    await page.getByRole('link', { name: /^Add Hand massage/ }).click()
    await expect(page.getByRole('link', { name: 'Hand massage added. Remove' })).toBeVisible()
    await page
      .getByRole('complementary', { name: 'Book a visit' })
      .getByRole('link', { name: /^Book \d{1,2}:\d\d$/ })
      .click()
    await expect(page).toHaveURL(/\/book\?/)
  })

  test('every public page has its header, its words and its footer', async ({ page }) => {
    for (const path of publicPages) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('banner').getByRole('link', { name: 'Institutes' })).toBeVisible()
      await expect(page.getByRole('contentinfo')).toContainText('© 2025')
    }
  })
})

test('answers carry the headers that keep strangers out, and pages run only their own scripts', async ({ request }) => {
  const { headers } = { headers: (await request.get('/')).headers() }
  expect(headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-/)
  expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe-inline/)
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('the page of a link that opens an account is kept nowhere, and its address told nobody', async ({ request }) => {
  const headers = (await request.get('/reset-password?token=abc')).headers()
  expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
  expect((await request.get('/login')).headers()['referrer-policy']).toBe('strict-origin-when-cross-origin')
})

test('a page says that it differs by what may be compressed, to those who take nothing compressed as well', async ({ request }) => {
  for (const encoding of ['br', 'identity']) {
    const answer = await request.get('/terms', { headers: { 'accept-encoding': encoding } })
    expect([answer.headers()['content-encoding'], answer.headers()['vary']]).toEqual([
      encoding === 'br' ? 'br' : undefined,
      'accept-encoding, cookie',
    ])
    expect(await answer.text()).toContain('</html>')
  }
})
