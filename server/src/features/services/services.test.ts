/** The menu over HTTP: what is written is offered to clients at once, and what is taken off it keeps its visits. */
import { randomUUID } from 'node:crypto'
import type { Menu, MenuService, ServiceInput } from '@soigne/contract/services'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import { bookVisit, detailsOf, moved, readVisit, refused, tryHold, wall } from '#/testing/booking.ts'
import { eventsOf, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import type { TestAnswer, TestApp } from '#/testing/test-app.ts'
import { writeServices } from './service.ts'

const path = '/api/v1/secure/mysalon/services'
let t: TestApp
let client: MadeUser
let owner: MadeUser
let institute: MadeInstitute
eachWithInstitute({ at: '2026-11-20T08:00:00Z' }, (world) => ({ t, client } = world))
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 2 })
})

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', at = '', body?: object, user = owner, headers = {}): Promise<TestAnswer> =>
  t.inject(method, `${path}${at}`, { token: user.token, headers, ...(body && { body }) })
const menu = async (): Promise<Menu> => (await ask('GET')).body as unknown as Menu
const one = async (id: string | undefined): Promise<MenuService> => {
  const found = (await menu()).items.find((item) => item._id === id)
  if (!found) throw new Error('not on the menu')
  return found
}
const made = async (body: object): Promise<MenuService> => {
  const answer = await ask('POST', '', body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as unknown as MenuService
}
const change = async (id: string | undefined, to: object): Promise<TestAnswer> => ask('PUT', `/${id}`, { ...(await one(id)), ...to })
const page = async (): Promise<{ _id: string; name: string; price: { amount: number } | null }[]> =>
  (await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)).body['services'] as never
const fieldsOf = ({ body }: TestAnswer): Record<string, string> => (body['details'] as unknown as { fields: Record<string, string> }).fields
const gel = { category: 'nails', name: { fr: 'Vernis semi-permanent' }, activeMinutes: 60, priceAmount: 3800 }

describe('a group of the menu', () => {
  const rename = (section: object, to: object): Promise<TestAnswer> => ask('PUT', '/group', { section, to })
  const sections = async (): Promise<object[]> => (await menu()).items.map(({ section }) => section)

  it('is called otherwise with everything in it, archived services too, and clients read it at once', async () => {
    const nails = await made({ ...gel, section: { fr: 'Ongles' } })
    await ask('DELETE', `/${institute.services[1]}`)
    expect((await rename({ en: 'Menu' }, { en: 'Hair', fr: 'Coiffure', ar: '' })).status).toBe(200)
    expect((await sections()).filter((one) => 'en' in one).every((one) => JSON.stringify(one) === '{"en":"Hair","fr":"Coiffure"}')).toBe(
      true,
    )
    expect((await one(nails._id)).section).toEqual({ fr: 'Ongles' })
    const { text } = await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)
    expect([text.includes('Hair'), text.includes('"Menu"')]).toEqual([true, false])
  })

  it('keeps a name, takes none of another group, and is one of the own menu', async () => {
    await made({ ...gel, section: { fr: 'Ongles' } })
    expect(fieldsOf(await rename({ en: 'Menu' }, { fr: 'Ongles' }))).toEqual({ to: 'Another group has this name.' })
    expect((await rename({ en: 'Menu' }, { en: ' ' })).status).toBe(400)
    expect((await rename({ en: 'Nobody’s' }, { en: 'Mine' })).status).toBe(404)
    const neighbour = await makeUser(t.db, { role: 'isPro' })
    const theirs = await makeInstitute(t.db, { ownerId: neighbour.id })
    expect((await rename({ en: 'Menu' }, { en: 'Hair' })).status).toBe(200)
    const { rows } = await sql<{ section: object }>`select distinct section from services where institute_id = ${theirs.id}`.execute(t.db)
    expect(rows).toEqual([{ section: { en: 'Menu' } }])
    expect(
      (await ask('PUT', '/group', { section: { en: 'Hair' }, to: { en: 'Cuts' } }, await makePerson(t.db, institute.id, 'reception')))
        .status,
    ).toBe(403)
  })
})

