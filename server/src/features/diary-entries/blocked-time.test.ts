import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, hold, later, refused, tryHold, wall } from '#/testing/booking.ts'
import { diaryOf, eventsOf, refusalOf, startsOffered, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { blockTime, moveBlockedTime, syncExternal, unblockTime } from './service.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
const day = '2026-11-24'
const ten = wall(`${day}T10:00`)

beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  institute = await makeInstitute(t.db, {
    members: 1,
    services: [{ active: 40, resourceType: 'chair' }],
    resources: [{ type: 'chair', name: 'Chair' }],
  })
  client = await makeUser(t.db)
})

const ana = () => ({ kind: 'member' as const, id: institute.members[0] ?? '' })
const chair = () => ({ kind: 'resource' as const, id: institute.resources[0] ?? '' })
const block = (from: number, to: number, subject = ana() as ReturnType<typeof ana> | ReturnType<typeof chair>) =>
  blockTime(t.context, diaryOf(institute), { subject, startsAt: later(ten, from), endsAt: later(ten, to) })
const kinds = async (): Promise<string[]> => (await eventsOf(t.db, institute)).map(({ kind }) => kind)
const indexIsTrue = (): Promise<void> => summaryIsTrue(t, institute)

describe('blocked time', () => {
  it('is offered to nobody and cannot be held, for a member or for the chair', async () => {
    for (const subject of [ana(), chair()]) {
      const blocked = await block(0, 60, subject)
      expect(blocked).toMatchObject({ subjectKind: subject.kind, startsAt: ten, endsAt: later(ten, 60), note: null })
      expect(
        (await startsOffered(t, institute, day)).filter((startsAt) => startsAt > later(ten, -40) && startsAt < later(ten, 60)),
      ).toEqual([])
      expect(refused(await tryHold(t, client, institute, { startsAt: ten }))).toEqual([409, 'slot_taken'])
      await indexIsTrue()
      await unblockTime(t.context, diaryOf(institute), blocked.id)
      expect(await startsOffered(t, institute, day)).toContain(ten)
      await indexIsTrue()
    }
    expect(await kinds()).toEqual(['time.blocked', 'time.unblocked', 'time.blocked', 'time.unblocked'])
  })

  it('is refused over a visit, a hold and other blocked time, which are named', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    const held = await hold(t, client, institute, { startsAt: later(ten, 40) })
    const other = await block(80, 100)
    const before = await kinds()
    const { code, details } = await refusalOf(block(20, 90))
    expect([code, details]).toEqual([
      'time_taken',
      {
        taken: [
          { kind: 'visit', id: visit._id, startsAt: ten, endsAt: later(ten, 40), customer: 'Nour Benali' },
          { kind: 'hold', id: held._id, startsAt: later(ten, 40), endsAt: later(ten, 80), customer: null },
          { kind: 'blocked', id: other.id, startsAt: later(ten, 80), endsAt: later(ten, 100), customer: null },
        ],
      },
    ])
    expect(await kinds()).toEqual(before)
  })

  it('takes the time of a hold that has run out', async () => {
    await hold(t, client, institute, { startsAt: ten })
    t.clock.advance(11 * 60_000)
    await block(0, 20)
    expect(await kinds()).toEqual(['visit.held', 'visit.lapsed', 'time.blocked'])
  })

  it('moves where there is room, and stays where it was where there is none', async () => {
    const lunch = await block(120, 180)
    await moveBlockedTime(t.context, diaryOf(institute), lunch.id, { startsAt: later(ten, 100), endsAt: later(ten, 160) })
    expect(await startsOffered(t, institute, day)).toContain(later(ten, 160))
    await indexIsTrue()
    const held = await hold(t, client, institute, { startsAt: later(ten, 40) })
    const moved = moveBlockedTime(t.context, diaryOf(institute), lunch.id, { startsAt: later(ten, 60), endsAt: later(ten, 120) })
    expect((await refusalOf(moved)).details).toMatchObject({ taken: [{ kind: 'hold', id: held._id }] })
    expect(await wallOf(t.db, ana().id)).toEqual([
      ['visit', later(ten, 40), later(ten, 80)],
      ['blocked', later(ten, 100), later(ten, 160)],
    ])
  })

  it('of another institute is unknown, and so are its members', async () => {
    const other = await makeInstitute(t.db)
    const lunch = await block(0, 60)
    for (const work of [
      () => unblockTime(t.context, diaryOf(other), lunch.id),
      () => moveBlockedTime(t.context, diaryOf(other), lunch.id, { startsAt: later(ten, 100), endsAt: later(ten, 160) }),
      () => blockTime(t.context, diaryOf(other), { subject: ana(), startsAt: ten, endsAt: later(ten, 20) }),
      () =>
        blockTime(t.context, diaryOf(institute), {
          subject: { kind: 'resource', id: ana().id },
          startsAt: later(ten, 90),
          endsAt: later(ten, 120),
        }),
    ])
      expect((await refusalOf(work())).code).toBe('not_found')
    expect(await wallOf(t.db, ana().id)).toEqual([['blocked', ten, later(ten, 60)]])
  })

  it.each([
    ['no instant', 'yesterday', later(ten, 20)],
    ['half a minute', ten.replace(':00.000', ':30.000'), later(ten, 20)],
    ['turned around', later(ten, 20), ten],
    ['ages away', '2036-11-24T10:00:00Z', '2036-11-24T11:00:00Z'],
  ])('is refused for a stretch that is %s', async (_what, startsAt, endsAt) => {
    const work = blockTime(t.context, diaryOf(institute), { subject: ana(), startsAt, endsAt })
    expect((await refusalOf(work)).code).toBe('bad_input')
  })
})

