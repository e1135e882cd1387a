// What a draft will be once it is published, in the shape of the institute's page.
import type { Institute } from '@soigne/contract/institutes'
import type { TFunction } from 'i18next'
import { weekdays } from '#/contract/closed-lists.ts'
import type { DraftService, SetupDraft, Words } from '#/features/setup/draft/draft.ts'
import { ageOf, amountOf, currencyOf, minutesOf } from '#/features/setup/draft/send-draft.ts'

type Reader = { locale: string; t: TFunction<'setup'> }

const wordsIn = (words: Words, locale: string): string => words[locale as keyof Words] ?? words.en ?? words.fr ?? words.ar ?? ''
const closing = (time: string): string => (time === '24:00' ? '00:00' : time)

/** As the server says them of what is published. */
function conditionsOf({ minimumAge, prerequisites }: DraftService, { services }: SetupDraft, { locale, t }: Reader): string[] {
  const age = ageOf(minimumAge) ?? null
  return [
    ...(age === null ? [] : [t('services.minimumAge', { count: age })]),
    ...prerequisites.flatMap(({ key, minHours }) => {
      const service = wordsIn(services.find((one) => one.key === key)?.name ?? {}, locale)
      return service === '' ? [] : [t('services.priorService', { service, count: minHours })]
    }),
  ]
}

function servicesOf(draft: SetupDraft, reader: Reader): Institute['services'] {
  const { locale } = reader
  const currency = currencyOf(draft)
  return draft.services.map((service) => {
    const amount = service.priceKind === 'on_request' ? null : amountOf(service.price, currency)
    const price = amount === null ? null : { amount, currency }
    const durationMinutes = [service.active, service.idle, service.after].reduce((sum, text) => sum + (minutesOf(text) ?? 0), 0)
    return {
      _id: service.key,
      category: service.category,
      section: wordsIn(service.section, locale),
      name: wordsIn(service.name, locale),
      description: wordsIn(service.description, locale) || null,
      durationMinutes,
      price,
      priceKind: service.priceKind,
      audience: service.audience,
      conditions: conditionsOf(service, draft, reader),
      performers: draft.staff
        .filter((member) => member.bookableOnline && !member.skips.includes(service.key))
        .map(({ key }) => ({ staffId: key, durationMinutes, price })),
    }
  })
}

const teamOf = ({ staff }: SetupDraft): Institute['team'] =>
  staff.map((member) => ({
    _id: member.key,
    name: member.name,
    title: member.title || null,
    bio: null,
    languages: member.languages,
    availability: 'available',
    bookableOnline: member.bookableOnline,
    imageUrl: `/art/face/${member.key}.svg`,
  }))

const hoursIn = (minutes: number | null): number | null => (minutes === null ? null : minutes / 60)

export function instituteOfDraft(draft: SetupDraft, { locale, t }: Reader): Institute {
  const { place } = draft
  const countryCode = place?.countryCode ?? ''
  return {
    _id: draft._id,
    slug: draft._id,
    name: draft.name,
    description: draft.description || null,
    categories: draft.categories,
    claimed: true,
    sources: [],
    phone: draft.phone || null,
    website: null,
    address: {
      line: draft.address,
      quarter: draft.quarter || null,
      postalCode: draft.postalCode || null,
      city: place?.name ?? '',
      countryCode,
      country: countryCode === '' ? '' : (new Intl.DisplayNames(locale, { type: 'region' }).of(countryCode) ?? countryCode),
    },
    location: { lat: place?.lat ?? 0, lon: place?.lon ?? 0 },
    timeZone: place?.timeZone || 'UTC',
    currency: currencyOf(draft),
    atHome: draft.atHomeService,
    audience: draft.clientType,
    languages: draft.offeredLanguages,
    paymentMethods: draft.paymentMethods,
    openingHours: weekdays.map((weekday) => ({
      weekday,
      ranges: draft.openingHours[weekday].map(({ opensAt, closesAt }) => ({ opensAt, closesAt: closing(closesAt) })),
    })),
    closures: [],
    openUntil: null,
    pictures: draft.pictures.map(({ url }) => ({ url, alt: draft.name })),
    services: servicesOf(draft, { locale, t }),
    team: teamOf(draft),
    rules: {
      cancelWindowHours: hoursIn(draft.cancelWindow),
      rescheduleWindowHours: hoursIn(draft.rescheduleWindow),
      noticeMinutes: 60,
      horizonDays: 90,
      payAtSalon: true,
    },
    rating: { average: 0, count: 0 },
    averageWelcoming: null,
    averageHygiene: null,
    averageAtmosphere: null,
    averageServiceQuality: null,
  }
}
