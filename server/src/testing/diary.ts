/** What tests ask of a diary: who may change it, what happened in it, and what it takes. */
import { undoSeconds } from '@soigne/contract/diary'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { verifySummary } from '#/features/summary/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { instantText } from '#/platform/instants.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { type MadeUser, makePerson } from './factories.ts'
import type { TestApp } from './test-app.ts'

export const diaryOf = ({ id }: { id: string }): InstituteScope<'diary.change'> => systemScope('test').institute(id)

/** Kind and payload of everything that happened at an institute, oldest first. */
export async function eventsOf(db: Db, { id }: { id: string }): Promise<{ kind: string; subjectId: string | null; payload: object }[]> {
  const { rows } = await sql<{ kind: string; subjectId: string | null; payload: object }>`select kind, subject_id as "subjectId", payload
    from events where institute_id = ${id} order by id`.execute(db)
  return rows
}

/** What the institute did a moment ago can be taken back no more, and is told. */
export async function settle(t: TestApp): Promise<void> {
  await t.drainJobs()
  t.clock.set(instantText(t.clock.now() + undoSeconds * 1000))
  await t.jobs['tell_of_changes']?.({})
}

/** Somebody who works at an institute and is one of its team: they see their own column. */
export async function makeColumnOwner(db: Db, { id }: { id: string }, memberId: string): Promise<MadeUser> {
  const user = await makePerson(db, id, 'staff')
  await sql`update institute_people set member_id = ${memberId} where user_id = ${user.id}`.execute(db)
  return user
}

/** What a member or a resource has in the wall, in order of time. */
export async function wallOf(db: Db, subjectId: string): Promise<[kind: string, from: string, to: string][]> {
  const { rows } = await sql<{ kind: string; from: string; to: string }>`select kind, lower(during) as "from", upper(during) as "to"
    from occupations where subject_id = ${subjectId} order by lower(during)`.execute(db)
  return rows.map(({ kind, from, to }) => [kind, from, to])
}

/** The refusal some work ends with. @throws when it ends well, or with another error */
export async function refusalOf(work: Promise<unknown>): Promise<RefusalError> {
  const error: unknown = await work.then(
    () => new Error('this was not refused'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof RefusalError) return error
  throw error
}

/** The starts offered on a day for the first service of an institute. */
export async function startsOffered(t: TestApp, institute: { id: string; services: string[] }, day: string): Promise<string[]> {
  const answer = await t.inject(
    'GET',
    `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&from=${day}&days=1`,
  )
  const days = answer.body['days'] as unknown as { times: { startsAt: string }[] }[]
  return days.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
}

/** The index of free time says of an institute what its diary says, and nothing of it is behind. */
export async function summaryIsTrue(t: TestApp, { id }: { id: string }): Promise<void> {
  const { wrong } = await verifySummary(t.db, t.clock.now())
  const { rows } = await sql`select from free_time_marks where institute_id = ${id}`.execute(t.db)
  expect({ wrong, marks: rows.length }).toEqual({ wrong: [], marks: 0 })
}
