/** What the demo has of money that was paid online is what the product itself writes, row for row: the same visits by its own steps and by the rows of the demo. */
import { appointmentRow, segmentRow } from '@soigne/demo/rows/visits'
import { customerRow } from '@soigne/demo/rows/people'
import { type InstituteRows, noVisits, tablesOfInstitute, tablesOfVisits } from '@soigne/demo/rows/tables'
import { smallInstitute } from '@soigne/demo/rows/small-institute'
import { noteOnline, type OnlinePayment, type OnlineVisit } from '@soigne/demo/showcase/online'
import { writeRows } from '@soigne/demo/storage/bulk'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { booksOfVisits, verifyLedgers } from '#/features/ledger/service.ts'
import { sandboxProvider } from '#/features/sandbox-payments/service.ts'
import { steadyId } from '#/platform/steady-id.ts'
import { cancelled, hold, later, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { plainRows } from '#/testing/plain-rows.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { demoBooks } from './demo-books.ts'

const booked = '2026-11-20T11:00:00.000Z'
const till = wall('2026-11-24T18:00')
const end = '2026-11-28T12:00:00Z'
const prices = [3800, 1400] as const
const total = 5200
const deposit = 1500
const day = (hour: number): string => wall(`2026-11-24T${hour}:00`)
const late = wall('2026-11-23T20:00')
const inTime = later(booked, 60)
const ahead = wall('2026-11-23T09:00')

interface Story {
  name: string
  startsAt: string
  method: 'card' | 'paypal' | 'klarna'
  isAll?: true
  /** What comes after the booking. */
  after: 'counter' | 'rest' | 'note' | 'in_time' | 'late' | 'nothing'
}
const stories: Story[] = [
  { name: 'a deposit, and the rest at the counter', startsAt: day(10), method: 'card', after: 'counter' },
  { name: 'all of it, and a service given back', startsAt: day(11), method: 'paypal', isAll: true, after: 'note' },
  { name: 'a deposit that goes back in time', startsAt: day(12), method: 'card', after: 'in_time' },
  { name: 'all of it, and a deposit that stays', startsAt: day(13), method: 'card', isAll: true, after: 'late' },
  { name: 'a deposit, and the rest online', startsAt: day(14), method: 'klarna', after: 'rest' },
  { name: 'a deposit of a visit that nobody came to', startsAt: day(15), method: 'card', after: 'nothing' },
]

let ids = 0
const factsOfMade = {
  slug: 'made',
  name: 'Atelier Made',
  categories: ['hair'],
  city: 'Lyon',
  countryCode: 'FR',
  lat: 45.764,
  lon: 4.8357,
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  rules: {
    gridMinutes: 20,
    noticeMinutes: 0,
    horizonDays: 90,
    maxWaitMinutes: 0,
    gapPolicy: 'off',
    serviceOrder: 'given',
    cancelWindowMinutes: 1440,
    rescheduleWindowMinutes: 120,
  },
  createdAt: '2026-01-01T00:00:00.000Z',
  weekdays: [1, 2, 3, 4, 5, 6],
  hours: { opensAt: 540, closesAt: 1080 },
  members: 1,
  services: prices.map((priceAmount, place) => ({ category: 'hair', name: { en: `Service ${place}` }, activeMinutes: 20, priceAmount })),
  resources: [],
}

let t: TestApp
let owner: MadeUser
let client: MadeUser
let real: MadeInstitute
let made: InstituteRows
beforeAll(async () => {
  t = await openTestApp({ at: booked })
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  t.context.publicUrl = () => url
  t.context.payments = sandboxProvider(t.context)
  ;[owner, client] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db)]
})
afterAll(() => t.close())

const heard = (id: string, state: string): Promise<void> =>
  vi.waitFor(
    async () => {
      await t.drainJobs()
      const { rows } = await sql<{
        state: string
      }>`select state from (select state, begun_at as at from checkouts where appointment_id = ${id}
        union all select state, made_at from refunds where appointment_id = ${id}) k order by at desc limit 1`.execute(t.db)
      expect(rows).toEqual([{ state }])
    },
    { timeout: 60_000, interval: 50 },
  )
