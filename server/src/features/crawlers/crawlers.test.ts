import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(async () => t.close())

test('robots.txt keeps crawlers off private paths and names the sitemap', async () => {
  const answer = await t.inject('GET', '/robots.txt')
  expect(answer.status).toBe(200)
  const disallowed = answer.text.split('\n').flatMap((line) => (line.startsWith('Disallow: ') ? [line.slice('Disallow: '.length)] : []))
  expect(disallowed.toSorted()).toEqual([
    '/api/',
    '/appointment/*',
    '/appointment/list',
    '/chat',
    '/chat/*',
    '/dev/',
    '/give-access',
    '/institute-register',
    '/mysalon',
    '/mysalon/appointments/*/till',
    '/mysalon/appointments/calendar',
    '/mysalon/appointments/rearrange',
    '/mysalon/current',
    '/mysalon/customers',
    '/mysalon/customers/*',
    '/mysalon/invoices',
    '/mysalon/invoices/*',
    '/mysalon/invoices/new',
    '/mysalon/invoices/payouts',
    '/mysalon/messages',
    '/mysalon/messages/*',
    '/mysalon/services',
    '/mysalon/services/*',
    '/mysalon/settings',
    '/mysalon/settings/*',
    '/mysalon/staff',
    '/mysalon/staff/*',
    '/mysalon/staff/resources',
    '/salon/*/book',
    '/sandbox/',
    '/settings',
    '/verification',
    '/wishlists',
  ])
  expect(answer.text).toContain('Sitemap: http://soigne.test/sitemap.xml')
})

test('the sitemap lists published institutes and no others', async () => {
  expect((await t.inject('GET', '/sitemap-institutes-1.xml')).status).toBe(404)
  const shown = await makeInstitute(t.db, { slug: 'shown-institute' })
  await makeInstitute(t.db, { slug: 'hidden-draft', state: 'draft' })
  expect((await t.inject('GET', '/sitemap.xml')).text).toContain('http://soigne.test/sitemap-institutes-1.xml')
  const map = await t.inject('GET', '/sitemap-institutes-1.xml')
  expect(map.text).toContain(`<loc>http://soigne.test/salon/${shown.slug}</loc>`)
  expect(map.text).not.toContain('hidden-draft')
  const pages = [...(await t.inject('GET', '/sitemap-pages.xml')).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address)
  const listed = ['/', '/contact', '/icons', '/institutes', '/login', '/register', '/reviews-policy', '/terms']
  expect(pages.toSorted()).toEqual(listed.map((path) => `http://soigne.test${path}`))
})

test('a sitemap page that is no number is not found', async () => {
  expect((await t.inject('GET', '/sitemap-institutes-x.xml')).status).toBe(404)
  expect((await t.inject('GET', '/sitemap-institutes-9999.xml')).status).toBe(404)
})
