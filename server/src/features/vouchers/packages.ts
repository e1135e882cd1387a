/** Packages that an institute sells, and what its clients have of them. */
import { minuteOf } from '@soigne/contract/time'
import { type ClientPackage, mostPackages, type OwnPackage, type ServicePackage } from '@soigne/contract/vouchers'
import type { Locale } from '@soigne/contract/wire'
import { dayOf } from '@soigne/scheduling/wall-clock'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { isClient } from './gift-card-store.ts'
import { stateOf } from './gift-cards.ts'
import {
  archivePackage,
  insertPackage,
  packagesOfClient,
  packagesOfUser,
  packagesOnSale,
  type StoredClientPackage,
  type StoredPackage,
} from './package-store.ts'

const servicesIn = (services: StoredPackage['services'], locale: Locale): { _id: string; name: string }[] =>
  services.map(({ _id, name }) => ({ _id, name: localised(name, locale) ?? '' }))

const forWire = (one: StoredPackage, locale: Locale): ServicePackage => ({
  _id: one.id,
  name: one.name,
  sessions: one.sessions,
  months: one.months,
  price: { amount: one.priceAmount, currency: one.currency },
  services: servicesIn(one.services, locale),
})

export const listPackages = async (
  { database: { db } }: AppContext,
  scope: InstituteScope<never>,
  locale: Locale,
): Promise<{ items: ServicePackage[] }> => ({ items: (await packagesOnSale(db, scope)).map((one) => forWire(one, locale)) })

interface Asked {
  name: string
  sessions: number
  months: number
  price: number
  serviceIds: readonly string[]
}
/** @throws menu_full, not_found for a service that is not on the menu */
export async function addPackage(
  { database: { db }, clock }: AppContext,
  scope: InstituteScope<'services.change'>,
  asked: Asked,
  locale: Locale,
): Promise<ServicePackage> {
  if ((await packagesOnSale(db, scope)).length >= mostPackages) throw refuse('menu_full', { most: mostPackages })
  const { price: priceAmount, ...fields } = asked
  const serviceIds = [...new Set(asked.serviceIds)]
  const made = await insertPackage(db, scope, { ...fields, priceAmount, serviceIds }, new Date(clock.now()))
  const one = made && (await packagesOnSale(db, scope)).find(({ id }) => id === made.id)
  if (!one) throw refuse('not_found')
  return forWire(one, locale)
}

export async function removePackage(
  context: AppContext,
  scope: InstituteScope<'services.change'>,
  id: string,
  locale: Locale,
): Promise<{ items: ServicePackage[] }> {
  if (!(await archivePackage(context.database.db, scope, id, new Date(context.clock.now())))) throw refuse('not_found')
  return listPackages(context, scope, locale)
}

function clientPackage(one: StoredClientPackage, today: string, locale: Locale): ClientPackage {
  const { id: _id, name, sessions, left, amount, currency, validUntil, saleId } = one
  return {
    _id,
    name,
    sessions,
    left,
    price: { amount, currency },
    validUntil,
    state: stateOf(one, today),
    services: servicesIn(one.services, locale),
    saleId,
  }
}

/** @throws not_found for a client of another institute */
export async function packagesOf(
  context: AppContext,
  scope: InstituteScope<'sales.take'>,
  id: string,
  locale: Locale,
): Promise<{ items: ClientPackage[] }> {
  const { db } = context.database
  if (!(await isClient(db, scope, id))) throw refuse('not_found')
  const now = minuteOf(context.clock.now())
  return { items: (await packagesOfClient(db, scope, id)).map((one) => clientPackage(one, dayOf(one.timeZone, now), locale)) }
}

/** Those that are still good. */
export async function ownPackages(context: AppContext, scope: SelfScope, locale: Locale): Promise<{ items: OwnPackage[] }> {
  const now = minuteOf(context.clock.now())
  const all = (await packagesOfUser(context.database.db, scope)).map((one) => {
    const { saleId: _saleId, price: _price, ...own } = clientPackage(one, dayOf(one.timeZone, now), locale)
    return { ...own, institute: { slug: one.instituteSlug, name: one.instituteName } }
  })
  return { items: all.filter(({ state }) => state === 'valid') }
}
