/** Rooms, chairs and machines: what there is, what takes it today, and when there would have to be one more. */
import { mostResources, type Resource, type ResourceInput, type Resources } from '@soigne/contract/resources'
import { minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { addDays } from '@soigne/scheduling/days'
import { openSpans } from '@soigne/scheduling/free-spans'
import type { Span } from '@soigne/scheduling/model'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { minuteOfText, minuteText } from '#/platform/instants.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { listText } from '#/texts/formats.ts'
import { localised } from '#/texts/translate.ts'
import {
  closeResource,
  followType,
  insertResource,
  listResources,
  orderOf,
  readType,
  removeResourceOf,
  resourceCount,
  type ResourceRow,
  servicesNeeding,
  servicesOfTypes,
  takenResources,
  updateResource,
  visitsIn,
} from './resource-store.ts'
import { instantsOfDays, instituteOfWeek } from './team.ts'
import type { TeamScope } from './team-store.ts'

/** Days ahead that are looked at for a time in which all of a type are taken. */
const lookAheadDays = 7
/** A shorter time is no news. */
const leastFullMinutes = 60

const within = (spans: readonly Span[], { from, to }: Span): Span[] =>
  spans.flatMap((span) => {
    const cut = { from: Math.max(span.from, from), to: Math.min(span.to, to) }
    return cut.from < cut.to ? [cut] : []
  })
const both = (a: readonly Span[], b: readonly Span[]): Span[] => a.flatMap((span) => within(b, span))

/** The longest time ahead in which every one of a type is taken; one that stands alone is full whenever it is used, which is no news. */
function fullestOf(rows: readonly ResourceRow[], takenBy: (id: string) => readonly Span[], open: readonly Span[]): Resources['full'] {
  const types = Map.groupBy(rows, ({ type }) => type)
  const full = [...types].flatMap(([type, some]) => {
    if (some.length < 2) return []
    const spans = some.reduce<Span[]>((left, { id }) => both(left, takenBy(id)), [...open])
    return spans.map((span) => ({ type, count: some.length, ...span }))
  })
  const longest = full.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)[0]
  if (!longest || longest.to - longest.from < leastFullMinutes) return null
  const { type, count, from, to } = longest
  return { type, count, startsAt: minuteText(from), endsAt: minuteText(to) }
}

type TakenRow = Awaited<ReturnType<typeof takenResources>>[number]
const spanOf = ({ startsAt, endsAt }: TakenRow): Span => ({ from: minuteOfText(startsAt), to: minuteOfText(endsAt) })

function resourceOf(row: ResourceRow, taken: readonly TakenRow[], today: Span, day: string): Resource {
  const own = taken.filter(({ resourceId, ...one }) => resourceId === row.id && within([spanOf({ resourceId, ...one })], today).length > 0)
  const visits = own.filter(({ kind }) => kind === 'visit').map(spanOf)
  return {
    _id: row.id,
    type: row.type,
    name: row.name,
    note: row.note ?? '',
    closures: row.closures ?? [],
    isClosedToday: row.closures?.some(({ fromDay, toDay }) => fromDay <= day && day <= toDay) ?? false,
    taken: own.map(({ kind, startsAt, endsAt }) => ({ kind, startsAt, endsAt })),
    takenMinutes: within(visits, today).reduce((sum, { from, to }) => sum + to - from, 0),
  }
}

export async function resourcesOf(context: AppContext, scope: TeamScope, locale: Locale): Promise<Resources> {
  const { db } = context.database
  const now = context.clock.now()
  const { diary, institute } = await instituteOfWeek(context, scope.instituteId, now)
  const { timeZone, gridMinutes } = institute
  const today = dayOf(timeZone, minuteOf(now))
  const ahead = instantsOfDays(timeZone, today, addDays(today, lookAheadDays - 1))
  const rows = await listResources(db, scope, today)
  const taken = await takenResources(db, scope, { ...ahead, now: new Date(now) })
  const services = await servicesOfTypes(db, scope)
  const openToday = openSpans(diary, { fromDay: today, days: 1 })
  const [first, last] = [openToday[0], openToday.at(-1)]
  const shown = { from: first?.from ?? 0, to: last?.to ?? 0 }
  const toCome = { from: Math.ceil(minuteOf(now)), to: Infinity }
  const open = within(openSpans(diary, { fromDay: today, days: lookAheadDays }), toCome)
  const takenBy = (id: string): Span[] => taken.filter(({ resourceId }) => resourceId === id).map(spanOf)
  return {
    items: rows.map((row) => resourceOf(row, taken, shown, today)),
    types: [...new Set(rows.map(({ type }) => type))].map((type) => ({
      type,
      services: services.filter((one) => one.type === type).map(({ name }) => localised(name, locale) ?? ''),
    })),
    timeZone,
    today,
    gridMinutes,
    opens: first && last ? { startsAt: minuteText(shown.from), endsAt: minuteText(shown.to) } : null,
    full: fullestOf(rows, takenBy, open),
  }
}

export const addResource = (context: AppContext, scope: TeamScope, input: ResourceInput): Promise<{ _id: string }> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    if ((await resourceCount(unit)) >= mostResources) throw refuse('too_many_members', { most: mostResources })
    const id = await insertResource(unit, input)
    await closeResource(unit, id, input.closures)
    unit.record('institute.changed', id, { what: 'resources' })
    return { _id: id }
  })

/** Visits on days it is closed stay where they are, and are answered; services follow the last of its type to another. @throws not_found */
export const changeResource = (context: AppContext, scope: TeamScope, id: string, input: ResourceInput) =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const before = await readType(unit, id)
    if (before === null || !(await updateResource(unit, id, input))) throw refuse('not_found')
    if (input.type !== before) await followType(unit, { before, after: input.type })
    await closeResource(unit, id, input.closures)
    const { timeZone } = (await instituteOfWeek(context, scope.instituteId, unit.now)).institute
    const isClosed = (startsAt: string): boolean => {
      const day = dayOf(timeZone, minuteOfText(startsAt))
      return input.closures.some(({ fromDay, toDay }) => fromDay <= day && day <= toDay)
    }
    unit.record('institute.changed', id, { what: 'resources' })
    const met = (await visitsIn(unit, id)).filter(({ startsAt }) => isClosed(startsAt))
    return { _id: id, appointments: met.map(({ id: visitId, ...visit }) => ({ _id: visitId, ...visit })) }
  })

/** @throws resource_has_visits, resource_needed by services where it is the last of its type, not_found */
export const removeResource = (context: AppContext, scope: TeamScope, id: string, locale: Locale): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const ahead = await visitsIn(unit, id)
    if (ahead.length > 0) throw refuse('resource_has_visits', { appointments: ahead.map(({ id: _id, ...visit }) => ({ _id, ...visit })) })
    const services = (await servicesNeeding(unit, id)).map(({ id: _id, name }) => ({ _id, name: localised(name, locale) ?? '' }))
    if (services.length > 0) {
      const names = listText(
        services.map(({ name }) => name),
        locale,
      )
      throw refuse('resource_needed', { services }, { values: { services: names } })
    }
    if (!(await removeResourceOf(unit, id))) throw refuse('not_found')
    unit.record('institute.changed', id, { what: 'resources' })
  })

/** @throws not_found unless they are all of the institute */
export const orderResources = (context: AppContext, scope: TeamScope, ids: readonly string[]): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    if ((await orderOf(unit, ids)) !== ids.length) throw refuse('not_found')
    unit.record('institute.changed', null, { what: 'resources' })
  })
