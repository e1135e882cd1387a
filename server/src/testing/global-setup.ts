/** Once per test run: the Postgres server, the migrated template, and a folder for what tests leave lying about. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { dropFilled, prepareTemplate } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string
    /** Tells what this run leaves in the server from what others do. */
    run: string
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { url, leave } = await prepareTemplate()
  // Folders of tests that broke off go with this one.
  const folder = mkdtempSync(join(tmpdir(), 'soigne-tests-'))
  process.env['TMPDIR'] = folder
  // An open connection tells other runs on this machine that the server is in use.
  const keeper = new pg.Client({ connectionString: url.replace(/\/[^/?]*(\?|$)/, '/postgres$1') })
  keeper.on('error', () => {})
  await keeper.connect()
  const run = `${process.pid}_${randomBytes(4).toString('hex')}`
  project.provide('databaseServer', url)
  project.provide('run', run)
  return async () => {
    await keeper.end()
    await dropFilled(url, run)
    await leave()
    rmSync(folder, { recursive: true, force: true })
  }
}
