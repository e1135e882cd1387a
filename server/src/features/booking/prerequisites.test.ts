import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, detailsOf, hold, later, moved, readVisit, refused, tryHold, tryMove, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
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

  it('counts while it is still to come: 48 hours from its end, to the minute, and through six months', async () => {
    await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[0]] })
    const lash = (startsAt: string) => tryHold(t, client, institute, { startsAt, lines: [[1]] })
    expect(refused(await lash(wall('2026-11-23T10:00')))).toEqual([422, 'prerequisite_missing'])
    expect(refused(await lash(wall('2026-11-26T10:10')))).toEqual([422, 'prerequisite_missing'])
    expect(refused(await lash(wall('2027-05-25T10:00')))).toEqual([422, 'prerequisite_missing'])
    await hold(t, client, institute, { startsAt: wall('2026-11-26T10:20'), lines: [[1]] })
  })

  it('does not count when it is held only, missed, or somebody else’s', async () => {
    const lash = { startsAt: wall('2026-11-27T10:00'), lines: [[1]] as [number][] }
    await hold(t, client, institute, { startsAt: wall('2026-11-21T09:00'), lines: [[0]] })
    expect(refused(await tryHold(t, client, institute, lash))).toEqual([422, 'prerequisite_missing'])
    const ahead = await bookVisit(t, client, institute, { startsAt: wall('2026-11-21T10:00'), lines: [[0]] })
    t.clock.set(wall('2026-11-22T10:00'))
    expect(refused(await tryHold(t, await makeUser(t.db), institute, lash))).toEqual([422, 'prerequisite_missing'])
    await sql`update appointments set attendance = 'no_show' where id = ${ahead._id}`.execute(t.db)
    expect(refused(await tryHold(t, client, institute, lash))).toEqual([422, 'prerequisite_missing'])
    await sql`update appointments set attendance = 'expected' where id = ${ahead._id}`.execute(t.db)
    await hold(t, client, institute, lash)
  })

  it('binds the service when it is moved: not nearer to the test than 48 hours; the test itself moves freely', async () => {
    const test = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[0]] })
    const lash = await bookVisit(t, client, institute, { startsAt: wall('2026-11-27T10:00'), lines: [[1]] })
    expect(refused(await tryMove(t, client, lash._id, wall('2026-11-26T10:00')))).toEqual([422, 'prerequisite_missing'])
    await moved(t, client, lash._id, wall('2026-11-26T10:20'))
    await moved(t, client, test._id, wall('2026-11-25T10:00'))
    expect(await readVisit(t, client, lash._id)).toMatchObject({ startsAt: wall('2026-11-26T10:20'), status: lash.status })
  })

  it('counts at the desk as it does online: still to come by its end, not at all once it is missed', async () => {
    const reception = await makePerson(t.db, institute.id, 'reception')
    const book = async (place: number, startsAt: string, customer: object) => {
      const body = { services: [{ serviceId: institute.services[place] }], startsAt, ...customer }
      return t.inject('POST', '/api/v1/secure/mysalon/appointments', { token: reception.token, body })
    }
    const anna = { customer: { firstName: 'Anna', phone: '+33612345678' } }
    const test = await book(0, wall('2026-11-24T10:00'), anna)
    expect(test.status).toBe(201)
    expect(refused(await book(1, wall('2026-11-26T10:19'), anna))).toEqual([422, 'prerequisite_missing'])
    const lash = await book(1, wall('2026-11-26T10:20'), anna)
    expect(lash.status).toBe(201)
    t.clock.set(wall('2026-11-24T12:00'))
    const read = async () =>
      (await t.inject('GET', `/api/v1/secure/mysalon/appointments/${String(lash.body['_id'])}`, { token: reception.token })).body
    expect(await read()).not.toHaveProperty('missing')
    await sql`update appointments set attendance = 'no_show' where id = ${String(test.body['_id'])}`.execute(t.db)
    expect(await read()).toMatchObject({ missing: [{ serviceName: 'Lash tint', testName: 'Patch test' }] })
    expect(refused(await book(1, wall('2026-11-26T15:00'), anna))).toEqual([422, 'prerequisite_missing'])
  })

  it('says which visit needs it, so that nobody cancels it unaware, until another test holds for that', async () => {
    const test = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[0]] })
    expect(await readVisit(t, client, test._id)).not.toHaveProperty('neededBy')
    const lash = await bookVisit(t, client, institute, { startsAt: wall('2026-11-27T10:00'), lines: [[1]] })
    const needed = [{ _id: lash._id, serviceName: 'Lash tint', startsAt: lash.startsAt, by: wall('2026-11-25T10:00') }]
    expect(await readVisit(t, client, test._id)).toMatchObject({ neededBy: needed })
    await bookVisit(t, client, institute, { startsAt: wall('2026-11-26T10:00'), lines: [[0]] })
    expect(await readVisit(t, client, test._id)).toMatchObject({ neededBy: needed })
    const earlier = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T12:00'), lines: [[0]] })
    expect(await readVisit(t, client, test._id)).not.toHaveProperty('neededBy')
    await cancelled(t, client, earlier._id)
    expect(await readVisit(t, client, test._id)).toMatchObject({ neededBy: needed })
    await cancelled(t, client, lash._id)
    expect(await readVisit(t, client, test._id)).not.toHaveProperty('neededBy')
  })

  it('in the same visit is no test for where that visit is moved', async () => {
    const { rows } = await sql<{
      id: string
    }>`update service_prerequisites set min_hours = 0 where institute_id = ${institute.id} returning service_id as id`.execute(t.db)
    expect(rows).toHaveLength(1)
    await bookVisit(t, client, institute, { startsAt: testAt, lines: [[0]] })
    const both = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[0], [1]] })
    await sql`update appointments set attendance = 'no_show' where id <> ${both._id}`.execute(t.db)
    expect(refused(await tryMove(t, client, both._id, wall('2026-11-25T10:00')))).toEqual([422, 'prerequisite_missing'])
  })

  it('that was cancelled does not count', async () => {
    const ahead = await bookVisit(t, client, institute, { startsAt: wall('2026-11-21T10:00'), lines: [[0]] })
    const lash = { startsAt: wall('2026-11-27T10:00'), lines: [[1]] as [number][] }
    await hold(t, client, institute, lash)
    await cancelled(t, client, ahead._id)
    expect(refused(await tryHold(t, client, institute, { ...lash, startsAt: later(lash.startsAt, 60) }))).toEqual([
      422,
      'prerequisite_missing',
    ])
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
