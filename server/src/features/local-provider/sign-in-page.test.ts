/** What somebody reads who signs in at the stand-in of a trial. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localClient, localIssuerPath, returnAddress } from '#/features/identities/service.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const asked = () => ({
  client_id: localClient.clientId,
  redirect_uri: returnAddress(t.context),
  response_type: 'code',
  scope: 'openid profile email https://www.googleapis.com/auth/calendar.app.created',
  state: 's',
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
})
const path = `${localIssuerPath}/authorize`
const open = (headers: Record<string, string> = {}, query: Record<string, string> = asked()) =>
  t.app.inject({ method: 'GET', url: `${path}?${new URLSearchParams(query)}`, headers })
const words = (html: string): string =>
  html
    .replaceAll(/<style>[^]*?<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#8217;', '’')

it('is written in the language that was chosen on the site, else in that of the browser, else in English', async () => {
  const titleOf = async (headers?: Record<string, string>) =>
    /<html lang="(\w+)" dir="(\w+)">.*<h1>([^<]*)</.exec((await open(headers)).body)?.slice(1)
  expect(await titleOf()).toEqual(['en', 'ltr', 'Who are you?'])
  expect(await titleOf({ cookie: 'a=b; locale=fr' })).toEqual(['fr', 'ltr', 'Qui êtes-vous\u202f?'])
  expect(await titleOf({ cookie: 'locale=ar', 'accept-language': 'fr' })).toEqual(['ar', 'rtl', 'لمن هذا الحساب؟'])
  expect(await titleOf({ cookie: 'locale=xx', 'accept-language': 'fr-CA' })).toEqual(['fr', 'ltr', 'Qui êtes-vous\u202f?'])
})

it('has no word of another alphabet in Arabic, nor where something is missing', async () => {
  const headers = { cookie: 'locale=ar' }
  expect(words((await open(headers)).body)).not.toMatch(/\p{Script=Latin}/u)
  const form = new URLSearchParams({ ...asked(), answer: 'allow', name: '', email: 'x' })
  const sent = await t.app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
  expect([sent.statusCode, words(sent.body).includes('يلزم اسم وبريد إلكتروني.')]).toEqual([400, true])
  expect(words(sent.body)).not.toMatch(/\p{Script=Latin}/u)
  const broken = await open({ cookie: 'locale=fr' }, { ...asked(), redirect_uri: 'https://evil.example' })
  expect([broken.statusCode, words(broken.body).includes('Cette demande n’est pas correcte')]).toEqual([400, true])
})
