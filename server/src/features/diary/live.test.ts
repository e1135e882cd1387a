/** What a client does online is on the open screens of the institute, and what is cancelled earns nothing. */
import type { Dashboard, Figures } from '@soigne/contract/dashboard'
import type { Diary } from '@soigne/contract/diary'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelled, hold, later, moved, tryConfirm, wall } from '#/testing/booking.ts'
import { makeColumnOwner, settle, startsOffered } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openScreens, type Screen, type Screens } from '#/testing/screens.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const day = '2026-12-03'
const at = (time: string): string => wall(`${day}T${time}`)
let t: TestApp
let screens: Screens
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
let desk: Screen
beforeAll(async () => {
  t = await openTestApp({ at: wall('2026-11-29T12:00') })
  screens = await openScreens(t)
})
afterAll(async () => {
  await screens.close()
  await t.close()
})
beforeEach(async () => {
  t.clock.set(wall('2026-11-29T12:00'))
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db, { firstName: 'Anna' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, services: [{ name: 'Root colour', active: 100, price: 6800 }] })
  desk = await screens.of(owner)
})

const read = async <Answer>(path: string): Promise<Answer> =>
  (await t.inject('GET', `/api/v1/secure/mysalon/${path}`, { token: owner.token })).body as unknown as Answer
const visits = async (): Promise<[boolean, string, string][]> =>
  (await read<Diary>(`diary?from=${day}&days=1`)).visits.map(({ isHeld, startsAt, status }) => [isHeld, startsAt, status])
/** The screen hears of it, with the time that it has to read again. */
const hears = async (kind: string, subjectId: string, startsAt = at('09:20'), endsAt = at('11:00')): Promise<void> => {
  const heard = () => desk.of('diaryChanged').filter((one) => one['kind'] === kind)
  await expect.poll(heard).toMatchObject([{ instituteId: institute.id, subjectId, startsAt, endsAt }])
}

describe('a client online, and the open calendar of the owner [P-07]', () => {
  it('hears of the time that is held, of the visit, of its new time and of its end, each with its stretch', async () => {
    const { _id: holdId } = await hold(t, client, institute, { startsAt: at('09:20') })
    await hears('visit.held', holdId)
    expect(await visits()).toMatchObject([[true, at('09:20'), 'pending']])
    const { body } = await tryConfirm(t, client, holdId)
    const id = String(body['_id'])
    await hears('visit.booked', id)
    expect(await visits()).toMatchObject([[false, at('09:20'), 'pending']])
    await moved(t, client, id, at('12:00'))
    await hears('visit.moved', id, at('09:20'), at('13:40'))
    expect(await visits()).toMatchObject([[false, at('12:00'), 'pending']])
    await cancelled(t, client, id)
    await hears('visit.cancelled', id, at('12:00'), at('13:40'))
    expect(await visits()).toEqual([])
  })

  it('is told of no other institute; who sees one column hears that something changed, and no more', async () => {
    const other = await screens.of(
      await makeUser(t.db, { role: 'isPro' }).then(async (user) => {
        await makeInstitute(t.db, { ownerId: user.id })
        return user
      }),
    )
    const column = await screens.of(await makeColumnOwner(t.db, institute, institute.members[1] ?? ''))
    const { _id: holdId } = await hold(t, client, institute, { startsAt: at('09:20') })
    await hears('visit.held', holdId)
    await expect.poll(() => column.of('diaryChanged')).toMatchObject([{ kind: 'diary.changed', subjectId: null, startsAt: null }])
    expect((await other.ask('join', { chatId: institute.id })).code).toBe('not_found')
    expect(other.of('diaryChanged')).toEqual([])
  })
})

describe('a visit that the owner cancels', () => {
  it('is told to its client, gives its time back, and earns €0.00', async () => {
    const offered = await startsOffered(t, institute, day)
    const lines: [number, number][] = [[0, 0]]
    const { _id: holdId } = await hold(t, client, institute, { startsAt: at('09:20'), lines })
    const { body } = await tryConfirm(t, client, holdId)
    const id = String(body['_id'])
    const answer = await t.inject('PUT', `/api/v1/secure/mysalon/appointments/${id}/cancel`, { token: owner.token })
    expect(answer.status).toBe(200)
    await hears('visit.cancelled', id)
    await settle(t)
    expect((await t.mails(client.email)).map(({ kind }) => kind)).toContain('visit_cancelled')
    expect(await startsOffered(t, institute, day)).toEqual(offered)
    // Long over, as if it had taken place.
    t.clock.set(later(at('11:00'), 120))
    const { revenue, cancelled: count } = await read<Dashboard>('dashboard')
    expect([revenue?.week, count]).toEqual([{ amount: 0, currency: 'EUR' }, 1])
    expect(await read<Figures>('dashboard/figures?period=today')).toMatchObject({
      visits: 0,
      cancelled: 1,
      revenue: { amount: 0, currency: 'EUR' },
      services: [],
    })
  })
})
