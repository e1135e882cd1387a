// Whatever is written, a search finds what reading every diary finds. SUMMARY_SEED repeats a course, SUMMARY_STEPS makes it longer.
import type { Checkout } from '#/features/checkout/service.ts'
import { abandonedCheckout, openedCheckout, settledCheckout } from '#/testing/checkouts.ts'
import { randomFrom } from '@soigne/demo/random'
import { addDays } from '@soigne/scheduling/days'
import { dayOf, instantAtWall } from '@soigne/scheduling/wall-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { daysWithTimes, nextFree } from '#/features/availability/service.ts'
import { cancelSession, moveSession, openSession, resizeSession } from '#/features/group-sessions/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { holdsPath, tryCancel, tryConfirm, tryHold, tryMove } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { catchUp } from './mending.ts'
import { rankServicesOf } from './ranks-store.ts'
import { rebuildSummary, verifySummary } from './service.ts'

const seed = Number(process.env['SUMMARY_SEED'] ?? 20_261_122)
const steps = Number(process.env['SUMMARY_STEPS'] ?? 35)
const random = randomFrom(`writes ${seed}`)
const minuteMs = 60_000

interface Institute extends MadeInstitute {
  zone: string
  place: { lat: number; lon: number }
}
interface Query {
  day?: string
  part?: string
  sort?: string
  category?: string
  maxPrice?: string
  atHome?: 'true'
}
interface Card {
  slug: string
  times: string[]
}

let t: TestApp
let institutes: Institute[]
let clients: MadeUser[]
const sessions: { id: string; scope: InstituteScope<'diary.change'> }[] = []
const holds: { id: string; client: MadeUser }[] = []
const checkouts: Checkout[] = []
const visits: { id: string; client: MadeUser; institute: Institute }[] = []

beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T07:10:00Z', settings: { LIMIT_HOLDS: '1000' } })
  clients = await Promise.all(Array.from({ length: 4 }, () => makeUser(t.db)))
  institutes = []
  const zones = ['Europe/Paris', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Chatham', 'America/St_Johns']
  for (const [at, timeZone] of [...zones, ...zones].entries()) {
    const place = { lat: 45 + at / 100, lon: 5 }
    const institute = await makeInstitute(t.db, {
      timeZone,
      ...place,
      slug: `institute-${at}`,
      categories: ['hair', 'nails', 'medical', 'massage', 'fitness'],
      grid: [20, 15, 30, 5, 60, 10][at % 6] ?? 20,
      notice: [0, 60, 0, 1500, 5000, 120][(at * 5 + 1) % 6] ?? 0,
      horizon: [90, 30, 10, 17][at % 4] ?? 90,
      gapPolicy: ['off', 'hide', 'rank'][at % 3] ?? 'off',
      opensAt: at % 5 === 4 ? 547 : 540,
      closesAt: at % 4 === 3 ? 1560 : 1140,
      members: 1 + (at % 3),
      services: [
        { name: 'Cut', active: 40, price: 3500 },
        { name: 'Colour', active: 30, idle: 25, after: 20, bufferAfter: 10, price: 6000, category: 'nails' },
        { name: 'Laser', active: 20, resourceType: 'laser', price: 2000, category: 'medical', latestStart: 900, notice: 30 },
        { name: 'Long', active: 200, bufferBefore: 15, price: 9000, category: 'massage', performedBy: [0] },
        { name: 'Class', active: 45, bufferAfter: 10, price: 1500, category: 'fitness', capacity: 2 },
      ],
      resources: [{ type: 'laser', name: 'Laser' }],
    })
    institutes.push({ ...institute, zone: timeZone, place })
  }
  const coming = institutes.filter((_, at) => at % 4 !== 0).map(({ id }) => id)
  await sql`update institutes set at_home = true, at_home_radius_km = 20, home_travel_minutes = 25 where id = any(${coming})`.execute(t.db)
  await sql`update services set venue = case position when 3 then 'home' else 'either' end where institute_id = any(${coming}) and position in (0, 1, 3)`.execute(
    t.db,
  )
  await rebuildSummary(t.db, t.clock.now())
})
afterAll(() => t.close())

const nowMinute = (): number => Math.floor(t.clock.now() / minuteMs)
const someDay = (institute: Institute, reach: number): string => addDays(dayOf(institute.zone, nowMinute()), random.whole(reach))

