// npm run seed as outside programs run it: a process of its own, counts in the last line.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { makeTowns } from '#/testing/open-data.ts'
import { compiledBefore } from '#/testing/server-process.ts'
import { cloneTemplate } from '#/testing/test-database.ts'

const script = resolve(import.meta.dirname, '../../../scripts/seed.ts')

let address: string
let database: OpenDatabase
let drop: () => Promise<void>

beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'))
  address = clone.url
  drop = () => clone.drop()
  database = openDatabase(clone.url, { size: 2, onError: () => {} })
  await makeTowns(database.db)
})
afterAll(async () => {
  await database.close()
  await drop()
})

interface Ran {
  status: number | null
  out: string
  errors: string
}

const run = (args: readonly string[], settings: Record<string, string> = {}): Promise<Ran> =>
  new Promise((done) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...compiledBefore(), DATABASE_URL: address, MODE: 'trial', SEED: 'none', ...settings },
    })
    const said = { out: '', errors: '' }
    child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (said.errors += chunk.toString()))
    child.once('close', (status) => done({ status, ...said }))
  })

describe('npm run seed -- --institutes', () => {
  it('makes so many, says how on the way and what there is in one last line', async () => {
    const { status, out, errors } = await run(['--institutes', '12', '--seed-number', '5'])
    expect(status, errors).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(out)).toMatchObject({ institutes: 12, removed: 0, seedNumber: 5 })
    expect(errors).toContain('a crowd of 12 institutes, seed number 5')
    const { rows } = await sql<{ count: number }>`select count(*) from institutes`.execute(database.db)
    expect(rows).toEqual([{ count: 12 }])
  })

  it('says what it needs when it is called wrongly, and does nothing', async () => {
    for (const wrong of [
      [],
      ['--institutes'],
      ['--institutes', '-3'],
      ['--institutes', '1e3'],
      ['--institutes', '5', '--seed-number', 'x'],
      ['5'],
    ]) {
      const { status, out, errors } = await run(wrong)
      expect([status, out]).toEqual([2, ''])
      expect(errors).toContain('npm run seed -- --demo | --institutes N')
    }
  })

  it('is not for production', async () => {
    const production = {
      MODE: 'production',
      PUBLIC_URL: 'https://soigne.example',
      SECRET: 'a'.repeat(40),
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Soigné <bonjour@soigne.example>',
      TRUST_PROXY: '127.0.0.1',
    }
    const { status, out, errors } = await run(['--institutes', '3'], production)
    expect([status, out]).toEqual([1, ''])
    expect(errors).toContain('not for MODE=production')
  })
})
