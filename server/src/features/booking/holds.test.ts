import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { detailsOf, hold, holdBody, holdsPath, later, overlaps, refused, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'
import { bookingJobs } from './jobs.ts'
import { references } from './hold-batch.ts'

const now = '2026-11-20T11:00:00Z'
const minute = 60_000
const ten = wall('2026-11-24T10:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute({ at: now, settings: {} }, (world) => ({ t, institute, client } = world))

describe('a hold', () => {
  it('keeps a time for ten minutes and names what was chosen, its price and its terms', async () => {
    const held = await hold(t, client, institute, {
      startsAt: ten,
      lines: [
        [0, 1],
        [1, 1],
      ],
    })
    expect(held).toMatchObject({
      startsAt: ten,
      endsAt: later(ten, 100),
      expiresAt: later(now, 10),
      total: { amount: 9500, currency: 'EUR' },
      extended: false,
    })
    expect(
      held.segments.map(({ serviceName, staffId, startsAt, endsAt, price }) => [serviceName, staffId, startsAt, endsAt, price?.amount]),
    ).toEqual([
      ['Cut', institute.members[1], ten, later(ten, 40), 3500],
      ['Colour', institute.members[1], later(ten, 40), later(ten, 100), 6000],
    ])
    expect(held.terms).toEqual({ cancelWindowHours: 2, rescheduleWindowHours: 2, freeUntil: later(ten, -120) })
    expect(held.institute).toMatchObject({ _id: institute.id, slug: institute.slug, timeZone: 'Europe/Paris' })
  })

  it('is shown to its holder, newest first, and to nobody else', async () => {
    const first = await hold(t, client, institute, { startsAt: ten })
    t.clock.advance(minute)
    const second = await hold(t, client, institute, { startsAt: later(ten, 60) })
    const mine = await t.inject('GET', holdsPath, { token: client.token })
    expect((mine.body['items'] as unknown as { _id: string }[]).map(({ _id }) => _id)).toEqual([second._id, first._id])
    const other = await makeUser(t.db)
    expect((await t.inject('GET', holdsPath, { token: other.token })).body['items']).toEqual([])
  })

  it('takes the time from everybody else', async () => {
    await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const other = await makeUser(t.db)
    expect(refused(await tryHold(t, other, institute, { startsAt: ten, lines: [[0, 0]] }))).toEqual([409, 'slot_taken'])
    expect(refused(await tryHold(t, other, institute, { startsAt: later(ten, 20), lines: [[0, 0]] }))).toEqual([409, 'slot_taken'])
    await hold(t, other, institute, { startsAt: later(ten, 40), lines: [[0, 0]] })
  })

  it('needs a session but no confirmed email; confirming and extending need one', async () => {
    expect(refused(await t.inject('POST', holdsPath, { body: holdBody(institute, { startsAt: ten }) }))).toEqual([401, 'unauthorized'])
    expect(refused(await t.inject('GET', holdsPath, { token: 'x'.repeat(43) }))).toEqual([401, 'unauthorized'])
    const fresh = await makeUser(t.db, { verified: false })
    const held = await hold(t, fresh, institute, { startsAt: ten })
    expect(refused(await tryConfirm(t, fresh, held._id))).toEqual([403, 'email_unverified'])
    expect(refused(await t.inject('PUT', `${holdsPath}/${held._id}/extend`, { token: fresh.token }))).toEqual([403, 'email_unverified'])
    expect((await t.inject('DELETE', `${holdsPath}/${held._id}`, { token: fresh.token })).status).toBe(200)
  })

  it('of somebody else is not found, whatever is tried', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    const other = await makeUser(t.db)
    expect(refused(await tryConfirm(t, other, held._id))).toEqual([404, 'not_found'])
    expect(refused(await t.inject('PUT', `${holdsPath}/${held._id}/extend`, { token: other.token }))).toEqual([404, 'not_found'])
    expect(refused(await t.inject('DELETE', `${holdsPath}/${held._id}`, { token: other.token }))).toEqual([404, 'not_found'])
    expect((await tryConfirm(t, client, held._id)).status).toBe(201)
  })

  it('gets another reference when the first one drawn is in use', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    const referenceOf = async (id: string): Promise<string> =>
      (await sql<{ reference: string }>`select reference from appointments where id = ${id}`.execute(t.db)).rows[0]?.reference ?? ''
    const drawn = [await referenceOf(held._id), 'ABCD-EFG']
    const draw = vi.spyOn(references, 'draw').mockImplementation(() => drawn.shift() ?? '')
    const second = await hold(t, await makeUser(t.db), institute, { startsAt: later(ten, 120) })
    draw.mockRestore()
    expect(await referenceOf(second._id)).toBe('ABCD-EFG')
  })
})