async function holdSomething(): Promise<void> {
  const [institute, client] = [random.pick(institutes), random.pick(clients)]
  const service = random.whole(5)
  const { rows } = await sql<{ venue: string }>`select venue from services where id = ${institute.services[service] ?? ''}`.execute(t.db)
  const atHome = rows[0]?.venue === 'home' || (rows[0]?.venue === 'either' && random.chance(0.5))
  const { days } = await daysWithTimes(t.db, {
    instituteId: institute.id,
    cart: [{ serviceId: institute.services[service] ?? '', ...(atHome && { atHome }) }],
    now: t.clock.now(),
    from: someDay(institute, 4),
    days: 2,
  }).catch(() => ({ days: [] }))
  const times = days.flatMap((one) => one.times)
  if (times.length === 0) return
  const answer = await tryHold(t, client, institute, {
    startsAt: random.pick(times).startsAt,
    lines: [[service]],
    ...(atHome && { home: { line: '8 rue des Acacias', city: 'Là', ...institute.place } }),
  })
  if (answer.status !== 201) return
  const id = String(answer.body['_id'])
  if (random.chance(0.5)) holds.push({ id, client })
  else if ((await tryConfirm(t, client, id)).status === 201) visits.push({ id, client, institute })
}

/** A class is opened, moved, resized or cancelled. What cannot be done is refused, and changes nothing. */
async function changeSessions(): Promise<void> {
  const institute = random.pick(institutes)
  const scope = systemScope('test').institute(institute.id)
  const [serviceId, memberId] = [institute.services[4] ?? '', random.pick(institute.members)]
  const bin = random.chance(0.9) ? 15 : 1
  const startsAt = instantAtWall(institute.zone, someDay(institute, 6), bin * random.whole(Math.floor(1380 / bin))).at * minuteMs
  const place = { startsAt: new Date(startsAt).toISOString(), memberId }
  const session = sessions.length > 0 ? random.pick(sessions) : null
  const what = random.pick(['open', 'open', 'open', 'move', 'resize', 'cancel'])
  const work = async (): Promise<unknown> => {
    if (what === 'open' || !session) {
      const { id } = await openSession(t.context, scope, { serviceId, ...place })
      return sessions.push({ id, scope })
    }
    if (what === 'move') return moveSession(t.context, session.scope, session.id, { startsAt: place.startsAt })
    if (what === 'resize') return resizeSession(t.context, session.scope, session.id, 1 + random.whole(3))
    return cancelSession(t.context, session.scope, session.id, null)
  }
  await work().catch((error: unknown) => {
    if (!(error instanceof RefusalError)) throw error
  })
}

async function moveSomething(): Promise<void> {
  if (visits.length === 0) return
  const { id, client, institute } = random.pick(visits)
  const { times } = await nextFree(t.context, {
    instituteId: institute.id,
    cart: [{ serviceId: institute.services[0] ?? '' }],
    from: someDay(institute, 6),
    limit: 5,
  }).catch(() => ({ times: [] as { startsAt: string }[] }))
  if (times.length > 0) await tryMove(t, client, id, random.pick(times).startsAt)
}

