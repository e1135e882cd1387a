// What the home page shows of here and now.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Locale } from '@soigne/contract/wire'
import type { EpochMinute } from '@soigne/scheduling/model'
import { planVisit } from '@soigne/scheduling/plan-visit'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { type Instant, minuteOf } from '@soigne/contract/time'
import { minuteText } from '#/platform/instants.ts'
import {
  earliestAmong,
  type FoundTimes,
  leadingServices,
  type LoadedInstitute,
  nextTimesFor,
  priceWith,
} from '#/features/availability/service.ts'
import { aroundTownKm, nearestPlace, placeMeant } from '#/features/places/service.ts'
import type { Db } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { mixedByAppetite } from './appetite.ts'
import { type AskedService, serviceOfCard } from './asked-service.ts'
import { cardOf } from './cards.ts'
import { type HomeWindow, windowsOf } from './home-windows.ts'
import type { Point } from './nearness-store.ts'
import { bookableNear, type InstituteRow, mainCity } from './store.ts'

const mostLooked = 60
const timesOfCard = 3
const mostCards = 8
/** The cards are chosen from the nearest, so that trades can take turns. */
const mostMixed = 24
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
  const amount = priceWith(loaded, service.id, member.id, dayOf(timeZone, startsAt))
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
  freeNext: InstituteCard[]
  gaps: Gap[]
  withinTwoHours: boolean
  windows: HomeWindow[]
}

const isToday = (startsAt: EpochMinute | undefined, timeZone: string, now: EpochMinute): boolean =>
  startsAt !== undefined && dayOf(timeZone, startsAt) === dayOf(timeZone, now)

/** The next times of each signature; where it has none today and another service has, those of the one that is free earliest. */
async function timesNear(db: Db, rows: readonly InstituteRow[], now: Instant): Promise<Map<string, FoundTimes>> {
  const cartOf = (loaded: LoadedInstitute) => {
    const serviceId = leadingServices(loaded).flat()[0]
    return serviceId === undefined ? null : [{ serviceId }]
  }
  const query = { now, limit: timesOfCard }
  const found = await nextTimesFor(
    db,
    rows.map(({ id }) => id),
    cartOf,
    query,
  )
  for (const [id, one] of found) {
    const { timeZone } = one.loaded.diary
    if (isToday(one.times[0]?.startsAt, timeZone, minuteOf(now))) continue
    const today = { ...query, day: dayOf(timeZone, minuteOf(now)) }
    found.set(id, earliestAmong(one, leadingServices(one.loaded), today))
  }
  return found
}

export async function homeOf(
  { database: { db }, clock }: Pick<AppContext, 'database' | 'clock'>,
  point: Point | null,
  locale: Locale,
): Promise<Home> {
  const now = minuteOf(clock.now())
  const place = await placeOf(db, point, locale)
  const rows = await bookableNear.all(db, { point: place, radiusKm: aroundTownKm, limit: mostLooked })
  const found = await timesNear(db, rows, clock.now())
  const timesOf = ({ id }: InstituteRow): FoundTimes['times'] => found.get(id)?.times ?? []
  const shownService = ({ id }: InstituteRow): AskedService | null => {
    const one = found.get(id)
    return one?.cart[0] ? serviceOfCard(one.loaded, one.cart[0].serviceId, one.times[0]?.startsAt) : null
  }
  const cardsOf = (free: readonly InstituteRow[]): InstituteCard[] =>
    mixedByAppetite(free.slice(0, mostMixed))
      .slice(0, mostCards)
      .map((row) => cardOf({ row, service: shownService(row), times: timesOf(row) }, locale))
  const today = rows.filter((row) => isToday(timesOf(row)[0]?.startsAt, row.timeZone, now))
  const soonest = rows
    .filter((row) => timesOf(row).length > 0)
    .toSorted((a, b) => (timesOf(a)[0]?.startsAt ?? 0) - (timesOf(b)[0]?.startsAt ?? 0) || (a.distanceKm ?? 0) - (b.distanceKm ?? 0))
  const soon = soonest.filter((row) => (timesOf(row)[0]?.startsAt ?? Infinity) <= now + gapMinutes)
  const gaps = (soon.length > 0 ? soon : soonest).slice(0, mostGaps).flatMap((row) => {
    const [one, service, first] = [found.get(row.id), shownService(row), timesOf(row)[0]]
    return (one && service && first && gapOf(one, service, first.startsAt, now, locale)) ?? []
  })
  const near = rows.flatMap(({ id }) => found.get(id)?.loaded ?? [])
  const firstDay = (row: InstituteRow | undefined): string | null => (row ? dayOf(row.timeZone, timesOf(row)[0]?.startsAt ?? now) : null)
  const next = today.length > 0 ? [] : rows.filter((row) => timesOf(row).length > 0 && firstDay(row) === firstDay(soonest[0]))
  return {
    place,
    freeToday: cardsOf(today),
    freeNext: cardsOf(next),
    gaps,
    withinTwoHours: soon.length > 0,
    windows: windowsOf(near, clock.now(), locale),
  }
}