describe('the ten minutes', () => {
  it('end to the millisecond: at the last one a hold can be confirmed, then no more', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    t.clock.set(Date.parse(held.expiresAt))
    expect(refused(await tryConfirm(t, client, held._id))).toEqual([409, 'hold_expired'])
    expect(refused(await t.inject('PUT', `${holdsPath}/${held._id}/extend`, { token: client.token }))).toEqual([409, 'hold_expired'])
    t.clock.set(Date.parse(held.expiresAt) - 1)
    expect((await tryConfirm(t, client, held._id)).status).toBe(201)
  })

  it('over, the time is free for others although nothing has tidied up', async () => {
    const held = await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    t.clock.advance(10 * minute)
    expect((await t.inject('GET', holdsPath, { token: client.token })).body['items']).toEqual([])
    const offered = await t.inject(
      'GET',
      `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&staff=${institute.members[0]}&from=2026-11-24&days=1`,
    )
    expect(offered.text).toContain(ten)
    const other = await makeUser(t.db)
    const next = await hold(t, other, institute, { startsAt: ten, lines: [[0, 0]] })
    expect(refused(await tryConfirm(t, client, held._id))).toEqual([409, 'hold_expired'])
    expect((await tryConfirm(t, other, next._id)).status).toBe(201)
    expect(await overlaps(t.db)).toBe(0)
  })

  it('can be ten more, once', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    t.clock.advance(9 * minute)
    const longer = await t.inject('PUT', `${holdsPath}/${held._id}/extend`, { token: client.token })
    expect(longer.body).toMatchObject({ expiresAt: later(now, 20), extended: true })
    expect(refused(await t.inject('PUT', `${holdsPath}/${held._id}/extend`, { token: client.token }))).toEqual([409, 'hold_extended'])
    t.clock.advance(10 * minute)
    const other = await makeUser(t.db)
    expect(refused(await tryHold(t, other, institute, { startsAt: ten, lines: [[0, 0]] }))).toEqual([409, 'slot_taken'])
    expect((await tryConfirm(t, client, held._id)).status).toBe(201)
  })

  it('swept by the tidying job hurt no hold that was confirmed or extended', async () => {
    const confirmed = await hold(t, client, institute, { startsAt: ten })
    await tryConfirm(t, client, confirmed._id)
    const extended = await hold(t, client, institute, { startsAt: later(ten, 60) })
    await t.inject('PUT', `${holdsPath}/${extended._id}/extend`, { token: client.token })
    const gone = await hold(t, client, institute, { startsAt: later(ten, 120) })
    t.clock.advance(11 * minute)
    await bookingJobs(t.context)['tidy_bookings']?.({})
    const { rows } = await sql<{
      appointmentId: string
    }>`select distinct appointment_id as "appointmentId" from occupations where institute_id = ${institute.id}`.execute(t.db)
    expect(rows.map(({ appointmentId }) => appointmentId).toSorted()).toEqual([confirmed._id, extended._id].toSorted())
    expect(refused(await tryConfirm(t, client, gone._id))).toEqual([409, 'hold_expired'])
    expect((await tryConfirm(t, client, extended._id)).status).toBe(201)
    t.clock.advance(25 * 60 * minute)
    await bookingJobs(t.context)['tidy_bookings']?.({})
    expect((await sql`select 1 from appointments where id = ${gone._id}`.execute(t.db)).rows).toEqual([])
  })
})