describe('a service that is put on the menu', () => {
  it('is offered with everybody at once, in the language it was written in [P-08]', async () => {
    const service = await made({ ...gel, description: { fr: '' }, bufferAfterMinutes: 5 })
    expect(service).toMatchObject({
      name: { fr: 'Vernis semi-permanent' },
      description: {},
      priceKind: 'fixed',
      comingVisits: 0,
      archivedAt: null,
    })
    expect(service.performers.map(({ staffId }) => staffId)).toEqual(institute.members)
    expect((await page()).map(({ name, price }) => [name, price?.amount])).toEqual([
      ['Cut', 3500],
      ['Colour', 6000],
      ['Vernis semi-permanent', 3800],
    ])
    expect((await startsOffered(t, { id: institute.id, services: [service._id] }, '2026-11-24')).length).toBeGreaterThan(10)
    expect((await eventsOf(t.db, institute)).map(({ kind, payload }) => [kind, payload])).toEqual([
      ['institute.changed', { what: 'services' }],
    ])
    await summaryIsTrue(t, institute)
  })

  it('is put there once, however often the same request comes', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all([ask('POST', '', gel, owner, key), ask('POST', '', gel, owner, key)])
    const again = await ask('POST', '', gel, owner, key)
    expect([again.status, (await menu()).items.length]).toEqual([201, 3])
    expect(answers.filter(({ status }) => status === 201).every(({ body }) => body['_id'] === again.body['_id'])).toBe(true)
  })

  it.each([
    [{ activeMinutes: 33 }, 'activeMinutes', 'In steps of 5.'],
    [{ idleMinutes: 20 }, 'activeAfterMinutes', 'Please fill this in.'],
    [{ priceAmount: null }, 'priceAmount', 'Please fill this in.'],
    [{ name: { en: '  ' } }, 'name', 'Please fill this in.'],
    [{ category: 'cars' }, 'category', 'Choose one of the options.'],
    [{ laterPrices: [{ fromDay: '2026-11-20', priceKind: 'fixed', priceAmount: 1 }] }, 'laterPrices.0.fromDay', 'Enter a valid date.'],
    [
      { priceKind: 'on_request', priceAmount: null, laterPrices: [{ fromDay: '2027-01-01', priceKind: 'fixed', priceAmount: 1 }] },
      'laterPrices',
      'This is not valid.',
    ],
  ])('is refused beside the field: %o [K-02]', async (wrong, field, problem) => {
    const answer = await ask('POST', '', { ...gel, ...wrong })
    expect([answer.status, fieldsOf(answer)]).toEqual([400, { [field]: problem }])
    expect((await menu()).items).toHaveLength(2)
  })

  it('is nobody’s affair below a manager, nor a stranger’s', async () => {
    const asked = async (user: MadeUser): Promise<[number, number]> => [
      (await ask('GET', '', undefined, user)).status,
      (await ask('POST', '', gel, user)).status,
    ]
    expect(await asked(await makePerson(t.db, institute.id, 'reception'))).toEqual([403, 403])
    expect(await asked(await makePerson(t.db, institute.id, 'staff'))).toEqual([403, 403])
    expect(await asked(await makePerson(t.db, institute.id, 'manager'))).toEqual([200, 201])
    expect((await t.inject('GET', path)).status).toBe(401)
  })
})

