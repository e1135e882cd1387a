/** Those who book at the same moment, at whatever institutes, go to the database together. Nobody may wait for a neighbour, lose by one, or get what is a neighbour's. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#/platform/database.ts'
import { hold, overlaps, somebodyWaits, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const ten = wall('2026-11-24T10:00')
const many = 12

let t: TestApp
let institutes: MadeInstitute[]
let people: MadeUser[]
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  institutes = await Promise.all(Array.from({ length: many }, () => makeInstitute(t.db, { members: 1 })))
  people = await Promise.all(Array.from({ length: many }, () => makeUser(t.db)))
})
afterAll(() => t.close())

const institute = (n: number): MadeInstitute => institutes[n] as MadeInstitute
const person = (n: number): MadeUser => people[n] as MadeUser
const all = <T>(work: (n: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: many }, (_, n) => work(n)))

/** In how many transactions so many rows were written. */
async function transactionsOf(ids: readonly string[], table: 'hold_ends' | 'appointments'): Promise<number> {
  const column = sql.ref(table === 'appointments' ? 'id' : 'appointment_id')
  const { rows } = await sql<{
    n: number
  }>`select count(distinct xmin::text)::int as n from ${sql.table(table)} where ${column} = any(${ids}::uuid[])`.execute(t.db)
  return rows[0]?.n ?? 0
}

describe('many who book at many institutes at once', () => {
  it('share transactions, and each gets their own', async () => {
    const held = await all((n) => hold(t, person(n), institute(n), { startsAt: ten }))
    const ids = held.map(({ _id }) => _id)
    expect(held.map((one) => one.institute._id)).toEqual(institutes.map(({ id }) => id))
    expect(await transactionsOf(ids, 'hold_ends')).toBeLessThan(many)
    const booked = await all((n) => tryConfirm(t, person(n), ids[n] ?? ''))
    expect(booked.map(({ status, body }) => [status, body['_id']])).toEqual(ids.map((id) => [201, id]))
    expect(await transactionsOf(ids, 'appointments')).toBeLessThan(many)
    const { rows } = await sql<{
      kind: string
      n: number
    }>`select kind, count(*)::int as n from events where subject_id = any(${ids}::uuid[]) group by kind order by kind`.execute(t.db)
    expect(rows).toEqual([
      { kind: 'visit.booked', n: many },
      { kind: 'visit.held', n: many },
    ])
  })

  it('do not wait where somebody keeps the diary of one of them', async () => {
    const startsAt = wall('2026-11-24T11:00')
    const slow = await inTransaction(t.db, async (transaction) => {
      await sql`select from diary_versions where institute_id = ${institute(0).id} for update`.execute(transaction)
      const first = tryHold(t, person(0), institute(0), { startsAt })
      await somebodyWaits(t)
      const others = await Promise.all(
        Array.from({ length: many - 1 }, (_, n) => tryHold(t, person(n + 1), institute(n + 1), { startsAt })),
      )
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 201))
      return { first }
    })
    expect((await slow.first).status).toBe(201)
  })

  it('do not wait where somebody keeps one of the visits that are confirmed', async () => {
    const held = await all((n) => hold(t, person(n), institute(n), { startsAt: wall('2026-11-24T12:00') }))
    const idOf = (n: number): string => held[n]?._id ?? ''
    const slow = await inTransaction(t.db, async (transaction) => {
      await sql`select from appointments where id = ${idOf(0)} for update`.execute(transaction)
      const first = tryConfirm(t, person(0), idOf(0))
      await somebodyWaits(t)
      const others = await Promise.all(Array.from({ length: many - 1 }, (_, n) => tryConfirm(t, person(n + 1), idOf(n + 1))))
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 201))
      return { first }
    })
    expect((await slow.first).status).toBe(201)
  })

  it('lose nothing by one whose time was taken past the diary', async () => {
    const startsAt = wall('2026-11-25T10:00')
    await all((n) =>
      t.inject(
        'GET',
        `/api/v1/client/institutes/${institute(n).id}/availability?service=${institute(n).services[0]}&from=2026-11-25&days=1`,
      ),
    )
    await inTransaction(t.db, async (transaction) => {
      // As hold_visits keeps the triggers still: the version stays what it was.
      await sql`select set_config('soigne.unit', 'on', true)`.execute(transaction)
      await sql`insert into occupations (institute_id, subject_kind, subject_id, during, kind, source_id)
        values (${institute(0).id}, 'member', ${institute(0).members[0]}, tstzrange(${startsAt}, ${startsAt}::timestamptz + interval '1 hour'), 'blocked', uuidv7())`.execute(
        transaction,
      )
    })
    const answers = await all((n) => tryHold(t, person(n), institute(n), { startsAt }))
    expect(answers.map(({ status }) => status)).toEqual([409, ...answers.slice(1).map(() => 201)])
    expect(await overlaps(t.db)).toBe(0)
  })
})
