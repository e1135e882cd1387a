/** Once per test run: the Postgres server, the migrated template, and a folder for what tests leave lying about. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareTemplate } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string
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
  project.provide('databaseServer', url)
  return async () => {
    await keeper.end()
    await leave()
    rmSync(folder, { recursive: true, force: true })
  }
}
