/** Holds at several institutes and confirmations that are asked for at the same moment share a transaction, and nothing else. */
import { randomUUID } from 'node:crypto'
import type { Hold } from '@soigne/contract/appointments'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import { holdBody, overlaps, somebodyWaits, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { confirm } from './confirm.ts'
import { holdInLane } from './hold-lane.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')

let t: TestApp
let institutes: MadeInstitute[]
let clients: MadeUser[]
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '20', LIMIT_HOLDS_UNCONFIRMED: '20' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  institutes = []
  clients = []
  for (let n = 0; n < 10; n++) {
    institutes.push(await makeInstitute(t.db, { members: 1 }))
    clients.push(await makeUser(t.db))
  }
  // Their diaries are remembered from here on: whoever asks in the same turn comes to the database at the same moment.
  await Promise.all(institutes.map((institute) => holdAt(institute, systemScope('test').user(clients[0]!.id), wall('2026-11-25T16:00'))))
})

const scopeOf = (userId: string): SelfScope<true> => systemScope('test').user(userId) as unknown as SelfScope<true>
function holdAt(institute: MadeInstitute, scope: SelfScope, startsAt = ten, { context } = t): Promise<Hold> {
  const { services } = holdBody(institute, { startsAt }) as { services: { serviceId: string }[] }
  const request = { instituteId: institute.id, cart: services, startsAt: Date.parse(startsAt) }
  return holdInLane(context, { request, scope, locale: 'en', key: null, fingerprint: null })
}
const holdEach = (): Promise<Hold>[] => institutes.map((institute, n) => holdAt(institute, scopeOf(clients[n]!.id)))
const confirmAs = (userId: string, holdId: string, key: string | null = null) =>
  confirm(t.context, { scope: scopeOf(userId), locale: 'en', idempotencyKey: key }, { holdId })
