/** Visits at the client's home: where that is, and whether the institute comes so far. docs/decisions/090. */
import type { HomeAddressInput } from '@soigne/contract/appointments'
import type { Locale } from '@soigne/contract/wire'
import { asksForHome, inOnePlace, type LoadedInstitute } from '#/features/availability/service.ts'
import { kilometres, placeNearby } from '#/features/places/service.ts'
import type { Db } from '#/platform/database.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import type { Home, reachOf } from './store.ts'

export { homeText, lettersToPerformers } from './letters.ts'
export {
  copyHome,
  correctHome,
  type Home,
  holdingWithHomes,
  homeForPerformer,
  homesToTell,
  keepHome,
  ownHome,
  reachOf,
  type ToldHome,
} from './store.ts'

/** Nobody means a town of that name further away from the institute. */
const farthestKm = 300

/** An address with its position: that of the place that was chosen, else of the nearest one that is called so. @throws bad_input where nobody knows it */
export async function homeOf(
  db: Db,
  { institute }: { institute: Pick<LoadedInstitute['institute'], 'lat' | 'lon'> },
  { line, postalCode, city, lat, lon }: HomeAddressInput,
  locale: Locale,
): Promise<Home> {
  const given = { line, postalCode: postalCode || null, city }
  if (lat !== undefined && lon !== undefined) return { ...given, lat, lon }
  const near = { lat: institute.lat, lon: institute.lon }
  for (const name of [postalCode, city]) {
    const found = name ? await placeNearby(db, name, near, locale) : null
    if (found && kilometres(near, found) < farthestKm) return { ...given, lat: found.lat, lon: found.lon }
  }
  throw refuseField('home.city', 'place')
}

/** Whole kilometres, never fewer than there are. */
const rounded = (km: number): number => Math.ceil(km - 0.05)

/** @throws not_at_home, outside_radius; bad_input where a service is done nowhere else and no address was given */
export function checkHome(
  loaded: LoadedInstitute,
  { cart, home }: { cart: readonly { serviceId: string; atHome?: boolean }[]; home?: Home | undefined },
): void {
  if (!home) {
    if (asksForHome(loaded, cart)) throw refuseField('home', 'required')
    return
  }
  inOnePlace(loaded, cart)
  checkReach(loaded.institute, home, loaded.institute.homeRadiusKm ?? 0)
}

type Point = Pick<Home, 'lat' | 'lon'>

/** Whether the institute goes so far. */
export const isWithinReach = ({ institute }: LoadedInstitute, home: Point): boolean =>
  institute.homeRadiusKm !== null && kilometres(institute, home) <= institute.homeRadiusKm

/** @throws outside_radius */
function checkReach(institute: Point, home: Point, radiusKm: number): void {
  const km = kilometres(institute, home)
  if (km > radiusKm) throw refuse('outside_radius', { km: rounded(km), radiusKm }, { values: { km: rounded(km), radius: radiusKm } })
}

/** Another address of a visit that is booked: as far as clients are told, and never less far than where it is now. @throws outside_radius */
export function checkCorrected({ institute, now }: Awaited<ReturnType<typeof reachOf>>, home: Point): void {
  if (now && kilometres(institute, home) <= kilometres(institute, now)) return
  checkReach(institute, home, institute.radiusKm ?? 0)
}
