import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '#/platform/database.ts'
import { hold, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'
import { daysWithTimes, loadDiaries, loadDiary, nextTimesFor } from './service.ts'

// Friday noon in Paris; the institute is open Monday to Saturday 09:00–18:00 on a grid of 20 minutes.
const now = '2026-11-20T11:00:00Z'
const tuesday = '2026-11-24'

let t: TestApp
let institute: MadeInstitute
eachWithInstitute({ at: now }, (world) => ({ t, institute } = world))

interface Answer {
  timeZone: string
  days: { day: string; times: { startsAt: string; endsAt: string }[]; taken: string[] }[]
}
const path = (id: string, rest = ''): string => `/api/v1/client/institutes/${id}/availability${rest}`
const ask = (query: Record<string, string | string[] | number>, id = institute.id, call = '') => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, String(one))
  return t.inject('GET', `${path(id, call)}?${search}`)
}
async function days(query: Record<string, string | string[] | number>, id = institute.id): Promise<Answer['days']> {
  const answer = await ask(query, id)
  expect(answer.status).toBe(200)
  return (answer.body as unknown as Answer).days
}
const starts = (day: Answer['days'][number] | undefined): string[] => (day?.times ?? []).map(({ startsAt }) => startsAt)
const every = (from: string, to: string, minutes: number): string[] => {
  const list: string[] = []
  for (let at = Date.parse(wall(from)); at <= Date.parse(wall(to)); at += minutes * 60_000) list.push(new Date(at).toISOString())
  return list
}
const [cut, colour] = [() => institute.services[0] ?? '', () => institute.services[1] ?? '']
const member = (at: number): string => institute.members[at] ?? ''

