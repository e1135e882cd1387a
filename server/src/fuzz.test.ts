/** Requests of every kind made from the OpenAPI document against every call, over real sockets: never our fault, always a code and words, always the shape that was promised. `npm run fuzz` sends fifty times as many, pages among them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AddressInfo } from 'node:net'
import { type Operation, operationsOf } from '#/testing/fuzz-asking.ts'
import { fuzz } from '#/testing/fuzz-round.ts'
import { type FuzzWorld, harmOf, makeFuzzWorld } from '#/testing/fuzz-world.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

/** Printed with a failure; FUZZ_SEED repeats one, FUZZ_CASES asks for more. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_120)
const cases = Number(process.env['FUZZ_CASES'] ?? 2000)

let t: TestApp
let url: string
let world: FuzzWorld
let operations: Operation[]

beforeAll(async () => {
  t = await openTestApp({
    settings: {
      LIMIT_REGISTRATIONS: '1000000',
      LIMIT_LOGINS: '1000000',
      LIMIT_WRONG_PASSWORDS: '1000000',
      LIMIT_HOLDS: '1000',
      LIMIT_HOLDS_UNCONFIRMED: '1000',
    },
  })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
  world = await makeFuzzWorld(t.db, { url, now: t.clock.now() })
  operations = operationsOf((await t.inject('GET', '/api/openapi.json')).body)
})
afterAll(() => t.close())

it(`${cases} requests from seed ${seed} are answered or refused in words, and leave no harm`, { timeout: 600_000 }, async () => {
  const { met, wrong } = await fuzz({ url, world, operations, cases, seed, withPages: false })
  expect(wrong).toEqual([])
  // A fuzz that never gets past the first check proves little.
  const done = [...met.keys()].filter((outcome) => outcome.endsWith(' done')).length
  expect(done, JSON.stringify(Object.fromEntries(met))).toBeGreaterThanOrEqual(22)
  const asked = new Set([...met.keys()].map((outcome) => outcome.split(' ')[0]))
  for (const { operationId } of operations) expect(asked).toContain(operationId)
  expect(await harmOf(t.db)).toEqual({})
})
