/** Waiting lists as their people see them: joining, leaving, and answering what is held for them. */
import { mostWaiting, waitingDays, type WaitingEntry } from '@soigne/contract/waiting'
import type { PartOfDay } from '@soigne/contract/institutes'
import type { Appointment, HomeAddressInput } from '@soigne/contract/appointments'
import { sitePath } from '@soigne/contract/site-routes'
import { dayMs, instantOf } from '@soigne/contract/time'
import { addDays } from '@soigne/scheduling/days'
import { spanOfDay } from '@soigne/scheduling/wall-clock'
import { totalAfter, visitForWire } from '#/features/appointments/service.ts'
import { checkHome, type Home, homeOf } from '#/features/at-home/service.ts'
import { inOnePlace, type LoadedInstitute } from '#/features/availability/service.ts'
import { confirmWithin, deleteHold, diaryForMove, keyOf, markMoved, type Requester, takePlan } from '#/features/booking/service.ts'
import { book } from '#/features/checkout/service.ts'
import { changeInstitute, lockPersons, type Unit } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  type CartEntry,
  findShown,
  findVisit,
  mayMove,
  segmentsForWire,
  segmentsOf,
  termsAfterMove,
} from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { needsAccount } from '#/platform/payment-provider.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import {
  countEntries,
  endEntry,
  endOffer,
  type EntryRow,
  findEntry,
  findSame,
  insertEntry,
  instituteOfEntry,
  listEntries,
  type NewEntry,
  readdressEntry,
} from './store.ts'

export { goThrough, isQuiet, whoFits } from './offering.ts'

export interface WaitingAsked {
  instituteId: string
  services: CartEntry[]
  fromDay: string
  toDay: string
  part?: PartOfDay | undefined
  hours?: { from: string; to: string } | undefined
  visitId?: string | undefined
  home?: HomeAddressInput | undefined
}

const wallMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
const wallText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

async function entriesForWire(db: Db, { scope, locale }: Requester, rows: readonly EntryRow[]): Promise<WaitingEntry[]> {
  const holds = new Map<string, AppointmentRow>()
  for (const { holdId } of rows) {
    const hold = holdId === null ? null : await findVisit(db, scope, { id: holdId })
    if (hold) holds.set(hold.id, hold)
  }
  const segments = await segmentsOf(db, scope, [...holds.keys()])
  return rows.map((row) => {
    const hold = holds.get(row.holdId ?? '')
    return {
      _id: row.id,
      institute: { _id: row.instituteId, slug: row.instituteSlug, name: row.instituteName, timeZone: row.timeZone },
      services: row.services.map((service) => ({ ...service, name: localised(service.name, locale) ?? '' })),
      fromDay: row.fromDay,
      toDay: row.toDay,
      part: row.part,
      hours: row.opensAt === null || row.closesAt === null ? null : { from: wallText(row.opensAt), to: wallText(row.closesAt) },
      ...(row.cart.some(({ atHome }) => atHome) && { atHome: true }),
      ...(row.home && { home: row.home }),
      visit: row.visitId === null || row.visitStartsAt === null ? null : { _id: row.visitId, startsAt: row.visitStartsAt },
      createdAt: row.createdAt,
      offer: hold
        ? {
            startsAt: hold.startsAt,
            endsAt: hold.endsAt,
            until: hold.expiresAt ?? hold.startsAt,
            total: { amount: hold.totalAmount, currency: hold.currency },
            segments: segmentsForWire(segments.get(hold.id) ?? [], hold.currency, locale),
          }
        : null,
    }
  })
}

export async function waitingEntries(context: AppContext, who: Requester): Promise<{ items: WaitingEntry[]; now: string }> {
  const { db } = context.database
  const now = context.clock.now()
  return { items: await entriesForWire(db, who, await listEntries(db, who.scope, new Date(now))), now: instantText(now) }
}

