// npm run import as outside programs run it: a process of its own, counts in the last line.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { makeTowns, placeFiles, placeLine } from '#/testing/open-data.ts'
import { compiledBefore } from '#/testing/server-process.ts'
import { cloneTemplate } from '#/testing/test-database.ts'

const script = resolve(import.meta.dirname, '../../../../scripts/import.ts')

let address: string
let database: OpenDatabase
let drop: () => Promise<void>
const files = placeFiles()

beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'))
  address = clone.url
  drop = () => clone.drop()
  database = openDatabase(clone.url, { size: 2, onError: () => {} })
  await makeTowns(database.db)
})
afterAll(async () => {
  files.remove()
  await database.close()
  await drop()
})

interface Ran {
  status: number | null
  out: string
  errors: string
}

const run = (...args: string[]): Promise<Ran> =>
  new Promise((done) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...compiledBefore(), DATABASE_URL: address, MODE: 'trial', SEED: 'none' },
    })
    const said = { out: '', errors: '' }
    child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (said.errors += chunk.toString()))
    child.once('close', (status) => done({ status, ...said }))
  })

describe('npm run import', () => {
  it('takes the files and prints one line of counts, and lines for people beside it', async () => {
    const path = files.write('lyon_fr.ndjson', [
      placeLine({ tags: { phone: 'call me', opening_hours: 'whenever' } }),
      'nonsense',
      '',
      placeLine({ id: 'node/2', name: null }),
    ])
    const report = join(dirname(path), 'said', 'report.ndjson')
    const { status, out, errors } = await run('--source', 'osm', '--report', report, path)
    expect(status).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(out)).toEqual({
      taken: 1,
      updated: 0,
      unchanged: 0,
      gone: 0,
      merged: 0,
      rejected: { no_name: 1, not_json: 1 },
      notes: { hours_unreadable: 1, phone_dropped: 1 },
    })
    const said = readFileSync(report, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(said).toEqual([
      { file: path, line: 2, id: null, refused: 'not_json' },
      { file: path, line: 4, id: 'node/2', refused: 'no_name' },
      { file: path, line: 1, id: 'node/1', lost: 'hours_unreadable' },
      { file: path, line: 1, id: 'node/1', lost: 'phone_dropped' },
    ])
    expect(errors).toContain(report)
    expect(errors).toContain('1 taken, 0 updated, 0 unchanged, 0 gone, 0 merged; rejected: no_name 1, not_json 1')
    const { rows } = await sql<{ name: string }>`select name from institutes`.execute(database.db)
    expect(rows).toEqual([{ name: 'Salon Un' }])
  })

  it('says what it needs when it is called wrongly, and does nothing', async () => {
    for (const wrong of [[], ['--source', 'osm'], ['--source', 'nobody', 'file'], ['file'], ['--sauce', 'osm', 'file']]) {
      const { status, out, errors } = await run(...wrong)
      expect([status, out]).toEqual([2, ''])
      expect(errors).toContain('npm run import -- --source osm|overture|sirene|paris [--report FILE] FILE…')
    }
    const { status, out, errors } = await run('--source', 'osm', '/nowhere/lyon_fr.ndjson')
    expect([status, out]).toEqual([1, ''])
    expect(errors).toContain('ENOENT')
  })
})
