/** What the compiler refuses to record: each line marked is an error, and `tsc` fails when one of them is none any more. */
import { expectTypeOf, test } from 'vitest'
import type { EventKind } from '#/event-kinds.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { systemScope } from './access.ts'
import type { Db } from './database.ts'
import { recordEvents, type RegisteredEvent } from './events.ts'

const { actor } = systemScope('types')
const about = { instituteId: 'a', subjectId: 'b', actor, at: '2026-11-24T09:00:00.000Z' } as const

test('the kinds that can be recorded are those of the product', () => {
  expectTypeOf<RegisteredEvent['kind']>().toEqualTypeOf<EventKind>()
})

test('an event of another kind, or with what another kind tells, is not recorded', () => {
  const events: RegisteredEvent[] = [
    { ...about, kind: 'review.decided', payload: { decision: 'kept' } },
    // @ts-expect-error: misspelt
    { ...about, kind: 'review.decidet', payload: { decision: 'kept' } },
    // @ts-expect-error: another kind's payload
    { ...about, kind: 'review.decided', payload: { appointmentId: 'c', isNew: true } },
    // @ts-expect-error: without what it tells
    { ...about, kind: 'review.decided', payload: {} },
  ]
  expectTypeOf(events).toEqualTypeOf<RegisteredEvent[]>()
  const kind: string = 'review.decided'
  const open = (db: Db): Promise<void> =>
    // @ts-expect-error: any text
    recordEvents(db, [{ ...about, kind, payload: { decision: 'kept' } }])
  expectTypeOf(open).returns.resolves.toBeVoid()
})

test('a unit records the same kinds', () => {
  const work = (unit: Unit): void => {
    unit.record('leave.asked', 'a', { memberId: 'a', kind: 'other', fromDay: '2026-11-24', toDay: '2026-11-24' })
    // @ts-expect-error: misspelt
    unit.record('leave.askd', 'a', { memberId: 'a', kind: 'other', fromDay: '2026-11-24', toDay: '2026-11-24' })
    // @ts-expect-error: without days
    unit.record('leave.asked', 'a', { memberId: 'a', kind: 'other' })
  }
  expectTypeOf(work).parameters.toEqualTypeOf<[Unit]>()
})
