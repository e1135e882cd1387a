import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MadeInstitute, type MadeUser, makeInstitute, makePlace, makeUser } from '#/testing/factories.ts'
import { setupDraftFor } from '#/testing/setup-draft.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { decideOnClaim, waitingClaims } from './service.ts'

const home = '/api/v1/secure/mysalon'
let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
  await makePlace(t.db)
})
afterAll(() => t.close())

/** An institute of open data, with the source that lists it. */
async function listed(name: string): Promise<MadeInstitute> {
  const made = await makeInstitute(t.db, { name, claimed: false, lat: 45.7745, lon: 4.8303, members: 0, services: [] })
  await sql`insert into listings (institute_id, source, source_id, area, attribution, attribution_url, licence, licence_url, digest, facts, cell, seen_in)
    values (${made.id}, 'osm', ${made.id}, 'lyon', '© OpenStreetMap contributors', 'https://www.openstreetmap.org/copyright', 'ODbL', 'https://opendatacommons.org/licenses/odbl/',
      ${Buffer.alloc(32)}, '{}', 1, ${randomUUID()})`.execute(t.db)
  return made
}
const professional = (): Promise<MadeUser> => makeUser(t.db, { role: 'isPro', firstName: 'Nora' })
const claim = (user: MadeUser, name: string, claims: string) =>
  t.inject('POST', `${home}/institute`, { token: user.token, body: setupDraftFor({ name, claims }) })
const stateOf = async (user: MadeUser) => (await t.inject('GET', `${home}/setup`, { token: user.token })).body['claim']
const decide = async (user: MadeUser, decision: 'accepted' | 'refused') => {
  const own = (await waitingClaims(t.db)).find(({ email }) => email === user.email)
  return decideOnClaim(t.db, { id: own?.id ?? randomUUID(), decision, now: t.clock.now() })
}

/** The letter that says what became of a claim. */
async function letterTo(user: MadeUser): Promise<string[]> {
  const { rows } = await sql<{ kind: string; subject: string }>`select kind, subject from mails
    where user_id = ${user.id} and kind like 'claim%'`.execute(t.db)
  return rows.flatMap(({ kind, subject }) => [kind, subject])
}

it('finds what open data lists of a like name nearby, and nothing that somebody manages', async () => {
  const { id } = await listed('Salon Bellecour')
  await makeInstitute(t.db, { name: 'Salon Bellecourt', lat: 45.7745, lon: 4.8303 })
  const user = await professional()
  const ask = async (query: string) => (await t.inject('GET', `${home}/setup/listings?${query}`, { token: user.token })).body['items']
  expect(await ask('name=salon belecour&lat=45.775&lon=4.83')).toMatchObject([
    { _id: id, name: 'Salon Bellecour', attribution: '© OpenStreetMap contributors', location: { lat: 45.7745, lon: 4.8303 } },
  ])
  expect(await ask('name=Salon Bellecour&lat=48.85&lon=2.35')).toEqual([])
  expect(await ask('name=Le Fauteuil&lat=45.775&lon=4.83')).toEqual([])
})

it('waits until an operator accepts it: then it is theirs with all they told, bookable, and keeps naming its source', async () => {
  const { id, slug } = await listed('Atelier Vaise')
  const [nora, late] = [await professional(), await professional()]
  expect((await claim(nora, 'Atelier de Vaise', id)).body).toEqual({ state: 'waiting', institute: null })
  expect(await stateOf(nora)).toMatchObject({ instituteName: 'Atelier Vaise', state: 'waiting' })
  expect((await claim(nora, 'Atelier de Vaise', id)).body['code']).toBe('claim_waiting')
  expect((await t.inject('GET', `/api/v1/client/institutes/${slug}`)).body['claimed']).toBe(false)
  await claim(late, 'Mine', id)

  expect(await waitingClaims(t.db)).toMatchObject([
    { institute: 'Atelier Vaise', email: nora.email, says: { name: 'Atelier de Vaise' } },
    { institute: 'Atelier Vaise', email: late.email },
  ])
  expect(await decide(nora, 'accepted')).toBe('done')
  const page = (await t.inject('GET', `/api/v1/client/institutes/${slug}`)).body
  expect(page).toMatchObject({ name: 'Atelier de Vaise', claimed: true, sources: [{ attribution: '© OpenStreetMap contributors' }] })
  const cut = page['services']?.[0]?.['_id']
  const times = await t.inject('GET', `/api/v1/client/institutes/${id}/availability?service=${cut}&from=2026-12-01&days=7`)
  expect((times.body['days'] as unknown as { times: unknown[] }[]).some((day) => day.times.length > 0)).toBe(true)
  const found = await t.inject('GET', '/api/v1/client/institutes?what=Atelier de Vaise&lat=45.77&lon=4.83')
  expect(found.body['items']?.[0]).toMatchObject({ slug, claimed: true, service: { name: 'Cut' } })
  const me = await t.inject('GET', '/api/v1/secure/client/profile/me', { token: nora.token })
  expect(me.body['institute']).toMatchObject({ slug })

  await t.drainJobs()
  expect(await letterTo(nora)).toEqual(['claim_accepted', 'Atelier de Vaise is yours on Soigné'])
  expect(await letterTo(late)).toEqual(['claim_refused', 'Your claim of Atelier de Vaise'])

  // Whoever else claimed it is refused with it, and may put that away.
  expect(await stateOf(late)).toMatchObject({ state: 'refused' })
  expect((await t.inject('DELETE', `${home}/setup/claim`, { token: late.token })).status).toBe(200)
  expect(await stateOf(late)).toBeNull()
  expect((await claim(late, 'Mine', id)).status).toBe(404)
})

it('is refused, taken back or made again; what is somebody’s already is never handed over', async () => {
  const { id } = await listed('Salon Perrache')
  const user = await professional()
  await claim(user, 'Salon Perrache', id)
  expect(await decide(user, 'refused')).toBe('done')
  expect(await decide(user, 'refused')).toBe('unknown')
  expect(await stateOf(user)).toMatchObject({ state: 'refused' })
  expect((await claim(user, 'Salon Perrache', id)).status).toBe(201)
  await sql`update institutes set claimed = true where id = ${id}`.execute(t.db)
  expect(await decide(user, 'accepted')).toBe('taken')
  expect(await stateOf(user)).toMatchObject({ state: 'waiting' })
  await t.inject('DELETE', `${home}/setup/claim`, { token: user.token })
  // Free for one of their own.
  expect((await t.inject('POST', `${home}/institute`, { token: user.token, body: setupDraftFor({ name: 'My own' }) })).body['state']).toBe(
    'published',
  )
})
