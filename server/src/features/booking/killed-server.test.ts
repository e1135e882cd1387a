/** A server killed in the middle of bookings: what it acknowledged is there, and asking again with the same keys makes one visit of each. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { holdBody, holdsPath, later, overlaps, visitsPath } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { startServerProcess } from '#/testing/server-process.ts'
import { openTestApp } from '#/testing/test-app.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'

const writers = 8
const visitsEach = 8
/** Numbers of visits after which the server is killed; the other writers are in the middle of theirs. */
const killsAfter = [3, 20, 45]
const dayAhead = new Date(Date.now() + 21 * 86_400_000)
dayAhead.setUTCDate(dayAhead.getUTCDate() + ((1 - dayAhead.getUTCDay() + 7) % 7))
const nine = `${dayAhead.toISOString().slice(0, 10)}T09:00:00.000Z`

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
const dataDir = mkdtempSync(join(tmpdir(), 'soigne-killed-'))
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 4, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('loses nothing it said yes to and doubles nothing it did not answer', async ({ signal }) => {
  const institute: MadeInstitute = await makeInstitute(database.db, {
    timeZone: 'Africa/Abidjan',
    members: writers,
    services: [{ active: 20 }],
  })
  const people: MadeUser[] = await Promise.all(Array.from({ length: writers }, () => makeUser(database.db)))
  const start = () => startServerProcess({ DATABASE_URL: clone.url, DATA_DIR: dataDir, LIMIT_HOLDS: '1000' })
  let server = await start()
  const acknowledged: string[] = []

  /** Asks until there is an answer, with the same key each time, as a browser does. */
  const insist = async (path: string, user: MadeUser, body: unknown, key: string): Promise<{ status: number; id: string }> => {
    while (!signal.aborted) {
      try {
        const response = await fetch(`${server.url}${path}`, {
          method: 'POST',
          signal,
          headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify(body),
        })
        const answer = (await response.json()) as { _id: string }
        if (response.status !== 503) return { status: response.status, id: answer._id }
      } catch {
        // Killed while asking: whether it happened is unknown.
      }
      // A browser asks again after a while, not at once.
      await sleep(20, undefined, { signal })
    }
    throw new Error(`${path} was never answered`)
  }
  const write = async (user: MadeUser, member: number): Promise<void> => {
    for (let n = 0; n < visitsEach; n++) {
      const held = await insist(
        holdsPath,
        user,
        holdBody(institute, { startsAt: later(nine, 20 * n), lines: [[0, member]] }),
        `hold-${member}-${n}`,
      )
      expect(held.status).toBe(201)
      const booked = await insist(visitsPath, user, { holdId: held.id }, `book-${member}-${n}`)
      expect(booked).toEqual({ status: 201, id: held.id })
      acknowledged.push(booked.id)
    }
  }
  const killing = (async () => {
    for (const answered of killsAfter) {
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(answered), { timeout: 240_000, interval: 2 })
      await server.kill()
      server = await start()
    }
  })()
  await Promise.all([...people.map(write), killing])
  await server.stop()

  // The letters of what happened are written by whoever comes next.
  const next = await openTestApp({ databaseUrl: clone.url })
  await next.drainJobs()
  await next.close()

  const { rows } = await sql<{
    id: string
    letters: number
  }>`select a.id, (select count(*)::int from mails m where m.appointment_id = a.id) as letters from appointments a where a.status = 'pending' and exists (select 1 from occupations o where o.appointment_id = a.id and o.expires_at is null)`.execute(
    database.db,
  )
  expect(rows.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted())
  expect(rows).toHaveLength(writers * visitsEach)
  expect(rows.every(({ letters }) => letters === 1)).toBe(true)
  expect((await sql`select 1 from appointments where status = 'held'`.execute(database.db)).rows).toEqual([])
  expect(await overlaps(database.db)).toBe(0)
})
