/** A process that is told to end answers what was asked and then ends, whatever connections its clients like to keep. */
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockKey } from '#/features/appointments/store.ts'
import { holdBody, holdsPath, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const answerOf = (url: string, token: string, agent: Agent, body: unknown): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: 'POST', agent, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      (response) => resolve(response.resume()),
    )
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })

it('ends once the answers under way are given, though the client keeps the connection', async () => {
  const institute = await makeInstitute(t.db, { members: 1 })
  const user = await makeUser(t.db)
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}${holdsPath}`
  const agent = new Agent({ keepAlive: true })
  // Somebody else has the member's lock, so the booking waits.
  const blocker: pg.PoolClient = await t.context.database.pool.connect()
  await blocker.query('begin')
  await blocker.query('select pg_advisory_xact_lock($1)', [String(lockKey(institute.members[0] ?? ''))])
  const answer = answerOf(url, user.token, agent, holdBody(institute, { startsAt: wall('2026-11-24T10:00') }))
  await sleep(300)
  const closed = t.app.close()
  await blocker.query('commit')
  blocker.release()
  const { statusCode, headers } = await answer
  expect(statusCode).toBe(201)
  expect(headers.connection).toBe('close')
  await closed
  agent.destroy()
})
