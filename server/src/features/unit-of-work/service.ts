/**
 * The unit of work: every change of what an institute's time is taken by goes through it. It takes the locks in the written order (the key of the request, persons,
 * the diary), lets the work happen, records what happened and brings everything up to date that must be true at once, the index of free time last.
 * Holding and confirming are this unit written in SQL (`hold_planned_visits`, `confirm_unpaid_holds`).
 */
import type { Instant } from '@soigne/contract/time'
import { instantText } from '#/platform/instants.ts'
import type { EventKind, EventPayloads } from '#/event-kinds.ts'
import { lockDiaries } from '#/features/availability/service.ts'
import type { Actor, InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { type NewEvent, writeEvents } from '#/platform/events.ts'
import { type OnceKey, withIdempotency } from '#/platform/idempotency.ts'
import { lockPersons } from './store.ts'

export { lockPersons } from './store.ts'

interface UnitFacts {
  transaction: Db
  instituteId: string
  now: Instant
  actor: Actor
}

/**
 * A change under way. Stores that write what an institute's time is taken by demand it, so that nobody writes past the locks, the event and the index.
 * What it knows is private: a copy has nothing of it. It ends with the work it was made for, and so does every handle of its transaction that was kept.
 */
class RunningUnit {
  readonly #db: Db
  readonly #facts: UnitFacts
  readonly #events: NewEvent[] = []
  #isUnchanged = false
  #isOver = false

  constructor(facts: UnitFacts) {
    this.#facts = facts
    this.#db = facts.transaction.withPlugin({
      transformQuery: ({ node }) => {
        this.#checkRunning()
        return node
      },
      transformResult: async ({ result }) => result,
    })
  }
  #checkRunning(): void {
    if (this.#isOver) throw new Error('this change of an institute is over: nothing can be written through it any more')
  }
  /** The running transaction. */
  get db(): Db {
    this.#checkRunning()
    return this.#db
  }
  get instituteId(): string {
    return this.#facts.instituteId
  }
  /** Milliseconds since the epoch, once the locks were had. */
  get now(): number {
    return this.#facts.now
  }
  /** Says what happened; at least once. */
  record<Kind extends EventKind>(kind: Kind, subjectId: string | null, payload: EventPayloads[Kind]): void {
    this.#checkRunning()
    const { instituteId, actor, now } = this.#facts
    this.#events.push({ kind, instituteId, subjectId, actor, payload, at: instantText(now) })
  }
  /** Says that after all there was nothing to change. */
  nothingChanged(): void {
    this.#checkRunning()
    this.#isUnchanged = true
  }
  /** Ends it. @throws when it recorded nothing and did not say that nothing changed */
  static end(unit: RunningUnit): readonly NewEvent[] {
    unit.#isOver = true
    if (unit.#events.length === 0 && !unit.#isUnchanged) throw new Error('a change of an institute recorded no event')
    return unit.#events
  }
}
export type Unit = RunningUnit

export interface Change {
  instituteId: string
  /** Who makes it: a client of the institute, somebody who acts for it, or the product itself. */
  by: SelfScope | InstituteScope<never> | SystemScope
  /** Whose counts the change reads. */
  persons?: readonly SelfScope[]
  /** The same request is done once, and answered alike. */
  key?: OnceKey | null
}

/** @throws when the work recorded nothing: a change nobody hears of is a bug */
export async function changeInstitute<T>(
  context: AppContext,
  { instituteId, by, persons, key = null }: Change,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  return withIdempotency(context.database.prepared, key, (transaction) =>
    changeWithin(context, transaction, { instituteId, by, ...(persons && { persons }) }, work),
  )
}

/** The same within a transaction that is there already, such as that of a claimed key's effect: it ends with the change. */
export async function changeWithin<T>(
  context: AppContext,
  transaction: Db,
  { instituteId, by, persons = [] }: Omit<Change, 'key'>,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  if (by.kind === 'institute' && by.instituteId !== instituteId) throw new Error('an institute may not change another one')
  if (persons.length > 0) await lockPersons(transaction, persons)
  await lockDiaries(transaction, [instituteId])
  const now = context.clock.now()
  const unit = new RunningUnit({ transaction, instituteId, now, actor: by.actor })
  const answer = await work(unit)
  const events = RunningUnit.end(unit)
  if (events.length === 0) return answer
  await writeEvents(transaction, events)
  const within = context.reactions.flatMap((reaction) => ('within' in reaction ? [reaction] : []))
  for (const reaction of within)
    if (events.some(({ kind }) => reaction.kinds === 'all' || reaction.kinds.includes(kind as EventKind)))
      await reaction.within(context, transaction, { instituteId, now })
  return answer
}
