import type { SetupDraft } from '@soigne/contract/setup'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MadeUser, makeInstitute, makePlace, makeUser } from '#/testing/factories.ts'
import { setupDraftFor, weekWith } from '#/testing/setup-draft.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const home = '/api/v1/secure/mysalon'
let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
  await makePlace(t.db)
})
afterAll(() => t.close())

const professional = (): Promise<MadeUser> => makeUser(t.db, { role: 'isPro', firstName: 'Nora' })
const publish = (user: MadeUser | null, draft: unknown, key?: string) =>
  t.inject('POST', `${home}/institute`, {
    body: draft,
    ...(user && { token: user.token }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

async function send(user: MadeUser, of: 'gallery' | 'logo' = 'gallery', bytes?: Buffer) {
  const picture =
    bytes ??
    (await sharp({ create: { width: 60, height: 40, channels: 3, background: '#5B1F47' } })
      .withExif({ IFD3: { GPSLatitude: '45/1 46/1 0/1' } })
      .jpeg()
      .toBuffer())
  const edge = (head: string) => Buffer.from(`--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n`)
  const payload = Buffer.concat([
    edge('name="of"'),
    Buffer.from(`${of}\r\n`),
    edge('name="picture"; filename="a.jpg"'),
    picture,
    Buffer.from('\r\n--edge--\r\n'),
  ])
  return t.inject('POST', `${home}/setup/pictures`, {
    token: user.token,
    payload,
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  })
}

const listOf = (value: unknown): Record<string, unknown>[] => (value ?? []) as Record<string, unknown>[]
const countOf = async (table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(t.db)
  return rows[0]?.count ?? 0
}

it('[P-06] publishes the whole draft at once: found by search, shown on its page, with times that the rota and the idle part allow', async () => {
  const nora = await professional()
  const picture = (await send(nora)).body
  const logo = (await send(nora, 'logo')).body
  const draft = { ...setupDraftFor(), pictures: [picture['_id']], logo: logo['_id'] }
  const answer = await publish(nora, draft)
  expect([answer.status, answer.body['state']]).toEqual([201, 'published'])
  const { slug, _id } = answer.body['institute'] as unknown as { slug: string; _id: string }
  expect(slug).toBe('atelier-mimosa-lyon')

  const found = await t.inject('GET', '/api/v1/client/institutes?what=Mimosa&lat=45.77&lon=4.83')
  expect(listOf(found.body['items']).map((one) => one['slug'])).toEqual([slug])
  const page = (await t.inject('GET', `/api/v1/client/institutes/${slug}`)).body
  expect(page).toMatchObject({
    name: 'Atelier Mimosa',
    claimed: true,
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    description: 'Hair, and nothing else.',
    rules: { cancelWindowHours: 24, rescheduleWindowHours: 2, payAtSalon: true },
    pictures: [{ url: picture['url'] }],
    team: [{ name: 'Nora Haddad', title: 'Colourist' }, { name: 'Karim' }],
  })
  expect(listOf(page['services']).map((one) => [one['name'], one['durationMinutes']])).toEqual([
    ['Cut', 40],
    ['Root colour', 100],
    ['Patch test', 20],
  ])
  const cut = page['services']?.[0]?.['_id'] ?? ''
  const karim = page['team']?.[1]?.['_id'] ?? ''
  // Week 53 does not break the rota of two weeks: week A and week B follow each other across the year.
  const open = async (day: string): Promise<boolean> => {
    const answer = await t.inject('GET', `/api/v1/client/institutes/${_id}/availability?service=${cut}&staff=${karim}&from=${day}&days=1`)
    return listOf(answer.body['days']?.[0]?.['times']).length > 0
  }
  expect(await Promise.all(['2026-12-05', '2026-12-12', '2027-01-02', '2027-01-09'].map(open))).toEqual([true, false, true, false])

  const me = await t.inject('GET', '/api/v1/secure/client/profile/me', { token: nora.token })
  expect(me.body['institute']).toMatchObject({ slug, name: 'Atelier Mimosa' })
  const members = await t.inject('GET', `${home}/members`, { token: nora.token })
  expect(members.body['items']).toMatchObject([{ level: 'owner', staffId: page['team']?.[0]?.['_id'] }])
  const { rows } = await sql`select deposit_kind, deposit_percent, logo_url, at_home from institutes where id = ${_id}`.execute(t.db)
  expect(rows).toEqual([{ deposit_kind: 'percent', deposit_percent: 30, logo_url: logo['url'], at_home: false }])
  const file = await sql`select user_id, state, institute_id from files where id = ${picture['_id']}`.execute(t.db)
  expect(file.rows).toEqual([{ user_id: null, state: 'used', institute_id: _id }])
})

it('keeps what the menu asks of clients: an age, and that a service follows what is finished', async () => {
  const draft = setupDraftFor({ name: 'Majeurs' })
  Object.assign(draft.services[0]!, { minimumAge: 18, isSequential: true })
  const user = await professional()
  const { slug, _id } = (await publish(user, draft)).body['institute'] as unknown as { slug: string; _id: string }
  const page = (await t.inject('GET', `/api/v1/client/institutes/${slug}`)).body
  expect(listOf(page['services']).map(({ conditions }) => conditions)).toEqual([
    ['From 18 years of age'],
    ['Needs Patch test at least 48 hours before'],
    [],
  ])
  const { rows } = await sql`select minimum_age, is_sequential from services where institute_id = ${_id} order by position`.execute(t.db)
  expect(rows[0]).toEqual({ minimum_age: 18, is_sequential: true })
})

it('makes one institute of two taps, and of two devices', async () => {
  const user = await professional()
  const draft = setupDraftFor({ name: 'Deux Fois' })
  const answers = await Promise.all([publish(user, draft, 'once'), publish(user, draft, 'once')])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers[0]?.body).toEqual(answers[1]?.body)
  const again = await publish(user, draft, 'another')
  expect([again.status, again.body['code']]).toEqual([409, 'has_institute'])

  const other = await professional()
  const raced = await Promise.all([publish(other, setupDraftFor({ name: 'Deux Fois' })), publish(other, setupDraftFor({ name: 'Trois' }))])
  expect(raced.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const { rows } = await sql`select count(*)::int as count from institutes where owner_id = ${other.id}`.execute(t.db)
  expect(rows).toEqual([{ count: 1 }])
})

it('gives two of one name and town two addresses', async () => {
  const slugs = []
  for (const user of [await professional(), await professional(), await professional()])
    slugs.push((await publish(user, setupDraftFor({ name: 'Chez Zoé' }))).body['institute']?.['slug'])
  expect(slugs.slice(0, 2)).toEqual(['chez-zoe-lyon', 'chez-zoe-rue-du-mimosa-lyon'])
  expect(slugs[2]).toMatch(/^chez-zoe-lyon-[0-9a-f]{8}$/)
})

type Change = (draft: SetupDraft) => unknown
it.each<[string, string, Change]>([
  ['a step that is none', 'services.0.activeMinutes', (draft) => ((draft.services[0] as { activeMinutes: number }).activeMinutes = 33)],
  [
    'an idle part without an end',
    'services.1.activeAfterMinutes',
    (draft) => ((draft.services[1] as { activeAfterMinutes: number }).activeAfterMinutes = 0),
  ],
  ['no price', 'services.0.priceAmount', (draft) => ((draft.services[0] as { priceAmount: null }).priceAmount = null)],
  [
    'no service',
    'services',
    (draft) => {
      draft.services = []
      for (const member of draft.staff) member.services = []
    },
  ],
  ['nobody', 'staff', (draft) => (draft.staff = [])],
  ['a service that nobody told of', 'staff.1.services', (draft) => draft.staff[1]?.services.push('massage')],
  [
    'a test of its own',
    'services.2.prerequisites',
    (draft) => draft.services[2]?.prerequisites.push({ key: 'test', minHours: 1, maxMonths: 1 }),
  ],
  [
    'hours that overlap',
    'profile.openingHours.Friday',
    (draft) =>
      (draft.profile.openingHours = weekWith(['Friday'], { opensAt: '09:00', closesAt: '13:00' }, { opensAt: '12:00', closesAt: '19:00' })),
  ],
  ['no way to pay', 'payment.paymentMethods', (draft) => (draft.payment = { ...draft.payment, paymentMethods: [], payAtSalon: false })],
  ['a country that is none', 'profile.address.countryCode', (draft) => (draft.profile.address.countryCode = 'XX')],
])('[E-13] writes nothing for %s, and names the field %s', async (_what, field, change) => {
  const user = await professional()
  const draft = structuredClone(setupDraftFor({ name: 'Nowhere' }))
  change(draft)
  const before = await countOf('institutes')
  const { status, body } = await publish(user, draft)
  expect([status, Object.keys((body['details']?.['fields'] ?? {}) as object)]).toEqual([400, [field]])
  expect(await countOf('institutes')).toBe(before)
})

it('writes nothing when a picture is gone or another’s, and says which', async () => {
  const [user, other] = [await professional(), await professional()]
  const [own, foreign] = [(await send(user)).body['_id'], (await send(other)).body['_id']]
  const before = await Promise.all(['institutes', 'services', 'team_members', 'events'].map(countOf))
  const { status, body } = await publish(user, { ...setupDraftFor({ name: 'Half' }), pictures: [own, foreign] })
  expect([status, Object.keys((body['details']?.['fields'] ?? {}) as object)]).toEqual([404, ['pictures.1']])
  expect(await Promise.all(['institutes', 'services', 'team_members', 'events'].map(countOf))).toEqual(before)
})

it('is for confirmed professionals without an institute', async () => {
  const draft = setupDraftFor({ name: 'Closed' })
  const [client, unconfirmed, owner] = [
    await makeUser(t.db),
    await makeUser(t.db, { role: 'isPro', verified: false }),
    await professional(),
  ]
  await makeInstitute(t.db, { ownerId: owner.id })
  const answers = [await publish(null, draft), await publish(client, draft), await publish(unconfirmed, draft), await publish(owner, draft)]
  expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [403, 'email_unverified'],
    [409, 'has_institute'],
  ])
  expect((await send(client)).status).toBe(403)
})

it('takes pictures made anew without where they were taken, keeps them for thirty days, and the newest of very many', async () => {
  const user = await professional()
  expect((await send(user, 'gallery', Buffer.from('no picture'))).status).toBe(415)
  const { body } = await send(user)
  const file = await t.inject('GET', String(body['url']))
  expect(file.status).toBe(200)
  const { rows } = await sql<{
    id: string
  }>`insert into files (key, user_id, purpose, kind, media_type, width, height, private, variants, created_at)
    select 'pictures/' || md5(n::text || ${user.id}) || '.webp', ${user.id}, 'institute_picture', 'image', 'image/webp', 4, 3, false, '[]', now() - interval '1 day'
    from generate_series(1, 60) n returning id`.execute(t.db)
  expect(rows).toHaveLength(60)
  await send(user)
  const left = await sql<{ state: string; count: number }>`select state, count(*)::int as count from files where user_id = ${user.id}
    group by state order by state`.execute(t.db)
  expect(left.rows).toEqual([
    { state: 'arriving', count: 60 },
    { state: 'dropped', count: 2 },
  ])
})

it('says what follows from a point, and from the country that was chosen', async () => {
  const user = await professional()
  const ask = (query: string) => t.inject('GET', `${home}/setup/place?${query}`, { token: user.token })
  expect((await ask('lat=45.77&lon=4.83')).body).toMatchObject({
    city: 'Lyon',
    countryCode: 'FR',
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    today: '2026-11-20',
  })
  expect((await ask('lat=45.77&lon=4.83&countryCode=CH')).body).toMatchObject({ countryCode: 'CH', currency: 'CHF' })
})