/** By hand, past every service of ours. */
async function changeByHand(): Promise<void> {
  const institute = random.pick(institutes)
  const member = random.pick(institute.members)
  const service = random.pick(institute.services)
  const day = someDay(institute, 5)
  const changes = [
    () =>
      sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${member}, 'sick_leave', ${day}, ${addDays(day, random.whole(3))})`,
    () =>
      sql`insert into absences (institute_id, member_id, kind, from_day, to_day, opens_at, closes_at) values (${institute.id}, ${member}, 'other', ${day}, ${day}, 600, 800)`,
    () => sql`delete from absences where member_id = ${member}`,
    () => sql`insert into closures (institute_id, from_day, to_day) values (${institute.id}, ${day}, ${day})`,
    () => sql`delete from closures where institute_id = ${institute.id}`,
    () =>
      sql`insert into shift_overrides (member_id, institute_id, day, shifts) values (${member}, ${institute.id}, ${day}, '[{"opensAt":700,"closesAt":1320}]') on conflict do nothing`,
    () => sql`delete from shift_overrides where member_id = ${member}`,
    () =>
      sql`update opening_hours set closes_at = case when closes_at = 1020 then 1140 else 1020 end where institute_id = ${institute.id} and weekday = ${1 + random.whole(6)}`,
    () =>
      sql`update rota_shifts set opens_at = case when opens_at = 540 then 605 else 540 end where institute_id = ${institute.id} and weekday = ${1 + random.whole(6)}`,
    () => sql`update services set active = not active where id = ${service}`,
    () => sql`update services set active_minutes = case when active_minutes = 40 then 55 else 40 end where id = ${service}`,
    () =>
      sql`update services set is_signature = not is_signature where id = ${service} and (is_signature or not exists (select from services o where o.institute_id = ${institute.id} and o.is_signature))`,
    () => sql`insert into service_prerequisites (service_id, institute_id, required_service_id, min_hours, max_months)
      select ${institute.services[1] ?? ''}, ${institute.id}, ${service}, 48, 6 where ${service} <> ${institute.services[1] ?? ''} on conflict do nothing`,
    () => sql`delete from service_prerequisites where institute_id = ${institute.id}`,
    () =>
      sql`update member_services set price_amount = case when price_amount is null then ${random.pick([1000, 9900])} end where member_id = ${member} and service_id = ${service}`,
    () => sql`update team_members set bookable_online = not bookable_online where id = ${member}`,
    () => sql`delete from member_services where member_id = ${member} and service_id = ${service}`,
    () =>
      sql`insert into member_services (member_id, service_id, institute_id) values (${member}, ${service}, ${institute.id}) on conflict do nothing`,
    () =>
      sql`insert into resource_closures (institute_id, resource_id, from_day, to_day) values (${institute.id}, ${institute.resources[0] ?? ''}, ${day}, ${day})`,
    () => sql`delete from resource_closures where institute_id = ${institute.id}`,
    () => sql`update institutes set gap_policy = case gap_policy when 'hide' then 'off' else 'hide' end where id = ${institute.id}`,
    () => sql`update institutes set home_travel_minutes = case when home_travel_minutes = 25 then 5 else 25 end where id = ${institute.id}`,
    () => sql`update services set venue = case venue when 'salon' then 'either' when 'either' then 'home' else 'salon' end
      where id = ${service} and capacity = 1 and exists (select from institutes i where i.id = ${institute.id} and i.at_home)`,
    () => sql`update institutes set claimed = not claimed where id = ${institute.id}`,
    () => sql`update institutes set notice_minutes = case when notice_minutes = 0 then 90 else 0 end where id = ${institute.id}`,
    () => sql`delete from appointments where institute_id = ${institute.id} and status = 'held'`,
  ]
  await random.pick(changes)().execute(t.db)
}

async function step(): Promise<string> {
  const what = random.pick([
    'hold',
    'hold',
    'hold',
    'hold',
    'release',
    'confirm',
    'checkout',
    'pay',
    'give up',
    'cancel',
    'move',
    'move',
    'session',
    'session',
    'session',
    'hand',
    'hand',
    'minutes',
    'hours',
    'tidy',
    'catch up',
    'rank',
  ])
  if (what === 'hold') await holdSomething()
  if (what === 'move') await moveSomething()
  if (what === 'session') await changeSessions()
  if (what === 'hand') await changeByHand()
  const held = holds.length > 0 ? random.pick(holds) : undefined
  if (what === 'release' && held) await t.inject('DELETE', `${holdsPath}/${held.id}`, { token: held.client.token })
  if (what === 'confirm' && held) await tryConfirm(t, held.client, held.id)
  if (what === 'checkout' && held) {
    const checkout = await openedCheckout(t, held.client, held.id, 100).catch(() => null)
    if (checkout) checkouts.push(checkout)
  }
  const checkout = checkouts.length > 0 ? random.pick(checkouts) : undefined
  if (what === 'pay' && checkout) await settledCheckout(t, checkout)
  if (what === 'give up' && checkout) await abandonedCheckout(t, checkout)
  if (what === 'cancel' && visits.length > 0) {
    const { client, id } = random.pick(visits)
    await tryCancel(t, client, id)
  }
  if (what === 'minutes') t.clock.advance((5 + random.whole(20)) * minuteMs)
  if (what === 'hours') t.clock.advance(random.whole(20) * 60 * minuteMs)
  if (what === 'tidy') await t.jobs['tidy_bookings']?.({})
  if (what === 'catch up') await catchUp(t.db, t.clock.now())
  if (what === 'rank')
    await rankServicesOf(
      t.db,
      institutes.map(({ id }) => id),
      t.clock.now(),
    )
  return what
}

/** The services of an institute that pass, its signature first, and those that may not stand in for it last; all the plain reading knows of it. */
async function naiveServices(institute: Institute, { category, maxPrice, atHome }: Query): Promise<{ id: string; isTest: boolean }[]> {
  const { rows } = await sql<{
    id: string
    isTest: boolean
  }>`select s.id, exists (select from service_prerequisites p join services n on n.id = p.service_id and n.active
      where p.required_service_id = s.id) and not s.is_signature as "isTest" from services s join institutes i on i.id = s.institute_id
    join member_services ms on ms.service_id = s.id join team_members m on m.id = ms.member_id and (m.bookable_online or s.capacity > 1) and m.active
    where i.id = ${institute.id} and i.claimed and s.active and (${category ?? null}::text is null or s.category = ${category ?? null})
      and (${atHome ?? null}::text is null or s.venue <> 'salon') and (${maxPrice ?? null}::float8 is null or s.price_amount <= ${maxPrice ?? null}::float8 * 100)
    group by s.id order by 2, s.is_signature desc, s.booked_rank nulls last, s.position`.execute(t.db)
  return rows
}

const partOf = (startsAt: string, zone: string): string => {
  const { hour } = Temporal.Instant.from(startsAt).toZonedDateTimeISO(zone)
  return hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
}

async function timesOf(institute: Institute, serviceId: string, query: Query): Promise<string[]> {
  const known = { instituteId: institute.id, cart: [{ serviceId, ...(query.atHome && { atHome: true }) }], now: t.clock.now() }
  const from = query.day ?? dayOf(institute.zone, nowMinute())
  const { days } = await daysWithTimes(t.db, { ...known, from, days: query.day === undefined ? 31 : 1 })
  const times = days.flatMap((one) => one.times.map(({ startsAt }) => startsAt))
  return query.part === undefined ? times : times.filter((startsAt) => partOf(startsAt, institute.zone) === query.part)
}

async function brute(query: Query): Promise<Card[]> {
  const cards: Card[] = []
  for (const institute of institutes) {
    const services = await naiveServices(institute, query)
    const found: { isTest: boolean; times: string[] }[] = []
    for (const { id, isTest } of services) found.push({ isTest, times: await timesOf(institute, id, query) })
    const [signature] = found
    const others = found
      .filter(({ times }) => times.length > 0)
      .sort((a, b) => Number(a.isTest) - Number(b.isTest) || ((a.times[0] ?? '') < (b.times[0] ?? '') ? -1 : 1))
    const times = signature && signature.times.length > 0 ? signature.times : others[0]?.times
    if (times) cards.push({ slug: institute.slug, times: times.slice(0, 3) })
  }
  return cards
}

async function searched(query: Query): Promise<Card[]> {
  const answer = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams({ ...query, pageSize: '50' })}`)
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)])
  const { items, total } = answer.body as unknown as { total: number; items: { slug: string; nextTimes: { startsAt: string }[] }[] }
  expect(total).toBe(items.length)
  const cards = items.map(({ slug, nextTimes }) => ({ slug, times: nextTimes.map(({ startsAt }) => startsAt) }))
  if (query.sort === 'soonest') {
    const firsts = cards.map(({ times }) => times[0] ?? '')
    expect(firsts).toEqual(firsts.toSorted())
  }
  return cards
}

