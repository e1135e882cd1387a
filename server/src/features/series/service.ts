/** Series: a visit that is repeated, looked at before it is made, made in one unit of work, and cancelled from a visit on. */
import { randomUUIDv7 } from 'node:crypto'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Instant } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { visitForWire, visitShown } from '#/features/appointments/service.ts'
import {
  type ClientFacts,
  diaryForMove,
  endOf,
  factsOf,
  freeLapsed,
  freeTime,
  insertPlan,
  keyOf,
  markCancelled,
  nearestIn,
  nearestReachDays,
  planFor,
  readStart,
  references,
  type Requester,
  rowsOf,
  type VisitRequest,
} from '#/features/booking/service.ts'
import { copyHome } from '#/features/at-home/service.ts'
import { firstPaymentOf } from '#/features/checkout/service.ts'
import { isBlockedAt } from '#/features/customers/service.ts'
import { ifCancelledNow, returnMoney } from '#/features/payments/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  findVisit,
  isAtHome,
  mayCancel,
  sessionsOfVisit,
  type ShownVisit,
  stateOf,
  stepFrom,
  termsFor,
} from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { brokenConstraint, type Db } from '#/platform/database.ts'
import { type RefusalError, refuse } from '#/platform/refuse.ts'
import { cartOf, conflictText, isOfOneTime, occurrencesOf, wantsNearest } from './occurrences.ts'
import { addToSeries, findSeries, insertVisit, makeSeriesOf, type NewVisit, setRhythm, visitsAhead } from './store.ts'

export { seriesAtInstitute } from './store.ts'

type Who = Requester<SelfScope<true>>
/** Visits of series that one person may have ahead, wherever they are. */
const mostAhead = 36
const mostTries = 4

/** What is repeated lies ahead: what is over is booked again instead. */
function checkRepeatable({ row }: ShownVisit, now: Instant): void {
  if (row.life !== 'booked' || parseInstant(row.startsAt) <= now) throw refuse('wrong_state')
}

/** A visit that is paid for first is booked by its payment alone, so several at once would go around it. @throws deposit_needed */
async function checkUnpaid(context: AppContext, db: Db, scope: SelfScope, visitId: string): Promise<void> {
  if ((await firstPaymentOf(context, db, scope, visitId)) > 0) throw refuse('deposit_needed')
}

/** Whom an institute books no more reads what everybody reads where nothing is free. */
async function checkWelcome(context: AppContext, { scope }: Who, instituteId: string): Promise<void> {
  if (await isBlockedAt(context.database.prepared, scope, instituteId)) throw refuse('slot_taken', { nearest: [] })
}

export async function planSeries(
  context: AppContext,
  who: Who,
  { id, everyWeeks, times }: { id: string; everyWeeks: number; times: number },
): Promise<Answer<Calls['seriesPlan']>> {
  const now = context.clock.now()
  const visit = await visitShown(context.database.db, who.scope, id)
  checkRepeatable(visit, now)
  await checkWelcome(context, who, visit.row.instituteId)
  await checkUnpaid(context, context.database.db, who.scope, id)
  return { timeZone: visit.row.timeZone, items: await occurrencesOf({ context, who, visit, now }, everyWeeks, times) }
}

interface Missed {
  request: VisitRequest
  refusal: RefusalError
  client: ClientFacts | undefined
}

/** One visit of the series, or why it cannot be had now. What was made before it in this unit is in its way like anything else. */
async function makeOne(
  unit: Unit,
  { scope, locale }: Who,
  request: VisitRequest,
  { id, customerId }: Pick<NewVisit, 'id' | 'customerId'>,
): Promise<Missed | null> {
  let client: ClientFacts | undefined
  try {
    const loaded = await diaryForMove(unit.db, request, unit.now)
    client = await factsOf(unit.db, loaded, request, scope)
    const answer = planFor(loaded, request, client, unit.now, locale)
    if (!answer.ok) return { request, refusal: answer.refusal, client }
    const { totalAmount, ...plan } = rowsOf({ loaded, plan: answer.plan })
    await insertVisit(unit, scope, {
      id,
      customerId,
      reference: references.draw(),
      startsAt: instantText(request.startsAt),
      endsAt: endOf(answer.plan),
      timeZone: loaded.institute.timeZone,
      cart: request.cart,
      totalAmount,
      currency: loaded.institute.currency,
      terms: termsFor(loaded.institute, request.startsAt),
      now: instantText(unit.now),
    })
    await insertPlan(unit, id, plan)
    return null
  } catch (error) {
    if (!isOfOneTime(error)) throw error
    return { request, refusal: error, client }
  }
}