describe('a service that is changed', () => {
  it('is offered with its new length and people, while the visit that is booked keeps its own [P-08]', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[0, 0]] })
    const [first, second] = institute.members
    const own = { activeMinutes: 40, idleMinutes: 20, activeAfterMinutes: 20 }
    const answer = await change(institute.services[0], {
      activeMinutes: 100,
      performers: [{ staffId: second, minutes: own, priceAmount: 4100 }],
    })
    expect([answer.status, answer.body['comingVisits']]).toEqual([200, 1])
    const { body } = await t.inject(
      'GET',
      `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&from=2026-11-24&days=1`,
    )
    const [{ times }] = body['days'] as unknown as [{ times: { startsAt: string; endsAt: string }[] }]
    expect(times[0]).toEqual({ startsAt: wall('2026-11-24T09:00'), endsAt: wall('2026-11-24T10:20') })
    expect((await tryHold(t, client, institute, { startsAt: wall('2026-11-25T10:00'), lines: [[0, 0]] })).status).not.toBe(201)
    const kept = await readVisit(t, client, visit._id)
    expect([kept.endsAt, kept.total.amount, kept.segments[0]?.staffId]).toEqual([wall('2026-11-24T10:40'), 3500, first])
    expect((await one(institute.services[0])).performers).toEqual([{ staffId: second, minutes: own, priceAmount: 4100 }])
    await summaryIsTrue(t, institute)
  })

  it('is switched off and on, and leads when it is the signature, alone', async () => {
    await change(institute.services[0], { isSignature: true })
    await change(institute.services[1], { isSignature: true })
    expect((await menu()).items.map(({ isSignature }) => isSignature)).toEqual([false, true])
    await change(institute.services[0], { active: false })
    expect((await page()).map(({ name }) => name)).toEqual(['Colour'])
    expect(refused(await tryHold(t, client, institute, { startsAt: wall('2026-11-24T10:00') }))).toEqual([404, 'not_found'])
    await change(institute.services[0], { active: true })
    expect((await page()).map(({ name }) => name)).toEqual(['Cut', 'Colour'])
  })

  it('stands where it is put, and the rest follows', async () => {
    const third = await made(gel)
    const order = async (serviceIds: (string | undefined)[]): Promise<TestAnswer> => ask('PUT', '/order', { serviceIds })
    expect((await order([third._id, institute.services[1]])).status).toBe(200)
    expect((await page()).map(({ name }) => name)).toEqual(['Vernis semi-permanent', 'Colour', 'Cut'])
    expect(refused(await order([randomUUID()]))).toEqual([404, 'not_found'])
  })

  it('by two at once is whole, as the one or the other wrote it', async () => {
    const before = await one(institute.services[0])
    const write = (price: number): Promise<TestAnswer> =>
      ask('PUT', `/${before._id}`, {
        ...before,
        priceAmount: price,
        laterPrices: [{ fromDay: '2027-01-01', priceKind: 'fixed', priceAmount: price + 1 }],
      })
    expect((await Promise.all([write(1000), write(2000)])).map(({ status }) => status)).toEqual([200, 200])
    const { priceAmount, laterPrices } = await one(before._id)
    expect(laterPrices).toEqual([{ fromDay: '2027-01-01', priceKind: 'fixed', priceAmount: (priceAmount ?? 0) + 1 }])
  })
})

