import { dayMs, hourMs } from '@soigne/contract/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runFills } from '#/platform/fills.ts'
import { bookVisit, cancelled, detailsOf, refused, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { plain } from '#/testing/pictures.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { reviewFills } from './jobs.ts'
import { decideOnReview, openReports } from './service.ts'

const before = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const after = '2026-11-25T09:00:00Z'
const good = { welcoming: 5, hygiene: 5, atmosphere: 4, serviceQuality: 4 }

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: before, settings: { LIMIT_HOLDS: '500' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(before)
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { name: 'Maison Ondine', ownerId: owner.id, members: 2 })
})

const write = (user: { token: string }, id: string, body: unknown = good, locale = 'en'): Promise<TestAnswer> =>
  t.inject('POST', `${visitsPath}/${id}/review`, { token: user.token, body, locale })
const own = (user: { token: string }, id: string): Promise<TestAnswer> =>
  t.inject('GET', `${visitsPath}/${id}/review`, { token: user.token })
const page = (query = '', slug = institute.slug): Promise<TestAnswer> =>
  t.inject('GET', `/api/v1/client/institutes/${slug}/reviews?${query}`)
const mine = (user: { token: string }, rest: string, body: unknown, method: 'PUT' | 'POST' = 'PUT'): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon/reviews/${rest}`, { token: user.token, body })

const visitOf = (client: MadeUser): Promise<string> => makeVisit(t.db, { userId: client.id, instituteId: institute.id, startsAt: ten })

describe('who may review, and when', () => {
  it('[P-04] the client of a visit that is done, once: the averages change at once', async () => {
    const client = await makeUser(t.db, { firstName: 'Camille' })
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    t.clock.set(after)
    expect((await own(client, visit._id)).body).toMatchObject({ mayReview: true, reason: null, review: null, author: 'Camille B.' })
    const answer = await write(client, visit._id, { ...good, text: '  Three weeks later, not a chip.\n' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      author: 'Camille B.',
      ...good,
      rating: 4.5,
      text: 'Three weeks later, not a chip.',
      language: 'en',
      pictures: [],
      services: [{ name: expect.any(String), staffName: expect.any(String) }],
      reply: null,
    })
    expect(refused(await write(client, visit._id))).toEqual([409, 'already_reviewed'])
    const shown = await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)
    expect(shown.body).toMatchObject({ rating: { average: 4.5, count: 1 }, averageWelcoming: 5, averageServiceQuality: 4 })
    expect((await own(client, visit._id)).body).toMatchObject({ mayReview: false, reason: null, review: { rating: 4.5 } })
  })

  it('of two that come at once one is kept', async () => {
    const client = await makeUser(t.db)
    const id = await visitOf(client)
    t.clock.set(after)
    const answers = await Promise.all([1, 2, 3].map(() => write(client, id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect((await page()).body).toMatchObject({ total: 1, rating: { count: 1 } })
  })

  it('not before it is done, not after 90 days, not when nobody came or it was cancelled, each with its reason', async () => {
    const client = await makeUser(t.db)
    const why = async (id: string): Promise<unknown> => {
      const answer = await write(client, id)
      expect((await own(client, id)).body).toMatchObject({ mayReview: false, reason: detailsOf(answer).reason ?? null })
      return [answer.status, detailsOf(answer).reason]
    }
    const id = await visitOf(client)
    const ends = Date.parse(ten) + hourMs
    t.clock.set(new Date(ends + hourMs - 1).toISOString())
    expect(await why(id)).toEqual([422, 'not_yet'])
    t.clock.set(new Date(ends + 90 * dayMs + 1).toISOString())
    expect(await why(id)).toEqual([422, 'too_late'])
    await sql`update appointments set attendance = 'no_show' where id = ${id}`.execute(t.db)
    t.clock.set(after)
    expect(await why(id)).toEqual([422, 'not_kept'])
    t.clock.set(before)
    const gone = await bookVisit(t, client, institute, { startsAt: ten })
    await cancelled(t, client, gone._id)
    t.clock.set(after)
    expect(await why(gone._id)).toEqual([422, 'not_kept'])
    await sql`update appointments set attendance = 'done' where id = ${id}`.execute(t.db)
    t.clock.set(new Date(ends + 90 * dayMs).toISOString())
    expect((await write(client, id)).status).toBe(201)
  })

  it('nobody but its client, and nobody of the team', async () => {
    const [client, other] = [await makeUser(t.db), await makeUser(t.db)]
    const staff = await makePerson(t.db, institute.id, 'staff')
    t.clock.set(after)
    const id = await visitOf(client)
    expect(refused(await write(other, id))).toEqual([404, 'not_found'])
    expect(refused(await own(other, id))).toEqual([404, 'not_found'])
    for (const person of [staff, owner]) expect(detailsOf(await write(person, await visitOf(person))).reason).toBe('own_institute')
  })

  it('grades are whole numbers from 1 to 5 and the text has an end; the field is named', async () => {
    const client = await makeUser(t.db)
    const id = await visitOf(client)
    t.clock.set(after)
    const fields = async (body: unknown): Promise<string[]> => Object.keys(detailsOf(await write(client, id, body)).fields ?? {})
    expect(await fields({ ...good, hygiene: 6 })).toEqual(['hygiene'])
    expect(await fields({ ...good, welcoming: 4.5, serviceQuality: 0 })).toEqual(['welcoming', 'serviceQuality'])
    expect(await fields({ welcoming: 5 })).toEqual(['hygiene', 'atmosphere', 'serviceQuality'])
    expect(await fields({ ...good, text: 'a'.repeat(2001) })).toEqual(['text'])
    expect((await page()).body['total']).toBe(0)
  })
})

describe('pictures of a review', () => {
  const multipart = async (pictures: readonly (readonly [string, Buffer])[]) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...good, text: 'With a picture.' })) form.append(name, String(value))
    for (const [name, bytes] of pictures) form.append('pictures', new Blob([new Uint8Array(bytes)]), name)
    const sent = new Response(form)
    return { payload: Buffer.from(await sent.arrayBuffer()), headers: { 'content-type': sent.headers.get('content-type') ?? '' } }
  }

  it('are made anew and stand with it; one that is none is named and nothing is written', async () => {
    const client = await makeUser(t.db)
    const id = await visitOf(client)
    t.clock.set(after)
    const path = `${visitsPath}/${id}/review`
    const bad = await t.inject('POST', path, {
      token: client.token,
      ...(await multipart([
        ['a.jpg', await plain('jpeg')],
        ['b.jpg', Buffer.from('no picture')],
      ])),
    })
    expect([...refused(bad), Object.keys(detailsOf(bad).fields ?? {})]).toEqual([415, 'wrong_type', ['pictures.1']])
    expect((await own(client, id)).body['mayReview']).toBe(true)
    const answer = await t.inject('POST', path, { token: client.token, ...(await multipart([['a.jpg', await plain('jpeg', 900, 500)]])) })
    expect(answer.status).toBe(201)
    const [picture] = (await page('withPictures=true')).body['items']?.[0]?.['pictures'] ?? []
    expect(picture).toMatchObject({ width: 900, height: 500, url: expect.stringMatching(/^\/files\/pictures\/[0-9a-f]{32}\.webp$/) })
    const file = await t.app.inject({ method: 'GET', url: String(picture?.['url']) })
    expect([file.statusCode, file.headers['content-type'], file.rawPayload.includes('private words')]).toEqual([200, 'image/webp', false])
  })
})

describe('what stands under an institute', () => {
  /** Somebody's review of a visit of their own, as rows. */
  async function reviewed(grades: number[], more: { language?: string; at?: string } = {}): Promise<string> {
    const id = await visitOf(await makeUser(t.db))
    const [welcoming, hygiene, atmosphere, quality] = grades
    const { rows } = await sql<{ id: string }>`insert into reviews
        (appointment_id, institute_id, author, language, welcoming, hygiene, atmosphere, service_quality, created_at)
      values (${id}, ${institute.id}, 'Théo M.', ${more.language ?? 'fr'}, ${welcoming}, ${hygiene}, ${atmosphere}, ${quality}, ${more.at ?? after}) returning id`.execute(
      t.db,
    )
    return rows[0]?.id ?? ''
  }
  const ids = ({ body }: TestAnswer): string[] => (body['items'] as unknown as { _id: string }[]).map(({ _id }) => _id)

  it('[E-09] is counted by stars and language, and filtered, sorted and paged without a change of the averages', async () => {
    const five = await reviewed([5, 5, 5, 4], { at: '2026-11-21T09:00:00Z' })
    const three = await reviewed([3, 3, 3, 2], { language: 'ar', at: '2026-11-22T09:00:00Z' })
    const half = await reviewed([5, 5, 4, 4], { language: 'en', at: '2026-11-23T09:00:00Z' })
    const all = await page()
    expect(ids(all)).toEqual([half, three, five])
    const figures = {
      rating: { average: 4, count: 3 },
      averages: { welcoming: 4.33, hygiene: 4.33, atmosphere: 4, serviceQuality: 3.33 },
      breakdown: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: { 5: 2, 3: 1 }[stars] ?? 0 })),
      withPictures: 0,
    }
    expect(all.body).toMatchObject({ total: 3, ...figures })
    expect(all.body['languages']).toHaveLength(3)
    expect(ids(await page('sort=highest'))).toEqual([five, half, three])
    expect(ids(await page('sort=lowest'))).toEqual([three, half, five])
    const some = await page('stars=5&pageSize=10')
    expect([ids(some), some.body['total']]).toEqual([[half, five], 2])
    expect(some.body).toMatchObject(figures)
    expect([ids(await page('language=ar')), ids(await page('withPictures=true')), ids(await page('page=2'))]).toEqual([[three], [], []])
    expect(refused(await page('', 'nobody-here'))).toEqual([404, 'not_found'])
    expect(refused(await page('stars=6'))).toEqual([400, 'bad_input'])
  })

  it('[P-04] has the averages of its rows after any writes at once, hidden ones aside', async () => {
    const other = await makeInstitute(t.db)
    const seed = (n: number): number => 1 + ((n * 7919 + 13) % 5)
    const made = await Promise.all(Array.from({ length: 24 }, (_, n) => reviewed([seed(n), seed(n + 7), seed(n * 3), seed(n * n)])))
    await Promise.all(
      made.filter((_, n) => n % 5 === 0).map((id) => decideOnReview(t.db, { id, decision: 'hidden', now: Date.parse(after) })),
    )
    await sql`delete from reviews where id = ${made[1]}`.execute(t.db)
    await sql`update reviews set welcoming = 1 where id = ${made[2]}`.execute(t.db)
    const truth = sql`select count(*)::int as n, round(avg(welcoming), 2) as w, round(avg(hygiene), 2) as h, round(avg(atmosphere), 2) as a, round(avg(service_quality), 2) as q
      from reviews where institute_id = ${institute.id} and state = 'shown'`
    const kept = sql`select rating_count as n, average_welcoming as w, average_hygiene as h, average_atmosphere as a, average_service_quality as q from institutes where id = ${institute.id}`
    const rows = async (query: typeof truth): Promise<unknown[]> => (await query.execute(t.db)).rows
    expect(await rows(kept)).toEqual(await rows(truth))
    expect((await page()).body['rating']?.['count']).toBe(24 - 5 - 1)
    await sql`delete from reviews where institute_id = ${institute.id}`.execute(t.db)
    expect(await rows(kept)).toEqual([{ n: 0, w: null, h: null, a: null, q: null }])
    expect((await page('', other.slug)).body).toMatchObject({ total: 0, rating: { average: 0, count: 0 }, languages: [] })
  })

  it('keeps the grades of somebody who is gone, without name, words and pictures', async () => {
    const client = await makeUser(t.db)
    const id = await visitOf(client)
    t.clock.set(after)
    await write(client, id, { ...good, text: 'Mine.' })
    await sql`insert into review_pictures select id, 0, institute_id, 'pictures/a.webp', 9, 9 from reviews where appointment_id = ${id}`.execute(
      t.db,
    )
    await sql`update reviews set user_id = null where appointment_id = ${id}`.execute(t.db)
    expect((await page()).body['items']).toEqual([expect.objectContaining({ author: null, text: '', pictures: [], rating: 4.5 })])
    expect((await page()).body).toMatchObject({ rating: { average: 4.5, count: 1 } })
  })
})

describe('what follows a review', () => {
  async function written(): Promise<{ client: MadeUser; id: string; visit: string }> {
    const client = await makeUser(t.db, { firstName: 'Inès' })
    t.clock.set(before)
    const visit = (await bookVisit(t, client, institute, { startsAt: ten }))._id
    t.clock.set(after)
    const answer = await write(client, visit)
    return { client, visit, id: String(answer.body['_id']) }
  }
  const told = async (user: { token: string }) => {
    await t.drainJobs()
    const { body } = await t.inject('GET', '/api/v1/secure/notifications?pageSize=50', { token: user.token })
    return (body['items'] as unknown as { title: string; message: string; path: string }[]).map(({ title, message, path }) => ({
      title: title.replaceAll('\u00a0', ' '),
      message,
      path,
    }))
  }

  it('the institute hears of it and its author of the answer, once', async () => {
    const { client, id, visit } = await written()
    expect((await told(owner))[0]).toEqual({
      title: 'New review: 4.5 of 5',
      message: expect.stringMatching(/^Inès B\.: .+ with /),
      path: `/salon/${institute.slug}#reviews`,
    })
    const replied = await mine(owner, `${id}/reply`, { text: 'Thank you, Inès.' })
    expect([replied.status, replied.body['reply']?.['text']]).toEqual([200, 'Thank you, Inès.'])
    expect((await mine(owner, `${id}/reply`, { text: 'Thank you, Inès. See you soon.' })).status).toBe(200)
    const heard = (await told(client)).filter(({ title }) => title.includes('replied'))
    expect(heard).toEqual([{ title: 'Maison Ondine replied to your review', message: expect.any(String), path: `/appointment/${visit}` }])
    expect((await page()).body['items']?.[0]?.['reply']?.['text']).toBe('Thank you, Inès. See you soon.')
    const events = await sql<{ kind: string }>`select kind from events where subject_id = ${id} order by id`.execute(t.db)
    expect(events.rows.map(({ kind }) => kind)).toEqual(['review.written', 'review.replied', 'review.replied'])
  })

  it('managers answer, reception does not, and nobody answers for a neighbour', async () => {
    const { id } = await written()
    const [manager, reception] = [await makePerson(t.db, institute.id, 'manager'), await makePerson(t.db, institute.id, 'reception')]
    const neighbour = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: neighbour.id })
    const answer = async (user: MadeUser): Promise<number> => (await mine(user, `${id}/reply`, { text: 'Thanks.' })).status
    expect([await answer(manager), await answer(reception), await answer(neighbour)]).toEqual([200, 403, 404])
  })

  it('a report and a contest wait for an operator; nothing the institute does takes it away', async () => {
    const { id } = await written()
    const somebody = await makeUser(t.db)
    const report = () => t.inject('POST', `/api/v1/secure/reviews/${id}/report`, { token: somebody.token, body: { reason: 'insult' } })
    expect([(await report()).status, (await report()).status]).toEqual([200, 200])
    expect((await mine(owner, `${id}/contest`, { reason: 'not_a_visit', note: 'Nobody of this name came.' }, 'POST')).status).toBe(200)
    expect((await mine(owner, `${id}/contest`, { reason: 'not_a_visit' }, 'POST')).status).toBe(400)
    const open = async () => (await openReports(t.db)).find(({ reviewId }) => reviewId === id)?.reports
    expect(await open()).toEqual([
      { reason: 'insult', note: '', isContest: false },
      { reason: 'not_a_visit', note: 'Nobody of this name came.', isContest: true },
    ])
    expect((await page()).body['total']).toBe(1)
    expect(await decideOnReview(t.db, { id, decision: 'kept', now: Date.parse(after) })).toBe(true)
    expect([await open(), (await page()).body['total']]).toEqual([undefined, 1])
    expect(await decideOnReview(t.db, { id, decision: 'hidden', now: Date.parse(after) })).toBe(true)
    expect((await page()).body).toMatchObject({ total: 0, rating: { count: 0 } })
    expect(refused(await report())).toEqual([404, 'not_found'])
    expect(await decideOnReview(t.db, { id: institute.id, decision: 'kept', now: 0 })).toBe(false)
  })
})

describe('figures of before there were reviews', () => {
  it('are taken back: an institute without reviews has no rating', async () => {
    await sql`update institutes set rating_count = 218, average_welcoming = 5, average_hygiene = 5, average_atmosphere = 5, average_service_quality = 5 where id = ${institute.id}`.execute(
      t.db,
    )
    await runFills(t.db, reviewFills)
    expect((await page()).body).toMatchObject({ rating: { average: 0, count: 0 } })
  })
})
