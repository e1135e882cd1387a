// npm run admin as an operator runs it: a reported conversation is read, stopped, allowed again, and its report closed.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Chat } from '@soigne/contract/chat'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { compiledBefore } from '#/testing/server-process.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const script = resolve(import.meta.dirname, '../../../../scripts/admin.ts')
let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const run = (...args: string[]): Promise<{ status: number | null; out: string; errors: string }> =>
  new Promise((done) => {
    const { dataDir } = t.context.settings
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...compiledBefore(), DATABASE_URL: t.databaseUrl, DATA_DIR: dataDir, MODE: 'trial', SEED: 'none' },
    })
    const said = { out: '', errors: '' }
    child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (said.errors += chunk.toString()))
    child.once('close', (status) => done({ status, ...said }))
  })

it('npm run admin stops the conversation that a report names, once, and allows it again', async () => {
  const client = await makeUser(t.db)
  const institute = await makeInstitute(t.db)
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    t.inject(method, `/api/v1/secure/chats${path}`, { token: client.token, ...(body && { body }) })
  const { _id: id } = (await call('POST', '', { instituteId: institute.id })).body as unknown as Chat
  await call('POST', `/${id}/report`, { reason: 'Asks for money elsewhere' })
  const report = async () => JSON.parse((await run('conversations')).out) as { conversationId: string; isStopped: boolean }
  expect(await report()).toMatchObject({ conversationId: id, isStopped: false, reason: 'Asks for money elsewhere' })
  expect(await run('stop', id)).toMatchObject({ status: 0, out: 'the conversation is stopped\n' })
  expect([(await call('GET', `/${id}`)).body['isStopped'], (await report()).isStopped]).toEqual([true, true])
  expect((await run('stop', id)).status).toBe(1)
  expect((await run('stop', 'nonsense')).status).toBe(1)
  expect(await run('allow', id)).toMatchObject({ status: 0, out: 'the conversation is allowed\n' })
  expect((await call('GET', `/${id}`)).body['isStopped']).toBe(false)
})
