/** What the rules of an institute, its people and its rooms let a client hold. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bookVisit, detailsOf, hold, later, overlaps, refused, tryHold, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'
import { summaryFills } from '#/features/summary/jobs.ts'
import { catchUp } from '#/features/summary/mending.ts'
import { runFills } from '#/platform/fills.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')

let t: TestApp
let client: MadeUser
eachWithInstitute({ at: now }, (world) => ({ t, client } = world))

describe('a time that cannot be booked says why and offers others', () => {
  it.each([
    ['before the notice', { notice: 120 }, wall('2026-11-20T13:40'), 'notice'],
    ['beyond the horizon', { horizon: 3 }, wall('2026-11-24T10:00'), 'horizon'],
    ['earlier today', {}, wall('2026-11-20T11:40'), 'past'],
    ['before opening', {}, wall('2026-11-24T08:40'), 'outside_opening'],
    ['too late to end before closing', {}, wall('2026-11-24T17:40'), 'outside_opening'],
    ['on a closed weekday', {}, wall('2026-11-22T10:00'), 'closed'],
    ['off the grid', {}, wall('2026-11-24T10:05'), 'off_grid'],
    ['after the latest start', { services: [{ active: 40, latestStart: 960 }] }, wall('2026-11-24T16:20'), 'last_start'],
  ])('%s', async (_name, options, startsAt, reason) => {
    const institute = await makeInstitute(t.db, options)
    const answer = await tryHold(t, client, institute, { startsAt })
    expect(refused(answer)).toEqual([422, 'not_offered'])
    const { nearest = [], ...details } = detailsOf(answer)
    expect(details.reason).toBe(reason)
    expect(nearest.length).toBeGreaterThan(0)
    for (const time of nearest) await hold(t, await makeUser(t.db), await makeInstitute(t.db, options), { startsAt: time.startsAt })
  })

  it('on a day the institute is closed, or the chosen member is away', async () => {
    const institute = await makeInstitute(t.db, {})
    await sql`insert into closures (institute_id, from_day, to_day) values (${institute.id}, '2026-11-25', '2026-11-25')`.execute(t.db)
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${institute.members[0]}, 'sick_leave', '2026-11-24', '2026-11-24')`.execute(
      t.db,
    )
    expect(detailsOf(await tryHold(t, client, institute, { startsAt: wall('2026-11-25T10:00') })).reason).toBe('closed')
    expect(detailsOf(await tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })).reason).toBe('on_leave')
    expect((await hold(t, client, institute, { startsAt: ten })).segments[0]?.staffId).toBe(institute.members[1])
  })

  it('with a member who does not perform the service or takes no bookings online', async () => {
    const institute = await makeInstitute(t.db, { services: [{ active: 40 }, { active: 60, performedBy: [1] }] })
    expect(detailsOf(await tryHold(t, client, institute, { startsAt: ten, lines: [[1, 0]] })).reason).toBe('not_performed')
    await sql`update team_members set bookable_online = false where id = ${institute.members[1]}`.execute(t.db)
    expect(detailsOf(await tryHold(t, client, institute, { startsAt: ten, lines: [[1]] })).reason).toBe('not_bookable_online')
  })

  it('in the words of the caller', async () => {
    const institute = await makeInstitute(t.db, {})
    const body = { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], startsAt: wall('2026-11-22T10:00') }
    const said = await Promise.all(
      ['en', 'fr', 'ar'].map(
        async (locale) =>
          (await t.inject('POST', '/api/v1/secure/appointments/holds', { token: client.token, locale, body })).body['message'],
      ),
    )
    expect(said[0]).toBe('The institute is closed that day.')
    expect(new Set(said).size).toBe(3)
  })

  it('taken, it names the nearest free times, and all of them can be booked', async () => {
    const institute = await makeInstitute(t.db, { members: 1 })
    for (const startsAt of [ten, later(ten, 40), later(ten, -40)]) await bookVisit(t, client, institute, { startsAt })
    const answer = await tryHold(t, client, institute, { startsAt: later(ten, 20) })
    expect(refused(answer)).toEqual([409, 'slot_taken'])
    const { nearest = [], reason } = detailsOf(answer)
    expect(reason).toBe('taken')
    expect(nearest.map(({ startsAt }) => startsAt).toSorted()).toEqual([
      wall('2026-11-24T11:20'),
      wall('2026-11-24T11:40'),
      wall('2026-11-24T12:00'),
      wall('2026-11-24T12:20'),
      wall('2026-11-24T12:40'),
    ])
    for (const { startsAt } of nearest) {
      const held = await hold(t, client, institute, { startsAt })
      await t.inject('DELETE', `/api/v1/secure/appointments/holds/${held._id}`, { token: client.token })
    }
  })

  it('an institute that is only listed takes no bookings; one that is not published is not found', async () => {
    const listed = await makeInstitute(t.db, { claimed: false })
    expect(refused(await tryHold(t, client, listed, { startsAt: ten }))).toEqual([422, 'not_bookable'])
    for (const state of ['draft', 'suspended'])
      expect(refused(await tryHold(t, client, await makeInstitute(t.db, { state }), { startsAt: ten }))).toEqual([404, 'not_found'])
  })

  it('a service, member or resource put away is not found or not used', async () => {
    const institute = await makeInstitute(t.db, { members: 1 })
    await sql`update services set active = false where id = ${institute.services[0]}`.execute(t.db)
    expect(refused(await tryHold(t, client, institute, { startsAt: ten }))).toEqual([404, 'not_found'])
    await sql`update team_members set active = false where id = ${institute.members[0]}`.execute(t.db)
    expect(refused(await tryHold(t, client, institute, { startsAt: ten, lines: [[1, 0]] }))).toEqual([404, 'not_found'])
  })
})

describe('any professional', () => {
  it('is whoever has the fewest booked minutes that day, then the order of the team', async () => {
    const institute = await makeInstitute(t.db, { members: 3 })
    const takes = async (startsAt: string, member?: number): Promise<string | undefined> =>
      (await bookVisit(t, client, institute, { startsAt, lines: [[0, member ?? 'any']] })).segments[0]?.staffId
    expect(await takes(ten)).toBe(institute.members[0])
    expect(await takes(later(ten, 40))).toBe(institute.members[1])
    expect(await takes(later(ten, 80), 0)).toBe(institute.members[0])
    expect(await takes(later(ten, 120))).toBe(institute.members[2])
    expect(await takes(later(ten, 160))).toBe(institute.members[1])
    expect(await takes(later(ten, 200))).toBe(institute.members[2])
    // The next day nobody has anything yet.
    expect(await takes(later(ten, 1440))).toBe(institute.members[0])
  })

  it('is whoever is free, when only one is', async () => {
    const institute = await makeInstitute(t.db, { members: 2 })
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await bookVisit(t, client, institute, { startsAt: later(ten, 120), lines: [[1, 1]] })
    expect((await hold(t, client, institute, { startsAt: ten })).segments[0]?.staffId).toBe(institute.members[1])
    expect(refused(await tryHold(t, await makeUser(t.db), institute, { startsAt: ten }))).toEqual([409, 'slot_taken'])
  })
})

describe('anyone who costs no more than the menu', () => {
  const asks = (institute: MadeInstitute, member: number, amount: number) =>
    sql`update member_services set price_amount = ${amount} where member_id = ${institute.members[member]} and service_id = ${institute.services[0]}`.execute(
      t.db,
    )

  it('is never somebody dearer: they are had by name, and the page says so', async () => {
    const institute = await makeInstitute(t.db, { members: 2 })
    await asks(institute, 0, 5500)
    expect((await hold(t, client, institute, { startsAt: ten })).segments[0]?.staffId).toBe(institute.members[1])
    const other = await makeUser(t.db)
    expect(refused(await tryHold(t, other, institute, { startsAt: ten }))).toEqual([409, 'slot_taken'])
    expect((await hold(t, other, institute, { startsAt: ten, lines: [[0, 0]] })).total.amount).toBe(5500)
    // The release before has summarised them among anyone; the fill lets it be summarised anew.
    await catchUp(t.db, t.clock.now())
    await runFills(t.db, summaryFills)
    const { rows } = await sql`select 1 from free_time_marks where institute_id = ${institute.id}`.execute(t.db)
    expect(rows).toHaveLength(1)
    const page = await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)
    const { services } = page.body as unknown as { services: { performers: { onlyByName?: true }[] }[] }
    expect(services[0]?.performers.map(({ onlyByName }) => onlyByName)).toEqual([true, undefined])
  })

  it('is the cheapest where everyone costs more', async () => {
    const institute = await makeInstitute(t.db, { members: 2 })
    await asks(institute, 0, 5500)
    await asks(institute, 1, 4000)
    expect((await hold(t, client, institute, { startsAt: ten })).total.amount).toBe(4000)
    expect(refused(await tryHold(t, await makeUser(t.db), institute, { startsAt: ten }))).toEqual([409, 'slot_taken'])
  })
})

describe('prices and durations', () => {
  it('are the member’s own where they differ, else the menu’s', async () => {
    const institute = await makeInstitute(t.db, { members: 2 })
    await sql`update member_services set price_amount = 5500, active_minutes = 60, idle_minutes = 0, active_after_minutes = 0 where member_id = ${institute.members[0]} and service_id = ${institute.services[0]}`.execute(
      t.db,
    )
    const own = await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    expect([own.total.amount, own.endsAt]).toEqual([5500, later(ten, 60)])
    const menu = await hold(t, client, institute, { startsAt: ten, lines: [[0, 1]] })
    expect([menu.total.amount, menu.endsAt]).toEqual([3500, later(ten, 40)])
  })

  it('say whether they only begin there, in minor units of the currency', async () => {
    const institute = await makeInstitute(t.db, { currency: 'TND', timeZone: 'Africa/Tunis' })
    await sql`update services set price_kind = 'from' where id = ${institute.services[0]}`.execute(t.db)
    const held = await hold(t, client, institute, { startsAt: wall('2026-11-24T10:00', 'Africa/Tunis'), lines: [[0], [1]] })
    expect(held.segments.map(({ price, priceKind }) => [price, priceKind])).toEqual([
      [{ amount: 3500, currency: 'TND' }, 'from'],
      [{ amount: 6000, currency: 'TND' }, 'fixed'],
    ])
    expect(held.total).toEqual({ amount: 9500, currency: 'TND' })
  })
})

describe('several services', () => {
  it('follow each other, each with its member', async () => {
    const institute = await makeInstitute(t.db, {})
    const held = await hold(t, client, institute, {
      startsAt: ten,
      lines: [
        [1, 1],
        [0, 0],
      ],
    })
    expect(held.segments.map(({ staffId, startsAt }) => [staffId, startsAt])).toEqual([
      [institute.members[1], ten],
      [institute.members[0], later(ten, 60)],
    ])
    expect(held.endsAt).toBe(later(ten, 100))
  })

  it('may lie in the idle part of one another, and others may book into it too', async () => {
    const services = [
      { name: 'Colour', active: 20, idle: 40, after: 20 },
      { name: 'Brows', active: 40 },
    ]
    const institute = await makeInstitute(t.db, { members: 1, services })
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const other = await makeUser(t.db)
    await bookVisit(t, other, institute, { startsAt: later(ten, 20), lines: [[1, 0]] })
    expect(refused(await tryHold(t, other, institute, { startsAt: later(ten, 60), lines: [[1, 0]] }))).toEqual([409, 'slot_taken'])
    expect(refused(await tryHold(t, other, institute, { startsAt: ten, lines: [[1, 0]] }))).toEqual([409, 'slot_taken'])
    await bookVisit(t, other, institute, { startsAt: later(ten, 80), lines: [[1, 0]] })
    expect(await overlaps(t.db)).toBe(0)
  })

  it('buffers keep other visits away and are not shown', async () => {
    const institute = await makeInstitute(t.db, { members: 1, grid: 10, services: [{ active: 40, bufferBefore: 10, bufferAfter: 20 }] })
    const held = await hold(t, client, institute, { startsAt: ten })
    expect(held.endsAt).toBe(later(ten, 40))
    const other = await makeUser(t.db)
    expect(detailsOf(await tryHold(t, other, institute, { startsAt: later(ten, 60) })).reason).toBe('buffer')
    await hold(t, client, institute, { startsAt: later(ten, 70) })
  })
})

describe('rooms and machines', () => {
  it('one is in one visit at a time, whoever works', async () => {
    const institute = await makeInstitute(t.db, {
      members: 3,
      services: [{ active: 40, resourceType: 'laser' }, { active: 40 }],
      resources: [{ type: 'laser', name: 'Laser' }],
    })
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const answer = await tryHold(t, client, institute, { startsAt: later(ten, 20), lines: [[0, 1]] })
    expect([...refused(answer), detailsOf(answer).reason]).toEqual([409, 'slot_taken', 'no_resource'])
    await bookVisit(t, client, institute, { startsAt: later(ten, 20), lines: [[1, 1]] })
    await bookVisit(t, client, institute, { startsAt: later(ten, 40), lines: [[0, 2]] })
  })

  it('stays taken through an idle part', async () => {
    const institute = await makeInstitute(t.db, {
      members: 2,
      services: [
        { active: 20, idle: 40, after: 20, resourceType: 'cabin' },
        { active: 20, resourceType: 'cabin' },
      ],
      resources: [{ type: 'cabin', name: 'Cabin' }],
    })
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    expect(detailsOf(await tryHold(t, client, institute, { startsAt: later(ten, 20), lines: [[1, 1]] })).reason).toBe('no_resource')
  })
})