interface SeriesAsked {
  id: string
  everyWeeks: number
  startsAt: readonly string[]
}
type Made = Answer<Calls['makeSeries']>['made']

async function makeAll(
  context: AppContext,
  unit: Unit,
  who: Who,
  { id, everyWeeks, startsAt }: SeriesAsked,
): Promise<{ made: Made; missed: Missed[] }> {
  const { scope, locale } = who
  await freeLapsed(unit)
  const visit = await visitShown(unit.db, scope, id)
  checkRepeatable(visit, unit.now)
  await checkUnpaid(context, unit.db, scope, id)
  if ((await visitsAhead(unit, scope)) + startsAt.length > mostAhead) throw refuse('too_many_repeats', { most: mostAhead })
  const request = { instituteId: unit.instituteId, cart: cartOf(visit.row, visit.segments) }
  const starts = [...new Set(startsAt.map((text) => readStart(text, unit.now)))].toSorted((one, other) => one - other)
  const ids: string[] = []
  const missed: Missed[] = []
  for (const start of starts) {
    const made = randomUUIDv7()
    const why = await makeOne(unit, who, { ...request, startsAt: start }, { id: made, customerId: visit.row.customerId })
    if (why) missed.push(why)
    else ids.push(made)
  }
  if (ids.length === 0) {
    unit.nothingChanged()
    return { made: [], missed }
  }
  const known = (await findSeries(unit.db, scope, id))[0]?.seriesId
  if (known) await setRhythm(unit, known, everyWeeks)
  const seriesId = known ?? (await makeSeriesOf(unit, id, everyWeeks))
  await addToSeries(unit, seriesId, ids)
  if (isAtHome(visit.row)) await copyHome(unit.db, scope, id, ids)
  const made: Made = []
  for (const one of ids) {
    const shown = await visitShown(unit.db, scope, one)
    unit.record('visit.booked', one, { startsAt: shown.row.startsAt, endsAt: shown.row.endsAt, userId: scope.userId, seriesId })
    made.push(visitForWire(shown, locale, unit.now))
  }
  unit.record('series.made', seriesId, { visits: ids, userId: scope.userId })
  return { made, missed }
}

/** Somebody wrote past the lock of the diary, or a reference was drawn twice: all is made again. */
const mayGoWell = (error: unknown): boolean =>
  ['occupations_apart', 'session_seats_pkey', 'appointments_reference_key'].includes(brokenConstraint(error) ?? '')

export async function makeSeries(context: AppContext, who: Who, asked: SeriesAsked): Promise<Answer<Calls['makeSeries']>> {
  const { scope } = who
  const found = await findVisit(context.database.prepared, scope, { id: asked.id })
  if (!found || found.life === 'held') throw refuse('not_found')
  await checkWelcome(context, who, found.instituteId)
  const change = {
    instituteId: found.instituteId,
    by: scope,
    persons: [scope],
    key: keyOf(who, { call: 'makeSeries', ...asked }),
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await changeInstitute(context, change, async (unit) => {
        const { made, missed } = await makeAll(context, unit, who, asked)
        return { made, missed: await toldMissed(unit, who, missed) }
      })
    } catch (error) {
      if (attempt >= mostTries || !mayGoWell(error)) throw error
    }
  }
}

/** Each with free times near to it, once all that could be had is made. */
async function toldMissed(unit: Unit, { locale }: Who, missed: readonly Missed[]): Promise<Answer<Calls['makeSeries']>['missed']> {
  const told = []
  for (const { request, refusal, client } of missed) {
    const isElsewhere = wantsNearest(refusal)
    const loaded = isElsewhere ? await diaryForMove(unit.db, request, unit.now, nearestReachDays + 1) : null
    told.push({
      startsAt: instantText(request.startsAt),
      conflict: conflictText(refusal, locale),
      nearest: loaded ? nearestIn(loaded, request, client, unit.now) : [],
    })
  }
  return told
}

