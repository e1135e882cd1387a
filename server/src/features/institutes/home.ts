// What the home page shows of here and now.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Locale } from '@soigne/contract/wire'
import type { EpochMinute } from '@soigne/scheduling/model'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { minuteOf } from '@soigne/contract/time'
import { minuteText } from '#/platform/instants.ts'
import { type FoundTimes, type LoadedInstitute, nextTimesFor, priceWith } from '#/features/availability/service.ts'
import { aroundTownKm, nearestPlace, placeMeant } from '#/features/places/service.ts'
import type { Db } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { type AskedService, shortestService } from './asked-service.ts'
import { cardOf } from './cards.ts'
import type { Point } from './nearness-store.ts'
import { bookableNear, type InstituteRow, mainCity } from './store.ts'

const mostLooked = 60
const timesOfCard = 3
const mostCards = 8
const mostGaps = 5
const gapMinutes = 120
/** Shown while no institute is published. */
const firstCity = { name: 'Lyon', lat: 45.764, lon: 4.8357 }

type Place = Point & { name: string }

async function placeOf(db: Db, point: Point | null, locale: Locale): Promise<Place> {
  if (point) {
    const near = await nearestPlace(db, point, locale).catch((error: unknown) => {
      if (error instanceof RefusalError) return null
      throw error
    })
    // Far from any town the point itself is the only name.
    return { name: near?.name ?? `${point.lat.toFixed(2)}, ${point.lon.toFixed(2)}`, ...point }
  }
  const city = await mainCity.one(db)
  if (!city) return firstCity
  return { ...city, name: (await placeMeant(db, city.name, locale)).place?.name ?? city.name }
}

/** A treatment, not the test that another one asks for beforehand. */
function treatmentOf(loaded: LoadedInstitute): AskedService | null {
  const tests = new Set(
    [...loaded.diary.services.values()].flatMap(({ prerequisites }) =>
      prerequisites.flatMap((one) => (one.kind === 'prior_service' ? [one.serviceId] : [])),
    ),
  )
  const ids = [...loaded.serviceDetails.keys()]
  const treatments = ids.filter((id) => !tests.has(id))
  return shortestService(loaded, treatments) ?? shortestService(loaded, ids)
}

export interface Gap {
  startsAt: string
  timeZone: string
  institute: { _id: string; slug: string; name: string; quarter: string | null }
  service: { _id: string; name: string; durationMinutes: number; price: { amount: number; currency: string } | null }
  staff: { _id: string; name: string; imageUrl: string }
}

/** The start as a visit that could be booked, with the member the engine would choose. */
function gapOf({ loaded, cart }: FoundTimes, service: AskedService, startsAt: EpochMinute, now: EpochMinute, locale: Locale): Gap | null {
  const planning = planVisit(loaded.diary, cart, startsAt, { now })
  const segment = planning.ok ? planning.plan.segments[0] : undefined
  const member = segment && loaded.memberDetails.get(segment.memberId)
  if (!segment || !member) return null
  const { id, slug, name, quarter, timeZone, currency } = loaded.institute
  const amount = priceWith(loaded, service.id, member.id)
  return {
    startsAt: minuteText(startsAt),
    timeZone,
    institute: { _id: id, slug, name, quarter },
    service: {
      _id: service.id,
      name: localised(service.name, locale) ?? '',
      durationMinutes: segment.endsAt - segment.startsAt,
      price: amount === null ? null : { amount, currency },
    },
    staff: { _id: member.id, name: member.name, imageUrl: member.imageUrl },
  }
}

export interface Home {
  place: Place
  freeToday: InstituteCard[]
  gaps: Gap[]
  withinTwoHours: boolean
}

export async function homeOf(
  { database: { db }, clock }: Pick<AppContext, 'database' | 'clock'>,
  point: Point | null,
  locale: Locale,
): Promise<Home> {
  const now = minuteOf(clock.now())
  const place = await placeOf(db, point, locale)
  const rows = await bookableNear.all(db, { point: place, radiusKm: aroundTownKm, limit: mostLooked })
  const services = new Map<string, AskedService>()
  const cartOf = (loaded: LoadedInstitute) => {
    const service = treatmentOf(loaded)
    if (service) services.set(loaded.institute.id, service)
    return service && [{ serviceId: service.id }]
  }
  const found = await nextTimesFor(
    db,
    rows.map(({ id }) => id),
    cartOf,
    { now: clock.now(), limit: timesOfCard },
  )
  const timesOf = ({ id }: InstituteRow): FoundTimes['times'] => found.get(id)?.times ?? []
  const isToday = (row: InstituteRow): boolean => {
    const first = timesOf(row)[0]
    return first !== undefined && dayOf(row.timeZone, first.startsAt) === dayOf(row.timeZone, now)
  }
  const freeToday = rows
    .filter(isToday)
    .slice(0, mostCards)
    .map((row) => cardOf({ row, service: services.get(row.id) ?? null, times: timesOf(row) }, locale))
  const soonest = rows
    .filter((row) => timesOf(row).length > 0)
    .toSorted((a, b) => (timesOf(a)[0]?.startsAt ?? 0) - (timesOf(b)[0]?.startsAt ?? 0) || (a.distanceKm ?? 0) - (b.distanceKm ?? 0))
  const soon = soonest.filter((row) => (timesOf(row)[0]?.startsAt ?? Infinity) <= now + gapMinutes)
  const gaps = (soon.length > 0 ? soon : soonest).slice(0, mostGaps).flatMap((row) => {
    const [one, service, first] = [found.get(row.id), services.get(row.id), timesOf(row)[0]]
    return (one && service && first && gapOf(one, service, first.startsAt, now, locale)) ?? []
  })
  return { place, freeToday, gaps, withinTwoHours: soon.length > 0 }
}
