/** The bodies of the database's functions fit the migrated schema, and one that does not is found. */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { checkFunctions } from './testing/check-functions.ts'
import { cloneTemplate } from './testing/test-database.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let client: pg.Client
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  client = new pg.Client({ connectionString: clone.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await clone.drop()
})

describe('the functions of the database', () => {
  it('fit the migrated schema', async () => {
    const { functions, faults } = await checkFunctions(client)
    expect(functions).toBeGreaterThan(25)
    expect(faults).toEqual([])
  })
})

describe('a body with a mistake is found', () => {
  const faultsOf = async (text: string): Promise<string[]> => {
    await client.query(text)
    return (await checkFunctions(client)).faults
  }
  const planted = (body: string, declared = ''): string =>
    `create function planted(p_id uuid, p_at timestamptz) returns text language plpgsql as $$ declare v_count int; v_visit record; ${declared} begin\n${body}\nreturn null; end $$`
  beforeEach(
    async () =>
      void (await client.query(
        'drop function if exists planted(uuid, timestamptz) cascade; drop function if exists planted_trigger() cascade',
      )),
  )
  afterEach(
    async () =>
      void (await client.query(
        'drop function if exists planted(uuid, timestamptz) cascade; drop function if exists planted_trigger() cascade',
      )),
  )

  it('not where there is none', async () => {
    const honest = planted(
      `select count(*) into v_count from appointments a where a.id = p_id and a.starts_at > p_at;
       select a.starts_at, a.note into v_visit from appointments a where a.id = p_id for update;
       if v_visit.starts_at > p_at and found then v_count := v_count + 1; end if;
       for v_part in select s.position from segments s where s.starts_at = v_visit.starts_at loop v_count := v_part.position; end loop;`,
      'v_part record;',
    )
    expect(await faultsOf(honest)).toEqual([])
  })

  it.each([
    [
      'a misspelt column, in a branch that never runs',
      'if false then update appointments set hold_extendet = true where id = p_id; end if;',
      /hold_extendet/,
    ],
    ['a misspelt table', 'perform 1 from appointment where id = p_id;', /relation "appointment" does not exist/],
    ['a misspelt variable', 'select count(*) into v_count from appointments where id = p_ids;', /p_ids/],
    [
      'a field that a record does not have',
      'select a.starts_at into v_visit from appointments a where a.id = p_id; v_count := v_visit.start_at;',
      /start_at/,
    ],
    [
      'a misspelt field of a record in what fills another',
      'select a.id into v_visit from appointments a where a.id = p_id; for v_part in select s.position from segments s where s.appointment_id = v_visit.ids loop v_count := 1; end loop;',
      /ids/,
    ],
    ['a misspelt column of what fills a record', 'select a.start_at into v_visit from appointments a where a.id = p_id;', /start_at/],
    ['a function that is not there', 'v_count := counted(p_id);', /counted/],
    ['types that cannot be compared', 'if p_id = p_at then v_count := 1; end if;', /operator does not exist/],
    ['a condition of a loop', 'while v_cnt > 0 loop v_count := 0; end loop;', /v_cnt/],
  ])('%s', async (_what, body, fault) => {
    const faults = await faultsOf(planted(body, 'v_part record;'))
    expect(faults.join('\n')).toMatch(fault)
    expect(faults[0]).toMatch(/^planted\(uuid,timestamp with time zone\)/)
  })

  it.each([
    [
      'a column the changed rows do not have',
      'perform 1 from changed where institute = null; return null;',
      /column "institute" does not exist/,
    ],
    ['a column the new row does not have', "if new.titel = 'a' then return new; end if; return new;", /titel/],
  ])('in a trigger: %s', async (_what, body, fault) => {
    const isRow = body.includes('new.')
    const timing = isRow
      ? 'before insert on services for each row'
      : 'after insert on services referencing new table as changed for each statement'
    const faults = await faultsOf(
      `create function planted_trigger() returns trigger language plpgsql as $$ begin ${body} end $$; create trigger planted ${timing} execute function planted_trigger()`,
    )
    expect(faults.join('\n')).toMatch(fault)
    expect(faults[0]).toContain('on services')
  })

  it('in a SQL function whose table has changed since', async () => {
    await client.query(
      'create table planted_table (a int); create function planted_sum() returns bigint language sql as $$ select sum(a) from planted_table $$',
    )
    await client.query('alter table planted_table rename column a to b')
    expect((await checkFunctions(client)).faults).toEqual(['planted_sum(): column "a" does not exist'])
    await client.query('drop function planted_sum(); drop table planted_table')
  })
})
