/** What /metrics says of events that wait for their jobs. */
import Fastify from 'fastify'
import { expect, inject, it, onTestFinished } from 'vitest'
import { cloneTemplate } from '#/testing/test-database.ts'
import { standingClock } from './clock.ts'
import { openDatabase } from './database.ts'
import { writeEvents } from './events.ts'
import { mountMetrics } from './metrics.ts'
import { dispatchEvents } from './reactions.ts'
import { readSettings } from '#/settings.ts'

it('tells how many events wait to be dispatched and how old the oldest is, and the other figures without the database too', async () => {
  const clone = await cloneTemplate(inject('databaseServer'))
  onTestFinished(() => clone.drop())
  const database = openDatabase(clone.url, { size: 2, onError: () => {} })
  onTestFinished(() => database.close())
  const clock = standingClock('2026-11-22T12:00:00.000Z')
  const app = Fastify()
  onTestFinished(() => app.close())
  mountMetrics(app, { database, clock, settings: readSettings({}) })
  const figures = async (): Promise<(string | undefined)[]> => {
    const { statusCode, body } = await app.inject('/metrics')
    expect(statusCode).toBe(200)
    expect(body).toContain('database_connections')
    return ['events_undispatched', 'events_undispatched_age_seconds'].map((name) => new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1])
  }
  const happen = (at: string): Promise<void> =>
    writeEvents(database.db, [
      { kind: 'test', instituteId: null, subjectId: null, actor: { kind: 'system', job: 'test' }, payload: {}, at },
    ])

  expect(await figures()).toEqual(['0', '0'])
  await happen('2026-11-22T11:59:00.000Z')
  await happen('2026-11-22T11:59:59.000Z')
  expect(await figures()).toEqual(['2', '60'])
  clock.advance(30_000)
  expect(await figures()).toEqual(['2', '90'])
  expect(await dispatchEvents(database.db, [])).toBe(true)
  expect(await figures()).toEqual(['0', '0'])
  await happen('2026-11-22T12:00:29.500Z')
  expect(await figures()).toEqual(['1', '0.5'])

  await clone.drop()
  expect(await figures()).toEqual(['Nan', 'Nan'])
})
