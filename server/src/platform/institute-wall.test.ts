import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitsOfInstitute } from '#/features/appointments/service.ts'
import { memberships } from '#/features/people/service.ts'
import { grants } from '#/grants.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { tableRights } from '#/table-rights.ts'
import { authoriser, type InstituteScope } from './access.ts'
import { type Database, withinInstitute } from './database.ts'
import { appRole, instituteRole, workerRole } from './roles.ts'

let t: TestApp
let mine: MadeInstitute
let theirs: MadeInstitute
let owner: MadeUser
/** Of the owner of the neighbour, as a request of theirs has it. */
let ofTheirs: InstituteScope<'diary.read'>

beforeAll(async () => {
  t = await openTestApp()
  const owners = await Promise.all([makeUser(t.db, { role: 'isPro' }), makeUser(t.db, { role: 'isPro' })])
  owner = owners[0]
  mine = await makeInstitute(t.db, { ownerId: owners[0].id })
  theirs = await makeInstitute(t.db, { ownerId: owners[1].id })
  const client = await makeUser(t.db)
  for (const { id } of [mine, theirs]) await makeVisit(t.db, { userId: client.id, instituteId: id, startsAt: '2026-12-01T09:00:00Z' })
  const authorise = authoriser(grants, memberships(t.context))
  ofTheirs = (await authorise(
    { of: 'institute', may: 'diary.read' },
    { userId: owners[1].id, sessionId: 'none', emailVerified: true },
    null,
  )) as InstituteScope<'diary.read'>
})
afterAll(() => t.close())

const userOf = async (db: Database): Promise<string> => (await sql<{ is: string }>`select current_user as is`.execute(db)).rows[0]?.is ?? ''
const stateOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )
const denied = '42501'

/** Tables that name an institute, and those whose rows an institute owns without naming it. */
const walled = async (): Promise<string[]> =>
  (
    await sql<{ name: string }>`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'institute_id' and table_name in (select tablename from pg_tables where schemaname = 'public')
      order by 1`.execute(t.db)
  ).rows.map(({ name }) => name)

describe('who the product is to PostgreSQL', () => {
  it('serves requests as a user who owns nothing and is no superuser', async () => {
    const { rows } = await sql<{
      name: string
      is: boolean
    }>`select rolname as name, rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as is
      from pg_roles where rolname in (${appRole}, ${workerRole}, ${instituteRole}) order by 1`.execute(t.db)
    expect(rows).toEqual([appRole, instituteRole, workerRole].toSorted().map((name) => ({ name, is: false })))
    expect(await userOf(t.context.database.db)).toBe(appRole)
    expect(await userOf(t.context.database.reading.db)).toBe(appRole)
    expect(await userOf(t.context.database.working.db)).toBe(workerRole)
    for (const { db } of [t.context.database, t.context.database.working]) {
      expect(await stateOf(sql`create table sneaked (id int)`.execute(db))).toBe(denied)
      expect(await stateOf(sql`alter table users add column sneaked int`.execute(db))).toBe(denied)
      expect(await stateOf(sql`alter table appointments disable row level security`.execute(db))).toBe(denied)
      expect(await stateOf(sql`insert into migrations (name, digest) values ('a', 'b')`.execute(db))).toBe(denied)
    }
  })

  it('lets requests add what is only ever added, and jobs alone forget it', async () => {
    for (const table of ['events', ...tableRights.appendOnly]) {
      const name = sql.table(table)
      expect(await stateOf(sql`delete from ${name} where false`.execute(t.context.database.db)), table).toBe(denied)
      expect(await stateOf(sql`truncate ${name}`.execute(t.context.database.db)), table).toBe(denied)
      expect(await stateOf(sql`delete from ${name} where false`.execute(t.context.database.working.db)), table).toBe('done')
    }
    expect(await stateOf(sql`update events set kind = kind where false`.execute(t.context.database.db))).toBe(denied)
  })
})

describe('the wall between institutes', () => {
  it('stands around every table that names an institute', async () => {
    const tables = await walled()
    expect(tables.length).toBeGreaterThan(30)
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'institute')
      order by 1`.execute(t.db)
    expect(rows.map(({ name }) => name).filter((name) => !['institutes', 'messages'].includes(name))).toEqual(tables)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['institutes', 'messages']))
  })

  it('shows the rows of one institute to a statement that asks for all of them', async () => {
    const { db } = t.context.database.within(mine.id)
    for (const table of await walled()) {
      const name = sql.table(table)
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from ${name} where institute_id is distinct from ${mine.id}`.execute(db)
      expect([table, rows[0]?.n]).toEqual([table, 0])
    }
    const ofAll = await sql`select id from appointments`.execute(t.context.database.db)
    const ofMine = await sql<{ instituteId: string }>`select institute_id as "instituteId" from appointments`.execute(db)
    expect(ofAll.rows).toHaveLength(2)
    expect(ofMine.rows).toEqual([{ instituteId: mine.id }])
    expect((await sql<{ id: string }>`select id from institutes`.execute(db)).rows).toEqual([{ id: mine.id }])
  })

  it('lets nothing be written into another institute', async () => {
    const { db } = t.context.database.within(mine.id)
    expect((await sql`update appointments set note = 'x' where institute_id = ${theirs.id}`.execute(db)).numAffectedRows).toBe(0n)
    expect((await sql`delete from services where institute_id = ${theirs.id}`.execute(db)).numAffectedRows).toBe(0n)
    const insert = (id: string) =>
      sql`insert into customers (institute_id, first_name) values (${id}, 'Nora')`.execute(db).then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
    expect(await insert(theirs.id)).toBe(denied)
    expect(await insert(mine.id)).toBe('done')
  })

  it('holds where the first wall is down: a scope of another institute reads nothing through it', async () => {
    const query = { page: 1, pageSize: 10 }
    const through = await visitsOfInstitute(withinInstitute(t.context, { instituteId: mine.id }), ofTheirs, query, 'en')
    expect([through.items, through.total]).toEqual([[], 0])
    const past = await visitsOfInstitute(t.context, ofTheirs, query, 'en')
    expect(past.total).toBe(1)
  })

  it('stands before every call of an institute: without a door in it they see nothing', async () => {
    const total = async () => (await t.inject('GET', '/api/v1/secure/mysalon/appointments', { token: owner.token })).body['total']
    expect(await total()).toBe(1)
    await sql`alter policy institute on appointments using (false)`.execute(t.db)
    expect(await total()).toBe(0)
    await sql`alter policy institute on appointments using (institute_id = institute_of_wall())`.execute(t.db)
    expect(await total()).toBe(1)
  })

  it('leaves nothing of itself on a connection that is given back', async () => {
    const { database } = t.context
    await Promise.all(Array.from({ length: 30 }, (_, n) => userOf(n % 2 ? database.db : database.within(n % 3 ? mine.id : theirs.id).db)))
    for (let n = 0; n < 30; n++) {
      const { rows } = await sql<{ user: string; institute: string | null }>`select current_user as user,
        nullif(current_setting('soigne.institute', true), '') as institute`.execute(database.db)
      expect(rows).toEqual([{ user: appRole, institute: null }])
    }
  })
})