describe('the same visit asked for again by its holder', () => {
  it('is the same hold, from another window and after a reload, and nothing more is taken', async () => {
    const first = await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]], key: 'one-window' })
    t.clock.advance(minute)
    const again = await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]], key: 'another' })
    expect([again._id, again.expiresAt]).toEqual([first._id, first.expiresAt])
    await hold(t, client, institute, { startsAt: later(ten, 60), lines: [[0, 0]] })
    expect((await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] }))._id).toBe(first._id)
    const mine = await t.inject('GET', holdsPath, { token: client.token })
    expect(mine.body['items']).toHaveLength(2)
  })

  it('at an overlapping start or with another service takes the place of the first, in whichever window', async () => {
    const first = await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const other = await hold(t, client, institute, { startsAt: ten, lines: [[1, 0]] })
    const later20 = await hold(t, client, institute, { startsAt: later(ten, 20), lines: [[0, 0]] })
    const mine = await t.inject('GET', holdsPath, { token: client.token })
    expect((mine.body['items'] as unknown as { _id: string }[]).map(({ _id }) => _id)).toEqual([later20._id])
    for (const gone of [first, other]) expect(refused(await tryConfirm(t, client, gone._id))).toEqual([404, 'not_found'])
    // Of somebody else it stays, and is lost for nothing where the time is taken all the same.
    const somebody = await makeUser(t.db)
    expect(refused(await tryHold(t, somebody, institute, { startsAt: ten, lines: [[0, 0]] }))).toEqual([409, 'slot_taken'])
    await hold(t, somebody, institute, { startsAt: later(ten, 60), lines: [[0, 0]] })
    expect(refused(await tryHold(t, client, institute, { startsAt: later(ten, 60), lines: [[0, 0]] }))).toEqual([409, 'slot_taken'])
    expect((await tryConfirm(t, client, later20._id)).status).toBe(201)
  })

  it('once it is over is no hold', async () => {
    await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    t.clock.advance(10 * minute)
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 0]] })
    expect(refused(await tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]] }))).toEqual([409, 'slot_taken'])
  })
})

describe('letting go', () => {
  it('frees the time at once; a second time there is nothing to let go', async () => {
    const held = await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const answer = await t.inject('DELETE', `${holdsPath}/${held._id}`, { token: client.token, locale: 'fr' })
    expect([answer.status, answer.body['message']]).toEqual([200, 'Le créneau est de nouveau libre.'])
    expect(refused(await t.inject('DELETE', `${holdsPath}/${held._id}`, { token: client.token }))).toEqual([404, 'not_found'])
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 0]] })
  })

  it('does not touch a visit that was confirmed', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    await tryConfirm(t, client, held._id)
    expect(refused(await t.inject('DELETE', `${holdsPath}/${held._id}`, { token: client.token }))).toEqual([404, 'not_found'])
    expect((await t.inject('GET', `/api/v1/secure/appointments/${held._id}`, { token: client.token })).status).toBe(200)
  })
})

describe('two live holds are the most', () => {
  it('a third is refused with the seconds to wait; letting one go or waiting makes room', async () => {
    const first = await hold(t, client, institute, { startsAt: ten })
    t.clock.advance(minute)
    await hold(t, client, institute, { startsAt: later(ten, 60) })
    const third = await tryHold(t, client, institute, { startsAt: later(ten, 120) })
    expect(refused(third)).toEqual([429, 'too_many_holds'])
    expect(third.headers['retry-after']).toBe('540')
    await t.inject('DELETE', `${holdsPath}/${first._id}`, { token: client.token })
    await hold(t, client, institute, { startsAt: later(ten, 120) })
    t.clock.advance(10 * minute)
    await hold(t, client, institute, { startsAt: later(ten, 180) })
  })

  it('also when twelve are asked for at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        tryHold(t, client, institute, { startsAt: later(ten, 20 * index), lines: [[0, index % 2]] }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 429 || status === 409)).toBe(true)
  })
})

