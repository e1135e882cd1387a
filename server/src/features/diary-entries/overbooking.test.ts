import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, refused, tryHold, later, wall } from '#/testing/booking.ts'
import { diaryOf, eventsOf, refusalOf, startsOffered, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { blockTime, type OverbookAsked, overbookVisit, setLeave } from './service.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let walkIn: string
const day = '2026-11-24'
const ten = wall(`${day}T10:00`)

beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  const services = [{ active: 40, resourceType: 'chair' }, { active: 20 }]
  const resources = ['First', 'Second'].map((name) => ({ type: 'chair', name }))
  institute = await makeInstitute(t.db, { members: 2, services, resources })
  client = await makeUser(t.db)
  walkIn = await customerOf(institute)
})

async function customerOf({ id }: { id: string }): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into customers (institute_id, first_name) values (${id}, 'Jo') returning id`.execute(
    t.db,
  )
  return rows[0]?.id ?? ''
}
const ana = (): string => institute.members[0] ?? ''
const overbook = (more: Partial<OverbookAsked> = {}, of = institute) =>
  overbookVisit(t.context, diaryOf(of), {
    customerId: walkIn,
    services: [{ serviceId: institute.services[0] ?? '', staffId: ana() }],
    startsAt: ten,
    reason: 'She has waited since nine',
    ...more,
  })
const soft = async (): Promise<[string, string, string, string][]> => {
  const { rows } = await sql<{
    subjectId: string
    from: string
    to: string
    reason: string
  }>`select subject_id as "subjectId", lower(during) as "from",
    upper(during) as "to", reason from soft_occupations where institute_id = ${institute.id} order by subject_kind, lower(during)`.execute(
    t.db,
  )
  return rows.map(({ subjectId, from, to, reason }) => [subjectId, from, to, reason])
}

describe('overbooking on purpose', () => {
  it('puts a visit over another, outside the wall, with its reason; the second chair is used', async () => {
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const { id, startsAt, endsAt, reference } = await overbook({ startsAt: later(ten, 20) })
    expect([startsAt, endsAt, reference]).toEqual([later(ten, 20), later(ten, 60), expect.stringMatching(/^[A-Z2-9]{4}-[A-Z2-9]{3}$/)])
    expect(await wallOf(t.db, ana())).toEqual([['visit', ten, later(ten, 40)]])
    const reason = 'She has waited since nine'
    expect(await soft()).toEqual([
      [ana(), later(ten, 20), later(ten, 60), reason],
      [institute.resources[1], later(ten, 20), later(ten, 60), reason],
    ])
    expect((await eventsOf(t.db, institute)).at(-1)).toEqual({
      kind: 'visit.overbooked',
      subjectId: id,
      payload: { startsAt, endsAt, customerId: walkIn, reason },
    })
    await summaryIsTrue(t, institute)
  })

  it('shares a chair where there is no other, and is taken for everybody else', async () => {
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 1]] })
    await overbook({ startsAt: later(ten, 20) })
    expect((await soft()).map(([subject]) => subject)).toEqual([ana(), institute.resources[0]])
    expect(refused(await tryHold(t, client, institute, { startsAt: later(ten, 40), lines: [[1, 0]] }))).toEqual([409, 'slot_taken'])
    expect((await tryHold(t, client, institute, { startsAt: later(ten, 40), lines: [[1, 1]] })).status).toBe(201)
  })

  it('frees only its own time when the other goes, and the other only its own', async () => {
    const first = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const second = await overbook({ startsAt: later(ten, 20) })
    await cancelled(t, client, first._id)
    const tried = async (minute: number) => (await tryHold(t, client, institute, { startsAt: later(ten, minute), lines: [[1, 0]] })).status
    expect([await tried(20), await tried(40)]).toEqual([409, 409])
    expect(await tried(0)).toBe(201)
    await sql`delete from appointments where id = ${second.id}`.execute(t.db)
    expect(await startsOffered(t, institute, day)).toContain(later(ten, 20))
  })

  it('overlooks blocked time, but not leave, opening hours or a shift', async () => {
    await blockTime(t.context, diaryOf(institute), { subject: { kind: 'member', id: ana() }, startsAt: ten, endsAt: later(ten, 60) })
    await overbook()
    await setLeave(t.context, diaryOf(institute), { memberId: ana(), kind: 'sick_leave', fromDay: '2026-11-25', toDay: '2026-11-25' })
    const reasonAt = async (startsAt: string) => (await refusalOf(overbook({ startsAt }))).details
    expect(await reasonAt(wall('2026-11-25T10:00'))).toEqual({ reason: 'on_leave' })
    expect(await reasonAt(wall(`${day}T20:00`))).toEqual({ reason: 'outside_opening' })
  })

  it('is a visit for blocked time and for a holiday, which are refused over it and name it', async () => {
    const { id } = await overbook()
    const blocking = { subject: { kind: 'member', id: ana() }, startsAt: later(ten, 20), endsAt: later(ten, 60) } as const
    const holiday = { memberId: ana(), kind: 'on_holiday', fromDay: day, toDay: day } as const
    for (const change of [() => blockTime(t.context, diaryOf(institute), blocking), () => setLeave(t.context, diaryOf(institute), holiday)])
      expect(await refusalOf(change())).toMatchObject({ code: 'time_taken', details: { taken: [{ kind: 'visit', id }] } })
    expect(await wallOf(t.db, ana())).toEqual([])
    expect((await setLeave(t.context, diaryOf(institute), { ...holiday, kind: 'sick_leave' })).hits).toMatchObject([{ kind: 'visit', id }])
  })

  it('needs a reason, a service and somebody by name', async () => {
    for (const wrong of [{ reason: '  ' }, { reason: 'x'.repeat(501) }, { services: [] }, { startsAt: 'at ten' }])
      expect((await refusalOf(overbook(wrong))).code).toBe('bad_input')
  })

  it('knows nobody else’s customers, services and members', async () => {
    const other = await makeInstitute(t.db)
    const strange = [
      { customerId: await customerOf(other) },
      { services: [{ serviceId: other.services[0] ?? '', staffId: ana() }] },
      { services: [{ serviceId: institute.services[0] ?? '', staffId: other.members[0] ?? '' }] },
    ]
    for (const more of strange) expect((await refusalOf(overbook(more))).code).toBe('not_found')
    expect((await refusalOf(overbook({}, other))).code).toBe('not_found')
    expect(await soft()).toEqual([])
  })
})
