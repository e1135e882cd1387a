/** Two real server processes on one database, asked for the same times at the same moment: never two visits for one person, chair or machine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { holdBody, holdsPath, type HoldRequest, later, overlaps, visitsPath } from '#/testing/booking.ts'
import { type InstituteOptions, type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { type ServerProcess, startServerProcess } from '#/testing/server-process.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'

interface Answer {
  status: number
  body: { _id?: string; code?: string; message?: string; startsAt?: string; expiresAt?: string }
}

/** A Tuesday some weeks ahead, ten in the morning of a zone without clock changes. */
const dayAhead = new Date(Date.now() + 21 * 86_400_000)
dayAhead.setUTCDate(dayAhead.getUTCDate() + ((2 - dayAhead.getUTCDay() + 7) % 7))
const ten = `${dayAhead.toISOString().slice(0, 10)}T10:00:00.000Z`

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
let servers: ServerProcess[]
let people: MadeUser[]
const dataDir = mkdtempSync(join(tmpdir(), 'soigne-race-'))

beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 4, onError: () => {} })
  const start = (): Promise<ServerProcess> =>
    startServerProcess({ DATABASE_URL: clone.url, DATA_DIR: dataDir, DATABASE_POOL: '10', LIMIT_HOLDS: '1000' })
  servers = await Promise.all([start(), start()])
  people = await Promise.all(Array.from({ length: 40 }, () => makeUser(database.db)))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await database.close()
  await clone.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Asks one of the two processes by turns. */
