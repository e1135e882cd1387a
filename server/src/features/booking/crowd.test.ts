/** A crowd that waits for one member must not keep everybody else waiting: connections are for all. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type pg from 'pg'
import { hold, later, refused, somebodyWaits, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
})
afterAll(() => t.close())

it('others are answered while thirty wait for somebody whose diary is being written', async () => {
  const institute = await makeInstitute(t.db, { members: 1, services: [{ active: 20 }] })
  const people = await Promise.all(Array.from({ length: 30 }, () => makeUser(t.db)))
  const writer: pg.PoolClient = await t.ownerPool.connect()
  await writer.query('begin')
  await writer.query('select from diary_versions where institute_id = $1 for update', [institute.id])
  const startsAt = wall('2026-11-24T09:00')
  const holds = people.map((person, n) => tryHold(t, person, institute, { startsAt: later(startsAt, 20 * (n % 15)) }))
  await somebodyWaits(t)
  try {
    // It gives up after some seconds itself, which a disk may take for once.
    await expect.poll(async () => (await t.inject('GET', '/ready')).status).toBe(200)
  } finally {
    await writer.query('commit')
    writer.release()
  }
  const answers = await Promise.all(holds)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(15)
  expect(answers.filter(({ body }) => body['code'] === 'slot_taken')).toHaveLength(15)
})

it('a hold that ran out while its confirmation waited is not confirmed: others may have been shown its time as free', async () => {
  const institute = await makeInstitute(t.db, { members: 1 })
  const client = await makeUser(t.db)
  const held = await hold(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
  const writer: pg.PoolClient = await t.ownerPool.connect()
  await writer.query('begin')
  await writer.query('select 1 from appointments where id = $1 for update', [held._id])
  t.clock.set(Date.parse(held.expiresAt) - 200)
  const confirming = tryConfirm(t, client, held._id)
  await somebodyWaits(t)
  await writer.query('select pg_sleep(0.3)')
  await writer.query('commit')
  writer.release()
  expect(refused(await confirming)).toEqual([409, 'hold_expired'])
})
