/** An institute is published with everything its six steps tell, in one transaction, or not at all. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { SetupDraft } from '@soigne/contract/setup'
import type { Category, Locale } from '@soigne/contract/wire'
import { minuteOf } from '@soigne/contract/time'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { currencyOf, isCountry } from '#/features/listing-facts/service.ts'
import { slugsFor } from '#/features/listings/service.ts'
import { countryName, nearestPlace, zoneAt } from '#/features/places/service.ts'
import { changeWithin, lockPersons } from '#/features/unit-of-work/service.ts'
import { publicScope, type SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { withIdempotency } from '#/platform/idempotency.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { makeClaim } from './claims.ts'
import { ownClaim } from './claims-store.ts'
import { instituteColumns, rowsOfDraft } from './draft-rows.ts'
import { weekOfHours } from './listed-hours.ts'
import { givePictures } from './pictures.ts'
import { checkProfessional } from './standing.ts'
import { insertInstitute, listedNear, writeRows } from './store.ts'

export { decideOnClaim, waitingClaims, withdrawClaim } from './claims.ts'
export { sendPicture } from './pictures.ts'

type Published = Answer<Calls['publishInstitute']>
type Owner = SelfScope<true>

interface Asked {
  draft: SetupDraft
  locale: Locale
}

/** A slug from the name, else with the street or a mark. @throws has_institute when the reason is not the slug */
async function makeInstitute(transaction: Db, scope: Owner, { draft, locale }: Asked, now: Date): Promise<{ id: string; slug: string }> {
  const { name, address, categories } = draft.profile
  const wanted = { source: 'own', sourceId: scope.userId, name, city: address.city, addressLine: address.line, categories }
  for (const slug of slugsFor(wanted)) {
    const id = await insertInstitute(transaction, scope, { slug, columns: instituteColumns(draft, locale), now })
    if (id !== null) return { id, slug }
  }
  throw refuse('has_institute')
}

async function publish(context: AppContext, transaction: Db, scope: Owner, asked: Asked): Promise<Published> {
  const { draft, locale } = asked
  const { userId: ownerId } = scope
  const { id, slug } = await makeInstitute(transaction, scope, asked, new Date(context.clock.now()))
  await changeWithin(context, transaction, { instituteId: id, by: scope }, async (unit) => {
    const { pictures, logo } = await givePictures(unit.db, { ownerId, instituteId: id, pictures: draft.pictures, logo: draft.logo })
    const rows = rowsOfDraft(draft, { instituteId: id, ownerId, locale, pictures })
    await writeRows(unit.db, scope, { instituteId: id, ownerId, rows, logo })
    unit.record('institute.published', id, { userId: ownerId, slug })
  })
  return { state: 'published', institute: { _id: id, slug, name: draft.profile.name } }
}

/** @throws forbidden, has_institute, claim_waiting, not_found naming what is gone, bad_input naming a field by its path, idempotency_conflict */
export async function publishInstitute(
  context: AppContext,
  scope: Owner,
  { idempotencyKey, ...asked }: Asked & { idempotencyKey: string | null },
): Promise<Published> {
  const { draft } = asked
  if (!isCountry(draft.profile.address.countryCode)) throw refuseField('profile.address.countryCode', 'invalid')
  const key = idempotencyKey === null ? null : { userId: scope.userId, key: idempotencyKey, request: { call: 'publishInstitute', draft } }
  return withIdempotency(context.database.prepared, key, async (transaction) => {
    // Two publishings of one person come after each other.
    await lockPersons(transaction, [scope])
    const { ownsInstitute, claimId } = await checkProfessional(transaction, scope)
    if (ownsInstitute) throw refuse('has_institute')
    if (claimId !== null) throw refuse('claim_waiting')
    if (draft.claims === null) return publish(context, transaction, scope, asked)
    await makeClaim(context, transaction, scope, { ...asked, instituteId: draft.claims })
    return { state: 'waiting', institute: null }
  })
}

export async function setupStateOf({ database: { db }, clock }: AppContext, scope: Owner): Promise<Answer<Calls['setupState']>> {
  await checkProfessional(db, scope)
  const claim = await ownClaim(db, scope)
  const { id, instituteName, state, since } = claim ?? {}
  return {
    claim: id && instituteName && since && state && state !== 'accepted' ? { _id: id, instituteName, state, since } : null,
    now: instantText(clock.now()),
  }
}

/** Towns are kept in Latin letters, by which everybody finds them. */
const townLocale = (locale: Locale): Locale => (locale === 'ar' ? 'fr' : locale)

/** @throws forbidden, not_found far from any town */
export async function placeOfSetup(
  { database: { db }, clock }: AppContext,
  scope: Owner,
  { point, countryCode, locale }: { point: { lat: number; lon: number }; countryCode: string | undefined; locale: Locale },
): Promise<Answer<Calls['setupPlace']>> {
  await checkProfessional(db, scope)
  const town = await nearestPlace(db, point, townLocale(locale))
  const country = countryCode !== undefined && isCountry(countryCode) ? countryCode : town.countryCode
  const timeZone = zoneAt(point.lat, point.lon)
  return {
    city: town.name,
    countryCode: country,
    country: countryName(country, locale),
    timeZone,
    currency: currencyOf(country),
    today: dayOf(timeZone, minuteOf(clock.now())),
  }
}

/** Far enough for a pin that is not at its door yet. */
const listedMetres = 3000
const mostListed = 3

/** @throws forbidden */
export async function listingsOfSetup(
  { database: { db } }: AppContext,
  scope: Owner,
  asked: { name: string; lat: number; lon: number },
): Promise<Answer<Calls['setupListings']>> {
  await checkProfessional(db, scope)
  const rows = await listedNear(db, publicScope, { ...asked, metres: listedMetres, most: mostListed })
  return {
    items: rows.map(({ id, addressLine, quarter, postalCode, city, countryCode, lat, lon, hours, categories, attribution, ...row }) => ({
      ...row,
      _id: id,
      categories: categories as Category[],
      address: { line: addressLine, quarter, postalCode, city, countryCode },
      location: { lat, lon },
      openingHours: weekOfHours(hours),
      attribution: attribution ?? '',
    })),
  }
}