async function send(turn: number, method: string, path: string, user: MadeUser, body?: unknown, key?: string): Promise<Answer> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${user.token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const response = await fetch(`${servers[turn % 2]?.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const person = (index: number): MadeUser => people[index % people.length] as MadeUser
const take = (index: number, institute: MadeInstitute, request: HoldRequest): Promise<Answer> =>
  send(index, 'POST', holdsPath, person(index), holdBody(institute, request), request.key)
const institutes = (options: InstituteOptions): Promise<MadeInstitute> =>
  makeInstitute(database.db, { timeZone: 'Africa/Abidjan', grid: 5, ...options })
const winners = (answers: Answer[]): Answer[] => answers.filter(({ status }) => status === 201)

/** Winners have 201, everybody else a refusal in words; nothing overlaps; no process met anything it did not expect. */
async function expectOrder(answers: Answer[]): Promise<void> {
  for (const { status, body } of answers) {
    if (status === 201 || status === 200) continue
    expect([409, 422, 429]).toContain(status)
    expect(body.code).toMatch(/^[a-z_]+$/)
    expect(body.message).toBeTruthy()
  }
  expect(await overlaps(database.db)).toBe(0)
  for (const server of servers) expect(server.log()).not.toMatch(/40P01|unexpected failure|is away/)
}

/** Rows that say a visit holds its time without any, or the other way round. */
async function expectWhole(): Promise<void> {
  const { rows } =
    await sql`select a.id from appointments a where a.status in ('pending', 'deposit_paid', 'completed') and (not exists (select 1 from occupations o where o.appointment_id = a.id) or exists (select 1 from occupations o where o.appointment_id = a.id and o.expires_at is not null))
    union all select a.id from appointments a join occupations o on o.appointment_id = a.id where a.status = 'cancelled'`.execute(
      database.db,
    )
  expect(rows).toEqual([])
}

const everybody = (ask: (index: number) => Promise<Answer>): Promise<Answer[]> => Promise.all(people.map((_, index) => ask(index)))

describe('forty people at two servers', () => {
  it('want one time of one member: one has it', async () => {
    for (let round = 0; round < 5; round++) {
      const institute = await institutes({ members: 1 })
      const answers = await everybody((index) => take(index, institute, { startsAt: ten, lines: [[0, index % 2 ? 0 : 'any']] }))
      expect(winners(answers)).toHaveLength(1)
      await expectOrder(answers)
    }
  })

  it('want starts five minutes apart: those who have one do not touch each other', async () => {
    const institute = await institutes({ members: 1 })
    const answers = await everybody((index) => take(index, institute, { startsAt: later(ten, 5 * ((index * 7) % 40)), lines: [[0, 0]] }))
    const starts = winners(answers)
      .map(({ body }) => Date.parse(body.startsAt ?? ''))
      .toSorted((a, b) => a - b)
    expect(starts.length).toBeGreaterThanOrEqual(3)
    expect(starts.slice(1).every((start, index) => start - (starts[index] ?? 0) >= 40 * 60_000)).toBe(true)
    await expectOrder(answers)
  })

  it('want any of three members: three have one', async () => {
    for (let round = 0; round < 3; round++) {
      const institute = await institutes({ members: 3 })
      const answers = await everybody((index) => take(index, institute, { startsAt: ten, lines: [[0, 'any']] }))
      expect(winners(answers)).toHaveLength(3)
      await expectOrder(answers)
    }
  })

  it('want several services with members crosswise', async () => {
    const institute = await institutes({ members: 3, services: [{ active: 20 }, { active: 40 }, { active: 20, idle: 30, after: 20 }] })
    const carts: [number, number | 'any'][][] = [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [1, 1],
        [0, 0],
      ],
      [
        [2, 2],
        [0, 'any'],
      ],
      [
        [0, 'any'],
        [1, 'any'],
        [2, 'any'],
      ],
      [
        [1, 2],
        [2, 0],
      ],
    ]
    const answers = await everybody((index) =>
      take(index, institute, { startsAt: later(ten, 20 * (index % 4)), lines: carts[index % carts.length] ?? [] }),
    )
    expect(winners(answers).length).toBeGreaterThanOrEqual(3)
    await expectOrder(answers)
  })

  it('want the one machine, each with another member: one has it', async () => {
    for (let round = 0; round < 3; round++) {
      const institute = await institutes({
        members: 4,
        services: [{ active: 40, resourceType: 'laser' }],
        resources: [{ type: 'laser', name: 'Laser' }],
      })
      const answers = await everybody((index) => take(index, institute, { startsAt: later(ten, 5 * (index % 8)), lines: [[0, index % 4]] }))
      expect(winners(answers)).toHaveLength(1)
      await expectOrder(answers)
    }
  })

  it('want the idle part of somebody’s colour: it is sold once', async () => {
    const institute = await institutes({ members: 1, services: [{ active: 20, idle: 40, after: 20 }, { active: 40 }] })
    expect((await take(0, institute, { startsAt: ten, lines: [[0, 0]] })).status).toBe(201)
    const answers = await everybody((index) => take(index, institute, { startsAt: later(ten, 20), lines: [[1, 0]] }))
    expect(winners(answers)).toHaveLength(1)
    await expectOrder(answers)
  })

  it('hold, book, move and cancel in one salon for a while: the diary stays whole', async () => {
    const institute = await institutes({
      members: 2,
      services: [
        { active: 30, bufferAfter: 10 },
        { active: 20, idle: 20, after: 20, resourceType: 'chair' },
      ],
      resources: [{ type: 'chair', name: 'Chair' }],
    })
    const answers: Answer[] = []
    await everybody(async (index) => {
      const lines: [number, number | 'any'][] =
        index % 3 === 0
          ? [
              [1, 'any'],
              [0, 'any'],
            ]
          : [[index % 2, index % 4 < 2 ? 'any' : index % 2]]
      const held = await take(index, institute, { startsAt: later(ten, 10 * (index % 24)), lines })
      answers.push(held)
      if (held.status !== 201) return held
      answers.push(await send(index + 1, 'POST', visitsPath, person(index), { holdId: held.body._id }))
      const steps = [
        send(index, 'PUT', `${visitsPath}/${held.body._id}/reschedule`, person(index), { startsAt: later(ten, 240 + 10 * (index % 12)) }),
        send(index + 1, 'PUT', `${visitsPath}/${held.body._id}/reschedule`, person(index), { startsAt: later(ten, 10 * (index % 24)) }),
      ]
      if (index % 4 === 0) steps.push(send(index, 'PUT', `${visitsPath}/${held.body._id}/cancel`, person(index)))
      answers.push(...(await Promise.all(steps)))
      return held
    })
    expect(winners(answers).length).toBeGreaterThanOrEqual(4)
    await expectOrder(answers)
    await expectWhole()
  })
})

describe('one visit', () => {
  const expireIn = (id: string, ms: number) =>
    sql`with a as (update appointments set expires_at = ${new Date(Date.now() + ms)} where id = ${id} returning id, expires_at) update occupations o set expires_at = a.expires_at from a where o.appointment_id = a.id`.execute(
      database.db,
    )

  it('that runs out while it is confirmed goes to its holder or to another, never to both', async () => {
    for (let round = 0; round < 16; round++) {
      const institute = await institutes({ members: 1 })
      const held = await take(0, institute, { startsAt: ten, lines: [[0, 0]] })
      // From surely over to probably alive: somewhere between, the end falls into the confirmation.
      await expireIn(held.body._id ?? '', 5 * round)
      const [confirmed, ...others] = await Promise.all([
        send(0, 'POST', visitsPath, person(0), { holdId: held.body._id }),
        take(1, institute, { startsAt: ten, lines: [[0, 0]] }),
        take(2, institute, { startsAt: ten, lines: [[0, 0]] }),
      ])
      expect(winners([confirmed, ...others]).length).toBeLessThanOrEqual(1)
      await expectOrder([confirmed, ...others])
    }
    await expectWhole()
  })

  it('and another one swapping places: no deadlock, and both keep a time', async () => {
    for (let round = 0; round < 4; round++) {
      const institute = await institutes({ members: 1 })
      const [a, b] = await Promise.all(
        [0, 1].map(async (index) => {
          const held = await take(index, institute, { startsAt: later(ten, 40 * index), lines: [[0, 0]] })
          await send(index, 'POST', visitsPath, person(index), { holdId: held.body._id })
          return held.body._id ?? ''
        }),
      )
      const answers = await Promise.all([
        send(0, 'PUT', `${visitsPath}/${a}/reschedule`, person(0), { startsAt: later(ten, 40) }),
        send(1, 'PUT', `${visitsPath}/${b}/reschedule`, person(1), { startsAt: ten }),
      ])
      await expectOrder(answers)
      await expectWhole()
    }
  })

  it('cancelled and moved at once is one or the other, whole', async () => {
    for (let round = 0; round < 6; round++) {
      const institute = await institutes({ members: 1 })
      const held = await take(0, institute, { startsAt: ten, lines: [[0, 0]] })
      await send(0, 'POST', visitsPath, person(0), { holdId: held.body._id })
      const answers = await Promise.all([
        send(0, 'PUT', `${visitsPath}/${held.body._id}/reschedule`, person(0), { startsAt: later(ten, 60) }),
        send(1, 'PUT', `${visitsPath}/${held.body._id}/cancel`, person(0)),
      ])
      expect(answers[1]?.status).toBe(200)
      await expectOrder(answers)
      await expectWhole()
    }
  })

  it('asked for with one key at two servers is one hold', async () => {
    for (let round = 0; round < 4; round++) {
      const institute = await institutes({ members: 2 })
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, turn) =>
          send(turn, 'POST', holdsPath, person(0), holdBody(institute, { startsAt: ten }), `round-${round}`),
        ),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
      await expectOrder(answers)
    }
  })
})

it('in all of this no two transactions ever waited for each other', async () => {
  // Postgres counts a deadlock at the latest when the connection closes.
  await Promise.all(servers.map((server) => server.stop()))
  const { rows } = await sql<{ deadlocks: number }>`select deadlocks::int from pg_stat_database where datname = current_database()`.execute(
    database.db,
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
})
