// One institute as its page shows it, in the caller's language.
import type { Institute, Member, Service } from '@soigne/contract/institutes'
import { type Audience, type Category, type Language, type Locale, type PaymentMethod, type Weekday, weekdays } from '@soigne/contract/wire'
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { InstituteDiary, Prerequisite } from '@soigne/scheduling/model'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { dayMs, minuteOf } from '@soigne/contract/time'
import { utcDayOf } from '#/platform/instants.ts'
import { type LoadedInstitute, loadMenus, menuPrice, performersOf, priceWith, type ServiceDetail } from '#/features/availability/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { needsAccount } from '#/platform/payment-provider.ts'
import { refuse } from '#/platform/refuse.ts'
import { localised, translate } from '#/texts/translate.ts'
import { openUntil, wallTime } from './opening.ts'
import { type PageRow, instituteOfPage } from './store.ts'

const mostClosures = 10

/** Weekdays Monday to Sunday with their ranges in order; a closed day has none. */
function weekOf({ openingHours }: InstituteDiary): Institute['openingHours'] {
  return weekdays.map((weekday: Weekday, index) => ({
    weekday,
    ranges: openingHours
      .filter((range) => range.weekday === index + 1)
      .map(({ opensAt, closesAt }) => ({ opensAt: wallTime(opensAt), closesAt: wallTime(closesAt) })),
  }))
}

function conditionOf(prerequisite: Prerequisite, loaded: LoadedInstitute, locale: Locale): string[] {
  if (prerequisite.kind === 'minimum_age') return [translate(locale, 'conditions', 'minimumAge', { count: prerequisite.years })]
  const service = localised(loaded.serviceDetails.get(prerequisite.serviceId)?.name ?? null, locale)
  return service === null ? [] : [translate(locale, 'conditions', 'priorService', { service, count: prerequisite.minHours })]
}

function needsOf(prerequisites: readonly Prerequisite[], loaded: LoadedInstitute): Pick<Service, 'needs'> {
  const needs = prerequisites.flatMap((one) =>
    one.kind === 'prior_service' && loaded.serviceDetails.has(one.serviceId)
      ? [{ serviceId: one.serviceId, minHours: one.minHours, maxMonths: one.maxMonths }]
      : [],
  )
  return needs.length === 0 ? {} : { needs }
}

function servicesOf(loaded: LoadedInstitute, row: PageRow, today: string, locale: Locale): Service[] {
  const { diary } = loaded
  const price = (amount: number | null) => (amount === null ? null : { amount, currency: row.currency })
  const pricesOn = (service: ServiceDetail, day: string) => {
    const { priceKind, priceAmount } = menuPrice(service, day)
    const performers = performersOf(loaded, service.id).map((member) => ({
      staffId: member.id,
      durationMinutes: spanMinutes(member.performs.get(service.id)?.parts ?? service.parts),
      price: price(priceWith(loaded, service.id, member.id, day)),
      ...(member.performs.get(service.id)?.onlyByName === true && { onlyByName: true as const }),
    }))
    return { priceKind, price: price(priceAmount), performers }
  }
  const laterOf = (service: ServiceDetail): Pick<Service, 'laterPrices'> => {
    const days = service.priceKind === 'on_request' ? [] : service.laterPrices.map(({ fromDay }) => fromDay).filter((day) => day > today)
    return days.length === 0 ? {} : { laterPrices: days.map((fromDay) => ({ fromDay, ...pricesOn(service, fromDay) })) }
  }
  return [...loaded.serviceDetails.values()].map((service) => ({
    _id: service.id,
    category: service.category as Category,
    section: localised(service.section, locale) ?? '',
    name: localised(service.name, locale) ?? '',
    description: localised(row.descriptions?.[service.id] ?? null, locale),
    durationMinutes: service.durationMinutes,
    ...pricesOn(service, today),
    audience: service.audience as Audience,
    conditions: (diary.services.get(service.id)?.prerequisites ?? []).flatMap((prerequisite) => conditionOf(prerequisite, loaded, locale)),
    ...needsOf(diary.services.get(service.id)?.prerequisites ?? [], loaded),
    ...(service.capacity !== null && service.capacity > 1 && { capacity: service.capacity }),
    ...(service.venue !== 'salon' && loaded.institute.homeRadiusKm !== null && { venue: service.venue }),
    ...laterOf(service),
  }))
}

