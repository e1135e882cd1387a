/**
 * What answers events. Reactions within the transaction run before the commit. Those after it become jobs, one for each event and reaction,
 * and each happens once: it is noted in the transaction of its effect.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from './database.ts'
import { forgetOldEvents } from './event-upkeep.ts'
import { eventColumns, eventRow, eventsBetween, type Follower, followEvents, somePosition, type SpineEvent } from './events.ts'
import { addJobs, type Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import { c, known, orNull, statement } from './statement.ts'

/** Answers events of its kinds after their commit, once each, in a transaction of its own. Throwing makes it run again. What happened to one subject is answered in its order. */
export interface AfterCommit<Context, Kind extends string = string> {
  /** Stored with what was answered: never rename one that runs. */
  name: string
  kinds: readonly Kind[]
  react(context: Context, transaction: Db, event: SpineEvent): Promise<void>
}

/** Brings up to date what must be true at once, in the transaction of the events of an institute; once however many there are. */
export interface WithinTransaction<Context, Kind extends string = string> {
  name: string
  kinds: readonly Kind[] | 'all'
  within(context: Context, transaction: Db, change: { instituteId: string; now: number }): Promise<void>
}

export type Reaction<Context, Kind extends string = string> = AfterCommit<Context, Kind> | WithinTransaction<Context, Kind>

export const afterCommit = <Context>(reactions: readonly Reaction<Context>[]): AfterCommit<Context>[] =>
  reactions.filter((one): one is AfterCommit<Context> => 'react' in one)

const keyOf = (reaction: string, eventId: number): string => `react:${reaction}:${eventId}`
/** Jobs of one queue run one after the other; so many of them at once. */
const queues = 32
const queueOf = (subject: string): string => `reactions ${createHash('md5').update(subject).digest().readUInt16BE(0) % queues}`

const lockCursor = statement(
  { name: 'events.lockCursor', row: { position: known(c.text), next: known(c.text) } },
  () => sql`select position::text, pg_current_snapshot()::text as next from event_cursors where name = 'reactions' for update skip locked`,
)
const pageSize = 1000
const undispatched = statement(
  {
    name: 'events.undispatched',
    row: { id: known(c.count), kind: known(c.text), subjectId: orNull(c.uuid) },
    tries: [{ position: somePosition, next: somePosition, after: 0 }],
  },
  ({ position, next, after }: { position: string; next: string; after: number }) =>
    sql`select id, kind, "subjectId" from ${eventsBetween({ position, until: sql`${next}::pg_snapshot`, after }, pageSize)} e order by id`,
)
const moveCursor = statement(
  { name: 'events.moveCursor', row: {}, tries: [somePosition] },
  (position: string) => sql`update event_cursors set position = ${position}::pg_snapshot where name = 'reactions'`,
)

/** Turns what was recorded since the last time into jobs, one for each event and reaction, and moves the cursor in the same transaction. False when another process is at it. */
export async function dispatchEvents(db: Database, reactions: readonly AfterCommit<never>[]): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const cursor = await lockCursor.one(transaction)
    if (!cursor) return false
    let after = 0
    let before = 0
    for (;;) {
      const page = await undispatched.all(transaction, { ...cursor, after })
      const jobs = page.flatMap(({ id, kind, subjectId }) =>
        reactions
          .filter(({ kinds }) => kinds.includes(kind))
          .map(({ name }) => ({
            name: 'react',
            payload: { eventId: id, reaction: name },
            key: keyOf(name, id),
            queue: queueOf(subjectId ?? String(id)),
          })),
      )
      await addJobs(transaction, jobs, before)
      before += jobs.length
      after = page.at(-1)?.id ?? after
      if (page.length < pageSize) break
    }
    if (after > 0) await moveCursor.run(transaction, cursor.next)
    return true
  })
}

const takeReaction = statement(
  { name: 'events.takeReaction', row: {}, tries: [{ eventId: 1, name: 'a' }] },
  ({ eventId, name }: { eventId: number; name: string }) =>
    sql`insert into reactions_done (event_id, reaction) select id, ${name} from events where id = ${eventId} on conflict do nothing`,
)
const ofId = statement(
  { name: 'events.ofId', row: eventRow, tries: [1] },
  (id: number) => sql`select ${eventColumns} from events e where e.id = ${id}`,
)
const waitingBefore = statement(
  { name: 'events.waitingBefore', row: { id: c.count }, tries: [{ eventId: 1, name: 'a', keys: 'react:a:' }] },
  ({ eventId, name, keys }: { eventId: number; name: string; keys: string }) => sql`select e.id from events of
      join events e on e.subject_id = of.subject_id and e.id < of.id
      join graphile_worker.jobs j on j.key = ${keys} || e.id and j.attempts < j.max_attempts
    where of.id = ${eventId} and not exists (select from reactions_done d where d.event_id = e.id and d.reaction = ${name}) order by e.id`,
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
    const { db } = context.database
    // A job that failed waits for its next try while its queue goes on: what happened to the subject before is answered first, unless it was given up.
    const before = await waitingBefore.all(db, { eventId, name, keys: keyOf(name, 0).slice(0, -1) })
    for (const id of [...before.map((one) => one.id), eventId])
      await inTransaction(db, async (transaction) => {
        if (!(await takeReaction.run(transaction, { eventId: id, name }))) return
        const event = await ofId.one(transaction, id)
        if (event) await reaction.react(context, transaction, event)
      })
  },
  async tidy_events() {
    await forgetOldEvents(context.database.db, context.clock.now())
  },
})

/** Every so often all that was recorded is dispatched, whether it was heard or not. */
const dispatchAnywayMs = 5000
/** Another process dispatches, and may have begun before what was heard here: look once more. */
const lookAgainMs = 50

interface Dispatcher extends Follower {
  /** Something that has a reaction has happened. */
  wake(): void
}

/** Dispatches when woken, one turn after the other, so that a long one holds up no follower. */
function startDispatcher(db: Database, log: Log, reactions: readonly AfterCommit<never>[]): Dispatcher {
  const stopping = new AbortController()
  const { signal } = stopping
  let isWanted = false
  let running: Promise<void> | null = null
  const run = async (): Promise<void> => {
    while (isWanted && !signal.aborted) {
      isWanted = false
      try {
        if (await dispatchEvents(db, reactions)) continue
        isWanted = true
        await sleep(lookAgainMs, undefined, { signal }).catch(() => {})
      } catch (error) {
        log.warn({ err: (error as Error).message }, 'events are not dispatched until the next look')
      }
    }
    running = null
  }
  const wake = (): void => {
    isWanted = true
    running ??= run()
  }
  wake()
  const anyway = setInterval(wake, dispatchAnywayMs)
  anyway.unref()
  return {
    wake,
    async stop() {
      clearInterval(anyway)
      stopping.abort()
      await running
    },
  }
}

/** Hears of events and dispatches those that have a reaction; `listen` is told of all. */
export async function startSpine<Context extends { database: { db: Database }; log: Log }>(
  { database: { db }, log }: Context,
  reactions: readonly AfterCommit<Context>[],
  listen: (events: readonly SpineEvent[]) => void = () => {},
): Promise<Follower> {
  const dispatcher = startDispatcher(db, log, reactions as readonly AfterCommit<never>[])
  const answered = new Set(reactions.flatMap(({ kinds }) => kinds))
  const follower = await followEvents(db, log, (events) => {
    if (events.some(({ kind }) => answered.has(kind))) dispatcher.wake()
    listen(events)
  })
  return {
    async stop() {
      await follower.stop()
      await dispatcher.stop()
    },
  }
}
