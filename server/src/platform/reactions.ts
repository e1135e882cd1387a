/**
 * What answers events. Reactions within the transaction run before the commit. Those after it become jobs, one for a handful of events and a reaction,
 * and each happens once: it is noted in the transaction of its effect.
 */
import type { Instant } from '@soigne/contract/time'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction, type OpenDatabase } from './database.ts'
import { forgetOldEvents } from './event-upkeep.ts'
import { eventColumns, eventRow, eventsBetween, type Follower, followEvents, somePosition, type SpineEvent } from './events.ts'
import { addJobs, type Jobs, type QueuedJob } from './jobs.ts'
import type { Log } from './log.ts'
import { c, known, orNull, type RowOf, statement } from './statement.ts'

/** Answers events of its kinds after their commit, once each, in a transaction of its own. Throwing makes it run again. What happened to one subject is answered in its order. */
export interface AfterCommit<Context, Kind extends string = string> {
  /** Stored with what was answered: never rename one that runs. */
  name: string
  kinds: readonly Kind[]
  react(context: Context, transaction: Db, event: SpineEvent): Promise<void>
  /** Answers several at once, in the order of their ids, where that is cheaper. Where it throws they are answered one by one. */
  reactTogether?(context: Context, transaction: Db, events: readonly SpineEvent[]): Promise<void>
}

/** Brings up to date what must be true at once, in the transaction of the events of an institute; once however many there are. */
export interface WithinTransaction<Context, Kind extends string = string> {
  name: string
  kinds: readonly Kind[] | 'all'
  within(context: Context, transaction: Db, change: { instituteId: string; now: Instant }): Promise<void>
}

export type Reaction<Context, Kind extends string = string> = AfterCommit<Context, Kind> | WithinTransaction<Context, Kind>

export const afterCommit = <Context>(reactions: readonly Reaction<Context>[]): AfterCommit<Context>[] =>
  reactions.filter((one): one is AfterCommit<Context> => 'react' in one)

/** Of a job: the reaction and the events it answers. */
const keyOf = (reaction: string, events: readonly number[]): string => `react:${reaction}:${events.join(',')}`
/** As many as the key of a job has room for. */
const mostTogether = 32
/** Jobs of one queue run one after the other; so many of them at once. */
const queues = 4
const queueOf = (subject: string): string => `reactions ${createHash('md5').update(subject).digest().readUInt16BE(0) % queues}`

const lockCursor = statement(
  { name: 'events.lockCursor', row: { position: known(c.text), next: known(c.text) } },
  () => sql`select position::text, pg_current_snapshot()::text as next from event_cursors where name = 'reactions' for update skip locked`,
)
const pageSize = 1000
const undispatchedRow = { id: known(c.count), kind: known(c.text), subjectId: orNull(c.uuid) }
const undispatched = statement(
  {
    name: 'events.undispatched',
    row: undispatchedRow,
    tries: [{ position: somePosition, next: somePosition, after: 0 }],
  },
  ({ position, next, after }: { position: string; next: string; after: number }) =>
    sql`select id, kind, "subjectId" from ${eventsBetween({ position, until: sql`${next}::pg_snapshot`, after }, pageSize)} e order by id`,
)
const moveCursor = statement(
  { name: 'events.moveCursor', row: {}, tries: [somePosition] },
  (position: string) => sql`update event_cursors set position = ${position}::pg_snapshot where name = 'reactions'`,
)

type Undispatched = RowOf<typeof undispatchedRow>
/** The jobs of one page of events, in their order. */
function jobsOf(page: readonly Undispatched[], { name, kinds }: AfterCommit<never>): QueuedJob[] {
  const byQueue = Map.groupBy(
    page.filter(({ kind }) => kinds.includes(kind)),
    ({ id, subjectId }) => queueOf(subjectId ?? String(id)),
  )
  return [...byQueue].flatMap(([queue, events]) =>
    Array.from({ length: Math.ceil(events.length / mostTogether) }, (_, n) => {
      const eventIds = events.slice(n * mostTogether, (n + 1) * mostTogether).map(({ id }) => id)
      return { name: 'react_together', payload: { eventIds, reaction: name, queue }, key: keyOf(name, eventIds), queue }
    }),
  )
}

