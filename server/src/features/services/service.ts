/** The menu: what an institute offers, in its order, and what becomes of a service that it offers no more. */
import type { DepositRule } from '@soigne/contract/deposits'
import { type Menu, type MenuService, mostMenuServices, type ServiceInput, type Words } from '@soigne/contract/services'
import { type Audience, type Category, type Locale, locales } from '@soigne/contract/wire'
import { minuteOf } from '@soigne/contract/time'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import {
  archiveService,
  clearSignature,
  deleteService,
  everybodyPerforms,
  type Frame,
  frameOf,
  insertServices,
  type MenuRow,
  menuOf,
  type MenuScope,
  orderMenu,
  readFrame,
  readMenu,
  renameSection,
  setLaterPrices,
  setPerformers,
  setPrerequisites,
  updateService,
  wasBooked,
} from './store.ts'

const wallTime = (minutes: number): string =>
  `${String(Math.trunc(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** What it asks for beforehand by itself; null where the institute's rule holds. */
function depositOf({ depositKind: kind, depositAmount: amount, depositPercent: percent }: MenuRow): DepositRule | null {
  if (kind === 'fixed' && amount !== null) return { kind, amount }
  if (kind === 'percent' && percent !== null) return { kind, percent }
  return kind === 'none' ? { kind } : null
}

/** As the menu is on a day: a price whose day has come is the price, whether or not its row knows it yet. */
function forWire(row: MenuRow, today: string): MenuService {
  const {
    id,
    performers,
    prerequisites,
    laterPrices,
    latestStart,
    depositKind: _kind,
    depositAmount: _amount,
    depositPercent: _percent,
    ...rest
  } = row
  const later = (laterPrices ?? []).map(([fromDay, priceKind, priceAmount]) => ({ fromDay, priceKind, priceAmount }))
  const come = row.priceKind === 'on_request' ? undefined : later.findLast(({ fromDay }) => fromDay <= today)
  return {
    _id: id,
    ...rest,
    deposit: depositOf(row),
    category: row.category as Category,
    audience: row.audience as Audience,
    ...(come && { priceKind: come.priceKind, priceAmount: come.priceAmount }),
    latestStart: latestStart === null ? null : wallTime(latestStart),
    performers: (performers ?? []).map(([staffId, activeMinutes, idleMinutes, activeAfterMinutes, priceAmount]) => ({
      staffId,
      minutes:
        activeMinutes === null ? null : { activeMinutes, idleMinutes: idleMinutes ?? 0, activeAfterMinutes: activeAfterMinutes ?? 0 },
      priceAmount,
    })),
    prerequisites: (prerequisites ?? []).map(([serviceId, minHours, maxMonths]) => ({ serviceId, minHours, maxMonths })),
    laterPrices: later.filter(({ fromDay }) => fromDay > today),
  }
}

const todayOf = ({ timeZone }: Frame, now: number): string => dayOf(timeZone, minuteOf(now))

export async function menuForWire({ database, clock }: AppContext, scope: MenuScope): Promise<Menu> {
  const now = clock.now()
  const frame = await readFrame(database.db, scope)
  if (!frame) throw refuse('not_found')
  const today = todayOf(frame, now)
  return {
    items: (await readMenu(database.db, scope, new Date(now))).map((row) => forWire(row, today)),
    slug: frame.slug,
    currency: frame.currency,
    timeZone: frame.timeZone,
    today,
    categories: frame.categories as Category[],
    comesHome: frame.comesHome,
    team: frame.team ?? [],
    resourceTypes: frame.resourceTypes ?? [],
  }
}

/** A service that is new; those of one list may name each other before they have ids. */
export interface NewService extends ServiceInput {
  /** What prerequisites of the same list call it. */
  ref?: string | undefined
}

const frameWithin = async (unit: Unit): Promise<Frame> => {
  const frame = await frameOf(unit)
  if (!frame) throw refuse('not_found')
  return frame
}

/** @throws bad_input for a day that has come, and for two prices of one day */
function checkLaterPrices({ laterPrices = [], priceKind }: ServiceInput, today: string): void {
  for (const [at, { fromDay }] of laterPrices.entries()) {
    const isDouble = laterPrices.findIndex((one) => one.fromDay === fromDay) !== at
    if (fromDay <= today || isDouble) throw refuseField(`laterPrices.${at}.fromDay`, 'date')
  }
  if (priceKind === 'on_request' && laterPrices.length > 0) throw refuseField('laterPrices', 'invalid')
}

/** @throws not_at_home where nobody comes to people's homes */
function checkVenue({ venue }: ServiceInput, { comesHome }: Frame): void {
  if (venue !== 'salon' && !comesHome) throw refuse('not_at_home')
}

/** @throws not_found for somebody who is not of the team, bad_input for one named twice */
function checkPerformers({ performers = [] }: ServiceInput, { team }: Frame): void {
  for (const [at, { staffId }] of performers.entries()) {
    if (!team?.some(({ _id }) => _id === staffId)) throw refuse('not_found', { staffId })
    if (performers.findIndex((one) => one.staffId === staffId) !== at) throw refuseField(`performers.${at}.staffId`, 'choice')
  }
}

/** Of the longest month. */
const hoursOfMonth = 31 * 24

/** @throws not_found for a condition that names no other service of the menu, bad_input for one that is named twice or leaves no time */
function checkPrerequisites({ prerequisites }: ServiceInput, allowed: ReadonlySet<string>): void {
  for (const [at, { serviceId, minHours, maxMonths }] of prerequisites.entries()) {
    if (!allowed.has(serviceId)) throw refuse('not_found', { serviceId })
    if (prerequisites.findIndex((one) => one.serviceId === serviceId) !== at) throw refuseField(`prerequisites.${at}.serviceId`, 'choice')
    const most = maxMonths * hoursOfMonth - 1
    if (minHours > most) throw refuseField(`prerequisites.${at}.minHours`, `too_big:${most}`)
  }
}

/** @throws condition_circle for one that, by whatever way, asks for this one before */
function checkCircle({ prerequisites }: ServiceInput, id: string, others: readonly MenuRow[], locale: Locale): void {
  const byId = new Map(others.map((one) => [one.id, one]))
  const seen = new Set<string>()
  const asksFor = (serviceId: string): boolean => {
    if (seen.has(serviceId)) return false
    seen.add(serviceId)
    return (byId.get(serviceId)?.prerequisites ?? []).some(([required]) => required === id || asksFor(required))
  }
  const circular = prerequisites.find(({ serviceId }) => asksFor(serviceId))
  if (!circular) return
  const name = localised(byId.get(circular.serviceId)?.name ?? null, locale) ?? ''
  throw refuse('condition_circle', { services: [{ _id: circular.serviceId, name }] }, { values: { service: name } })
}

/** What stands in tables of its own beside a service that is there. */
async function writeBeside(unit: Unit, id: string, given: ServiceInput, kept: MenuService['laterPrices'] = []): Promise<void> {
  if (given.performers) await setPerformers(unit, id, given.performers)
  await setPrerequisites(unit, id, given.prerequisites)
  await setLaterPrices(unit, id, given.priceKind === 'on_request' ? [] : (given.laterPrices ?? kept))
}

/**
 * Puts services at the end of the menu within a change of the institute; their ids, in this order. Prerequisites name services of the menu, or
 * others of the list by their `ref`. Without performers everybody who is of the team by then performs it. Whoever calls records what happened.
 * @throws menu_full, not_found, bad_input
 */
export async function writeServices(unit: Unit, services: readonly NewService[]): Promise<string[]> {
  const frame = await frameWithin(unit)
  const there = (await menuOf(unit)).filter(({ archivedAt }) => archivedAt === null)
  if (there.length + services.length > mostMenuServices) throw refuse('menu_full', { most: mostMenuServices })
  const refs = new Set(services.flatMap(({ ref }) => ref ?? []))
  for (const one of services) {
    checkLaterPrices(one, todayOf(frame, unit.now))
    checkVenue(one, frame)
    checkPerformers(one, frame)
    checkPrerequisites(one, new Set([...there.map(({ id }) => id), ...refs].filter((id) => id !== one.ref)))
  }
  if (services.some(({ isSignature }) => isSignature)) await clearSignature(unit, null)
  const signature = services.findLastIndex(({ isSignature }) => isSignature)
  const ids = await insertServices(
    unit,
    services.map((one, at) => ({ ...one, isSignature: at === signature })),
  )
  const idOfRef = new Map(services.flatMap(({ ref }, at) => (ref === undefined ? [] : [[ref, ids[at] ?? ''] as const])))
  for (const [at, one] of services.entries()) {
    const prerequisites = one.prerequisites.map((asked) => ({ ...asked, serviceId: idOfRef.get(asked.serviceId) ?? asked.serviceId }))
    await writeBeside(unit, ids[at] ?? '', { ...one, prerequisites })
  }
  await everybodyPerforms(
    unit,
    ids.filter((_id, at) => services[at]?.performers === undefined),
  )
  return ids
}

const changed = (unit: Unit): void => unit.record('institute.changed', null, { what: 'services' })

/** One of the menu, as it is now. @throws not_found */
async function readOne(unit: Unit, id: string): Promise<MenuRow> {
  const row = (await menuOf(unit)).find((one) => one.id === id)
  if (!row) throw refuse('not_found')
  return row
}
const answerOf = async (unit: Unit, id: string): Promise<MenuService> =>
  forWire(await readOne(unit, id), todayOf(await frameWithin(unit), unit.now))

/** @throws menu_full, bad_input */
export const addService = (
  context: AppContext,
  scope: MenuScope,
  given: ServiceInput,
  idempotencyKey: string | null,
): Promise<MenuService> => {
  const { instituteId, actor } = scope
  const userId = actor.kind === 'institute' ? actor.userId : null
  const key = idempotencyKey === null || userId === null ? null : { userId, key: idempotencyKey, request: { instituteId, given } }
  return changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
    const [id = ''] = await writeServices(unit, [given])
    changed(unit)
    return answerOf(unit, id)
  })
}

/** Visits that are booked keep what was agreed. @throws not_found, bad_input, condition_circle */
export const changeService = (
  context: AppContext,
  scope: MenuScope,
  { id, locale }: { id: string; locale: Locale },
  given: ServiceInput,
): Promise<MenuService> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const frame = await frameWithin(unit)
    const today = todayOf(frame, unit.now)
    const rows = await menuOf(unit)
    const before = rows.find((one) => one.id === id)
    if (!before) throw refuse('not_found')
    const kept = new Set((before.prerequisites ?? []).map(([serviceId]) => serviceId))
    const others = rows.filter((one) => one.id !== id && (one.archivedAt === null || kept.has(one.id)))
    checkLaterPrices(given, today)
    if (given.venue !== before.venue) checkVenue(given, frame)
    checkPerformers(given, frame)
    checkPrerequisites(given, new Set(others.map((one) => one.id)))
    checkCircle(given, id, rows, locale)
    if (given.isSignature) await clearSignature(unit, id)
    await updateService(unit, id, given)
    await writeBeside(unit, id, given, forWire(before, today).laterPrices)
    changed(unit)
    return answerOf(unit, id)
  })

/** @throws not_found for a service of somebody else, or one that is archived */
export const orderServices = (context: AppContext, scope: MenuScope, ids: readonly string[]): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const there = new Set((await menuOf(unit)).filter(({ archivedAt }) => archivedAt === null).map(({ id }) => id))
    if (!ids.every((id) => there.has(id))) throw refuse('not_found')
    if ((await orderMenu(unit, ids)) === 0) unit.nothingChanged()
    else changed(unit)
  })

const isGroup = (one: Words, other: Words): boolean => locales.every((locale) => (one[locale] ?? '') === (other[locale] ?? ''))

/** @throws not_found for a group that is not on the menu, bad_input for the name of another one */
export const renameGroup = (context: AppContext, scope: MenuScope, { section, to }: { section: Words; to: Words }): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const menu = await menuOf(unit)
    if (!menu.some((one) => isGroup(one.section, section))) throw refuse('not_found')
    if (isGroup(section, to)) return unit.nothingChanged()
    if (menu.some((one) => one.archivedAt === null && isGroup(one.section, to))) throw refuseField('to', 'group_taken')
    await renameSection(unit, { section, to })
    changed(unit)
  })

export interface Removed {
  outcome: 'deleted' | 'archived'
  comingVisits: number
}

/** @throws not_found, for a successor that is not on the menu too; service_required while others ask for it first */
export const removeService = (
  context: AppContext,
  scope: MenuScope,
  id: string,
  { successorId = null, locale }: { successorId?: string | null | undefined; locale: Locale },
): Promise<Removed> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const rows = await menuOf(unit)
    const row = rows.find((one) => one.id === id)
    if (!row) throw refuse('not_found')
    const menu = rows.filter((one) => one.id !== id && one.archivedAt === null)
    const asking = menu.filter(({ prerequisites }) => prerequisites?.some(([required]) => required === id))
    if (asking.length > 0)
      throw refuse('service_required', { services: asking.map((one) => ({ _id: one.id, name: localised(one.name, locale) ?? '' })) })
    if (successorId !== null && !menu.some((one) => one.id === successorId)) throw refuse('not_found', { serviceId: successorId })
    changed(unit)
    if (await wasBooked(unit, id)) {
      await archiveService(unit, id, successorId)
      return { outcome: 'archived', comingVisits: row.comingVisits }
    }
    await deleteService(unit, id)
    return { outcome: 'deleted', comingVisits: 0 }
  })
