/** Who does a visit after it moved, and for how much: the person stays unless the client agrees, and both are told before. */
import type { Appointment } from '@soigne/contract/appointments'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, detailsOf, later, moved, readVisit, refused, tryMove, visitsPath, wall } from '#/testing/booking.ts'
import { diaryOf } from '#/testing/diary.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'
import { moveVisit } from './changes.ts'
import type { MovePlan } from './move-plan.ts'

const ten = wall('2026-11-24T10:00')
const noon = later(ten, 120)

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let cheap: string
let dear: string
eachWithInstitute({ at: '2026-11-20T11:00:00Z', institute: { members: 2 } }, (world) => ({ t, institute, client } = world))
beforeEach(async () => {
  ;[cheap = '', dear = ''] = institute.members
  await sql`update member_services set price_amount = 4600 where member_id = ${dear} and service_id = ${institute.services[0]}`.execute(
    t.db,
  )
})

const facts = ({ segments, total }: Pick<Appointment, 'segments' | 'total'>) => ({
  staff: segments.map(({ staffId }) => staffId),
  prices: segments.map(({ price }) => price?.amount),
  total: total.amount,
})
const planOf = async (id: string, query: string): Promise<MovePlan> =>
  (await t.inject('GET', `${visitsPath}/${id}/plan?${query}`, { token: client.token })).body as unknown as MovePlan
async function timesOf(id: string, staff = ''): Promise<string[]> {
  const answer = await t.inject('GET', `${visitsPath}/${id}/times?from=2026-11-24&days=1${staff}`, { token: client.token })
  const days = answer.body['days'] as unknown as { times: { startsAt: string }[] }[]
  return days.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
}
/** Somebody else takes an hour of a member. */
const busy = async (member: number, startsAt: string) => bookVisit(t, await makeUser(t.db), institute, { startsAt, lines: [[0, member]] })

describe('the person stays', () => {
  it('where anyone was asked for too: only their times are offered, and the move never goes to another', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    const place = booked.segments[0]?.staffId === cheap ? 0 : 1
    await busy(place, noon)
    expect(await timesOf(booked._id)).not.toContain(noon)
    const answer = await tryMove(t, client, booked._id, noon)
    expect(refused(answer)).toEqual([409, 'slot_taken'])
    for (const { startsAt } of detailsOf(answer).nearest ?? []) expect(await timesOf(booked._id)).toContain(startsAt)
    expect(facts(await readVisit(t, client, booked._id))).toEqual(facts(booked))
    expect(facts(await moved(t, client, booked._id, later(noon, 60)))).toEqual(facts(booked))
  })

  it('until the client names another, since anyone is nobody dearer: who and how much is told before', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await busy(0, noon)
    expect(await timesOf(booked._id, '&staff=any')).not.toContain(noon)
    expect(await timesOf(booked._id, `&staff=${dear}`)).toContain(noon)
    const plan = await planOf(booked._id, `startsAt=${noon}&staff=${dear}`)
    expect(plan).toMatchObject({ startsAt: noon, endsAt: later(noon, 40), staff: [dear], total: { amount: 4600 } })
    expect(facts(plan)).toEqual({ staff: [dear], prices: [4600], total: 4600 })
    expect(facts(await readVisit(t, client, booked._id))).toEqual({ staff: [cheap], prices: [3500], total: 3500 })
    expect(facts(await moved(t, client, booked._id, noon, plan.staff))).toEqual(facts(plan))
  })

  it('is asked for by service, in the order booked', async () => {
    const booked = await bookVisit(t, client, institute, {
      startsAt: ten,
      lines: [
        [1, 0],
        [0, 0],
      ],
    })
    const visit = await moved(t, client, booked._id, noon, ['any', dear])
    expect(visit.segments.map(({ serviceId, staffId }) => [serviceId, staffId])[1]).toEqual([institute.services[0], dear])
    expect(refused(await tryMove(t, client, booked._id, ten, [dear, dear, dear]))).toEqual([400, 'bad_input'])
    expect(refused(await tryMove(t, client, booked._id, ten, '019b0000-0000-7000-8000-0000000000ff'))).toEqual([404, 'not_found'])
  })

  it('who works there no more is said by name of the reason', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 1]] })
    await sql`update team_members set active = false where id = ${dear}`.execute(t.db)
    const answer = await tryMove(t, client, booked._id, noon)
    expect([...refused(answer), detailsOf(answer).reason, answer.body['message']]).toEqual([
      422,
      'not_offered',
      'unknown_member',
      'This professional is no longer here.',
    ])
    expect(facts(await moved(t, client, booked._id, noon, 'any')).staff).toEqual([cheap])
  })

  it('a plan keeps nothing, and is refused like the move', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await busy(0, noon)
    const answer = await t.inject('GET', `${visitsPath}/${booked._id}/plan?startsAt=${noon}`, { token: client.token })
    expect(refused(answer)).toEqual([409, 'slot_taken'])
    expect(detailsOf(answer).nearest?.length).toBeGreaterThan(0)
    expect((await sql`select moved_count as n from appointments where id = ${booked._id}`.execute(t.db)).rows).toEqual([{ n: 0 }])
  })
})

describe('the price of a move', () => {
  it('stays with the same person, whatever the menu says now, and is the other’s own when they are named', async () => {
    const booked = await bookVisit(t, client, institute, {
      startsAt: ten,
      lines: [
        [0, 0],
        [1, 0],
      ],
    })
    await sql`update services set price_amount = 9900 where id = ${institute.services[0]}`.execute(t.db)
    expect(facts(await moved(t, client, booked._id, noon)).total).toBe(3500 + 6000)
    const visit = await moved(t, client, booked._id, later(noon, 120), [dear, cheap])
    expect(facts(visit)).toEqual({ staff: [dear, cheap], prices: [4600, 6000], total: 10_600 })
    expect((await readVisit(t, client, booked._id)).total.amount).toBe(10_600)
  })

  it('is never more than agreed where anyone may come, and less where they ask less', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await busy(0, noon)
    expect(refused(await tryMove(t, client, booked._id, noon, 'any'))).toEqual([409, 'slot_taken'])
    const other = await bookVisit(t, client, institute, { startsAt: later(noon, 120), lines: [[0, 1]] })
    await busy(1, later(noon, 240))
    expect(facts(await moved(t, client, other._id, later(noon, 240), 'any'))).toEqual({ staff: [cheap], prices: [3500], total: 3500 })
  })

  it('stays as agreed when the institute moves it, or once something was paid', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const who = { scope: diaryOf(institute), locale: 'en' as const, idempotencyKey: null }
    await moveVisit(t.context, who, { id: booked._id, startsAt: noon, staffId: dear }, () => null)
    expect(facts(await readVisit(t, client, booked._id))).toEqual({ staff: [dear], prices: [3500], total: 3500 })
    const paid = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await sql`update appointments set payment = 'paid' where id = ${paid._id}`.execute(t.db)
    expect(facts(await moved(t, client, paid._id, later(noon, 240), dear)).total).toBe(3500)
  })
})
