import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statementsOf } from './migration-files.ts'

describe('the statements of a migration', () => {
  it.each([
    ['one without an end', 'select 1', ['select 1']],
    ['two', 'select 1;\nselect 2;\n', ['select 1', 'select 2']],
    ['with nothing between and after', ';; select 1;;\n-- the end\n', ['select 1']],
    ['with a comment', '-- first; of all\nselect 1; /* and; */ select 2', ['-- first; of all\nselect 1', '/* and; */ select 2']],
    ['with text', "select ';'; select 'it''s; two'", ["select ';'", "select 'it''s; two'"]],
    ['with names', 'select 1 as "a;b"; select 2', ['select 1 as "a;b"', 'select 2']],
    ['with a body', 'do $$ begin a; b; end $$; select 2', ['do $$ begin a; b; end $$', 'select 2']],
    [
      'with bodies in bodies',
      "do $x$ begin execute $$ a; b $$; end $x$; select '$$;'",
      ['do $x$ begin execute $$ a; b $$; end $x$', "select '$$;'"],
    ],
    ['with signs', 'select 1 - 1 / 2; select $1', ['select 1 - 1 / 2', 'select $1']],
    ['of none', '-- nothing\n', []],
  ])('%s', (_name, text, statements) => {
    expect(statementsOf(text)).toEqual(statements)
  })

  it('of ours lose nothing', () => {
    const directory = resolve(import.meta.dirname, '../../migrations')
    const bare = (text: string): string => text.replace(/[\s;]/g, '')
    for (const name of readdirSync(directory)) {
      const text = readFileSync(join(directory, name), 'utf8')
      const statements = statementsOf(text)
      expect([name, bare(text).startsWith(bare(statements.join('')))]).toEqual([name, true])
      expect([name, bare(statements.join('')).length > 0]).toEqual([name, true])
    }
  })
})
