/** One visit of a series is put right by itself, by its client and at the desk: the others stay, and the series says what was moved. */
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, moved, visitsPath, wall } from '#/testing/booking.ts'
import { makeColumnOwner, settle, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestAnswer, TestApp } from '#/testing/test-app.ts'

let t: TestApp
let client: MadeUser
let owner: MadeUser
let institute: MadeInstitute
// The clocks go forward between the second visit and the third.
const days = ['2027-03-16', '2027-03-23', '2027-03-30', '2027-04-06']
const starts = days.map((day) => wall(`${day}T10:00`))
const [first = '', second = '', third = '', fourth = ''] = starts
eachWithInstitute({ at: '2027-03-12T11:00:00Z' }, (world) => ({ t, client } = world))

let ids: string[]
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 2, horizon: 200, cancelWindow: 1440, rescheduleWindow: 120 })
  const visit: Appointment = await bookVisit(t, client, institute, { startsAt: first, lines: [[0, 0]] })
  const { body } = await t.inject('POST', `${visitsPath}/${visit._id}/series`, {
    token: client.token,
    body: { everyWeeks: 1, startsAt: starts.slice(1) },
  })
  const { made } = body as unknown as Answer<Calls['makeSeries']>
  ids = [visit._id, ...made.map(({ _id }) => _id)]
  await t.drainJobs()
})

type Dates = [startsAt: string, movedFrom: string | null][]
const byClient = async (): Promise<Dates> => {
  const { body } = await t.inject('GET', `${visitsPath}/${ids[0]}/series`, { token: client.token })
  return (body as unknown as Answer<Calls['series']>).items
    .filter(({ status }) => status !== 'cancelled')
    .map(({ startsAt, movedFrom }) => [startsAt, movedFrom])
}
const atDesk = (method: 'GET' | 'PUT', path: string, body?: object, user = owner): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon/appointments/${path}`, { token: user.token, ...(body && { body }) })
const byInstitute = async (user = owner): Promise<Dates | undefined> => {
  const { body } = await atDesk('GET', ids[1] ?? '', undefined, user)
  return (body as unknown as Answer<Calls['diaryVisit']>).series?.visits.map(({ startsAt, movedFrom }) => [startsAt, movedFrom])
}
const untouched: Dates = starts.map((startsAt) => [startsAt, null])
const letters = async (): Promise<string[]> => (await t.mails(client.email)).map(({ kind }) => kind)

describe('one visit of a series', () => {
  it('moved by its client leaves the others, on the wall hour, and the series says from where it was moved', async () => {
    expect([await byClient(), await byInstitute()]).toEqual([untouched, untouched])
    const to = wall('2027-03-24T15:00')
    await moved(t, client, ids[1] ?? '', to)
    const dates: Dates = [
      [first, null],
      [to, second],
      [third, null],
      [fourth, null],
    ]
    expect([await byClient(), await byInstitute()]).toEqual([dates, dates])
    expect(await startsOffered(t, institute, days[1] ?? '')).toContain(second)
    // Back to where it was made for, it was moved nowhere.
    await moved(t, client, ids[1] ?? '', second)
    expect([await byClient(), await byInstitute()]).toEqual([untouched, untouched])
    await summaryIsTrue(t, institute)
  })

  it('moved at the desk, to somebody else too, is told by one letter about it alone; the others stay with theirs', async () => {
    const before = (await letters()).length
    const to = wall('2027-03-30T11:20')
    const answer = await atDesk('PUT', `${ids[2]}/move`, { startsAt: to, staffId: institute.members[1] })
    expect(answer.body).toMatchObject({ startsAt: to, segments: [{ staffId: institute.members[1] }] })
    await settle(t)
    expect((await letters()).slice(0, -before || undefined)).toEqual(['visit_moved'])
    const dates: Dates = [
      [first, null],
      [second, null],
      [to, third],
      [fourth, null],
    ]
    expect([await byClient(), await byInstitute()]).toEqual([dates, dates])
    const { body } = await t.inject('GET', `${visitsPath}/${ids[0]}/series`, { token: client.token })
    const { items } = body as unknown as Answer<Calls['series']>
    const [karim, nora] = institute.members
    expect(items.map(({ segments }) => segments[0]?.staffId)).toEqual([karim, karim, nora, karim])
  })

  it('cancelled by itself leaves the others; at the desk those that stand are shown', async () => {
    await cancelled(t, client, ids[2] ?? '')
    const dates: Dates = [
      [first, null],
      [second, null],
      [fourth, null],
    ]
    expect([await byClient(), await byInstitute()]).toEqual([dates, dates])
  })

  it('shows who sees one column none that is another’s', async () => {
    await atDesk('PUT', `${ids[2]}/move`, { startsAt: third, staffId: institute.members[1] })
    const karim = await makeColumnOwner(t.db, institute, institute.members[0] ?? '')
    expect((await byInstitute(karim))?.map(([startsAt]) => startsAt)).toEqual([first, second, fourth])
  })

  it('that stands alone says nothing of a series', async () => {
    const alone = await bookVisit(t, client, institute, { startsAt: wall('2027-03-17T10:00'), lines: [[0, 0]] })
    expect((await atDesk('GET', alone._id)).body).not.toHaveProperty('series')
  })
})
