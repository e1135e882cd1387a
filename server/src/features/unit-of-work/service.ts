/**
 * The unit of work: every change of what an institute's time is taken by goes through it. It takes the locks in the written order (the key of the request, persons,
 * the diary), lets the work happen, records what happened and brings everything up to date that must be true at once, the index of free time last.
 * Holding and confirming are this unit written in SQL (`hold_visits`, `confirm_hold`).
 */
import type { EventKind, EventPayloads } from '#/event-kinds.ts'
import { lockDiaries } from '#/features/availability/service.ts'
import type { InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { type NewEvent, recordEvents } from '#/platform/events.ts'
import { type OnceKey, withIdempotency } from '#/platform/idempotency.ts'

declare const insideUnit: unique symbol

/** A change under way. Stores that write what an institute's time is taken by demand it, so that nobody writes past the locks, the event and the index. */
export interface Unit {
  /** The running transaction. */
  readonly db: Db
  readonly instituteId: string
  /** Milliseconds since the epoch, once the locks were had. */
  readonly now: number
  /** Says what happened; at least once. */
  record<Kind extends EventKind>(kind: Kind, subjectId: string | null, payload: EventPayloads[Kind]): void
  /** Says that after all there was nothing to change. */
  nothingChanged(): void
  readonly [insideUnit]: true
}

export interface Change {
  instituteId: string
  /** Who makes it: a client of the institute, somebody who acts for it, or the product itself. */
  by: SelfScope | InstituteScope<never> | SystemScope
  /** The same request is done once, and answered alike. */
  key?: OnceKey | null
}

/** @throws when the work recorded nothing: a change nobody hears of is a bug */
export async function changeInstitute<T>(
  context: AppContext,
  { instituteId, by, key = null }: Change,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  if (by.kind === 'institute' && by.instituteId !== instituteId) throw new Error('an institute may not change another one')
  const { actor } = by
  return withIdempotency(context.database.prepared, key, async (transaction) => {
    await lockDiaries(transaction, [instituteId])
    const now = context.clock.now()
    const events: NewEvent[] = []
    let isUnchanged = false
    const unit = {
      db: transaction,
      instituteId,
      now,
      record: (kind: string, subjectId: string | null, payload: unknown) =>
        void events.push({ kind, instituteId, subjectId, actor, payload, at: new Date(now).toISOString() }),
      nothingChanged: () => void (isUnchanged = true),
    } as Unit
    const answer = await work(unit)
    if (events.length === 0 && isUnchanged) return answer
    if (events.length === 0) throw new Error('a change of an institute recorded no event')
    await recordEvents(transaction, events)
    const within = context.reactions.flatMap((reaction) => ('within' in reaction ? [reaction] : []))
    for (const reaction of within)
      if (events.some(({ kind }) => reaction.kinds === 'all' || reaction.kinds.includes(kind as EventKind)))
        await reaction.within(context, transaction, { instituteId, now })
    return answer
  })
}