/** The visit that would be given back. @throws not_found, wrong_state, too_late */
function checkGivenBack(row: AppointmentRow | null, instituteId: string, now: number): AppointmentRow {
  if (!row || row.life === 'held' || row.instituteId !== instituteId) throw refuse('not_found')
  if (row.life === 'cancelled' || parseInstant(row.startsAt) <= now) throw refuse('wrong_state')
  if (!mayMove(row.terms, parseInstant(row.startsAt), now)) throw refuse('too_late', { phone: row.institutePhone })
  return row
}

type Placed = { cart: readonly CartEntry[]; home: Home | null }

/** An earlier time than a visit is for its services in their order, and where that is. */
function placedAs({ cart }: AppointmentRow, services: readonly CartEntry[]): CartEntry[] {
  const left = [...services]
  const atHome = cart.some((line) => line.atHome)
  return cart.flatMap(({ serviceId }) =>
    left
      .splice(
        left.findIndex((one) => one.serviceId === serviceId),
        1,
      )
      .map((wish) => (atHome ? { ...wish, atHome } : wish)),
  )
}

/** @throws not_at_home, outside_radius; bad_input for a place nobody knows, or where none is named for what is done nowhere but at home */
async function placedAt(db: Db, who: Requester, loaded: LoadedInstitute, { services, home: given }: WaitingAsked): Promise<Placed> {
  const home = given ? await homeOf(db, loaded, given, who.locale) : null
  const cart = home ? services.map((one) => ({ ...one, atHome: true })) : services
  checkHome(loaded, { cart, ...(home && { home }) })
  return { cart: inOnePlace(loaded, cart), home }
}

/** @throws bad_input for a window that is over, too long or turned round, and what booking refuses a cart with */
async function entryOf(context: AppContext, who: Requester, asked: WaitingAsked): Promise<NewEntry> {
  const { db } = context.database
  const { scope } = who
  const now = context.clock.now()
  const { instituteId, fromDay, toDay, hours } = asked
  const visit = asked.visitId === undefined ? null : checkGivenBack(await findVisit(db, scope, { id: asked.visitId }), instituteId, now)
  const services = asked.services
  // An earlier time is one for the same services; by whom may be wished anew.
  const own = visit?.cart.map(({ serviceId }) => serviceId).toSorted()
  const wanted = services.map(({ serviceId }) => serviceId).toSorted()
  if (own && own.join(' ') !== wanted.join(' ')) throw refuse('not_found', { serviceId: wanted.find((id) => !own.includes(id)) })
  const newStaffIds = services.flatMap(({ staffId }) => (staffId ? [staffId] : []))
  const request = { instituteId, cart: services, startsAt: now, ...(visit && { ignoreAppointmentId: visit.id, newStaffIds }) }
  const loaded = await diaryForMove(db, request, now)
  const { cart, home } = visit ? { cart: placedAs(visit, services), home: null } : await placedAt(db, who, loaded, asked)
  const { diary } = loaded
  if (toDay < fromDay || toDay > addDays(fromDay, waitingDays - 1)) throw refuseField('toDay', 'invalid')
  const endsAt = new Date(instantOf(spanOfDay(diary.timeZone, toDay).to))
  if (endsAt.getTime() <= now || endsAt.getTime() > now + 400 * dayMs) throw refuseField('toDay', 'date')
  const opensAt = hours ? wallMinutes(hours.from) : null
  const closesAt = hours ? wallMinutes(hours.to) : null
  if (opensAt !== null && closesAt !== null && closesAt <= opensAt) throw refuseField('hours', 'invalid')
  return {
    instituteId,
    cart,
    fromDay,
    toDay,
    part: asked.part ?? null,
    opensAt,
    closesAt,
    visitId: visit?.id ?? null,
    home,
    endsAt,
    now: new Date(now),
  }
}