function teamOf(loaded: LoadedInstitute, row: PageRow, today: string, locale: Locale): Member[] {
  return [...loaded.memberDetails.values()].map((member) => {
    const more = row.members?.find(({ id }) => id === member.id)
    const isAway = more?.absences?.some(({ fromDay, toDay }) => fromDay <= today && today <= toDay) ?? false
    return {
      _id: member.id,
      name: member.name,
      title: localised(member.title, locale),
      bio: localised(more?.bio ?? null, locale),
      languages: (more?.languages ?? []) as Language[],
      availability: isAway ? 'away' : 'available',
      bookableOnline: member.bookableOnline,
      imageUrl: member.imageUrl,
    }
  })
}

function profileOf(row: PageRow, locale: Locale) {
  const art = `/art/cover/${row.categories[0] ?? 'hair'}/${row.slug}.svg`
  return {
    _id: row.id,
    slug: row.slug,
    name: row.name,
    description: localised(row.description, locale),
    categories: row.categories as Category[],
    claimed: row.claimed,
    sources: row.sources ?? [],
    phone: row.phone,
    website: row.website,
    address: {
      line: row.addressLine,
      quarter: row.quarter,
      postalCode: row.postalCode,
      city: row.city,
      countryCode: row.countryCode,
      country: new Intl.DisplayNames(locale, { type: 'region' }).of(row.countryCode) ?? row.countryCode,
    },
    location: { lat: row.lat, lon: row.lon },
    timeZone: row.timeZone,
    currency: row.currency,
    atHome: row.atHome,
    ...(row.atHome && row.atHomeRadiusKm !== null && { atHomeRadiusKm: row.atHomeRadiusKm }),
    audience: row.audience as Audience[],
    languages: row.languages as Language[],
    paymentMethods: row.paymentMethods as PaymentMethod[],
    pictures: (row.pictures ?? [{ url: art, alt: {} }]).map(({ url, alt }) => ({ url, alt: localised(alt, locale) ?? row.name })),
    rating: { average: row.rating ?? 0, count: row.ratingCount },
    averageWelcoming: row.welcoming,
    averageHygiene: row.hygiene,
    averageAtmosphere: row.atmosphere,
    averageServiceQuality: row.serviceQuality,
  }
}

const mapValues = <T>(record: Record<string, T>, change: (value: T) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

/** The page of a published institute. @throws not_found */
export async function institutePage(
  { database, clock, payments }: Pick<AppContext, 'database' | 'clock' | 'payments'>,
  slug: string,
  locale: Locale,
): Promise<Institute> {
  const now = clock.now()
  // A day early, since it may still be yesterday there; what is over is dropped below.
  const row = await instituteOfPage.one(database.db, { slug, sinceDay: utcDayOf(now - dayMs), needsAccount: needsAccount(payments) })
  const loaded = row && (await loadMenus(database.db, { instituteIds: [row.id], now: new Date(now), depth: 'menus' })).get(row.id)
  if (!row || !loaded) throw refuse('not_found')
  const { institute, diary } = loaded
  const today = dayOf(row.timeZone, minuteOf(now))
  const hours = (minutes: number | null): number | null => (minutes === null ? null : minutes / 60)
  return {
    ...profileOf(row, locale),
    openingHours: weekOf(diary),
    openUntil: openUntil(diary, now),
    closures: (row.closures ?? [])
      .filter(({ toDay, wholeDay }) => wholeDay && toDay >= today)
      .slice(0, mostClosures)
      .map(({ fromDay, toDay, reason }) => ({ fromDay, toDay, reason: localised(reason, locale) })),
    services: servicesOf(loaded, row, today, locale),
    ...(row.successors && {
      successors: mapValues(row.successors, ({ serviceId }) => serviceId),
      formerNames: mapValues(row.successors, ({ name }) => localised(name, locale) ?? ''),
    }),
    team: teamOf(loaded, row, today, locale),
    rules: {
      cancelWindowHours: hours(institute.cancelWindowMinutes),
      rescheduleWindowHours: hours(institute.rescheduleWindowMinutes),
      noticeMinutes: institute.noticeMinutes,
      horizonDays: institute.horizonDays,
      // Who cannot be paid online is paid there.
      payAtSalon: institute.payAtSalon || row.paymentMethods.length === 0,
    },
  }
}