/** How many statements the work took. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const { statements } = t.context.database
  const before = statements()
  await work()
  return statements() - before
}
const takenAt = async (institute: MadeInstitute): Promise<number> =>
  (await sql`select from occupations where institute_id = ${institute.id} and lower(during) = ${ten}::timestamptz`.execute(t.db)).rows
    .length

it('ten holds at ten institutes and their confirmations are a few statements each', async () => {
  let held: Hold[] = []
  expect(await statementsOf(async () => (held = await Promise.all(holdEach())))).toBeLessThanOrEqual(5)
  expect(await statementsOf(() => Promise.all(held.map(({ _id }, n) => confirmAs(clients[n]!.id, _id))))).toBeLessThanOrEqual(5)
  for (const institute of institutes) expect(await takenAt(institute)).toBe(1)
  const { rows } = await sql<{
    kind: string
  }>`select kind from events where subject_id = any(${held.map(({ _id }) => _id)}::uuid[])`.execute(t.db)
  expect(rows.map(({ kind }) => kind).sort()).toEqual([...held.map(() => 'visit.booked'), ...held.map(() => 'visit.held')])
  expect(await overlaps(t.db)).toBe(0)
})

it('what is held and what is confirmed at the same moment is one transaction, and each has its own answer', async () => {
  const held = await Promise.all(holdEach())
  const later = wall('2026-11-24T15:00')
  const busy = institutes.slice(0, 2).map((institute) => holdAt(institute, scopeOf(clients[0]!.id), wall('2026-11-24T12:00')))
  const holds = institutes.slice(2).map((institute, n) => holdAt(institute, scopeOf(clients[n + 2]!.id), later))
  const confirmed = await Promise.all(held.map(({ _id }, n) => confirmAs(clients[n]!.id, _id)))
  expect(confirmed.map((one) => one?._id)).toEqual(held.map(({ _id }) => _id))
  const made = await Promise.all(holds)
  await Promise.all(busy)
  const ids = [...confirmed.slice(2).map((one) => one!._id), ...made.map(({ _id }) => _id)]
  const { rows } = await sql<{ xid: string; kinds: string[] }>`select xid::text, array_agg(distinct kind order by kind) as kinds from events
    where subject_id = any(${ids}::uuid[]) and at >= ${now}::timestamptz group by xid`.execute(t.db)
  expect(rows.some(({ kinds }) => kinds.includes('visit.booked') && kinds.includes('visit.held'))).toBe(true)
  expect(await overlaps(t.db)).toBe(0)
})

it('nobody waits for an institute that somebody else has, and whoever wants that one gets it after', async () => {
  const writer = await t.ownerPool.connect()
  await writer.query('begin')
  await writer.query('select from diary_versions where institute_id = $1 for update', [institutes[5]!.id])
  const [busy, ...others] = [5, 0, 1, 2, 3, 4, 6, 7, 8, 9].map((n) => holdAt(institutes[n]!, scopeOf(clients[n]!.id)))
  expect(await Promise.all(others)).toHaveLength(9)
  await somebodyWaits(t)
  expect(await takenAt(institutes[5]!)).toBe(0)
  await writer.query('commit')
  writer.release()
  await busy
  expect(await takenAt(institutes[5]!)).toBe(1)
})

it('nobody waits for somebody of whom another call has the lock', async () => {
  const writer = await t.ownerPool.connect()
  await writer.query('begin')
  await writer.query('select pg_advisory_xact_lock(person_lock($1))', [clients[5]!.id])
  const holds = holdEach()
  expect(await Promise.all(holds.filter((_, n) => n !== 5))).toHaveLength(9)
  await writer.query('commit')
  writer.release()
  await holds[5]
  expect(await takenAt(institutes[5]!)).toBe(1)
})

it('who asks at many institutes at once holds no more than anybody', async () => {
  const strict = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '3', LIMIT_HOLDS_UNCONFIRMED: '3' }, databaseUrl: t.databaseUrl })
  try {
    const others = await Promise.all(institutes.map(async () => scopeOf((await makeUser(t.db)).id)))
    await Promise.all(institutes.map((institute, n) => holdAt(institute, others[n]!, wall('2026-11-25T12:00'), strict)))
    const { id } = await makeUser(t.db)
    const writer = await t.ownerPool.connect()
    await writer.query('begin')
    await writer.query('select from diary_versions where institute_id = any($1) for update', [institutes.slice(0, 2).map((one) => one.id)])
    // They wait for the writer, each alone.
    const waiting = [0, 1].map((n) => holdAt(institutes[n]!, others[n]!, ten, strict))
    await somebodyWaits(t, 2)
    const answers = Promise.allSettled(institutes.slice(2).map((institute) => holdAt(institute, scopeOf(id), ten, strict)))
    await writer.query('commit')
    writer.release()
    await Promise.all(waiting)
    expect((await answers).filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await sql`select from appointments where user_id = ${id} and life = 'held'`.execute(t.db)).rows).toHaveLength(3)
  } finally {
    await strict.close()
  }
})

it('one that fails is refused alone', async () => {
  const nobody = scopeOf(randomUUID())
  const holds = institutes.map((institute, n) => holdAt(institute, n === 6 ? nobody : scopeOf(clients[n]!.id)))
  const answers = await Promise.allSettled(holds)
  expect(answers.map(({ status }) => status)).toEqual(institutes.map((_, n) => (n === 6 ? 'rejected' : 'fulfilled')))
  expect(await takenAt(institutes[6]!)).toBe(0)
  expect(await takenAt(institutes[7]!)).toBe(1)
})

it('nobody waits for a hold that another call is changing', async () => {
  const held = await Promise.all(holdEach())
  const writer = await t.ownerPool.connect()
  await writer.query('begin')
  await writer.query('select from appointments where id = $1 for update', [held[0]!._id])
  const first = confirmAs(clients[0]!.id, held[0]!._id)
  await somebodyWaits(t)
  expect(await Promise.all(held.slice(1).map(({ _id }, n) => confirmAs(clients[n + 1]!.id, _id)))).toHaveLength(9)
  await writer.query('commit')
  writer.release()
  expect((await first)?._id).toBe(held[0]!._id)
})

it('each confirmation has the answer to its own question', async () => {
  const held = await Promise.all(holdEach())
  const idOf = (n: number): string => held[n]!._id
  await confirmAs(clients[4]!.id, idOf(4))
  await sql`delete from occupations where appointment_id = ${idOf(6)}`.execute(t.db)
  const answers = await Promise.allSettled([
    confirmAs(clients[0]!.id, idOf(0)),
    confirmAs(clients[1]!.id, idOf(1)),
    confirmAs(clients[2]!.id, idOf(2), 'again'),
    confirmAs(clients[4]!.id, idOf(4)),
    confirmAs(clients[2]!.id, idOf(2), 'again'),
    confirmAs(clients[6]!.id, idOf(6)),
    confirmAs(clients[2]!.id, idOf(3), 'again'),
    confirmAs(clients[7]!.id, idOf(7)),
  ])
  expect(answers.map((one) => (one.status === 'fulfilled' ? one.value?._id : (one.reason as { code: string }).code))).toEqual([
    idOf(0),
    idOf(1),
    idOf(2),
    'wrong_state',
    idOf(2),
    'hold_expired',
    'not_found',
    idOf(7),
  ])
})