describe('free times of a day', () => {
  it('are all starts of the grid that fit into the opening hours', async () => {
    const [day] = await days({ service: cut(), from: tuesday, days: 1 })
    expect(day?.day).toBe(tuesday)
    expect(starts(day)).toEqual(every(`${tuesday}T09:00`, `${tuesday}T17:20`, 20))
    expect(day?.times[0]).toEqual({ startsAt: wall(`${tuesday}T09:00`), endsAt: wall(`${tuesday}T09:40`) })
    expect(day?.taken).toEqual([])
  })

  it('of several services last as long as all of them, in the order of the cart', async () => {
    const [day] = await days({ service: [cut(), colour()], from: tuesday, days: 1 })
    expect(starts(day)).toEqual(every(`${tuesday}T09:00`, `${tuesday}T16:20`, 20))
    expect(day?.times[0]?.endsAt).toBe(wall(`${tuesday}T10:40`))
  })

  it('begin today when no day is named; a Sunday and days gone by are empty', async () => {
    const week = await days({ service: cut() })
    expect(week.map(({ day }) => day)).toEqual([
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
      '2026-11-24',
      '2026-11-25',
      '2026-11-26',
    ])
    expect(starts(week[0])[0]).toBe(now.replace('Z', '.000Z'))
    expect(starts(week[2])).toEqual([])
    const past = await days({ service: cut(), from: '2026-11-17', days: 5 })
    expect(past.map((day) => starts(day).length > 0)).toEqual([false, false, false, true, true])
    expect(starts((await days({ service: cut(), from: '2001-01-01', days: 1 }))[0])).toEqual([])
    expect(starts((await days({ service: cut(), from: '2099-12-31', days: 2 }))[0])).toEqual([])
  })

  it('begin today on the calendar of the institute, not of the server', async () => {
    const auckland = await makeInstitute(t.db, { timeZone: 'Pacific/Auckland' })
    const [day] = await days({ service: auckland.services[0] ?? '', days: 1 }, auckland.id)
    expect(day?.day).toBe('2026-11-21')
    expect(starts(day)[0]).toBe('2026-11-20T20:00:00.000Z')
  })

  it('lose what is held, say that it is taken, and have it back when the hold ran out', async () => {
    const client = await makeUser(t.db)
    for (const at of [0, 1]) await hold(t, client, institute, { startsAt: wall(`${tuesday}T10:00`), lines: [[0, at]] })
    const [day] = await days({ service: cut(), from: tuesday, days: 1 })
    const taken = every(`${tuesday}T09:40`, `${tuesday}T10:20`, 20)
    expect(day?.taken).toEqual([taken[0], taken[1], taken[2]])
    expect(starts(day)).toEqual(every(`${tuesday}T09:00`, `${tuesday}T17:20`, 20).filter((start) => !taken.includes(start)))
    t.clock.advance(10 * 60_000 + 1)
    const [later] = await days({ service: cut(), from: tuesday, days: 1 })
    expect([later?.taken, starts(later).length]).toEqual([[], 26])
  })

  it('that would strand time are hidden where the institute says so, and are not called taken', async () => {
    const strict = await makeInstitute(t.db, { gapPolicy: 'hide', members: 1 })
    const [day] = await days({ service: strict.services[0] ?? '', from: tuesday, days: 1 }, strict.id)
    expect(starts(day)).not.toContain(wall(`${tuesday}T09:20`))
    expect(starts(day)).toContain(wall(`${tuesday}T09:40`))
    expect(day?.taken).toEqual([])
  })

  it('at the edges of the day in the farthest zones know what is taken', async () => {
    for (const [timeZone, at] of [
      ['Pacific/Kiritimati', '09:00'],
      ['Pacific/Pago_Pago', '17:20'],
    ] as const) {
      const far = await makeInstitute(t.db, { timeZone, members: 1 })
      const startsAt = wall(`${tuesday}T${at}`, timeZone)
      await hold(t, await makeUser(t.db), far, { startsAt })
      const [day] = await days({ service: far.services[0] ?? '', from: tuesday, days: 1 }, far.id)
      expect([timeZone, starts(day).includes(startsAt), day?.taken.includes(startsAt)]).toEqual([timeZone, false, true])
    }
  })

  it('leave a visit out of account while it is being moved', async () => {
    const held = await hold(t, await makeUser(t.db), institute, { startsAt: wall(`${tuesday}T10:00`), lines: [[0, 0]] })
    const query = {
      instituteId: institute.id,
      cart: [{ serviceId: cut(), memberId: member(0) }],
      now: Date.parse(now),
      from: tuesday,
      days: 1,
    }
    const without = await daysWithTimes(t.db, { ...query, ignoreAppointmentId: held._id })
    expect([
      (await daysWithTimes(t.db, query)).days[0]?.taken.length,
      without.days[0]?.taken.length,
      without.days[0]?.times.length,
    ]).toEqual([3, 0, 26])
  })

  it('are the same inside a transaction, where they see what it has done', async () => {
    const query = { instituteId: institute.id, cart: [{ serviceId: cut() }], now: Date.parse(now), from: tuesday, days: 1 }
    const inside = await inTransaction(t.db, async (transaction) => {
      const before = await daysWithTimes(transaction, query)
      await sql`update team_members set active = false where institute_id = ${institute.id}`.execute(transaction)
      return [before.days[0]?.times.length, (await daysWithTimes(transaction, query)).days[0]?.times.length]
    })
    expect(inside).toEqual([26, 0])
  })

  it('of one member end where that member is taken, while a colleague goes on', async () => {
    await hold(t, await makeUser(t.db), institute, { startsAt: wall(`${tuesday}T10:00`), lines: [[0, 0]] })
    const of = async (staff: string | string[], service: string | string[] = cut()) =>
      starts((await days({ service, staff, from: tuesday, days: 1 }))[0])
    expect(await of(member(0))).not.toContain(wall(`${tuesday}T10:00`))
    expect(await of(member(1))).toContain(wall(`${tuesday}T10:00`))
    expect(await of('any')).toContain(wall(`${tuesday}T10:00`))
    const both = [cut(), colour()]
    expect(await of(['any', member(0)], both)).toContain(wall(`${tuesday}T10:00`))
    expect(await of([member(0), 'any'], both)).not.toContain(wall(`${tuesday}T10:00`))
    expect(await of(member(0), both)).not.toContain(wall(`${tuesday}T09:20`))
    expect(await of(member(1), both)).toContain(wall(`${tuesday}T09:20`))
  })

  it('are none for a member who does not perform the service', async () => {
    const divided = await makeInstitute(t.db, { services: [{ performedBy: [0] }, { performedBy: [1] }] })
    const [day] = await days({ service: divided.services[0] ?? '', staff: divided.members[1] ?? '', from: tuesday, days: 1 }, divided.id)
    expect([starts(day), day?.taken]).toEqual([[], []])
  })

  it('respect leave, closures, single days and members not bookable online at once', async () => {
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${member(0)}, 'sick_leave', ${tuesday}, ${tuesday})`.execute(
      t.db,
    )
    await sql`insert into shift_overrides (member_id, institute_id, day, shifts) values (${member(1)}, ${institute.id}, ${tuesday}, '[{"opensAt":600,"closesAt":720}]')`.execute(
      t.db,
    )
    await sql`insert into closures (institute_id, from_day, to_day) values (${institute.id}, '2026-11-25', '2026-11-25')`.execute(t.db)
    const [first, second, third] = await days({ service: cut(), from: tuesday, days: 3 })
    expect(starts(first)).toEqual(every(`${tuesday}T10:00`, `${tuesday}T11:20`, 20))
    expect(starts(second)).toEqual([])
    expect(starts(third).length).toBe(26)
    await sql`update team_members set bookable_online = false where institute_id = ${institute.id}`.execute(t.db)
    expect(starts((await days({ service: cut(), from: tuesday, days: 1 }))[0])).toEqual([])
  })
})

describe('refusals of free times', () => {
  it('an institute that is unknown, a draft or suspended is not found; a listed one takes no bookings', async () => {
    for (const state of ['draft', 'suspended']) {
      const other = await makeInstitute(t.db, { state })
      expect((await ask({ service: other.services[0] ?? '' }, other.id)).status).toBe(404)
    }
    expect((await ask({ service: cut() }, '019b8d2b-8c00-7381-9486-fd9ba44c527d')).status).toBe(404)
    const listed = await makeInstitute(t.db, { claimed: false })
    for (const call of ['', '/next', '/month']) {
      const answer = await ask({ service: listed.services[0] ?? '', ...(call === '/month' && { month: '2026-12' }) }, listed.id, call)
      expect([answer.status, answer.body['code']]).toEqual([422, 'not_bookable'])
    }
  })

  it('services and members of other institutes, and services taken off the menu, are not found', async () => {
    const other = await makeInstitute(t.db, {})
    expect((await ask({ service: other.services[0] ?? '' })).body).toMatchObject({
      code: 'not_found',
      details: { serviceId: other.services[0] },
    })
    expect((await ask({ service: cut(), staff: other.members[0] ?? '' })).body).toMatchObject({
      code: 'not_found',
      details: { staffId: other.members[0] },
    })
    await sql`update services set active = false where id = ${cut()}`.execute(t.db)
    expect((await ask({ service: cut() })).status).toBe(404)
    expect((await ask({ service: cut() }, institute.id, '/next')).status).toBe(404)
  })

  it.each<[string, Record<string, string | string[]>]>([
    ['no service', {}],
    ['a service that is no id', { service: "1' or true" }],
    ['too many days', { service: '019b8d2b-8c00-7381-9486-fd9ba44c527d', days: '32' }],
    ['no days', { service: '019b8d2b-8c00-7381-9486-fd9ba44c527d', days: '0' }],
    ['two numbers of days', { service: '019b8d2b-8c00-7381-9486-fd9ba44c527d', days: ['1', '2'] }],
    ['a day that does not exist', { service: '019b8d2b-8c00-7381-9486-fd9ba44c527d', from: '2026-02-30' }],
    ['a day far off', { service: '019b8d2b-8c00-7381-9486-fd9ba44c527d', from: '9999-12-31' }],
    ['more members than services', { service: '019b8d2b-8c00-7381-9486-fd9ba44c527d', staff: ['any', 'any'] }],
    ['nine services', { service: Array.from({ length: 9 }, () => '019b8d2b-8c00-7381-9486-fd9ba44c527d') }],
  ])('%s is bad input', async (_, query) => {
    const answer = await ask(query)
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_input'])
  })
})

describe('the month and the next times', () => {
  it('the month says which days have room, and agrees with the days themselves', async () => {
    await sql`insert into closures (institute_id, from_day, to_day) values (${institute.id}, '2026-12-24', '2026-12-26')`.execute(t.db)
    const answer = await ask({ service: cut(), month: '2026-12' }, institute.id, '/month')
    const month = answer.body as unknown as { days: { day: string; hasRoom: boolean }[] }
    expect(month.days.length).toBe(31)
    const each = await days({ service: cut(), from: '2026-12-01', days: 31 })
    expect(month.days).toEqual(each.map((day) => ({ day: day.day, hasRoom: day.times.length > 0 })))
    expect(month.days.filter(({ hasRoom }) => !hasRoom).map(({ day }) => day)).toEqual([
      '2026-12-06',
      '2026-12-13',
      '2026-12-20',
      '2026-12-24',
      '2026-12-25',
      '2026-12-26',
      '2026-12-27',
    ])
  })

  it('the next times begin now or on the asked day, and lie as far off as the horizon', async () => {
    const next = async (query: Record<string, string | number>) =>
      ((await ask({ service: cut(), ...query }, institute.id, '/next')).body as unknown as { times: { startsAt: string }[] }).times.map(
        ({ startsAt }) => startsAt,
      )
    expect(await next({})).toEqual(every('2026-11-20T12:00', '2026-11-20T12:40', 20))
    expect(await next({ from: '2026-11-22', limit: 1 })).toEqual([wall('2026-11-23T09:00')])
    await sql`insert into closures (institute_id, from_day, to_day) values (${institute.id}, '2026-11-20', '2027-02-10')`.execute(t.db)
    expect(await next({ limit: 2 })).toEqual(every('2027-02-11T09:00', '2027-02-11T09:20', 20))
    await sql`update institutes set horizon_days = 30 where id = ${institute.id}`.execute(t.db)
    expect(await next({})).toEqual([])
  })
})

describe('the work of the database', () => {
  it('a day of 20 members and a cart of 3 services needs at most 3 statements', async () => {
    const large = await makeInstitute(t.db, {
      members: 20,
      services: [{ active: 40 }, { active: 30, idle: 20, after: 10 }, { active: 20, bufferAfter: 10 }],
    })
    const before = t.context.database.statements()
    const answer = await ask({ service: large.services, from: tuesday, days: 1 }, large.id)
    expect((answer.body as unknown as Answer).days[0]?.times.length).toBeGreaterThan(20)
    expect(t.context.database.statements() - before).toBeLessThanOrEqual(3)
  })

  it('many institutes are loaded in 1 statement, their next times found in 3', async () => {
    const made: MadeInstitute[] = []
    for (let count = 0; count < 5; count++) made.push(await makeInstitute(t.db, {}))
    const instituteIds = made.map(({ id }) => id)
    const before = t.context.database.statements()
    const loaded = await loadDiaries(t.context.database.db, { instituteIds, from: new Date(now), to: new Date(now), now: new Date(now) })
    expect([loaded.size, t.context.database.statements() - before]).toEqual([5, 1])
    const found = await nextTimesFor(
      t.context.database.db,
      instituteIds,
      ({ diary }) => [{ serviceId: [...diary.services.keys()][0] ?? '' }],
      {
        now: Date.parse(now),
        limit: 3,
      },
    )
    expect([...found.values()].map(({ times }) => times.length)).toEqual([3, 3, 3, 3, 3])
    expect(t.context.database.statements() - before).toBeLessThanOrEqual(5)
  })
  it('does not read members and resources that a cart could not use', async () => {
    const institute = await makeInstitute(t.db, {
      members: 4,
      services: [
        { name: 'Cut', active: 30, performedBy: [0, 1], resourceType: 'chair' },
        { name: 'Facial', active: 30, performedBy: [2], resourceType: 'cabin' },
      ],
      resources: [
        { type: 'chair', name: 'Chair' },
        { type: 'cabin', name: 'Cabin' },
      ],
    })
    const [cut = '', facial = ''] = institute.services
    const at = new Date(now)
    const readFor = async (cart?: { serviceId: string; memberId?: string }[]) => {
      const loaded = await loadDiary(t.db, { instituteId: institute.id, from: at, to: at, now: at, ...(cart && { cart }) })
      return [loaded?.diary.members.map(({ id }) => institute.members.indexOf(id)), loaded?.diary.resources.map(({ type }) => type)]
    }
    expect(await readFor()).toEqual([
      [0, 1, 2, 3],
      ['chair', 'cabin'],
    ])
    expect(await readFor([{ serviceId: cut }])).toEqual([[0, 1], ['chair']])
    expect(await readFor([{ serviceId: facial, memberId: institute.members[3] ?? '' }])).toEqual([[3], ['cabin']])
    expect(await readFor([{ serviceId: cut, memberId: institute.members[1] ?? '' }, { serviceId: facial }])).toEqual([
      [1, 2],
      ['chair', 'cabin'],
    ])
  })
})

describe('the next times of no service in particular', () => {
  const next = async (id: string) =>
    (await ask({ limit: 2 }, id, '/next')).body as unknown as { times: { startsAt: string }[]; services: string[] }

  it('are those of the service that is free earliest, named; of several the one the institute leads with', async () => {
    expect((await next(institute.id)).services).toEqual([cut()])
    const made = await makeInstitute(t.db, {
      members: 1,
      services: [
        { name: 'Half a day', active: 400, price: 38000 },
        { name: 'Touch-up', active: 40, price: 2500 },
        { name: 'Consultation', active: 10, price: 2500 },
        { name: 'By hand', active: 5, onRequest: true },
      ],
    })
    const { times, services } = await next(made.id)
    expect(services).toEqual([made.services[1]])
    expect(times.map(({ startsAt }) => startsAt)).toEqual([wall('2026-11-20T12:00'), wall('2026-11-20T12:20')])
  })

  it('are none where nothing is booked online', async () => {
    const made = await makeInstitute(t.db, { services: [{ name: 'By hand', onRequest: true }] })
    expect(await next(made.id)).toMatchObject({ times: [], services: [] })
  })
})
