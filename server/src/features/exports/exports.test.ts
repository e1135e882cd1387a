/** Everything of an institute as one file: all of it, nobody else's, and health only for who asked and may. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { unzip } from '#/testing/zip-files.ts'
import type { SectionName } from './rows.ts'

const reckoned = { why: 'reckoned from other sections, and always anew' } as const
const working = { why: 'how the product works, nothing anybody entered' } as const
const ofClients = { why: 'of people of the site, who have it in their own export' } as const

/** Where each table that names an institute stands in its export, or why it does not. */
const tablesOfExport: Readonly<Record<string, SectionName | { why: string }>> = {
  absences: 'absences',
  appointments: 'visits',
  blocked_times: 'blockedTimes',
  bookable_services: reckoned,
  business_check_documents: 'businessChecks',
  business_checks: 'businessChecks',
  chats: 'messages',
  busy_calendars: { why: 'addresses that open calendars of others' },
  checkouts: { why: 'attempts at paying; what came of them stands in the visit' },
  closures: 'closures',
  customer_consents: 'customers',
  customer_distinct: working,
  customer_files: 'customers',
  customer_health: 'health',
  customer_health_openings: { why: 'who looked at it: a log that stays where it is kept' },
  customer_merges: { why: 'kept for undoing; the records themselves are there' },
  customer_relations: 'customers',
  customers: 'customers',
  diary_versions: working,
  document_chains: working,
  document_lines: 'documents',
  document_series: working,
  documents: 'documents',
  events: working,
  favourites: ofClients,
  files: working,
  former_slugs: working,
  gift_card_moves: 'giftCards',
  gift_cards: 'giftCards',
  packages: 'packages',
  client_packages: 'clientPackages',
  client_package_moves: 'clientPackages',
  free_time: reckoned,
  free_time_marks: working,
  group_sessions: 'groupSessions',
  hidden_starts: { why: 'what the gap rule chose from, of which the dashboard tells the sum' },
  hold_ends: working,
  month_versions: working,
  monthly_totals: reckoned,
  home_addresses: { why: 'of clients, for whoever comes to them alone' },
  institute_claims: ofClients,
  institute_invitations: { why: 'letters under way' },
  institute_people: 'people',
  institute_pictures: 'institute',
  institutes: 'institute',
  late_notices: { why: 'of an hour; it is over' },
  leave_marks: working,
  leave_requests: 'leaveRequests',
  leave_times: reckoned,
  ledger_lines: { why: 'the double entry of documents, payments and tips' },
  listings: { why: 'open data of others' },
  mails: { why: 'letters to people of the site' },
  member_services: 'team',
  messages: 'messages',
  occupations: reckoned,
  opening_hours: 'openingHours',
  payments: 'payments',
  products: 'products',
  program_keys: { why: 'secrets' },
  fee_payments: 'feePayments',
  payment_accounts: 'settings',
  payment_differences: { why: 'what the site found out comparing with its provider' },
  fee_terms: { why: 'what was accepted with a visit; what came of it stands in the fees' },
  fees: 'fees',
  kept_deposits: 'keptDeposits',
  refunds: 'refunds',
  disputes: 'disputes',
  payout_moves: 'payouts',
  payout_reads: { why: 'when the provider was asked, and what waited there at that moment' },
  payouts: 'payouts',
  rearrangements: { why: 'proposals; what came of them stands in the visit' },
  resource_closures: 'resources',
  resources: 'resources',
  review_pictures: 'reviews',
  review_reports: ofClients,
  reviews: 'reviews',
  rota_shifts: 'shifts',
  rotas: 'shifts',
  sales: 'documents',
  segments: 'visits',
  service_prerequisites: 'services',
  service_prices: 'services',
  services: 'services',
  session_seats: 'visits',
  shift_overrides: 'shiftOverrides',
  soft_occupations: reckoned,
  team_members: 'team',
  team_notification_choices: { why: 'what each person of the team wants to be told' },
  till_closings: 'tillClosings',
  time_searches: { why: 'what people without a name looked for; it is forgotten after 60 days' },
  tips: 'tips',
  untold_changes: working,
  visit_series: 'visits',
  waiting_entries: ofClients,
  waiting_offers: ofClients,
  waiting_openings: working,
}

