import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '@soigne/contract/access'
import { grants } from '#/grants.ts'
import { systemScope } from '#/platform/access.ts'
import { brokenConstraint } from '#/platform/database.ts'
import { makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { addOperator, endOperator, memberships, operatorsOf } from './service.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

async function peopleOf(instituteId: string): Promise<[string, string][]> {
  const { rows } = await sql<{ userId: string; level: string }>`select user_id as "userId", level from institute_people
    where institute_id = ${instituteId} order by level, user_id`.execute(t.db)
  return rows.map(({ userId, level }) => [userId, level])
}
const refusedBy = (work: Promise<unknown>): Promise<string | null> => work.then(() => null, brokenConstraint)

describe('the owner of an institute', () => {
  it('is one of its people from the moment they own it, and the only owner', async () => {
    const [first, second] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db, { role: 'isPro' })]
    const { id } = await makeInstitute(t.db, { ownerId: first.id })
    expect(await peopleOf(id)).toEqual([[first.id, 'owner']])
    await sql`update institutes set owner_id = ${second.id} where id = ${id}`.execute(t.db)
    expect(await peopleOf(id)).toEqual([[second.id, 'owner']])
    await sql`update institutes set owner_id = null where id = ${id}`.execute(t.db)
    expect(await peopleOf(id)).toEqual([])
  })

  it('may have managed it before', async () => {
    const { id } = await makeInstitute(t.db)
    const manager = await makePerson(t.db, id, 'manager')
    await sql`update institutes set owner_id = ${manager.id} where id = ${id}`.execute(t.db)
    expect(await peopleOf(id)).toEqual([[manager.id, 'owner']])
  })

  it('is never written anywhere else: neither added, nor taken away, nor lowered', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const stranger = await makeUser(t.db, { role: 'isPro' })
    const { id } = await makeInstitute(t.db, { ownerId: owner.id })
    const unowned = await makeInstitute(t.db)
    const agrees = 'institute_people_owner_agrees'
    expect(await refusedBy(sql`insert into institute_people values (${unowned.id}, ${stranger.id}, 'owner')`.execute(t.db))).toBe(agrees)
    expect(await refusedBy(sql`delete from institute_people where institute_id = ${id}`.execute(t.db))).toBe(agrees)
    expect(await refusedBy(sql`update institute_people set level = 'manager' where institute_id = ${id}`.execute(t.db))).toBe(agrees)
    expect(await peopleOf(id)).toEqual([[owner.id, 'owner']])
  })

  it('goes with the institute', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const { id } = await makeInstitute(t.db, { ownerId: owner.id })
    await makePerson(t.db, id, 'staff')
    await sql`delete from institutes where id = ${id}`.execute(t.db)
    expect(await peopleOf(id)).toEqual([])
  })
})

describe('a person', () => {
  it('is a team member of the same institute or of none', async () => {
    const [mine, theirs] = [await makeInstitute(t.db), await makeInstitute(t.db)]
    const person = await makePerson(t.db, mine.id, 'staff')
    const link = (memberId: string | undefined): Promise<string | null> =>
      refusedBy(sql`update institute_people set member_id = ${memberId} where user_id = ${person.id}`.execute(t.db))
    expect(await link(theirs.members[0])).toBe('institute_people_member_id_institute_id_fkey')
    expect(await link(mine.members[0])).toBeNull()
    await sql`delete from team_members where id = ${mine.members[0]}`.execute(t.db)
    expect(await peopleOf(mine.id)).toEqual([[person.id, 'staff']])
  })

  it('of several institutes means the one they own, else the first they came to', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const [first, own] = [await makeInstitute(t.db), await makeInstitute(t.db, { ownerId: owner.id })]
    await sql`insert into institute_people (institute_id, user_id, level, created_at) values (${first.id}, ${owner.id}, 'staff', '2020-01-01')`.execute(
      t.db,
    )
    const institute = async (): Promise<unknown> =>
      (await t.inject('GET', '/api/v1/secure/client/profile/me', { token: owner.token })).body['institute']
    expect(await institute()).toMatchObject({ _id: own.id })
    await sql`update institutes set owner_id = null where id = ${own.id}`.execute(t.db)
    expect(await institute()).toMatchObject({ _id: first.id })
  })
})

describe('an operator of the site', () => {
  it('is an account with a confirmed address, named by who runs the servers; taking it back counts at once', async () => {
    const [user, unconfirmed] = [await makeUser(t.db), await makeUser(t.db, { verified: false })]
    const now = t.clock.now()
    const isOne = (): Promise<boolean> => memberships(t.context).isOperator(systemScope('test').user(user.id))
    expect(await addOperator(t.db, unconfirmed.email, now)).toBe(false)
    expect(await addOperator(t.db, 'nobody@example.test', now)).toBe(false)
    expect(await addOperator(t.db, user.email.toUpperCase(), now)).toBe(true)
    expect(await addOperator(t.db, user.email, now)).toBe(false)
    expect([await isOne(), await operatorsOf(t.db)]).toEqual([true, [user.email]])
    expect(await endOperator(t.db, user.email, now)).toBe(true)
    expect(await endOperator(t.db, user.email, now)).toBe(false)
    expect([await isOne(), await operatorsOf(t.db)]).toEqual([false, []])
    const { rows } = await sql`select kind, actor ->> 'job' as by from events where subject_id = ${user.id} order by id`.execute(t.db)
    const by = 'npm run operator'
    expect(rows).toEqual([
      { kind: 'operator.added', by },
      { kind: 'operator.removed', by },
    ])
  })
})

describe('the lists of the database', () => {
  const constraint = async (table: string, column: string): Promise<string[]> => {
    const { rows } = await sql<{ text: string }>`select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = ${table}::regclass and contype = 'c' and pg_get_constraintdef(oid) like ${`%(${column}%`}`.execute(t.db)
    return [...(rows[0]?.text ?? '').matchAll(/'([a-z.]+)'/g)].map((match) => match[1] ?? '')
  }
  it('of levels and of permissions are those of the code', async () => {
    expect((await constraint('institute_people', 'level')).toSorted()).toEqual(Object.keys(grants.levels).toSorted())
    expect((await constraint('program_keys', 'cardinality(permissions')).toSorted()).toEqual(permissions.toSorted())
  })
})