/** The same asked twice is one entry. @throws too_many_waiting */
export async function joinWaitingList(context: AppContext, who: Requester<SelfScope<true>>, asked: WaitingAsked): Promise<WaitingEntry> {
  const { scope } = who
  const entry = await entryOf(context, who, asked)
  return inTransaction(context.database.db, async (transaction) => {
    await lockPersons(transaction, [scope])
    const same = await findSame(transaction, scope, entry)
    if (same === null && (await countEntries(transaction, scope, entry.now)) >= mostWaiting)
      throw refuse('too_many_waiting', { most: mostWaiting }, { values: { count: mostWaiting } })
    if (same !== null) await readdressEntry(transaction, scope, same, entry.home)
    const id = same ?? (await insertEntry(transaction, scope, entry))
    const row = await findEntry(transaction, scope, { id, now: entry.now })
    const [made] = row ? await entriesForWire(transaction, who, [row]) : []
    if (!made) throw refuse('wrong_state')
    return made
  })
}

async function ownEntry(context: AppContext, scope: SelfScope, id: string): Promise<EntryRow> {
  const row = await findEntry(context.database.prepared, scope, { id, now: new Date(context.clock.now()) })
  if (!row) throw refuse('not_found')
  return row
}

/** Gives back what is held for an entry; the next is asked when that has happened. */
async function giveUpOffer(unit: Unit, scope: SelfScope, { holdId, offerId }: EntryRow): Promise<boolean> {
  if (holdId === null || offerId === null) return false
  const gone = await deleteHold(unit, scope, holdId)
  if (!gone) return false
  await endOffer(unit, { id: offerId, state: 'declined' })
  unit.record('visit.released', holdId, gone)
  return true
}

export async function leaveWaitingList(context: AppContext, { scope }: Requester, id: string): Promise<void> {
  const { instituteId } = await ownEntry(context, scope, id)
  await changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    const row = await findEntry(unit.db, scope, { id, now: new Date(unit.now) })
    if (!row || !(await endEntry(unit.db, scope, { id, state: 'removed' }))) throw refuse('not_found')
    if (!(await giveUpOffer(unit, scope, row))) unit.nothingChanged()
  })
}

/** @throws not_found, hold_expired */
export async function declineOffer(context: AppContext, { scope }: Requester, id: string): Promise<void> {
  const { instituteId } = await ownEntry(context, scope, id)
  await changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    const row = await findEntry(unit.db, scope, { id, now: new Date(unit.now) })
    if (!row) throw refuse('not_found')
    if (!(await giveUpOffer(unit, scope, row))) throw refuse('hold_expired')
  })
}

/** Visits are locked by their ids, one after the other. */
async function lockVisits(unit: Unit, scope: SelfScope, ids: readonly (string | null)[]): Promise<Map<string, AppointmentRow>> {
  const rows = new Map<string, AppointmentRow>()
  for (const id of ids.filter((one) => one !== null).toSorted()) {
    const row = await findVisit(unit.db, scope, { id, lock: true })
    if (row) rows.set(id, row)
  }
  return rows
}

/** What was offered has to be paid first, like any other time. */
class PaidFirst extends Error {
  readonly hold: AppointmentRow
  constructor(hold: AppointmentRow) {
    super('paid first')
    this.hold = hold
  }
}

/** Whoever paid, or did not, comes back to the booking of that very time: it says what became of it, and goes on from there. */
function bookingOf({ id, instituteSlug, cart, startsAt }: AppointmentRow): string {
  const choice = new URLSearchParams([
    ...cart.map(({ serviceId }) => ['service', serviceId]),
    ...cart.map(({ staffId }) => ['staff', staffId ?? 'any']),
    ['at', startsAt],
    ...(cart.some(({ atHome }) => atHome) ? [['home', '1']] : []),
    ['hold', id],
  ])
  return `${sitePath('booking', { slug: instituteSlug })}?${choice}`
}

