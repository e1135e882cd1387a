import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { readSettings } from '#/settings.ts'
import { startFailure } from './start-failure.ts'

it('names a port that is taken, and a way on', async () => {
  const first = createServer().listen(0, '127.0.0.1')
  await once(first, 'listening')
  const { port } = first.address() as AddressInfo
  const second = createServer().listen(port, '127.0.0.1')
  const [error] = (await once(second, 'error')) as [unknown]
  first.close()
  expect(startFailure(error)).toBe(
    `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`,
  )
})

it('lists settings that are wrong without a stack', () => {
  const wrong = (): unknown => {
    try {
      return readSettings({ PORT: 'x' })
    } catch (error) {
      return error
    }
  }
  expect(startFailure(wrong())).toMatch(/^The settings need a look:\n.*PORT.*\n\(see docs\/operations\.md\)$/s)
})

it.each([
  ['refuses', 'postgres://postgres@127.0.0.1:9/nothing', /ECONNREFUSED/],
  ['has no name', 'postgres://postgres@nowhere.invalid/nothing', /nowhere\.invalid|EAI_AGAIN/],
])('says in one line that a database %s', async (_name, url, why) => {
  const database = openDatabase(url, { size: 1, onError: () => {} })
  const error: unknown = await database.pool.query('select 1').catch((found: unknown) => found)
  await database.close()
  const line = startFailure(error)
  expect(line).toMatch(/^The database cannot be reached: .*DATABASE_URL right\?$/)
  expect(line).toMatch(why)
})

it('shows where anything else went wrong', () => {
  expect(startFailure(new Error('no room'))).toMatch(/^The start failed: Error: no room\n +at /)
})