describe('a service that is taken off the menu', () => {
  const remove = (id: string | undefined, successorId?: string): Promise<TestAnswer> =>
    ask('DELETE', `/${id}${successorId === undefined ? '' : `?successorId=${successorId}`}`)

  it('is gone when nobody ever booked it', async () => {
    expect((await remove(institute.services[1])).body).toEqual({ outcome: 'deleted', comingVisits: 0 })
    expect((await menu()).items.map(({ _id }) => _id)).toEqual([institute.services[0]])
    expect(refused(await remove(institute.services[1]))).toEqual([404, 'not_found'])
  })

  it('is archived with its successor when it was, its visits stay and may be moved, and it may come back', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    const [cut, colour] = institute.services
    expect((await remove(cut, colour)).body).toEqual({ outcome: 'archived', comingVisits: 1 })
    expect(await one(cut)).toMatchObject({ active: false, successorId: colour, archivedAt: '2026-11-20T08:00:00.000Z' })
    expect((await page()).map(({ name }) => name)).toEqual(['Colour'])
    const ofPage = async (name: string): Promise<unknown> =>
      (await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)).body[name]
    const successors = () => ofPage('successors')
    expect(await successors()).toEqual({ [cut ?? '']: colour })
    expect(await ofPage('formerNames')).toEqual({ [cut ?? '']: 'Cut' })
    // The one that followed is followed by another in turn.
    const third = await made(gel)
    await bookVisit(t, client, institute, { startsAt: wall('2026-11-27T10:00'), lines: [[1]] })
    await remove(colour, third._id)
    expect(await successors()).toEqual({ [cut ?? '']: third._id, [colour ?? '']: third._id })
    expect(await ofPage('formerNames')).toEqual({ [cut ?? '']: 'Cut', [colour ?? '']: 'Colour' })
    await change(colour, { active: true })
    expect(refused(await tryHold(t, client, institute, { startsAt: wall('2026-11-25T10:00') }))).toEqual([404, 'not_found'])
    expect((await moved(t, client, visit._id, wall('2026-11-25T10:00'))).startsAt).toBe(wall('2026-11-25T10:00'))
    await summaryIsTrue(t, institute)
    await change(cut, { active: true })
    expect(await one(cut)).toMatchObject({ active: true, successorId: null, archivedAt: null })
    expect((await tryHold(t, client, institute, { startsAt: wall('2026-11-26T10:00') })).status).toBe(201)
  })

  it('stays while others ask for it first', async () => {
    const [cut, colour] = institute.services
    await change(colour, { prerequisites: [{ serviceId: cut, minHours: 48, maxMonths: 6 }] })
    const answer = await remove(cut)
    expect([refused(answer), detailsOf(answer)]).toMatchObject([[409, 'service_required'], { services: [{ _id: colour, name: 'Colour' }] }])
    expect((await one(colour)).prerequisites).toEqual([{ serviceId: cut, minHours: 48, maxMonths: 6 }])
  })
})

describe('a whole menu', () => {
  it('is written in one change, and its services may name each other', async () => {
    const [test, colour] = [randomUUID(), randomUUID()]
    const given = {
      ...gel,
      section: {},
      description: {},
      idleMinutes: 0,
      activeAfterMinutes: 0,
      bufferBeforeMinutes: 0,
      bufferAfterMinutes: 0,
    }
    const rest = {
      deposit: null,
      audience: 'All',
      latestStart: '17:30',
      noticeMinutes: null,
      minimumAge: 16,
      capacity: null,
      resourceType: null,
      venue: 'salon',
    } as const
    const usual = {
      ...given,
      ...rest,
      category: 'hair',
      priceKind: 'fixed',
      prerequisites: [] as ServiceInput['prerequisites'],
      active: true,
      isSequential: false,
      isSignature: false,
    } as const
    const { rows } = await sql<{ id: string }>`select id from services where institute_id = ${institute.id}`.execute(t.db)
    const ids = await changeInstitute(t.context, { instituteId: institute.id, by: systemScope('test') }, async (unit) => {
      unit.record('institute.changed', null, { what: 'made' })
      return writeServices(unit, [
        { ...usual, ref: test, name: { en: 'Test' } },
        { ...usual, ref: colour, name: { en: 'Roots' }, prerequisites: [{ serviceId: test, minHours: 48, maxMonths: 6 }] },
      ])
    })
    expect((await menu()).items.map(({ _id }) => _id)).toEqual([...rows.map(({ id }) => id), ...ids])
    expect(await one(ids[1])).toMatchObject({
      latestStart: '17:30',
      minimumAge: 16,
      prerequisites: [{ serviceId: ids[0], minHours: 48, maxMonths: 6 }],
    })
  })

  it.each(['hair', 'nails', 'tatto', 'hair-removal'])(
    'may begin with what others of %s begin with, in three languages, without prices',
    async (category) => {
      const { body } = await t.inject('GET', `${path}/starters?category=${category}`, { token: client.token })
      const items = body['items'] as unknown as { key: string; name: object; activeMinutes: number; prerequisites: { key: string }[] }[]
      expect(items.length).toBeGreaterThanOrEqual(5)
      for (const { name, activeMinutes } of items)
        expect([Object.keys(name).toSorted(), activeMinutes % 5]).toEqual([['ar', 'en', 'fr'], 0])
      const keys = new Set(items.map(({ key }) => key))
      expect(items.flatMap(({ prerequisites }) => prerequisites).every(({ key }) => keys.has(key))).toBe(true)
    },
  )
})
