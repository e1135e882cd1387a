/**
 * The event spine: what happened is recorded in the transaction that made it happen, every process hears of it after the commit, and reactions answer each event once.
 * Nothing notifies: a NOTIFY takes a lock of the whole database at commit and costs most bookings, so followers read the table a few times in a tenth of a second.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Actor } from './access.ts'
import { type Database, type Db, inTransaction } from './database.ts'
import { addJobs, type Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import { c, known, orNull, statement } from './statement.ts'

export interface SpineEvent<Kind extends string = string, Payload = unknown> {
  /** Unique; not the order of commits. */
  id: number
  kind: Kind
  instituteId: string | null
  /** What it happened to, such as a visit. */
  subjectId: string | null
  /** Who made it happen. */
  actor: Actor
  payload: Payload
  /** When it happened, by the clock of the product: ISO. */
  at: string
}

export type NewEvent<Kind extends string = string, Payload = unknown> = Omit<SpineEvent<Kind, Payload>, 'id'>

const record = statement(
  { name: 'events.record', row: {}, tries: ['[]'] },
  (events: string) => sql`insert into events (kind, institute_id, subject_id, actor, payload, at)
    select kind, "instituteId", "subjectId", actor, payload, at
    from jsonb_to_recordset(${events}::jsonb) as e(kind text, "instituteId" uuid, "subjectId" uuid, actor jsonb, payload jsonb, at timestamptz)`,
)
/** Writes events in the caller's transaction. */
export async function recordEvents(transaction: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await record.run(transaction, JSON.stringify(events))
}

const actor: z.ZodMiniType<Actor> = z.union([
  z.object({ kind: z.enum(['client', 'operator']), userId: z.string() }),
  z.object({ kind: z.literal('institute'), userId: z.string(), instituteId: z.string(), level: z.string() }),
  z.object({ kind: z.literal('program'), keyId: z.string(), instituteId: z.string() }),
  z.object({ kind: z.literal('system'), job: z.string() }),
])
const eventRow = {
  id: c.count,
  kind: c.text,
  instituteId: orNull(c.uuid),
  subjectId: orNull(c.uuid),
  actor: c.json(actor),
  payload: c.json<unknown>(),
  at: c.instant,
}
const columns = sql`e.id, e.kind, e.institute_id as "instituteId", e.subject_id as "subjectId", e.actor, e.payload, e.at`
const pageSize = 1000
const somePosition = '1:1:'

const present = statement(
  { name: 'events.present', row: { position: known(c.text) } },
  () => sql`select pg_current_snapshot()::text as position`,
)
/** The present as a snapshot: what committed before it is in it. */
const presentSnapshot = async (db: Db): Promise<string> => (await present.one(db))?.position ?? ''

interface Heard {
  events: SpineEvent[]
  position: string
}

const since = statement(
  {
    name: 'events.since',
    row: {
      ...eventRow,
      id: orNull(c.count),
      kind: orNull(c.text),
      actor: orNull(c.json(actor)),
      payload: orNull(c.json<unknown>()),
      at: orNull(c.instant),
      position: known(c.text),
    },
    tries: [somePosition],
  },
  (position: string) => sql`with now as materialized (select pg_current_snapshot() as snapshot),
      heard as (
        select ${columns} from events e where e.xid >= pg_snapshot_xmax(${position}::pg_snapshot)
        union all select ${columns} from events e where e.xid in (select pg_snapshot_xip(${position}::pg_snapshot)))
    select heard.*, now.snapshot::text as position from now left join heard on true order by heard.id`,
)
/** What became visible since a position, and the position after it: both of one statement, so that nothing lies between them. */
async function readSince(db: Db, position: string): Promise<Heard> {
  const rows = await since.all(db, position)
  // Where nothing was heard there is one row with nothing but the position.
  const events = rows.flatMap(({ id, kind, actor, at, instituteId, subjectId, payload }) =>
    id === null || kind === null || actor === null || at === null ? [] : [{ id, kind, actor, at, instituteId, subjectId, payload }],
  )
  return { events, position: rows[0]?.position ?? position }
}

export interface Follower {
  stop(): Promise<void>
}

/** How often a follower looks. */
const pollMs = 25

/**
 * Hears of every commit from now on, in the order of commits for each institute, within a tenth of a second. After a lost connection it goes on where it stood.
 * A listener must not throw and must not wait: slow work belongs in a reaction.
 */
export async function followEvents(
  db: Database,
  log: Log,
  listener: (events: readonly SpineEvent[]) => void | Promise<void>,
): Promise<Follower> {
  let position = await presentSnapshot(db)
  let isStopped = false
  let isAway = false
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    try {
      const heard = await readSince(db, position)
      isAway = false
      if (heard.events.length > 0) {
        position = heard.position
        await listener(heard.events)
      }
    } catch (error) {
      if (!isAway) log.warn({ err: (error as Error).message }, 'events are not heard until the database is back')
      isAway = true
    }
    if (!isStopped) timer = setTimeout(() => void (turn = look()), isAway ? 10 * pollMs : pollMs)
  }
  turn = look()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await turn
    },
  }
}

/** Answers events of its kinds after their commit, once each, in a transaction of its own. Throwing makes it run again. */
export interface AfterCommit<Context> {
  /** Stored with what was answered: never rename one that runs. */
  name: string
  kinds: readonly string[]
  react(context: Context, transaction: Db, event: SpineEvent): Promise<void>
}

/** Brings up to date what must be true at once, in the transaction of the events of an institute; once however many there are. */
export interface WithinTransaction<Context> {
  name: string
  kinds: readonly string[]
  within(context: Context, transaction: Db, change: { instituteId: string; now: number }): Promise<void>
}

