/** A service without a price is agreed with the institute: never booked online, never counted as nothing. */
import type { InstituteVisit } from '@soigne/contract/appointments'
import type { Institute, InstituteCard } from '@soigne/contract/institutes'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, detailsOf, holdsPath, refused, tryHold, tryMove, wall } from '#/testing/booking.ts'
import { diaryOf, summaryIsTrue } from '#/testing/diary.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'
import { overbookVisit } from '#/features/diary-entries/service.ts'
import { summaryFills } from '#/features/summary/jobs.ts'
import { catchUp } from '#/features/summary/mending.ts'
import { rebuildSummary } from '#/features/summary/service.ts'
import { runFills } from '#/platform/fills.ts'

const ten = wall('2026-11-24T10:00')

let t: TestApp
let client: MadeUser
let institute: MadeInstitute
eachWithInstitute({ at: '2026-11-20T11:00:00Z' }, (world) => ({ t, client } = world))
beforeEach(async () => {
  institute = await makeInstitute(t.db, { members: 1, services: [{ active: 40 }, { active: 60 }] })
  await sql`update services set price_kind = 'on_request', price_amount = null where id = ${institute.services[0]}`.execute(t.db)
})

describe('a service whose price is on request', () => {
  it('cannot be held online, alone or beside others, in three languages', async () => {
    for (const lines of [[[0]], [[0, 0]], [[1], [0]]] satisfies Parameters<typeof tryHold>[3]['lines'][]) {
      const answer = await tryHold(t, client, institute, { startsAt: ten, lines })
      expect(refused(answer)).toEqual([422, 'price_on_request'])
      expect(detailsOf(answer)).toMatchObject({ serviceId: institute.services[0] })
    }
    const body = { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], startsAt: ten }
    const said = await Promise.all(
      ['en', 'fr', 'ar'].map(async (locale) => (await t.inject('POST', holdsPath, { token: client.token, locale, body })).body['message']),
    )
    expect(String(said[0])).toContain('on request')
    expect(new Set(said).size).toBe(3)
  })

  it('is offered at no time', async () => {
    const of = `/api/v1/client/institutes/${institute.id}`
    for (const call of ['availability?days=7', 'availability/month?month=2026-11', 'availability/next?limit=1'])
      expect(refused(await t.inject('GET', `${of}/${call}&service=${institute.services[0]}`)), call).toEqual([422, 'price_on_request'])
  })

  it('is on the menu with nobody who performs it online, and no card has times for it', async () => {
    const page = (await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)).body as unknown as Institute
    const service = page.services.find(({ _id }) => _id === institute.services[0])
    expect([service?.price, service?.priceKind, service?.performers]).toEqual([null, 'on_request', []])
    // The release before has summarised it as if it could be booked; the fill lets it be summarised anew.
    await rebuildSummary(t.db, t.clock.now())
    await sql`insert into bookable_services (institute_id, service_id, position, category, audience, duration_minutes, minor_units, notice_minutes, time_class, words)
      select institute_id, ${institute.services[0]}, 9, category, audience, duration_minutes, minor_units, notice_minutes, time_class, words
      from bookable_services where institute_id = ${institute.id}`.execute(t.db)
    await runFills(t.db, summaryFills)
    await catchUp(t.db, t.clock.now())
    await summaryIsTrue(t, institute)
    const { rows } = await sql<{ id: string }>`select service_id as id from bookable_services where institute_id = ${institute.id}`.execute(
      t.db,
    )
    expect(rows.map(({ id }) => id)).toEqual([institute.services[1]])
    const found = (await t.inject('GET', `/api/v1/client/institutes?what=${institute.slug}`)).body['items'] as unknown as InstituteCard[]
    for (const card of found) expect(card.service?._id).not.toBe(institute.services[0])
  })
})

describe('what the institute books itself', () => {
  it('says that the price is on request, and may be moved', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    await sql`update institutes set owner_id = ${owner.id} where id = ${institute.id}`.execute(t.db)
    const { rows } = await sql<{
      id: string
    }>`insert into customers (institute_id, first_name) values (${institute.id}, 'Jo') returning id`.execute(t.db)
    const services = [1, 0].map((place) => ({ serviceId: institute.services[place] ?? '', staffId: institute.members[0] ?? '' }))
    const booked = await overbookVisit(t.context, diaryOf(institute), {
      customerId: rows[0]?.id ?? '',
      services: services.slice(1),
      startsAt: ten,
      reason: 'Agreed by phone',
    })
    const list = async (): Promise<InstituteVisit[]> =>
      (await t.inject('GET', '/api/v1/secure/mysalon/appointments', { token: owner.token })).body['items'] as unknown as InstituteVisit[]
    expect((await list()).flatMap(({ segments }) => segments.map(({ price, priceKind }) => [price, priceKind]))).toEqual([
      [null, 'on_request'],
    ])
    const path = `/api/v1/secure/mysalon/appointments/${booked.id}/move`
    const answer = await t.inject('PUT', path, { token: owner.token, body: { startsAt: wall('2026-11-24T15:00') } })
    expect([answer.status, answer.body['startsAt']]).toEqual([200, wall('2026-11-24T15:00')])
  })

  it.each([
    ['en', 'Total: on request', 'Total: from €60,', '€0'],
    ['fr', 'Total : sur devis', 'Total : dès 60 €,', ' 0 €'],
    ['ar', 'المجموع: حسب الطلب', 'ابتداءً من', 'المجموع: 0'],
  ])('letters say it in words, never as nothing (%s)', async (locale, alone, beside, nothing) => {
    const own = await makeInstitute(t.db, { members: 1, services: [{ active: 40 }, { active: 60 }] })
    const reader = await makeUser(t.db, { locale })
    const plain = async (): Promise<string> =>
      ((await t.mails(reader.email))[0]?.text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u2066-\u2069]/g, '')
    const visit = await bookVisit(t, reader, own, { startsAt: ten, lines: [[0], [1]] })
    await sql`update segments set price_amount = null, snapshot = snapshot || '{"priceKind":"on_request"}' where appointment_id = ${visit._id} and position = 0`.execute(
      t.db,
    )
    await sql`update appointments set total_amount = 6000 where id = ${visit._id}`.execute(t.db)
    expect((await tryMove(t, reader, visit._id, wall('2026-11-24T14:00'))).status).toBe(200)
    expect(await plain()).toContain(beside)
    await sql`update segments set price_amount = null, snapshot = snapshot || '{"priceKind":"on_request"}' where appointment_id = ${visit._id}`.execute(
      t.db,
    )
    await sql`update appointments set total_amount = 0 where id = ${visit._id}`.execute(t.db)
    await cancelled(t, reader, visit._id)
    expect(await plain()).toContain(alone)
    expect(await plain()).not.toContain(nothing)
  })
})
