import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { slowRefusals } from './admission.ts'

it('who asks on though they were told when to come back is refused a second later, and nobody else is', async () => {
  let now = 0
  const waited: number[] = []
  const app = Fastify()
  slowRefusals(app, { now: () => now, wait: async (ms) => void waited.push(ms) })
  app.get('/refused', { config: { cost: 'reading' } }, async (_request, reply) => reply.code(429).header('retry-after', 5).send({}))
  app.get('/read', { config: { cost: 'reading' } }, async () => ({}))
  app.get('/ready', async (_request, reply) => reply.code(503).header('retry-after', 5).send({}))
  const asked = async (url: string, times: number, remoteAddress = '203.0.113.7'): Promise<number> => {
    const before = waited.length
    for (let n = 0; n < times; n++) await app.inject({ url, remoteAddress })
    return waited.length - before
  }
  expect(await asked('/refused', 8)).toBe(0)
  expect(await asked('/refused', 5)).toBe(5)
  expect(waited.every((ms) => ms >= 1000 && ms <= 2000)).toBe(true)
  // What is not refused, other networks, and what costs nothing.
  expect(await asked('/read', 20)).toBe(0)
  expect(await asked('/refused', 8, '203.0.113.8')).toBe(0)
  expect(await asked('/ready', 20)).toBe(0)
  // Who has been quiet for a second begins anew.
  now += 3001
  expect(await asked('/refused', 8)).toBe(0)
  expect(await asked('/refused', 1)).toBe(1)
  await app.close()
})