/** Turns what was recorded since the last time into jobs and moves the cursor in the same transaction. False when another process is at it. */
export async function dispatchEvents(db: Database, reactions: readonly AfterCommit<never>[]): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const cursor = await lockCursor.one(transaction)
    if (!cursor) return false
    let after = 0
    let before = 0
    for (;;) {
      const page = await undispatched.all(transaction, { ...cursor, after })
      const jobs = reactions.flatMap((reaction) => jobsOf(page, reaction))
      await addJobs(transaction, jobs, before)
      before += jobs.length
      after = page.at(-1)?.id ?? after
      if (page.length < pageSize) break
    }
    if (after > 0) await moveCursor.run(transaction, cursor.next)
    return true
  })
}

const cursorAt = statement(
  { name: 'events.cursorAt', row: { position: known(c.text) } },
  () => sql`select position::text from event_cursors where name = 'reactions'`,
)
// The position is a value, so that the planner knows how few these are.
const waiting = statement(
  { name: 'events.waiting', row: { count: known(c.count), oldest: orNull(c.instant) }, tries: [somePosition] },
  (position: string) => sql`select count(*) as count, min(at) as oldest from (
    select at from events where xid >= pg_snapshot_xmax(${position}::pg_snapshot)
    union all
    select at from events where xid in (select pg_snapshot_xip(${position}::pg_snapshot))) as undispatched`,
)
/** What no process has dispatched yet: how many, and how old the oldest is. */
export async function undispatchedEvents(db: Db, now: Instant): Promise<{ count: number; ageMs: number }> {
  const { count = 0, oldest = null } = (await waiting.one(db, (await cursorAt.one(db))?.position ?? somePosition)) ?? {}
  return { count, ageMs: oldest === null ? 0 : Math.max(0, now - Date.parse(oldest)) }
}

const takeEvents = statement(
  { name: 'events.take', row: eventRow, tries: [{ eventIds: [1], name: 'a' }] },
  ({ eventIds, name }: { eventIds: readonly number[]; name: string }) => sql`
    with taken as (
      insert into reactions_done (event_id, reaction) select id, ${name} from events where id = any(${eventIds}::bigint[]) order by id
      on conflict do nothing returning event_id)
    select ${eventColumns} from events e where e.id = any(${eventIds}::bigint[]) and e.id in (select event_id from taken) order by e.id`,
)
// Whether one waits is looked for among the jobs only where there is an earlier one without its answer, which is rare.
const waitingBefore = statement(
  { name: 'events.waitingBefore', row: { id: c.count }, tries: [{ eventIds: [1], name: 'a', kinds: ['a'], keys: 'react:a:' }] },
  ({ eventIds, name, kinds, keys }: { eventIds: readonly number[]; name: string; kinds: readonly string[]; keys: string }) => sql`
    with unanswered as materialized (
      select e.id from events of join events e on e.subject_id = of.subject_id and e.id < of.id and e.kind = any(${kinds}::text[]) and e.id <> all(${eventIds}::bigint[])
      where of.id = any(${eventIds}::bigint[]) and not exists (select from reactions_done d where d.event_id = e.id and d.reaction = ${name}))
    select distinct u.id from unanswered u where exists (
      select from graphile_worker.jobs j where starts_with(j.key, ${keys}) and j.attempts < j.max_attempts
        and u.id::text = any(string_to_array(substr(j.key, length(${keys}) + 1), ','))) order by u.id`,
)

interface ReactionContext {
  database: Pick<OpenDatabase, 'db' | 'prepared'>
  clock: { now(): number }
}

/** Answers those of these events that were not answered yet, in one transaction. */
const answer = <Context extends ReactionContext>(context: Context, reaction: AfterCommit<Context>, eventIds: readonly number[]) =>
  inTransaction(context.database.prepared, async (transaction) => {
    const events = await takeEvents.all(transaction, { eventIds, name: reaction.name })
    if (events.length > 1 && reaction.reactTogether) return reaction.reactTogether(context, transaction, events)
    for (const event of events) await reaction.react(context, transaction, event)
  })

