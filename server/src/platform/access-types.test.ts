/** What the compiler refuses: each line marked is an error, and `tsc` fails when one of them is none any more. */
import type { Permission } from '@soigne/contract/access'
import type { appointmentCalls } from '@soigne/contract/appointments'
import type { sessionCalls } from '@soigne/contract/session'
import { expectTypeOf, test } from 'vitest'
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
  expectTypeOf<ScopeOf<typeof appointmentCalls.instituteVisits.access>>().toEqualTypeOf<InstituteScope<'diary.read'>>()
  expectTypeOf<ScopeOf<{ of: 'site'; may: 'reviews.decide' }>>().toEqualTypeOf<SiteScope<'reviews.decide'>>()
})

test('more permissions do for fewer', () => {
  expectTypeOf<InstituteScope<'diary.read' | 'diary.change'>>().toExtend<InstituteScope<'diary.read'>>()
  expectTypeOf<InstituteScope<Permission>>().toExtend<InstituteScope<'diary.read'>>()
  expectTypeOf<InstituteScope<'diary.read'>>().not.toExtend<InstituteScope<'diary.read' | 'diary.change'>>()
})
