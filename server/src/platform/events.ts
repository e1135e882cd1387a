/**
 * The event spine: what happened is recorded in the transaction that made it happen, and every process hears of it after the commit.
 * Nothing notifies: a NOTIFY takes a lock of the whole database at commit and costs most bookings, so followers read the table a few times in a tenth of a second.
 */
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Actor } from './access.ts'
import type { Database, Db } from './database.ts'
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
/** Kinds with what each tells. The platform has none: the product says here which there are (`event-kinds.ts`). */
export interface EventRegistry {
  /** Never recorded. */
  '': never
}
type RegisteredKind = Exclude<keyof EventRegistry, ''>
export type RegisteredEvent = { [Kind in RegisteredKind]: NewEvent<Kind, EventRegistry[Kind]> }[RegisteredKind]

/** Writes events in the caller's transaction. One of another kind, or with another payload than its kind has, does not compile. */
export const recordEvents = (transaction: Db, events: readonly RegisteredEvent[]): Promise<void> => writeEvents(transaction, events)

/** The same without a look at the kinds: for whoever has looked already, and for tests of kinds of their own. */
export async function writeEvents(transaction: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await record.run(transaction, JSON.stringify(events))
}

const actor: z.ZodMiniType<Actor> = z.union([
  z.object({ kind: z.enum(['client', 'operator']), userId: z.string() }),
  z.object({ kind: z.literal('institute'), userId: z.string(), instituteId: z.string(), level: z.string() }),
  z.object({ kind: z.literal('program'), keyId: z.string(), instituteId: z.string() }),
  z.object({ kind: z.literal('system'), job: z.string() }),
])
export const eventRow = {
  id: c.count,
  kind: c.text,
  instituteId: orNull(c.uuid),
  subjectId: orNull(c.uuid),
  actor: c.json(actor),
  payload: c.json<unknown>(),
  at: c.instant,
}
export const eventColumns = sql`e.id, e.kind, e.institute_id as "instituteId", e.subject_id as "subjectId", e.actor, e.payload, e.at`

/** The first `limit` events, by id, that are in one snapshot and not yet in another. */
export const eventsBetween = (
  { position, until, after }: { position: string; until: RawBuilder<unknown>; after: number },
  limit: number,
): RawBuilder<unknown> => sql`(select ${eventColumns} from events_between(${position}::pg_snapshot, ${until}, ${after}, ${limit}) e)`

/** A snapshot as text, for `tries`. */
export const somePosition = '1:1:'

/** Where a follower stands. */
interface Place {
  /** Everything in this snapshot was heard. */
  position: string
  /** Not null in the middle of what became visible between `position` and this: heard up to an id. */
  until: string | null
  after: number
}

const present = statement(
  { name: 'events.present', row: { position: known(c.text) } },
  () => sql`select pg_current_snapshot()::text as position`,
)

const since = statement(
  {
    name: 'events.since',
    byId: true,
    row: {
      ...eventRow,
      id: orNull(c.count),
      kind: orNull(c.text),
      actor: orNull(c.json(actor)),
      payload: orNull(c.json<unknown>()),
      at: orNull(c.instant),
      until: known(c.text),
    },
    tries: [{ position: somePosition, until: null, after: 0, limit: 1 }],
  },
  ({ position, until, after, limit }: Place & { limit: number }) => sql`
    with to_here as materialized (select coalesce(${until}::pg_snapshot, pg_current_snapshot()) as snapshot)
    select heard.*, to_here.snapshot::text as until
    from to_here left join lateral ${eventsBetween({ position, until: sql`to_here.snapshot`, after }, limit)} heard on true order by heard.id`,
)

/** So many are read at once, so that a process that was away for long does not choke on what it missed. */
const usualPage = 1000

/** The next events, and the place after them: both of one statement, so that nothing lies between them. */
async function readOn(db: Db, place: Place, page: number): Promise<{ events: SpineEvent[]; next: Place }> {
  const rows = await since.all(db, { ...place, limit: page })
  // Where nothing was heard there is one row with nothing but the snapshot.
  const events = rows.flatMap(({ id, kind, actor, at, instituteId, subjectId, payload }) =>
    id === null || kind === null || actor === null || at === null ? [] : [{ id, kind, actor, at, instituteId, subjectId, payload }],
  )
  const until = rows[0]?.until ?? place.position
  if (events.length === page) return { events, next: { ...place, until, after: events.at(-1)?.id ?? 0 } }
  return { events, next: { position: until, until: null, after: 0 } }
}

export interface Follower {
  /** Something was committed by this process: it is looked for at once, not in its turn. */
  wake(): void
  stop(): Promise<void>
}

/** How often a follower looks, and the longest it waits after a failure. */
const pollMs = 40
const awayMs = 400
/** Between two looks, however often it is woken: what is committed in a rush is heard, and told, together. */
export const apartMs = 16

type Listener = (events: readonly SpineEvent[]) => void | Promise<void>

/** Reads on from the present, and tells how long to wait until the next look. */
async function lookingOn(db: Database, log: Log, listener: Listener, page: number) {
  let place: Place = { position: (await present.one(db))?.position ?? '', until: null, after: 0 }
  let failed = 0
  const hear = async (events: readonly SpineEvent[]): Promise<void> => {
    try {
      await listener(events)
    } catch (error) {
      log.error({ err: error }, 'a listener to events failed')
    }
  }
  return {
    isAway: (): boolean => failed > 0,
    async look(): Promise<number> {
      try {
        const { events, next } = await readOn(db, place, page)
        failed = 0
        // Where nothing happened the old place does as well, and its list of running transactions grows no longer.
        if (events.length === 0 && next.until === null && place.until === null) return pollMs
        place = next
        if (events.length > 0) await hear(events)
        return next.until === null ? pollMs : 0
      } catch (error) {
        if (failed === 0) log.warn({ err: (error as Error).message }, 'events are not heard until the database is back')
        return Math.min(awayMs, pollMs * 2 ** failed++)
      }
    },
  }
}

/**
 * Hears of every commit from now on, once, within a tenth of a second. Events come in the order of their commits among those whose transactions took the same lock
 * before they recorded: the changes of an institute's diary, and everything that happens to one visit. After a lost connection it goes on where it stood.
 * A listener must not wait: slow work belongs in a reaction.
 */
export async function followEvents(
  db: Database,
  log: Log,
  listener: Listener,
  { page = usualPage }: { page?: number } = {},
): Promise<Follower> {
  const { look, isAway } = await lookingOn(db, log, listener, page)
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> = Promise.resolve()
  let isLooking = false
  let isWoken = false
  let lookedAt = -apartMs
  const restMs = (): number => Math.max(0, lookedAt + apartMs - performance.now())
  const later = (ms: number): void => void (timer = setTimeout(() => void (turn = goOn()), ms))
  const goOn = async (): Promise<void> => {
    isLooking = true
    isWoken = false
    lookedAt = performance.now()
    const waitMs = await look()
    isLooking = false
    // What was committed while it looked may have come too late for this look.
    if (!isStopped) later(isWoken && !isAway() ? restMs() : waitMs)
  }
  turn = goOn()
  return {
    wake() {
      if (isLooking) return void (isWoken = true)
      if (isStopped || isAway()) return
      clearTimeout(timer)
      const rest = restMs()
      if (rest > 0) later(rest)
      else turn = goOn()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await turn
    },
  }
}
