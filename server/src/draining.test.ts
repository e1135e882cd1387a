/** A process that is told to end says so while it serves on, answers what was asked and then ends, whatever connections its clients like to keep. */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { holdBody, holdsPath, somebodyWaits, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { type ServerProcess, startServerProcess } from '#/testing/server-process.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { cloneTemplate } from '#/testing/test-database.ts'

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
  // Somebody else has the lock of the diary, so the booking waits.
  const blocker: pg.PoolClient = await t.ownerPool.connect()
  await blocker.query('begin')
  await blocker.query('select from diary_versions where institute_id = $1 for update', [institute.id])
  const answer = answerOf(url, user.token, agent, holdBody(institute, { startsAt: wall('2026-11-24T10:00') }))
  // Not asked by the blocker: within a transaction Postgres shows the connections there were when it was first asked, and the booking may have come with a new one.
  await somebodyWaits(t)
  const closed = t.app.close()
  await blocker.query('commit')
  blocker.release()
  const { statusCode, headers } = await answer
  expect(statusCode).toBe(201)
  expect(headers.connection).toBe('close')
  await closed
  agent.destroy()
})

describe('a process that gets SIGTERM', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-draining-'))
  let clone: Awaited<ReturnType<typeof cloneTemplate>>
  beforeAll(async () => {
    clone = await cloneTemplate(inject('databaseServer'))
  })
  afterAll(async () => {
    await clone.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const start = (drainSeconds: number): Promise<ServerProcess> =>
    startServerProcess({ DATABASE_URL: clone.url, DATA_DIR: dataDir, DRAIN_SECONDS: String(drainSeconds) })
  /** Over a connection of its own, as somebody new comes. */
  const statusOf = async ({ url }: ServerProcess, path: string): Promise<number> =>
    (await fetch(`${url}${path}`, { headers: { connection: 'close' } })).status

  it('says that it is not ready while everything else is served, and ends at once when told again', async () => {
    const server = await start(600)
    expect(await statusOf(server, '/ready')).toBe(200)
    server.signal()
    await vi.waitFor(async () => expect(await statusOf(server, '/ready')).toBe(503), { timeout: 60_000, interval: 10 })
    expect(await statusOf(server, '/health')).toBe(200)
    expect(await statusOf(server, '/api/v1/client/home')).toBe(200)
    server.signal()
    expect(await server.ended).toBe(0)
    await expect(statusOf(server, '/health')).rejects.toThrow()
  })

  it('ends by itself when the time for that is over, and not before', async () => {
    const server = await start(1)
    const toldAt = performance.now()
    server.signal()
    expect(await server.ended).toBe(0)
    expect(performance.now() - toldAt).toBeGreaterThanOrEqual(1000)
  })
  it('ends though a client has sent half a request and keeps silent', async () => {
    const server = await start(0)
    const client = connect(Number(new URL(server.url).port), '127.0.0.1')
    client.on('error', () => {})
    await new Promise<void>((done) => client.write('GET /health HTTP/1.1\r\nHost: localhost\r\n', () => done()))
    expect(await statusOf(server, '/health')).toBe(200)
    server.signal()
    expect(await server.ended).toBe(0)
    client.destroy()
  })
})
