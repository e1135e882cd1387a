/** Each rule for migrations is fed a file that would stop a living site, and must see it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkMigrations } from './check-migrations.ts'

const made: string[] = []
function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'soigne-migrations-'))
  made.push(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const planted: [what: string, text: string, seen: RegExp, name?: string][] = [
  ['no first line', 'create table a (id uuid primary key);', /first line must be/],
  ['a kind nobody knows', '-- shrink\nselect 1;', /first line must be/],
  ['a contract after what is yet to come', '-- contract after 0100\nalter table users drop column phone;', /after an earlier one/],
  ['a plain index', '-- expand\ncreate index users_phone on users (phone);', /require-concurrent-index-creation/],
  ['a plain unique index', '-- expand\ncreate unique index users_phone on users (phone);', /require-concurrent-index-creation/],
  ['an index dropped plainly', '-- expand\ndrop index users_phone;', /require-concurrent-index-deletion/],
  ['a column of another type', '-- expand\nalter table users alter column phone type varchar(20);', /changing-column-type/],
  ['a volatile default', '-- expand\nalter table users add column code float8 not null default random();', /adding-field-with-default/],
  [
    'a stored generated column',
    "-- expand\nalter table users add column whole text generated always as (first_name || 'x') stored;",
    /adding-field-with-default/,
  ],
  ['a required column', '-- expand\nalter table users add column code text not null;', /adding-required-field/],
  ['a column taken away', '-- expand\nalter table users drop column phone;', /ban-drop-column/],
  ['a column with a new name', '-- expand\nalter table users rename column phone to telephone;', /renaming-column/],
  ['a table with a new name', '-- expand\nalter table users rename to people;', /renaming-table/],
  ['a table taken away', '-- expand\ndrop table users;', /ban-drop-table/],
  [
    'a check that reads every row',
    '-- expand\nalter table users add constraint filled check (length(phone) > 0);',
    /constraint-missing-not-valid/,
  ],
  [
    'a foreign key that reads every row',
    '-- expand\nalter table mails add constraint of foreign key (user_id) references users (id);',
    /constraint-missing-not-valid/,
  ],
  [
    'a check validated where it is made',
    '-- expand\nalter table users add constraint f check (length(phone) > 0) not valid;\nalter table users validate constraint f;',
    /constraint-missing-not-valid/,
  ],
  ['a unique constraint', '-- expand\nalter table users add constraint one_phone unique (phone);', /disallowed-unique-constraint/],
  [
    'an exclusion constraint',
    '-- expand\nalter table absences add constraint apart exclude using gist (member_id with =);',
    /constraint-missing-not-valid/,
  ],
  [
    'an index concurrently in a transaction',
    '-- expand\ncreate index concurrently users_phone on users (phone);',
    /needs a file of its own/,
  ],
  ['not null', '-- expand\nalter table users alter column phone set not null;', /set not null reads/],
  ['rows changed', "-- expand\nupdate users set phone = '';", /write a fill/],
  ['rows deleted', '-- contract after 0008\ndelete from users;', /write a fill/],
  ['rows of all taken together', '-- expand\ninsert into free_time_marks (institute_id) select id from institutes;', /write a fill/],
  [
    'locks without a time-out',
    '-- expand\nset lock_timeout = 0;\nalter table users add column code text;',
    /the runner sets the time-outs/,
  ],
  [
    'a body that the runner would cut in two',
    '-- expand\ncreate function one() returns int language sql begin atomic select 1; end;',
    /cannot tell where a body/,
  ],
  ['text with backslashes', "-- expand\ncreate table a (id uuid primary key, b text default E'it\\'s');", /does not read backslashes/],
  ['a table locked', '-- expand\nlock table users in access exclusive mode;', /locks a table/],
  ['a table written anew', '-- expand\ncluster users using users_pkey;', /rewrites a table/],
  [
    'a change of rows between indexes',
    "-- concurrent\ncreate index concurrently a on users (phone);\nupdate users set phone = '';",
    /a concurrent file makes/,
  ],
  ['rows changed in a block', "-- expand\ndo $$ begin update users set phone = ''; end $$;", /write a fill/],
  [
    'rows deleted one by one in a block',
    '-- contract after 0008\ndo $body$ declare r record; begin for r in select id from users loop delete from users where id = r.id; end loop; end $body$;',
    /write a fill/,
  ],
  [
    'rows changed by a function that is called at once',
    "-- expand\ncreate function fill_all() returns void language sql as $$ update users set phone = '' $$;\nselect fill_all();",
    /runs while nobody else may write/,
  ],
  ['a procedure called at once', '-- expand\ncall fill_all();', /runs while nobody else may write/],
  [
    'rows merged',
    '-- expand\nmerge into users u using mails m on m.user_id = u.id when matched then update set phone = m.subject;',
    /write a fill/,
  ],
  ['triggers put out of the way', '-- expand\nalter table users disable trigger all;', /switched off/],
  ['a function that the release before calls', '-- expand\ndrop function if exists hold_visits;', /in a contract/],
  ['a view that the release before reads', '-- expand\ndrop view bookable_services;', /in a contract/],
  [
    'a column with a check that reads every row',
    '-- expand\nalter table users add column age int check (age > 0);',
    /reads every row/,
    '0901_planted.sql',
  ],
  ['an index without a name', '-- concurrent\ncreate index concurrently on users (phone);', /a concurrent file makes/],
  ['a plain index in a concurrent file', '-- concurrent\ncreate index a on users (phone);', /a concurrent file makes/],
]

describe('the check of migrations', () => {
  test.each(planted)('sees %s', (_what, text, seen, name = '0099_planted.sql') => {
    expect(checkMigrations(folderWith({ [name]: text })).join('\n')).toMatch(seen)
  })

  test('sees two files of one number', () => {
    const text = '-- expand\ncreate table a (id uuid primary key);'
    expect(checkMigrations(folderWith({ '0099_a.sql': text, '0099_b.sql': text.replace('table a', 'table b') }))).toEqual([
      '0099_b.sql: another migration has this number',
    ])
  })

  test('passes what lets the site live', () => {
    const folder = folderWith({
      '0003_frozen.sql': 'alter table users drop column phone;',
      '0097_a.sql': `-- expand
create table notes (id uuid primary key, user_id uuid not null references users, words text not null);
create index on notes (user_id);
insert into notes select id, id, 'x' from users where false;
insert into currencies (code) values ('EUR');
alter table users add column colour text not null default 'plum', add column code text;
alter table users add constraint users_code check (length(code) > 3) not valid;
alter table users add column age int, add constraint users_age check (age > 0) not valid;
do $$ begin execute format('create trigger users_insert after insert on %I for each row execute function fill()', 'users'); end $$;
create function fill() returns trigger language plpgsql as $$ begin update users set code = ''; return null; end $$;`,
      '0098_b.sql': `-- concurrent
-- of two
create unique index concurrently users_code
  on users (code) where code is not null;
alter table users validate constraint users_code;
drop index concurrently if exists users_phone;
analyze users;`,
      '0099_c.sql': '-- contract after 0097\nalter table users drop column phone;',
    })
    expect(checkMigrations(folder)).toEqual([])
  })

  test('ends with 1 where something was found', () => {
    const run = (folder: string): number | null =>
      spawnSync(process.execPath, [resolve(import.meta.dirname, 'check-migrations.ts'), folder]).status
    expect(run(folderWith({ '0099_planted.sql': '-- expand\ndrop table users;' }))).toBe(1)
    expect(run(folderWith({ '0099_fine.sql': '-- expand\ncreate table a (id uuid primary key);' }))).toBe(0)
  })

  test('passes our own', () => {
    expect(checkMigrations(resolve(import.meta.dirname, '../server/migrations'))).toEqual([])
  })
})
