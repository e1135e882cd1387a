import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, moved, wall } from '#/testing/booking.ts'
import { settle } from '#/testing/diary.ts'
import { makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z', settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())

const path = '/api/v1/secure/notifications'
const ten = wall('2026-11-24T10:00')
const two = wall('2026-11-24T14:00')

interface Told {
  items: { id: string; title: string; message: string; isRead: boolean; type: string; path: string; timestamp: string }[]
  total: number
  unread: number
}
async function told(user: { token: string }, locale = 'en'): Promise<Told> {
  await t.drainJobs()
  const { status, body } = await t.inject('GET', `${path}?pageSize=50`, { token: user.token, locale })
  expect(status).toBe(200)
  return body as unknown as Told
}
const plain = (text = ''): string => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u2068\u2069]/g, '')
const titles = async (user: { token: string }, locale = 'en'): Promise<string[]> =>
  (await told(user, locale)).items.map(({ title }) => plain(title))

async function salon() {
  const owner = await makeUser(t.db, { role: 'isPro' })
  const institute = await makeInstitute(t.db, { name: 'Maison Ondine', ownerId: owner.id, members: 2 })
  return { owner, institute, client: await makeUser(t.db, { firstName: 'Inès' }) }
}

describe('what is told', () => {
  it('[E-07] reaches the client and the institute of a booking, a move and a cancellation, newest first', async () => {
    const { owner, institute, client } = await salon()
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    await moved(t, client, visit._id, two)
    await cancelled(t, client, visit._id)
    expect(await titles(client)).toEqual(['Cancelled: Tue 24 Nov at 14:00', 'New time: Tue 24 Nov at 14:00', 'Booked: Tue 24 Nov at 10:00'])
    expect(await titles(owner)).toEqual([
      'Cancelled: Tue 24 Nov at 14:00',
      'Moved to Tue 24 Nov at 14:00',
      'New booking: Tue 24 Nov at 10:00',
    ])
    const { items, total, unread } = await told(client)
    expect([total, unread]).toEqual([3, 3])
    expect(items[1]).toMatchObject({
      type: 'appointment',
      isRead: false,
      path: `/appointment/${visit._id}`,
      timestamp: '2026-11-20T11:00:00.000Z',
    })
    expect(plain(items[1]?.message)).toMatch(/Maison Ondine Before: Tue 24 Nov at 10:00$/)
    const [{ message, path: leadsTo } = { message: '', path: '' }] = (await told(owner)).items
    expect([plain(message).startsWith('Inès Benali: '), leadsTo]).toEqual([
      true,
      `/mysalon/appointments/calendar?day=2026-11-24&visit=${visit._id}`,
    ])
  })

  it('is said in the language of whoever reads', async () => {
    const { institute, client } = await salon()
    await bookVisit(t, client, institute, { startsAt: ten })
    expect(await titles(client, 'fr')).toEqual(['Confirmé : mar. 24 nov. à 10:00'])
    expect(await titles(client, 'ar')).toEqual(['تأكيد الحجز: الثلاثاء 24 نوفمبر الساعة 10:00'])
  })

  it('is nothing new to whoever did it, and staff hear of their own visits alone', async () => {
    const { owner, institute, client } = await salon()
    const manager = await makePerson(t.db, institute.id, 'manager')
    const [mine, others] = [await makePerson(t.db, institute.id, 'staff'), await makePerson(t.db, institute.id, 'staff')]
    await t.db
      .updateTable('institute_people')
      .set({ member_id: institute.members[0] ?? null })
      .where('user_id', '=', mine.id)
      .execute()
    await t.db
      .updateTable('institute_people')
      .set({ member_id: institute.members[1] ?? null })
      .where('user_id', '=', others.id)
      .execute()
    const visit = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await t.inject('PUT', `/api/v1/secure/mysalon/appointments/${visit._id}/cancel`, { token: owner.token, body: {} })
    await settle(t)
    expect(await titles(owner)).toEqual(['New booking: Tue 24 Nov at 10:00'])
    expect(await titles(manager)).toEqual(['Cancelled: Tue 24 Nov at 10:00', 'New booking: Tue 24 Nov at 10:00'])
    expect(await titles(mine)).toHaveLength(2)
    expect(await titles(others)).toEqual([])
    expect(await titles(client)).toEqual(['Cancelled: Tue 24 Nov at 10:00', 'Booked: Tue 24 Nov at 10:00'])
  })

  it('stands once however often the same is answered', async () => {
    const { institute, client } = await salon()
    await bookVisit(t, client, institute, { startsAt: ten })
    await t.drainJobs()
    await t.drainJobs()
    expect(await titles(client)).toHaveLength(1)
  })
})

describe('one’s own notifications', () => {
  it('[E-26] are read one by one or all at once, and removed', async () => {
    const { institute, client } = await salon()
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    await moved(t, client, visit._id, two)
    await moved(t, client, visit._id, ten)
    const [newest, second] = (await told(client)).items
    const put = (rest: string) => t.inject('PUT', `${path}/${rest}`, { token: client.token })
    expect((await put(`${newest?.id}/read`)).status).toBe(200)
    expect((await put(`${newest?.id}/read`)).status).toBe(200)
    expect((await told(client)).items.map(({ isRead }) => isRead)).toEqual([true, false, false])
    expect((await told(client)).unread).toBe(2)
    expect((await t.inject('DELETE', `${path}/${second?.id}`, { token: client.token })).status).toBe(200)
    expect((await t.inject('DELETE', `${path}/${second?.id}`, { token: client.token })).status).toBe(404)
    expect((await put('read-all')).status).toBe(200)
    const left = await told(client)
    expect([left.total, left.unread, left.items.map(({ isRead }) => isRead)]).toEqual([2, 0, [true, true]])
  })

  it('are nobody else’s', async () => {
    const { institute, client } = await salon()
    const stranger = await makeUser(t.db)
    await bookVisit(t, client, institute, { startsAt: ten })
    const [one] = (await told(client)).items
    expect((await t.inject('PUT', `${path}/${one?.id}/read`, { token: stranger.token })).status).toBe(404)
    expect((await t.inject('DELETE', `${path}/${one?.id}`, { token: stranger.token })).status).toBe(404)
    expect((await t.inject('GET', path)).status).toBe(401)
    expect((await told(client)).unread).toBe(1)
  })

  it('are forgotten after half a year', async () => {
    const { institute, client } = await salon()
    await bookVisit(t, client, institute, { startsAt: ten })
    await t.drainJobs()
    t.clock.set('2027-05-18T11:00:00Z')
    try {
      await t.jobs['tidy_notifications']?.({})
      expect((await told(client)).total).toBe(1)
      t.clock.set('2027-05-20T11:00:00Z')
      await t.jobs['tidy_notifications']?.({})
      expect((await told(client)).total).toBe(0)
    } finally {
      t.clock.set('2026-11-20T11:00:00Z')
    }
  })
})