let t: TestApp
let owner: MadeUser
let client: MadeUser
let other: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db, { firstName: 'Salma' })
  other = await makeUser(t.db, { firstName: 'Ines' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Dar Zellige', services: [{ name: 'Cut', active: 40, price: 4250 }] })
  const theirs = await makeInstitute(t.db, { ownerId: (await makeUser(t.db, { role: 'isPro' })).id, name: 'Another place' })
  await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
  await bookVisit(t, other, theirs, { startsAt: '2026-11-24T13:00:00Z' })
  for (const [who, where, text] of [
    [client, institute, '=HYPERLINK("http://x")'],
    [other, theirs, 'a secret of theirs'],
  ] as const) {
    const { body: chat } = await t.inject('POST', '/api/v1/secure/chats', { token: who.token, body: { instituteId: where.id } })
    await t.inject('POST', '/api/v1/secure/messages', { token: who.token, body: { chatId: chat['_id'], clientId: `of-${who.id}`, text } })
  }
  await sql`update customers set notes = '+1 cup of tea' where institute_id = ${institute.id}`.execute(t.db)
  await sql`insert into customer_health (customer_id, institute_id, allergies, formulas, updated_at) select id, institute_id, 'latex', '7/4 + 20 vol', now() from customers`.execute(
    t.db,
  )
  await sql`insert into closures (institute_id, from_day, to_day, reason) values (${institute.id}, '2026-12-25', '2026-12-25', '{"en": "@home"}')`.execute(
    t.db,
  )
})
afterAll(() => t.close())

const textsOf = (zip: Buffer) => new Map([...unzip(zip)].map(([name, bytes]) => [name, bytes.toString()]))
async function exported(user: MadeUser, body: object = {}, locale = 'en') {
  const response = await t.app.inject({
    method: 'POST',
    url: '/api/v1/secure/mysalon/export',
    headers: { authorization: `Bearer ${user.token}`, 'accept-language': locale },
    payload: body,
  })
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    files: response.statusCode === 200 ? textsOf(response.rawPayload) : new Map<string, string>(),
  }
}
const openings = async (): Promise<number> =>
  (await sql<{ count: number }>`select count(*) as count from customer_health_openings`.execute(t.db)).rows[0]?.count ?? 0