describe('before the email is confirmed', () => {
  let fresh: MadeUser
  beforeEach(async () => void (fresh = await makeUser(t.db, { verified: false })))
  const confirmEmail = () => sql`update users set email_verified_at = ${now} where id = ${fresh.id}`.execute(t.db)

  it('one time can be held, not two, also when many are asked for at once; then two like anybody', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => tryHold(t, fresh, institute, { startsAt: later(ten, 20 * index), lines: [[0, index % 2]] })),
    )
    const [held] = answers.filter(({ status }) => status === 201)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 429 || status === 409)).toBe(true)
    const second = await tryHold(t, fresh, institute, { startsAt: later(ten, 240) })
    expect(refused(second)).toEqual([429, 'too_many_holds'])
    expect(second.body).toMatchObject({ details: { isUnconfirmed: true } })
    expect(second.headers['retry-after']).toBe('600')
    await confirmEmail()
    await hold(t, fresh, institute, { startsAt: later(ten, 240) })
    const third = await tryHold(t, fresh, institute, { startsAt: later(ten, 300) })
    expect([refused(third), third.body['details']]).toEqual([[429, 'too_many_holds'], undefined])
    expect((await tryConfirm(t, fresh, String(held?.body['_id']))).status).toBe(201)
  })

  it('letting go or waiting makes room', async () => {
    const first = await hold(t, fresh, institute, { startsAt: ten })
    await t.inject('DELETE', `${holdsPath}/${first._id}`, { token: fresh.token })
    await hold(t, fresh, institute, { startsAt: ten })
    t.clock.advance(10 * minute)
    await hold(t, fresh, institute, { startsAt: later(ten, 60) })
  })

  it('three services can be held, not four', async () => {
    const lines = (count: number): [number, number][] => Array.from({ length: count }, () => [0, 1])
    const four = await tryHold(t, fresh, institute, { startsAt: ten, lines: lines(4) })
    expect([refused(four), four.body['details']]).toEqual([[422, 'too_many_services'], { most: 3 }])
    await hold(t, fresh, institute, { startsAt: ten, lines: lines(3) })
    await confirmEmail()
    await hold(t, fresh, institute, { startsAt: later(ten, 180), lines: lines(4) })
  })

  it.each([
    ['en', 'Until your email is confirmed, you can hold up to 3 services at a time.', 'Confirm your email to hold more'],
    ['fr', 'Tant que votre e-mail n’est pas confirmé, vous pouvez garder jusqu’à 3 prestations à la fois.', 'Confirmez votre e-mail'],
    ['ar', 'قبل تأكيد البريد الإلكتروني يمكن حفظ 3 خدمات كحد أقصى في كل مرة.', 'يلزم تأكيد البريد الإلكتروني لحفظ أوقات أخرى'],
  ])('the refusals say why (%s)', async (locale, ofServices, ofHolds) => {
    const ask = (startsAt: string, count: number) => {
      const body = holdBody(institute, { startsAt, lines: Array.from({ length: count }, () => [0, 1]) })
      return t.inject('POST', holdsPath, { token: fresh.token, locale, body })
    }
    expect((await ask(ten, 4)).body['message']).toBe(ofServices)
    expect((await ask(ten, 1)).status).toBe(201)
    expect((await ask(later(ten, 120), 1)).body['message']).toContain(ofHolds)
  })
})