async function shownTo(unit: Unit, { scope, locale }: Requester<SelfScope<true>>, id: string): Promise<Appointment> {
  const shown = await findShown(unit.db, scope, id)
  if (!shown) throw refuse('not_found')
  return visitForWire(shown, locale, unit.now)
}

/** A visit takes the time that was offered in the place of its own, as when it is moved: nothing is asked for anew. @throws hold_expired */
async function takeInstead(
  unit: Unit,
  who: Requester<SelfScope<true>>,
  before: AppointmentRow,
  { id, offerId, holdId }: { id: string; offerId: string; holdId: string },
): Promise<Appointment> {
  const { scope } = who
  const hold = await findVisit(unit.db, scope, { id: holdId, lock: true })
  if (hold?.life !== 'held' || hold.expiresAt === null || parseInstant(hold.expiresAt) <= unit.now) throw refuse('hold_expired')
  const own = (await segmentsOf(unit.db, scope, [before.id])).get(before.id) ?? []
  await takePlan(unit, before.id, holdId)
  if (!(await deleteHold(unit, scope, holdId))) throw refuse('hold_expired')
  const { startsAt, endsAt, cart, totalAmount } = hold
  const terms = termsAfterMove(before.terms, parseInstant(startsAt), unit.now)
  const sum = before.payment === 'paid' ? before.totalAmount : totalAfter(before, own, { totalAmount })
  await markMoved(unit, { id: before.id, startsAt: new Date(startsAt), endsAt: new Date(endsAt), terms, cart, totalAmount: sum })
  unit.record('visit.moved', before.id, { startsAt, endsAt, before: { startsAt: before.startsAt, endsAt: before.endsAt } })
  await endOffer(unit, { id: offerId, state: 'taken' })
  await endEntry(unit.db, scope, { id, state: 'taken' })
  unit.record('waiting.taken', id, { appointmentId: before.id, visitId: null })
  return shownTo(unit, who, before.id)
}

/** One change: what was held becomes a visit, or the time of the visit it was wished for, whose own falls free. Both or none. @throws hold_expired, wrong_state, too_late */
export async function acceptOffer(context: AppContext, who: Requester<SelfScope<true>>, id: string): Promise<Appointment> {
  const { scope } = who
  const instituteId = await instituteOfEntry(context.database.prepared, scope, id)
  if (instituteId === null) throw refuse('not_found')
  const key = keyOf(who, { call: 'acceptOffer', id })
  const accepted = changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
    const row = await findEntry(unit.db, scope, { id, now: new Date(unit.now) })
    if (!row) throw refuse('wrong_state')
    const { holdId, offerId, visitId } = row
    if (holdId === null || offerId === null) throw refuse('hold_expired')
    const visits = await lockVisits(unit, scope, [holdId, visitId])
    // One visit throughout, for its client, their calendar and the money that was paid and agreed.
    if (visitId !== null)
      return takeInstead(unit, who, checkGivenBack(visits.get(visitId) ?? null, unit.instituteId, unit.now), { id, offerId, holdId })
    const hold = visits.get(holdId)
    if (!hold) throw refuse('hold_expired')
    // Its checkout is open: the answer was lost, or whoever pays there came back.
    const isAwaited = hold.life === 'held' && hold.payment === 'awaiting'
    if (isAwaited || !(await confirmWithin(unit, who, { id: holdId, needsAccount: needsAccount(context.payments) })))
      throw new PaidFirst(hold)
    await endOffer(unit, { id: offerId, state: 'taken' })
    await endEntry(unit.db, scope, { id, state: 'taken' })
    unit.record('waiting.taken', id, { appointmentId: holdId, visitId: null })
    return shownTo(unit, who, holdId)
  })
  return accepted.catch((error: unknown) => {
    if (error instanceof PaidFirst) return book(context, who, { holdId: error.hold.id, returnTo: bookingOf(error.hold) })
    throw error
  })
}
