/** What the compiler refuses: each line marked is an error, and `tsc` fails when one of them is none any more. */
import type { Permission } from '@soigne/contract/access'
import type { appointmentCalls } from '@soigne/contract/appointments'
import type { sessionCalls } from '@soigne/contract/session'
import { expectTypeOf, test } from 'vitest'
import { cancelVisit } from '#/features/appointments/changes.ts'
import { freeTime } from '#/features/booking/service.ts'
import { findVisit, listOfInstitute, listOwn } from '#/features/visits/service.ts'
import { blockTimeOf } from '#/features/diary-entries/store.ts'
import { findProfile, findSessions } from '#/features/session/store.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { AppContext } from './app-context.ts'
import type { Db } from './database.ts'
import type { InstituteScope, PublicScope, ScopeOf, SelfScope, SiteScope, SystemScope } from './access.ts'
import { publicScope, systemScope } from './access.ts'

const forSelf = (_scope: SelfScope): void => {}
const forVerified = (_scope: SelfScope<true>): void => {}
const forDiary = (_scope: InstituteScope<'diary.read'>): void => {}
const forChange = (_scope: InstituteScope<'diary.change'>): void => {}
const forSystem = (_scope: SystemScope): void => {}

test('a scope cannot be written by hand, copied, or taken for another', () => {
  const system = systemScope('types')
  const self = system.user('a')
  const institute: InstituteScope<'diary.read'> = system.institute('a')
  forSelf(self)
  forDiary(institute)
  // @ts-expect-error: by hand
  forSelf({ kind: 'self', actor: { kind: 'client', userId: 'a' }, userId: 'a', sessionId: null, verified: true })
  // @ts-expect-error: a copy with another id
  forSelf({ ...self, userId: 'b' })
  // @ts-expect-error: a copy of an institute's
  forDiary({ ...institute, instituteId: 'b' })
  // @ts-expect-error: nobody has proven the email
  forVerified(self)
  // @ts-expect-error: to read is not to change
  forChange(institute)
  // @ts-expect-error: what is public opens nobody's rows
  forSelf(publicScope)
  // @ts-expect-error: a person is no institute
  forDiary(self)
  // @ts-expect-error: an institute is no person
  forSelf(institute)
  // @ts-expect-error: nobody is the system but the system
  forSystem(institute)
  // @ts-expect-error: an id is no scope
  forSelf('a')
  // @ts-expect-error: none at all
  forDiary()
})

test('the rule of a call decides which scope its handler has', () => {
  expectTypeOf<ScopeOf<typeof sessionCalls.login.access>>().toEqualTypeOf<PublicScope>()
  expectTypeOf<ScopeOf<typeof sessionCalls.me.access>>().toEqualTypeOf<SelfScope>()
  expectTypeOf<ScopeOf<typeof appointmentCalls.book.access>>().toEqualTypeOf<SelfScope<true>>()
  expectTypeOf<ScopeOf<typeof appointmentCalls.instituteVisits.access>>().toEqualTypeOf<InstituteScope<'diary.own'>>()
  expectTypeOf<ScopeOf<{ of: 'site'; may: 'reviews.decide' }>>().toEqualTypeOf<SiteScope<'reviews.decide'>>()
})

test('more permissions do for fewer', () => {
  expectTypeOf<InstituteScope<'diary.read' | 'diary.change'>>().toExtend<InstituteScope<'diary.read'>>()
  expectTypeOf<InstituteScope<Permission>>().toExtend<InstituteScope<'diary.read'>>()
  expectTypeOf<InstituteScope<'diary.read'>>().not.toExtend<InstituteScope<'diary.read' | 'diary.change'>>()
})

test('no store and no command reads people’s rows for a mere id', () => {
  // Compiled, never run.
  const _unreachable = async (db: Db, context: AppContext, unit: Unit): Promise<void> => {
    const self = systemScope('types').user('a')
    const reader: InstituteScope<'diary.read'> = systemScope('types').institute('a')
    // @ts-expect-error: a visit by its id alone
    await findVisit(db, { id: 'a' })
    // @ts-expect-error: one's own visits by the id of a user
    await listOwn(db, 'a', { status: null, when: null, now: new Date(), offset: 0, limit: 1 })
    // @ts-expect-error: the list of an institute for a client
    await listOfInstitute(db, self, { now: new Date(), offset: 0, limit: 1 })
    // @ts-expect-error: a profile by the id of a user
    await findProfile(db, 'a')
    // @ts-expect-error: a session of anybody, for one user
    await findSessions(db, self, { tokenHashes: [Buffer.alloc(32)], now: new Date() })
    // @ts-expect-error: cancelling for an institute whose diary one may only read
    await cancelVisit(context, { scope: reader, locale: 'en', idempotencyKey: null }, { id: 'a', reason: null }, () => null)
    // @ts-expect-error: cancelling before the email is confirmed
    await cancelVisit(context, { scope: self, locale: 'en', idempotencyKey: null }, { id: 'a', reason: null }, () => null)
    // @ts-expect-error: a unit of work from an id and an actor
    await changeInstitute(context, { instituteId: 'a', actor: { kind: 'system', job: 'types' } }, async () => null)
    // @ts-expect-error: freeing a visit's time outside a unit of work
    await freeTime(db, 'a')
    await freeTime(unit, 'a')
    // @ts-expect-error: blocking time outside a unit of work
    await blockTimeOf(db, { subject: { kind: 'member', id: 'a' }, startsAt: 'a', endsAt: 'b', note: null, actor: {} })
    // @ts-expect-error: a copy of a unit, which would outlive it
    await freeTime({ ...unit }, 'a')
    // @ts-expect-error: a unit written by hand
    await freeTime({ db, instituteId: 'a', now: 0, record: () => {}, nothingChanged: () => {} }, 'a')
    // @ts-expect-error: a unit of another institute
    unit.instituteId = 'b'
    // @ts-expect-error: an event of a kind that is not of the list
    unit.record('visit.enjoyed', 'a', {})
  }
  expectTypeOf(_unreachable).returns.resolves.toBeVoid()
})
