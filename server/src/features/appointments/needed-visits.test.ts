/** A visit that another one needs before it, such as a test: whoever moves or cancels it knows what would be left without it. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, detailsOf, later, moved, readVisit, refused, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson } from '#/testing/factories.ts'
import type { TestAnswer, TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T08:00:00Z'
const testAt = wall('2026-11-24T10:00')
const colourAt = wall('2027-03-31T15:00')

let t: TestApp
let client: MadeUser
let institute: MadeInstitute
let reception: MadeUser
eachWithInstitute({ at: now }, (world) => ({ t, client } = world))
beforeEach(async () => {
  institute = await makeInstitute(t.db, {
    horizon: 400,
    services: [
      { name: 'Patch test', active: 20 },
      { name: 'Root colour', active: 40 },
    ],
  })
  await sql`insert into service_prerequisites (service_id, institute_id, required_service_id, min_hours, max_months) values (${institute.services[1]}, ${institute.id}, ${institute.services[0]}, 48, 6)`.execute(
    t.db,
  )
  reception = await makePerson(t.db, institute.id, 'reception')
})

const desk = (id: string, what: 'move' | 'cancel', body: object, key?: string): Promise<TestAnswer> =>
  t.inject('PUT', `/api/v1/secure/mysalon/appointments/${id}/${what}`, {
    token: reception.token,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const visit = (line: 0 | 1, startsAt: string) => bookVisit(t, client, institute, { startsAt, lines: [[line]] })

describe('a test that a booked visit needs', () => {
  it('is cancelled by the desk on purpose alone: first the visit is named, and nothing has changed', async () => {
    const test = await visit(0, testAt)
    const colour = await visit(1, wall('2026-11-27T09:20'))
    const answer = await desk(test._id, 'cancel', {}, 'once')
    expect(refused(answer)).toEqual([409, 'needed_by'])
    expect(answer.body['message']).toBe('Root colour, Friday 27 November 2026 at 9:20, needs this visit first.')
    expect(detailsOf(answer)).toMatchObject({
      timeZone: 'Europe/Paris',
      visits: [{ _id: colour._id, serviceName: 'Root colour', startsAt: colour.startsAt, testId: institute.services[0] }],
    })
    expect(await readVisit(t, client, test._id)).toMatchObject({ status: 'pending', startsAt: testAt })
    expect((await desk(test._id, 'cancel', { anyway: true }, 'twice')).status).toBe(200)
    expect(await readVisit(t, client, test._id)).toMatchObject({ status: 'cancelled' })
    expect(await readVisit(t, client, colour._id)).toMatchObject({ status: 'pending' })
  })

  it('is moved freely while it stays in time: to the minute 48 hours before, and not so early that it has run out', async () => {
    const test = await visit(0, wall('2026-12-08T10:00'))
    await visit(1, colourAt)
    // Six months from 30 September end on 30 March: the day after is the first that reaches 31 March.
    expect((await readVisit(t, client, test._id)).neededBy).toMatchObject([
      { from: wall('2026-10-01T00:00'), by: wall('2027-03-29T15:00') },
    ])
    expect((await desk(test._id, 'move', { startsAt: wall('2027-03-29T14:40') })).status).toBe(200)
    const late = wall('2027-03-29T15:00')
    expect(refused(await desk(test._id, 'move', { startsAt: late }))).toEqual([409, 'needed_by'])
    expect(await readVisit(t, client, test._id)).toMatchObject({ startsAt: wall('2027-03-29T14:40') })
    expect((await desk(test._id, 'move', { startsAt: late, anyway: true })).status).toBe(200)
  })

  it('moved so early that it would have run out by then is named as well, on the very day from which it holds not', async () => {
    const test = await visit(0, wall('2027-03-03T10:00'))
    await visit(1, wall('2027-08-31T15:00'))
    // Six months from 28 February end on 28 August; 1 March reaches the last day of August.
    expect((await readVisit(t, client, test._id)).neededBy).toMatchObject([{ from: wall('2027-03-01T00:00') }])
    const answer = await desk(test._id, 'move', { startsAt: wall('2027-02-25T10:00') })
    expect(refused(answer)).toEqual([409, 'needed_by'])
    expect((await desk(test._id, 'move', { startsAt: wall('2027-03-01T10:00') })).status).toBe(200)
    expect(await readVisit(t, client, test._id)).toHaveProperty('neededBy')
  })

  it('says nothing where another test holds, where none is needed any more, or of somebody else’s visit', async () => {
    const test = await visit(0, testAt)
    const colour = await visit(1, wall('2026-11-27T09:20'))
    const other = await visit(0, later(testAt, 120))
    expect((await desk(test._id, 'cancel', {})).status).toBe(200)
    expect(refused(await desk(other._id, 'cancel', {}))).toEqual([409, 'needed_by'])
    await cancelled(t, client, colour._id)
    expect((await desk(other._id, 'cancel', {})).status).toBe(200)
  })

  it('is found by the record of who phones, too: their test and their colour stand in one name', async () => {
    const book = async (line: number, startsAt: string) => {
      const customer = { firstName: 'Anna', phone: '+33612345678' }
      const body = { services: [{ serviceId: institute.services[line] }], startsAt, customer }
      return t.inject('POST', '/api/v1/secure/mysalon/appointments', { token: reception.token, body })
    }
    const test = await book(0, testAt)
    await book(1, wall('2026-11-27T09:20'))
    const id = String(test.body['_id'])
    expect(refused(await desk(id, 'cancel', {}))).toEqual([409, 'needed_by'])
    expect((await desk(id, 'move', { startsAt: wall('2026-11-24T11:00') })).status).toBe(200)
    expect(refused(await desk(id, 'move', { startsAt: wall('2026-11-26T10:00') }))).toEqual([409, 'needed_by'])
  })

  it('is missing at the desk by the same rule: not on the last day on which it holds, at whatever hour', async () => {
    await visit(0, testAt)
    const last = await visit(1, wall('2027-05-24T15:00'))
    const read = async (id: string) => (await t.inject('GET', `/api/v1/secure/mysalon/appointments/${id}`, { token: reception.token })).body
    expect(await read(last._id)).not.toHaveProperty('missing')
    await sql`update appointments set starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day' where id = ${last._id}`.execute(
      t.db,
    )
    expect(await read(last._id)).toMatchObject({ missing: [{ serviceName: 'Root colour', testName: 'Patch test' }] })
  })

  it('is its client’s to move and to cancel: they were told with the visit', async () => {
    const test = await visit(0, testAt)
    const colour = await visit(1, wall('2026-11-27T09:20'))
    await moved(t, client, test._id, wall('2026-11-26T10:00'))
    await cancelled(t, client, test._id)
    expect(await readVisit(t, client, colour._id)).toMatchObject({ status: 'pending' })
  })
})