/** Of visits those that are let go with one and all that follow: free of charge alone, whatever else would let one go stays with its price. */
function restOf(rows: readonly AppointmentRow[], from: Pick<AppointmentRow, 'startsAt'>, now: Instant) {
  const ahead = rows.filter((row) => {
    const startsAt = parseInstant(row.startsAt)
    return startsAt > now && startsAt >= parseInstant(from.startsAt) && stepFrom('cancel', stateOf(row), 'client')
  })
  const { gone = [], kept = [] } = Object.groupBy(ahead, ({ terms }) => (mayCancel(terms, now) ? 'gone' : 'kept'))
  return { gone, kept }
}

/** What letting them go would do with what was paid. */
async function restSums(
  db: Db,
  scope: SelfScope,
  { gone, kept }: ReturnType<typeof restOf>,
  { instituteId, currency }: AppointmentRow,
  now: Instant,
): Promise<NonNullable<Answer<Calls['series']>['rest']>> {
  let [refunded, atSalon, sessions] = [0, 0, 0]
  for (const row of gone) {
    const sums = await ifCancelledNow(db, row, now)
    refunded += sums.refunded - sums.atBank
    atSalon += sums.atSalon
    if (row.sessionsWorth !== null)
      for (const { count, isBack } of await sessionsOfVisit(db, scope, { instituteId, visitId: row.id })) sessions += isBack ? 0 : count
  }
  const money = (amount: number) => ({ amount, currency })
  return {
    count: gone.length,
    startsAt: gone[0]?.startsAt ?? null,
    late: kept.length,
    refunded: money(refunded),
    ...(atSalon > 0 && { atSalon: money(atSalon) }),
    sessions,
  }
}

/** The visits a visit was repeated with. */
export async function seriesOf(context: AppContext, { scope, locale }: Who, id: string): Promise<Answer<Calls['series']>> {
  const { db } = context.database
  const now = context.clock.now()
  await visitShown(db, scope, id)
  const found = await findSeries(db, scope, id)
  const visits = await Promise.all(found.map((one) => visitShown(db, scope, one.id)))
  const items = visits.map((visit, place) => ({ ...visitForWire(visit, locale, now), movedFrom: found[place]?.movedFrom ?? null }))
  const rows = visits.map(({ row }) => row)
  const from = rows.find((row) => row.id === id)
  return {
    everyWeeks: found[0]?.everyWeeks ?? null,
    items,
    ...(from && { rest: await restSums(db, scope, restOf(rows, from, now), from, now) }),
  }
}

/** Cancels a visit and those after it that its terms let go. @throws too_late when they let none go */
export async function cancelFrom(context: AppContext, who: Who, id: string): Promise<Answer<Calls['cancelSeries']>> {
  const { scope, locale } = who
  const found = await findVisit(context.database.prepared, scope, { id })
  if (!found || found.life === 'held') throw refuse('not_found')
  const change = { instituteId: found.instituteId, by: scope, key: keyOf(who, { call: 'cancelSeries', id }) }
  return changeInstitute(context, change, async (unit) => {
    const series = await findSeries(unit.db, scope, id)
    const rows: AppointmentRow[] = []
    for (const one of series.length > 0 ? series.map((visit) => visit.id) : [id]) {
      const row = await findVisit(unit.db, scope, { id: one, lock: true })
      if (row) rows.push(row)
    }
    const { gone, kept } = restOf(rows, found, unit.now)
    if (gone.length === 0) throw kept[0] ? refuse('too_late', { phone: kept[0].institutePhone }) : refuse('wrong_state')
    const seriesId = series[0]?.seriesId
    for (const row of gone) {
      await markCancelled(unit, { id: row.id, by: 'client', reason: null, now: new Date(unit.now) })
      await freeTime(unit, row.id)
      await returnMoney(unit, scope.actor, row, 'client')
      const { startsAt, endsAt } = row
      unit.record('visit.cancelled', row.id, { startsAt, endsAt, by: 'client', reason: null, ...(seriesId && { seriesId }) })
    }
    if (seriesId) unit.record('series.cancelled', seriesId, { visits: gone.map((row) => row.id), userId: scope.userId })
    const shown = async (row: AppointmentRow) => visitForWire(await visitShown(unit.db, scope, row.id), locale, unit.now)
    const cancelled = []
    for (const row of gone) cancelled.push(await shown(row))
    const left = []
    for (const row of kept) left.push(await shown(row))
    return { cancelled, kept: left }
  })
}