async function pays(id: string, url: string): Promise<void> {
  await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'pay', card: 'good' }), redirect: 'manual' })
  await heard(id, 'paid')
}
const asks = async (path: string, body: object, who: MadeUser): Promise<Record<string, unknown>> => {
  const answer = await t.inject('POST', path, { token: who.token, body, locale: 'fr' })
  if (answer.status > 201) throw new Error(answer.text)
  return answer.body
}
const urlOf = (body: Record<string, unknown>): string => (body['payment'] as { url: string }).url
const salon = '/api/v1/secure/mysalon'

async function goesOn({ after }: Story, id: string): Promise<void> {
  if (after === 'rest') await pays(id, urlOf(await asks(`${visitsPath}/${id}/payments`, { paymentMethod: 'klarna' }, client)))
  if (after === 'in_time' || after === 'late') {
    await cancelled(t, client, id)
    await heard(id, 'done')
  }
  if (after === 'counter') {
    const lines = prices.map((_, segment) => ({ segment }))
    await asks(`${salon}/appointments/${id}/till`, { lines, payments: [{ method: 'terminal', amount: total - deposit }] }, owner)
  }
  if (after === 'note') {
    const sale = (await t.inject('GET', `${salon}/sales/${id}`, { token: owner.token })).body
    const lines = [{ _id: String(sale['lines']?.[1]?.['_id']) }]
    await asks(`${salon}/sales/${id}/credit-notes`, { lines, reason: 'Chipped', method: 'paypal' }, owner)
    await heard(id, 'done')
  }
}
const when = { in_time: inTime, rest: ahead, late, counter: till, note: later(till, 1440), nothing: till } as const

/** By the steps of the product. */
async function live(): Promise<void> {
  const ids = new Map<Story, string>()
  for (const story of stories) {
    const { _id: holdId } = await hold(t, client, real, { startsAt: story.startsAt, lines: [[0], [1]] })
    const asked = { holdId, paymentMethod: story.method, ...(story.isAll && { pay: 'all' }) }
    await pays(holdId, urlOf(await asks(visitsPath, asked, client)))
    ids.set(story, holdId)
  }
  for (const story of stories.toSorted((a, b) => (when[a.after] < when[b.after] ? -1 : 1))) {
    t.clock.set(when[story.after])
    await goesOn(story, ids.get(story) ?? '')
  }
  t.clock.set(end)
  await t.jobs['read_payouts']?.({})
}

/** An id for which the made-up books pay at the counter with a card and without a tip, and give a service back where the story does. */
function suitableId({ name, isAll, after }: Story): string {
  const about = { instituteId: real.id, timeZone: 'Europe/Paris', currency: 'EUR', countryCode: 'FR', now: Date.parse(end) }
  const lines = prices.map((amount) => ({ serviceId: real.id, name: {}, memberId: real.id, memberName: '', amount }))
  const online = isAll && {
    checkoutId: real.id,
    reference: 'r',
    method: 'card' as const,
    amount: total,
    isWhole: true,
    at: Date.parse(booked),
  }
  for (let place = 0; ; place++) {
    const id = steadyId(`${name} ${place}`)
    const visit = { id, customerId: null, client: null, endedAt: till, lines, online: online ? [online] : [] }
    const seller = { name: '', legalName: null, vatNumber: null, address: '' }
    const { tables } = booksOfVisits({ ...about, seller, reasons: { goodwill: '', cancelled: '' }, visits: [visit] })
    const rows = (table: string) => (tables.find(([one]) => one === table)?.[1] ?? []) as { method: string; kind: string }[]
    const isGivenBack = rows('documents').some(({ kind }) => kind === 'credit_note')
    if (rows('tips').length === 0 && isGivenBack === (after === 'note') && rows('payments').every(({ method }) => method !== 'cash'))
      return id
  }
}

const fates = { in_time: 'cancelled', late: 'cancelled', rest: 'done', counter: 'done', note: 'done', nothing: 'no_show' } as const

