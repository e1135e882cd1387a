/** Sixteen clients who book one visit after the other and insist: what was not answered is asked again with the same key, as a browser does. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Random } from '@soigne/demo/random'
import { type Answer, type Client, holdsPath, visitsPath } from './wire.ts'
import { dayAhead, holdBody, instant, makeInstitute, type Institute } from './world.ts'

export const writers = 16
const minutesEach = 10
const visitsADay = 72
/** Visits one member has room for within the days that may be booked. */
const mostEach = visitsADay * 70

export interface Written {
  /** Visits that were acknowledged, in any order. */
  acknowledged: string[]
  /** Questions that got no answer: the connection broke. */
  unanswered: number
  /** Answers that asked to come back later. */
  putOff: number
  /** Questions answered yes only when they were asked again. */
  resolved: number
  /** Everything that must not be, in words. */
  odd: string[]
  /** When something was last booked, milliseconds since the epoch. */
  bookedAt: number[]
}

export const makeWritersInstitute = (db: pg.Pool): Promise<Institute> =>
  makeInstitute(db, { members: writers, services: [{ active: minutesEach }] })

export class Writers {
  readonly written: Written = { acknowledged: [], unanswered: 0, putOff: 0, resolved: 0, odd: [], bookedAt: [] }
  #isDone = false
  readonly #running: Promise<unknown>
  readonly #urlOf: () => string
  readonly #institute: Institute

  constructor(clients: readonly Client[], institute: Institute, urlOf: () => string, random: Random) {
    this.#urlOf = urlOf
    this.#institute = institute
    this.#running = Promise.all(clients.map((client, n) => this.#write(client, n, random.fork(`writer ${n}`))))
  }

  /** Lets everybody end what they began. */
  async stop(): Promise<Written> {
    this.#isDone = true
    await this.#running
    return this.written
  }

  async #insist(client: Client, random: Random, path: string, body: unknown): Promise<Answer> {
    const key = random.uuid(Date.now())
    for (let attempt = 0; ; attempt++) {
      const answer = await client.send(this.#urlOf(), { method: 'POST', path, body, key }, 10_000)
      if (answer.status === 0) this.written.unanswered++
      else if (answer.status === 503) {
        this.written.putOff++
        if (answer.retryAfter === undefined) this.written.odd.push('a 503 did not say when to come back')
      } else {
        if (attempt > 0 && answer.status === 201) this.written.resolved++
        return answer
      }
      await sleep(80 + random.whole(60))
    }
  }

  async #write(client: Client, member: number, random: Random): Promise<void> {
    for (let n = 0; n < mostEach && !this.#isDone; n++) {
      const startsAt = instant(dayAhead(3 + Math.floor(n / visitsADay)), 480 + (n % visitsADay) * minutesEach)
      const held = await this.#insist(client, random, holdsPath, holdBody(this.#institute, startsAt, [[0, member]]))
      if (held.status !== 201 || !held.body._id) {
        this.written.odd.push(`a hold of ${startsAt} was answered ${held.status} ${held.body.code ?? ''}`)
        continue
      }
      const booked = await this.#insist(client, random, visitsPath, { holdId: held.body._id })
      if (booked.status !== 201 || booked.body._id !== held.body._id)
        this.written.odd.push(`booking ${held.body._id} was answered ${booked.status} ${booked.body.code ?? ''}`)
      else {
        this.written.acknowledged.push(booked.body._id)
        this.written.bookedAt.push(booked.endedAt)
      }
    }
  }
}

/** Letters are written and sent by jobs: whatever was killed, somebody must go on with them, after two minutes with those that a dead process had begun. */
export async function lettersLeft(
  db: pg.Pool,
  institute: Institute,
  withinMs = 180_000,
): Promise<{ violations: string[]; lateMs: number }> {
  const began = Date.now()
  for (;;) {
    const { rows } = await db.query<{ left: number; sent: number }>(
      `select count(*) filter (where m.sent_at is null)::int as left, count(*) filter (where m.sent_at is not null)::int as sent
       from appointments a left join mails m on m.appointment_id = a.id where a.institute_id = $1 and a.status <> 'held'`,
      [institute.id],
    )
    const { left, sent } = rows[0] ?? { left: 0, sent: 0 }
    const lateMs = Date.now() - began
    if (left === 0) return { violations: [], lateMs }
    if (lateMs > withinMs)
      return { violations: [`${left} letters are not sent ${withinMs / 1000} s after the last kill, ${sent} are`], lateMs }
    await sleep(250)
  }
}

/** Acknowledged and stored must be the same visits, each with one time and one letter, and no hold may be left. */
export async function compareAcknowledged(db: pg.Pool, institute: Institute, acknowledged: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string; status: string; times: number; letters: number }>(
    `select a.id, a.status, (select count(*)::int from occupations o where o.appointment_id = a.id and o.expires_at is null) as times,
       (select count(*)::int from mails m where m.appointment_id = a.id) as letters from appointments a where a.institute_id = $1`,
    [institute.id],
  )
  const found: string[] = []
  const stored = new Map(rows.map((row) => [row.id, row]))
  if (new Set(acknowledged).size !== acknowledged.length) found.push('one visit was acknowledged as two')
  for (const id of acknowledged) {
    const row = stored.get(id)
    stored.delete(id)
    if (row?.status !== 'pending' || row.times !== 1 || row.letters !== 1)
      found.push(`visit ${id} was acknowledged and is stored as ${JSON.stringify(row)}`)
  }
  for (const row of stored.values()) found.push(`nobody was told of ${JSON.stringify(row)}`)
  return found
}