function someQuery(): Query {
  const institute = random.pick(institutes)
  const query: Query = {}
  const wants = random.pick(['day', 'day', 'part of day', 'part of day', 'part', 'soonest'])
  if (wants.endsWith('day')) query.day = someDay(institute, random.pick([2, 4, 20]))
  if (wants.startsWith('part')) query.part = random.pick(['morning', 'afternoon', 'evening'])
  if (wants === 'soonest' || random.chance(0.3)) query.sort = 'soonest'
  if (random.chance(0.4)) query.category = random.pick(['nails', 'medical', 'massage', 'fitness', 'fitness'])
  if (random.chance(0.35)) query.atHome = 'true'
  if (random.chance(0.2)) query.maxPrice = random.pick(['30', '60'])
  return query
}

const bySlug = (a: Card, b: Card): number => (a.slug < b.slug ? -1 : 1)

it(`after each of ${steps} random writes a search finds what reading every diary finds, and the summary is true (seed ${seed})`, async () => {
  const done: string[] = []
  for (let count = 0; count < steps; count++) {
    done.push(await step())
    const report = await verifySummary(t.db, t.clock.now())
    // Only what was changed past us may be marked, and the next search mends it.
    const marked = done.at(-1) === 'hand' ? expect.any(Number) : 0
    expect([count, done.slice(-3), report.wrong, report.marked]).toEqual([count, done.slice(-3), [], marked])
    for (let asked = 0; asked < 2; asked++) {
      const query = someQuery()
      // Beyond a month the plain reading of this test does not look.
      const [expected, found] = [await brute(query), await searched(query)]
      const near = found.filter(({ slug, times }) => query.day !== undefined || expected.some((one) => one.slug === slug) || isNear(times))
      expect([count, done.slice(-3), query, near.toSorted(bySlug)]).toEqual([count, done.slice(-3), query, expected.toSorted(bySlug)])
    }
  }
  expect(visits.length).toBeGreaterThan(2)
}, 600_000)

const isNear = (times: string[]): boolean => Date.parse(times[0] ?? '') < t.clock.now() + 29 * 86_400_000
