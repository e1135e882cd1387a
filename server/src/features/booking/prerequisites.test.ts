import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, detailsOf, hold, later, refused, tryHold, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T08:00:00Z'

let t: TestApp
let client: MadeUser
eachWithInstitute({ at: now }, (world) => ({ t, client } = world))

describe('a patch test at least 48 hours and at most 6 months before', () => {
  const testAt = wall('2026-11-20T10:00')
  let institute: MadeInstitute
  beforeEach(async () => {
    institute = await makeInstitute(t.db, {
      horizon: 400,
      services: [
        { name: 'Patch test', active: 20 },
        { name: 'Lash tint', active: 40 },
      ],
    })
    await sql`insert into service_prerequisites (service_id, institute_id, required_service_id, min_hours, max_months) values (${institute.services[1]}, ${institute.id}, ${institute.services[0]}, 48, 6)`.execute(
      t.db,
    )
  })

  it('is missed by somebody new, who is told which one', async () => {
    const answer = await tryHold(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[1]] })
    expect(refused(answer)).toEqual([422, 'prerequisite_missing'])
    expect(detailsOf(answer).prerequisite).toEqual({
      kind: 'prior_service',
      serviceId: institute.services[0],
      minHours: 48,
      maxMonths: 6,
      serviceName: 'Patch test',
    })
  })

  it('opens the service 48 hours after its end, and closes it after six months', async () => {
    await bookVisit(t, client, institute, { startsAt: testAt, lines: [[0]] })
    t.clock.set(later(testAt, 30))
    expect(refused(await tryHold(t, client, institute, { startsAt: wall('2026-11-21T10:00'), lines: [[1]] }))).toEqual([
      422,
      'prerequisite_missing',
    ])
    await hold(t, client, institute, { startsAt: wall('2026-11-23T10:00'), lines: [[1]] })
    await hold(t, client, institute, { startsAt: wall('2027-05-20T10:00'), lines: [[1]] })
    expect(refused(await tryHold(t, client, institute, { startsAt: wall('2027-05-21T10:00'), lines: [[1]] }))).toEqual([
      422,
      'prerequisite_missing',
    ])
  })

  it('counts only once it has taken place: not ahead, not cancelled, not missed, not somebody else’s', async () => {
    const ahead = await bookVisit(t, client, institute, { startsAt: wall('2026-11-21T10:00'), lines: [[0]] })
    const lash = { startsAt: wall('2026-11-27T10:00'), lines: [[1]] as [number][] }
    expect(refused(await tryHold(t, client, institute, lash))).toEqual([422, 'prerequisite_missing'])
    t.clock.set(wall('2026-11-22T10:00'))
    expect(refused(await tryHold(t, await makeUser(t.db), institute, lash))).toEqual([422, 'prerequisite_missing'])
    await sql`update appointments set attendance = 'no_show' where id = ${ahead._id}`.execute(t.db)
    expect(refused(await tryHold(t, client, institute, lash))).toEqual([422, 'prerequisite_missing'])
    await sql`update appointments set attendance = 'expected' where id = ${ahead._id}`.execute(t.db)
    await hold(t, client, institute, lash)
  })

  it('that was cancelled does not count', async () => {
    const ahead = await bookVisit(t, client, institute, { startsAt: wall('2026-11-21T10:00'), lines: [[0]] })
    await cancelled(t, client, ahead._id)
    t.clock.set(wall('2026-11-22T10:00'))
    expect(refused(await tryHold(t, client, institute, { startsAt: wall('2026-11-27T10:00'), lines: [[1]] }))).toEqual([
      422,
      'prerequisite_missing',
    ])
  })
})

describe('a minimum age', () => {
  const startsAt = wall('2026-11-24T10:00')
  let institute: MadeInstitute
  beforeEach(async () => {
    institute = await makeInstitute(t.db, { services: [{ name: 'Tattoo', active: 60, minimumAge: 18 }] })
  })

  it('asks for the birthday once and keeps it with the account', async () => {
    const asked = await tryHold(t, client, institute, { startsAt })
    expect(refused(asked)).toEqual([422, 'prerequisite_missing'])
    expect(detailsOf(asked).prerequisite).toEqual({ kind: 'minimum_age', years: 18, birthdayKnown: false })
    await hold(t, client, institute, { startsAt, birthday: '1990-02-01' })
    await hold(t, client, institute, { startsAt: later(startsAt, 60) })
  })

  it('holds on the day of the visit: eighteen that day is enough, a day less is not', async () => {
    await hold(t, await makeUser(t.db), institute, { startsAt, birthday: '2008-11-24' })
    const young = await tryHold(t, client, institute, { startsAt: later(startsAt, 60), birthday: '2008-11-25' })
    expect(detailsOf(young).prerequisite).toEqual({ kind: 'minimum_age', years: 18, birthdayKnown: true })
  })

  it('is not made up for by another birthday later', async () => {
    expect(refused(await tryHold(t, client, institute, { startsAt, birthday: '2012-01-01' }))).toEqual([422, 'prerequisite_missing'])
    expect(refused(await tryHold(t, client, institute, { startsAt, birthday: '1980-01-01' }))).toEqual([422, 'prerequisite_missing'])
  })
})