describe('what cannot be a hold', () => {
  const services = (count: number): unknown[] => Array.from({ length: count }, () => ({ serviceId: institute.services[0] }))
  it.each([
    ['no body', () => undefined],
    ['null', () => null],
    ['a list', () => []],
    ['an empty cart', () => ({ services: [] })],
    ['nine services', () => ({ services: services(9) })],
    ['services as text', () => ({ services: 'all' })],
    ['a service without id', () => ({ services: [{}] })],
    ['an id that is none', () => ({ services: [{ serviceId: '1' }] })],
    ['an id with NUL', () => ({ instituteId: `${institute.id}\u0000` })],
    ['an id of another type', () => ({ instituteId: { $ne: 1 } })],
    ['a member who is neither id nor any', () => ({ services: [{ serviceId: institute.services[0], staffId: 'somebody' }] })],
    ['a number for the start', () => ({ startsAt: 1_795_000_000 })],
    ['a start without offset', () => ({ startsAt: '2026-11-24T10:00:00' })],
    ['the year 0000', () => ({ startsAt: '0000-01-01T00:00:00Z' })],
    ['the year 9999', () => ({ startsAt: '9999-01-01T00:00:00Z' })],
    ['a day that does not exist', () => ({ startsAt: '2026-02-30T10:00:00Z' })],
    ['a start two years ahead', () => ({ startsAt: '2028-11-24T10:00:00Z' })],
    ['a start last week', () => ({ startsAt: '2026-11-13T10:00:00Z' })],
    ['a lone surrogate', () => ({ startsAt: '2026-11-24T10:00:00\ud800' })],
    ['a very long start', () => ({ startsAt: `2026-11-24T10:00:00.${'0'.repeat(5000)}Z` })],
    ['a birthday that is no day', () => ({ birthday: '1990-02-31' })],
    ['a birthday in the future', () => ({ birthday: '2026-11-22' })],
    ['a birthday of another age', () => ({ birthday: '0190-02-01' })],
  ])('%s is refused as bad input', async (_name, change) => {
    const given = change()
    const body = given && !Array.isArray(given) ? { ...holdBody(institute, { startsAt: ten }), ...given } : given
    const answer = await t.inject('POST', holdsPath, { token: client.token, body })
    expect(refused(answer)).toEqual([400, 'bad_input'])
    expect(Object.keys(detailsOf(answer).fields ?? {})).not.toEqual([])
  })

  it('an offset of +23:59 is an instant like any other', async () => {
    const same = Temporal.Instant.from(ten).toZonedDateTimeISO('+23:59').toString({ timeZoneName: 'never' })
    expect((await hold(t, client, institute, { startsAt: same })).startsAt).toBe(ten)
  })

  it('a start with seconds is not offered', async () => {
    for (const startsAt of ['2026-11-24T09:00:30Z', '2026-11-24T09:00:00.001Z'])
      expect(refused(await tryHold(t, client, institute, { startsAt }))).toEqual([422, 'not_offered'])
  })

  it('unknown institutes, services and members are not found', async () => {
    const other = await makeInstitute(t.db, {})
    const unknown = randomUUID()
    for (const change of [
      { instituteId: unknown },
      { services: [{ serviceId: unknown }] },
      { services: [{ serviceId: other.services[0] }] },
      { services: [{ serviceId: institute.services[0], staffId: unknown }] },
      { services: [{ serviceId: institute.services[0], staffId: other.members[0] }] },
    ]) {
      expect(
        refused(await t.inject('POST', holdsPath, { token: client.token, body: { ...holdBody(institute, { startsAt: ten }), ...change } })),
      ).toEqual([404, 'not_found'])
    }
  })

  it('unknown fields are ignored', async () => {
    const answer = await t.inject('POST', holdsPath, {
      token: client.token,
      body: { ...holdBody(institute, { startsAt: ten }), total: { amount: 1 }, status: 'completed', userId: randomUUID() },
    })
    expect(answer.body['total']).toEqual({ amount: 3500, currency: 'EUR' })
  })

  it('ids of holds that are none are bad input', async () => {
    for (const id of ['1', 'x'.repeat(200), '%00', '%F0%9F%98%80'])
      expect((await t.inject('DELETE', `${holdsPath}/${id}`, { token: client.token })).status).toBe(400)
    expect(refused(await t.inject('DELETE', `${holdsPath}/${randomUUID()}`, { token: client.token }))).toEqual([404, 'not_found'])
  })
})