export type Reaction<Context> = AfterCommit<Context> | WithinTransaction<Context>

export const afterCommit = <Context>(reactions: readonly Reaction<Context>[]): AfterCommit<Context>[] =>
  reactions.filter((one): one is AfterCommit<Context> => 'react' in one)

/** What happened to one thing is answered in its order; so many things at once. */
const queues = 32
const queueOf = (subject: string): string => `reactions ${createHash('md5').update(subject).digest().readUInt16BE(0) % queues}`

const lockCursor = statement(
  { name: 'events.lockCursor', row: { position: known(c.text), next: known(c.text) } },
  () => sql`select position::text, pg_current_snapshot()::text as next from event_cursors where name = 'reactions' for update skip locked`,
)
const undispatched = statement(
  {
    name: 'events.undispatched',
    row: { id: c.count, kind: c.text, subjectId: orNull(c.uuid) },
    tries: [{ position: somePosition, next: somePosition, after: 0 }],
  },
  ({
    position,
    next,
    after,
  }: {
    position: string
    next: string
    after: number
  }) => sql`select e.id, e.kind, e.subject_id as "subjectId" from events e
        where (e.xid >= pg_snapshot_xmax(${position}::pg_snapshot) or e.xid in (select pg_snapshot_xip(${position}::pg_snapshot)))
          and pg_visible_in_snapshot(e.xid, ${next}::pg_snapshot) and e.id > ${after} order by e.id limit ${pageSize}`,
)
const moveCursor = statement(
  { name: 'events.moveCursor', row: {}, tries: [somePosition] },
  (position: string) => sql`update event_cursors set position = ${position}::pg_snapshot where name = 'reactions'`,
)

/** Turns what was heard since the last time into jobs, one for each event and reaction, and moves the cursor in the same transaction. False when another process is at it. */
export async function dispatchEvents(db: Database, reactions: readonly AfterCommit<never>[]): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const cursor = await lockCursor.one(transaction)
    if (!cursor) return false
    let after = 0
    for (;;) {
      const page = await undispatched.all(transaction, { ...cursor, after })
      const jobs = page.flatMap(({ id, kind, subjectId }) =>
        reactions
          .filter(({ kinds }) => kinds.includes(kind))
          .map(({ name }) => ({
            name: 'react',
            payload: { eventId: id, reaction: name },
            key: `react:${name}:${id}`,
            queue: queueOf(subjectId ?? String(id)),
          })),
      )
      await addJobs(transaction, jobs)
      after = page.at(-1)?.id ?? after
      if (page.length < pageSize) break
    }
    if (after > 0) await moveCursor.run(transaction, cursor.next)
    return true
  })
}

/** Events are kept this long. */
const keptMs = 400 * 86_400_000

const takeReaction = statement(
  { name: 'events.takeReaction', row: {}, tries: [{ eventId: 1, name: 'a' }] },
  ({ eventId, name }: { eventId: number; name: string }) =>
    sql`insert into reactions_done (event_id, reaction) values (${eventId}, ${name}) on conflict do nothing`,
)
const ofId = statement(
  { name: 'events.ofId', row: eventRow, tries: [1] },
  (id: number) => sql`select ${columns} from events e where e.id = ${id}`,
)

/** The job that lets one reaction answer one event, and the one that forgets. */
export const reactionJobs = <Context extends { database: { db: Database }; clock: { now(): number } }>(
  context: Context,
  reactions: readonly AfterCommit<Context>[],
): Jobs => ({
  async react(payload) {
    const { eventId, reaction: name } = payload as { eventId: number; reaction: string }
    const reaction = reactions.find((one) => one.name === name)
    if (!reaction) throw new Error(`no reaction is called ${name}`)
    await inTransaction(context.database.db, async (transaction) => {
      if (!(await takeReaction.run(transaction, { eventId, name }))) return
      const event = await ofId.one(transaction, eventId)
      if (event) await reaction.react(context, transaction, event)
    })
  },
  async tidy_events() {
    await forgetOldEvents(context.database.db, new Date(context.clock.now() - keptMs))
  },
})

const forgetReactions = statement(
  { name: 'events.forgetReactions', row: {}, tries: [new Date(0)] },
  (before: Date) => sql`delete from reactions_done d using events e where e.id = d.event_id and e.at < ${before}`,
)
/** Events older than the time they are kept, which every follower has long heard. */
async function forgetOldEvents(db: Db, before: Date): Promise<void> {
  await forgetReactions.run(db, before)
  await db.deleteFrom('events').where('at', '<', before.toISOString()).execute()
}

/** Every so often all that was recorded is dispatched, whether it was heard or not. */
const dispatchAnywayMs = 5000

/** Hears of events and dispatches those that have a reaction; `listen` is told of all. */
export async function startSpine<Context extends { database: { db: Database }; log: Log }>(
  { database: { db }, log }: Context,
  reactions: readonly AfterCommit<Context>[],
  listen: (events: readonly SpineEvent[]) => void = () => {},
): Promise<Follower> {
  const dispatch = async (): Promise<void> => void (await dispatchEvents(db, reactions as readonly AfterCommit<never>[]))
  const follower = await followEvents(db, log, async (events) => {
    listen(events)
    if (events.some(({ kind }) => reactions.some(({ kinds }) => kinds.includes(kind)))) await dispatch()
  })
  const anyway = setInterval(() => void dispatch().catch(() => {}), dispatchAnywayMs)
  anyway.unref()
  return {
    async stop() {
      clearInterval(anyway)
      await follower.stop()
    },
  }
}