describe('busy time of another calendar', () => {
  const sourceId = '0190c0de-0000-7000-8000-000000000001'
  const sync = (busy: [from: number, to: number][], from = -300, to = 300) =>
    syncExternal(t.context, diaryOf(institute), {
      memberId: ana().id,
      sourceId,
      startsAt: later(ten, from),
      endsAt: later(ten, to),
      busy: busy.map(([at, until]) => ({ startsAt: later(ten, at), endsAt: later(ten, until) })),
    })

  it('is taken for everybody, over visits too, until the calendar says otherwise', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    expect(
      await sync([
        [20, 60],
        [0, 90],
        [400, 420],
      ]),
    ).toEqual({ added: 2, removed: 0 })
    expect(await startsOffered(t, institute, day)).not.toContain(later(ten, 60))
    await indexIsTrue()
    expect(
      await sync([
        [0, 90],
        [20, 60],
      ]),
    ).toEqual({ added: 0, removed: 0 })
    expect(
      await sync([
        [100, 140],
        [0, 90],
      ]),
    ).toEqual({ added: 1, removed: 1 })
    expect(refused(await tryHold(t, client, institute, { startsAt: later(ten, 100) }))).toEqual([409, 'slot_taken'])
    // Only what lies in the stretch that was read is made anew.
    expect(await sync([], 100, 300)).toEqual({ added: 0, removed: 1 })
    expect(await sync([])).toEqual({ added: 0, removed: 1 })
    expect(await startsOffered(t, institute, day)).toContain(later(ten, 40))
    await indexIsTrue()
    expect((await eventsOf(t.db, institute)).filter(({ kind }) => kind === 'external.synced')).toHaveLength(4)
    expect(await wallOf(t.db, ana().id)).toEqual([['visit', visit.startsAt, visit.endsAt]])
  })

  it('does not stand in the way of blocked time', async () => {
    await sync([[0, 90]])
    await block(0, 60)
    expect(await wallOf(t.db, ana().id)).toEqual([['blocked', ten, later(ten, 60)]])
  })

  it('of a member of another institute is refused', async () => {
    const other = await makeInstitute(t.db)
    const work = syncExternal(t.context, diaryOf(other), { memberId: ana().id, sourceId, startsAt: ten, endsAt: later(ten, 20), busy: [] })
    expect((await refusalOf(work)).code).toBe('not_found')
  })
})