/** The jobs that let one reaction answer events, and the one that forgets. */
export const reactionJobs = <Context extends ReactionContext>(context: Context, reactions: readonly AfterCommit<Context>[]): Jobs => {
  const { prepared: db } = context.database
  const named = (name: string): AfterCommit<Context> => {
    const reaction = reactions.find((one) => one.name === name)
    if (!reaction) throw new Error(`no reaction is called ${name}`)
    return reaction
  }
  const waiting = async ({ name, kinds }: AfterCommit<Context>, eventIds: readonly number[]): Promise<number[]> =>
    (await waitingBefore.all(db, { eventIds, name, kinds, keys: keyOf(name, []) })).map(({ id }) => id)
  /** A job that failed waits for its next try while its queue goes on: what happened to the subject before is answered first, unless it was given up. */
  async function answerOne(reaction: AfterCommit<Context>, eventId: number): Promise<void> {
    for (const id of [...(await waiting(reaction, [eventId])), eventId]) await answer(context, reaction, [id])
  }
  return {
    async react(payload) {
      const { eventId, reaction } = payload as { eventId: number; reaction: string }
      await answerOne(named(reaction), eventId)
    },
    async react_together(payload) {
      const { eventIds, reaction: name, queue } = payload as { eventIds: [number, ...number[]]; reaction: string; queue: string }
      const reaction = named(name)
      if (eventIds.length === 1) return answerOne(reaction, eventIds[0])
      const isInOrder = (await waiting(reaction, eventIds)).length === 0
      if (
        isInOrder &&
        (await answer(context, reaction, eventIds).then(
          () => true,
          () => false,
        ))
      )
        return
      // One that fails must not hold up the others.
      const alone = eventIds.map((eventId) => ({ name: 'react', payload: { eventId, reaction: name }, key: keyOf(name, [eventId]), queue }))
      await addJobs(db, alone)
    },
    async tidy_events() {
      await forgetOldEvents(context.database.db, context.clock.now())
    },
  }
}

/** Every so often all that was recorded is dispatched, whether it was heard or not. */
const dispatchAnywayMs = 5000
/** Another process dispatches, and may have begun before what was heard here: look once more. */
const lookAgainMs = 50
/** After a turn what happens is gathered for so long: the first letter of a quiet hour goes at once, those of a busy one in batches. */
const gatherMs = 500

/** So many events in `gatherMs` are a rush: who books is served first, and what follows waits until it is over. */
const rushOf = 50
/** It waits for so many times `gatherMs` at most. */
const mostGathers = 20

/** Whether what follows has to wait, asked once in `gatherMs`. */
export function watchRush(): { hear(events: number): void; goesOn(): boolean } {
  let heard = 0
  let waited = 0
  return {
    hear(events) {
      heard += events
    },
    goesOn() {
      waited = heard >= rushOf && waited < mostGathers ? waited + 1 : 0
      heard = 0
      return waited > 0
    },
  }
}

interface Dispatcher {
  /** So many events that have a reaction have happened. */
  wake(events: number): void
  stop(): Promise<void>
}

/** Dispatches when woken, one turn after the other, so that a long one holds up no follower. */
function startDispatcher(db: Database, log: Log, reactions: readonly AfterCommit<never>[]): Dispatcher {
  const stopping = new AbortController()
  const { signal } = stopping
  let isWanted = false
  let running: Promise<void> | null = null
  const rush = watchRush()
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
  const run = async (): Promise<void> => {
    while (isWanted && !signal.aborted) {
      while (rush.goesOn() && !signal.aborted) await pause(gatherMs)
      isWanted = false
      try {
        const isDone = await dispatchEvents(db, reactions)
        isWanted ||= !isDone
        await pause(isDone ? gatherMs : lookAgainMs)
      } catch (error) {
        log.warn({ err: (error as Error).message }, 'events are not dispatched until the next look')
      }
    }
    running = null
  }
  const wake = (events: number): void => {
    isWanted = true
    rush.hear(events)
    running ??= run()
  }
  wake(0)
  const anyway = setInterval(wake, dispatchAnywayMs, 0)
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
export async function startSpine<Context extends { database: Pick<OpenDatabase, 'apart'>; log: Log }>(
  { database: { apart: db }, log }: Context,
  reactions: readonly AfterCommit<Context>[],
  listen: (events: readonly SpineEvent[]) => void = () => {},
): Promise<Follower> {
  const dispatcher = startDispatcher(db, log, reactions as readonly AfterCommit<never>[])
  const answered = new Set(reactions.flatMap(({ kinds }) => kinds))
  const follower = await followEvents(db, log, (events) => {
    const toAnswer = events.filter(({ kind }) => answered.has(kind)).length
    if (toAnswer > 0) dispatcher.wake(toAnswer)
    listen(events)
  })
  return {
    wake: () => follower.wake(),
    async stop() {
      await follower.stop()
      await dispatcher.stop()
    },
  }
}
