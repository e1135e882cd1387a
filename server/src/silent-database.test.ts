import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { holdBody, holdsPath, later, tryConfirm } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { measureGivenTime } from '#/testing/longer-limits.ts'
import { placeOf } from '#/testing/test-database.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'

/** A way to the database that can fall silent: nothing is closed, nothing comes. */
async function openWay(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const place = placeOf(target)
  const sockets = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(place)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      if (isSilent) from.pause()
      from.on('data', (bytes: Buffer) => void to.write(bytes))
      from.on('error', () => {}).on('close', () => (sockets.delete(from), to.destroy()))
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const behind = new URL(databaseUrl)
  behind.hostname = '127.0.0.1'
  behind.port = String((server.address() as AddressInfo).port)
  return {
    url: behind.href,
    setSilent(silent: boolean) {
      isSilent = silent
      for (const socket of sockets) socket[silent ? 'pause' : 'resume']()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

let near: TestApp
let t: TestApp
let way: Awaited<ReturnType<typeof openWay>>
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  near = await openTestApp({ at: now })
  way = await openWay(near.databaseUrl)
  t = await openTestApp({ at: now, databaseUrl: way.url, answerMs: 2000 })
  institute = await makeInstitute(near.db)
  client = await makeUser(near.db)
})
afterAll(async () => {
  way.setSilent(false)
  await t.close()
  await way.close()
  await near.close()
})

/** Of the time that this process was given: far below what a statement may take, above what a busy machine adds to three seconds. */
const longestMs = 10_000

it('a database that says nothing makes every call answer 503, and all is well when it speaks again', async () => {
  const startsAt = later('2026-11-24T08:00:00.000Z', 60)
  const calls = [
    ['GET', '/api/v1/client/institutes'],
    ['GET', `/api/v1/client/institutes/${institute.slug}`],
    ['GET', `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}`],
    ['GET', '/api/v1/client/home'],
    ['GET', '/api/v1/client/places?q=lyon'],
    ['GET', '/api/v1/secure/appointments'],
    ['POST', holdsPath],
  ] as const
  const ask = ([method, url]: (typeof calls)[number]) =>
    t.inject(method, url, { token: client.token, ...(method === 'POST' && { body: holdBody(institute, { startsAt }) }) })
  // A machine that stands still for two seconds is as silent as a database.
  for (const call of calls.slice(0, -1)) await expect.poll(async () => [call[1], (await ask(call)).status]).toEqual([call[1], 200])

  way.setSilent(true)
  const waited = measureGivenTime()
  onTestFinished(() => waited.end())
  const silent = await Promise.all(calls.map(ask))
  expect(silent.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(calls.map(() => [503, '2']))
  expect(waited.ms()).toBeLessThan(longestMs)
  // Known by now: nobody waits.
  const before = waited.ms()
  expect((await t.inject('GET', '/api/v1/client/home')).status).toBe(503)
  expect(waited.ms() - before).toBeLessThan(longestMs / 10)

  way.setSilent(false)
  await expect.poll(async () => (await t.inject('GET', '/ready')).status).toBe(200)
  await expect.poll(async () => (await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)).status).toBe(200)
  const other = await makeUser(near.db)
  const body = holdBody(institute, { startsAt: later(startsAt, 120) })
  const headers = { 'idempotency-key': 'held-once' }
  let held: TestAnswer | undefined
  await expect.poll(async () => (held = await t.inject('POST', holdsPath, { token: other.token, body, headers })).status).toBe(201)
  await expect.poll(async () => (await tryConfirm(t, other, String(held?.body['_id']), { key: 'booked-once' })).status).toBe(201)
})