describe('the export of an institute', () => {
  it('has a place for every table that names an institute', async () => {
    const { rows } = await sql<{ name: string }>`select distinct c.table_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name) where c.table_schema = 'public' and c.column_name = 'institute_id' and t.table_type = 'BASE TABLE'`.execute(
      t.db,
    )
    expect(Object.keys(tablesOfExport).toSorted()).toEqual([...rows.map(({ name }) => name), 'institutes', 'messages'].toSorted())
  })

  it('is all of it as JSON, as sheets and as a calendar, and nothing of another', async () => {
    const { status, type, files } = await exported(owner)
    expect([status, type]).toEqual([200, 'application/zip'])
    const all = JSON.parse(files.get('institute.json') ?? '') as Record<string, Record<string, unknown>[]>
    expect(all['institute']).toEqual([expect.objectContaining({ name: 'Dar Zellige' })])
    expect(all['settings']).toEqual([
      expect.objectContaining({ gridMinutes: expect.any(Number), prepayAfterNoShows: null, noShowFeeKind: 'none', feeGraceMinutes: 15 }),
    ])
    expect(all['services']?.[0]).toMatchObject({ depositKind: null })
    expect(all['customers']?.[0]).toMatchObject({ paysFirst: null })
    expect(all['visits']).toEqual([
      expect.objectContaining({
        state: 'booked',
        startsAt: '2026-11-24T09:00:00+00:00',
        segments: [expect.objectContaining({ priceAmount: 4250 })],
      }),
    ])
    const places = Object.values(tablesOfExport).filter((place) => typeof place === 'string' && place !== 'health')
    expect(Object.keys(all)).toEqual(expect.arrayContaining(places))
    for (const name of ['openingHours', 'services', 'team', 'people', 'shifts', 'closures', 'customers', 'messages'])
      expect(all[name]?.length, name).toBeGreaterThan(0)
    expect(all).not.toHaveProperty('health')
    const events = files.get('visits.ics')?.match(/BEGIN:VEVENT[^]*?SUMMARY:[^]*?END:VEVENT/g)
    expect(events).toEqual([expect.stringContaining('DTSTART:20261124T090000Z')])
    const whole = [...files.values()].join('\n')
    for (const word of ['Ines', 'Another place', 'a secret of theirs', 'latex', '7/4', owner.id]) expect(whole).not.toContain(word)
    expect(whole).not.toMatch(/password|token/i)
    expect(await openings()).toBe(0)
  })

  it('gives spreadsheets texts, in words of who asks, on the institute’s clock', async () => {
    const { files } = await exported(owner, {}, 'fr')
    const lines = (name: string) => files.get(name)?.trimEnd().split('\r\n') ?? []
    expect(lines('visits.csv')[0]).toMatch(/^\ufeff"Référence","Jour","De","À"/)
    expect(lines('visits.csv')[1]).toContain('"2026-11-24","10:00","10:40","Salma Benali"')
    expect(lines('visits.csv')[1]).toContain('"42.50","EUR","Réservé","Attendu","Client"')
    expect(lines('clients.csv')[1]).toContain(`"'+1 cup of tea"`)
    expect(lines('messages.csv')[1]).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(lines('closures.csv')[1]).toContain(`"'@home"`)
    expect(files.get('read-me.txt')).toContain('Dar Zellige')
  })

  it('holds what is kept of health only when asked, and says in each record who read it', async () => {
    const { files } = await exported(owner, { health: true })
    expect(files.get('health.csv')).toContain('"Salma Benali","latex","7/4 + 20 vol"')
    expect((JSON.parse(files.get('institute.json') ?? '') as Record<string, unknown[]>)['health']).toHaveLength(1)
    expect(files.get('health.csv')?.match(/latex/g)).toHaveLength(1)
    const { rows } =
      await sql`select o.user_id from customer_health_openings o join customers k on k.id = o.customer_id where k.institute_id = ${institute.id}`.execute(
        t.db,
      )
    expect(rows).toEqual([{ user_id: owner.id }])
    expect(await openings()).toBe(1)
    const told = await sql<{
      payload: object
    }>`select payload from events where kind = 'institute.exported' and institute_id = ${institute.id} order by id`.execute(t.db)
    expect(told.rows.at(-1)?.payload).toEqual({ health: 1 })
  })

  it('is made with the grades of somebody whose account has ended', async () => {
    const author = await makeUser(t.db, { firstName: 'Nour' })
    const visit = await makeVisit(t.db, {
      userId: author.id,
      instituteId: institute.id,
      startsAt: '2026-11-10T09:00:00Z',
      attendance: 'done',
    })
    const body = { welcoming: 5, hygiene: 5, atmosphere: 4, serviceQuality: 4, text: 'By Nour' }
    expect((await t.inject('POST', `/api/v1/secure/appointments/${visit}/review`, { token: author.token, body })).status).toBe(201)
    await sql`update reviews set user_id = null where appointment_id = ${visit}`.execute(t.db)
    const { status, files } = await exported(owner)
    expect(status).toBe(200)
    expect(files.get('reviews.csv')).toContain('"","5","5","4","4","",""')
  })

  it('is for owners alone', async () => {
    for (const level of ['manager', 'reception', 'staff'] as const)
      expect((await exported(await makePerson(t.db, institute.id, level))).status, level).toBe(403)
    expect((await exported(client)).status).toBe(403)
    expect((await t.inject('POST', '/api/v1/secure/mysalon/export', { body: {} })).status).toBe(401)
  })
})