/** As the demo has it: rows of the visit, and who paid what. */
function visitOf(story: Story, customerId: string) {
  const { institute, services, members } = made
  const { method, isAll, after, startsAt } = story
  const fate = fates[after]
  const memberId = members[0]?.id ?? ''
  const [starts, ends] = [Date.parse(startsAt), after === 'rest' ? Date.parse(later(startsAt, 40)) : Date.parse(till)]
  const appointment = appointmentRow({
    id: suitableId(story),
    madeBy: 'client',
    institute,
    customerId,
    reference: `DEMO-AA${'ABCDEF'[stories.indexOf(story)] ?? ''}`,
    standing: {
      life: fate === 'cancelled' ? 'cancelled' : 'booked',
      payment: fate === 'done' ? 'paid' : 'none',
      attendance: fate === 'cancelled' ? 'expected' : fate,
    },
    startsAt: starts,
    endsAt: ends,
    createdAt: Date.parse(booked),
    lines: services.map(({ id: serviceId, price_amount: priceAmount }) => ({ serviceId, memberId, priceAmount })),
    cancelled: fate === 'cancelled' ? { at: Date.parse(when[after]), by: 'client' } : null,
  })
  const segments = services.map((service, position) => {
    const at = starts + position * 20 * 60_000
    const times = { startsAt: at, endsAt: at + 20 * 60_000, priceAmount: service.price_amount, resourceId: null }
    const minutes = { activeMinutes: 20, idleMinutes: 0, activeAfterMinutes: 0 }
    return segmentRow({ id: steadyId(`${appointment.id} ${position}`), appointment, position, service, memberId, minutes, ...times })
  })
  const begunAt = Date.parse(booked)
  const first: OnlinePayment = { kind: 'hold', method, begunAt, paidAt: begunAt, amount: isAll ? total : deposit, isWhole: isAll ?? false }
  const again = Date.parse(ahead)
  const rest: OnlinePayment = { kind: 'rest', method, amount: total - deposit, isWhole: true, begunAt: again, paidAt: again }
  const isCancelled = after === 'in_time' || after === 'late'
  const online: OnlineVisit = {
    id: appointment.id,
    payments: after === 'rest' ? [first, rest] : [first],
    cancelled: isCancelled ? { at: Date.parse(when[after]), by: 'client', kept: after === 'late' ? deposit : 0 } : null,
  }
  noteOnline(appointment, online, institute)
  return { appointment, segments, online }
}

/** By the rows of the demo. */
async function invented(): Promise<void> {
  const customer = customerRow({
    id: steadyId('customer'),
    instituteId: made.institute.id,
    firstName: 'Nour',
    lastName: 'Benali',
    createdAt: booked,
  })
  const all = stories.map((story) => visitOf(story, customer.id))
  const visits = {
    ...noVisits(),
    customers: [customer],
    appointments: all.map(({ appointment }) => appointment),
    segments: all.flatMap(({ segments }) => segments),
  }
  const online = all.map((one) => one.online)
  const books = demoBooks(made, visits, online, Date.parse(end))
  await writeRows(t.ownerPool, [...tablesOfInstitute(made), ...tablesOfVisits(visits), ...books])
}

/** How each visit stands in the end. */
const visitsOf = async (instituteId: string): Promise<unknown[]> =>
  (
    await sql`select starts_at, life, payment, payment_method, deposit_amount, total_amount, cancelled_by, confirmed_at is not null as confirmed
      from appointments where institute_id = ${instituteId} order by starts_at`.execute(t.db)
  ).rows

const tables = [
  'checkouts',
  'sandbox_pages',
  'refunds',
  'sandbox_refunds',
  'sales',
  'document_series',
  'document_chains',
  'documents',
  'document_lines',
  'payments',
  'tips',
  'kept_deposits',
  'ledger_lines',
  'payouts',
  'payout_moves',
  'payout_reads',
]

describe('money that was paid online in the demo', () => {
  it('is row for row what the product writes: deposits, rests, refunds, what was kept, fees and payouts', async () => {
    const services = prices.map((price, place) => ({ name: `Service ${place}`, active: 20, price }))
    real = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services, cancelWindow: 1440, slug: 'real' })
    await sql`update institutes set deposit_kind = 'fixed', deposit_amount = ${deposit}, payment_methods = '{card,paypal,klarna}' where id = ${real.id}`.execute(
      t.db,
    )
    made = smallInstitute({ ...factsOfMade, deposit: { amount: deposit } }, () => steadyId(`made ${ids++}`))
    await live()
    await invented()
    expect(await visitsOf(made.institute.id)).toEqual(await visitsOf(real.id))
    for (const table of tables) {
      const expected = await plainRows(t.db, table, real.id)
      expect(await plainRows(t.db, table, made.institute.id), table).toEqual(expected)
      if (table !== 'tips') expect(expected.length, table).toBeGreaterThan(0)
    }
    expect((await verifyLedgers(t.db)).faults).toEqual([])
  })
})
