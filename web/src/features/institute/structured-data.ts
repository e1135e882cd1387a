// What search engines read of an institute: the business, what it offers, and its rating only when people gave one.
import { ratingText } from '#/platform/ratings.ts'
import type { Institute, Service } from '@soigne/contract/institutes'
import type { Category, Money } from '@soigne/contract/wire'
import { currencyDigits } from '#/platform/money.ts'
import { salonPath } from '#/paths.ts'
import { priceOfService } from '#/prices.ts'
import { isAllDay } from './institute-facts.ts'

const businessTypes: Record<Category, string> = {
  barbering: 'HairSalon',
  hair: 'HairSalon',
  nails: 'NailSalon',
  massage: 'DaySpa',
  body: 'DaySpa',
  skincare: 'BeautySalon',
  eyebrows: 'BeautySalon',
  makeup: 'BeautySalon',
  'hair-removal': 'BeautySalon',
  tatto: 'TattooParlor',
  fitness: 'ExerciseGym',
  medical: 'MedicalBusiness',
  fillers: 'MedicalBusiness',
  counseling: 'HealthAndBeautyBusiness',
}

function amountText({ amount, currency }: Money): string {
  return (amount / 10 ** currencyDigits(currency)).toFixed(currencyDigits(currency))
}

function offerOf(service: Service) {
  const { name, description } = service
  const { least, most } = priceOfService(service, null)
  if (!least) return []
  const priceCurrency = least.currency
  return [
    {
      '@type': 'Offer',
      itemOffered: { '@type': 'Service', name, ...(description !== null && { description }) },
      priceCurrency,
      ...(most?.amount === least.amount
        ? { price: amountText(least) }
        : {
            priceSpecification: {
              '@type': 'PriceSpecification',
              minPrice: amountText(least),
              ...(most && { maxPrice: amountText(most) }),
              priceCurrency,
            },
          }),
    },
  ]
}

function hoursOf({ openingHours }: Institute) {
  return openingHours.flatMap(({ weekday, ranges }) =>
    ranges.map(({ opensAt, closesAt }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: `https://schema.org/${weekday}`,
      opens: opensAt,
      closes: isAllDay({ opensAt, closesAt }) ? '23:59' : closesAt,
    })),
  )
}

export function structuredData(institute: Institute, publicUrl: string): Record<string, unknown> {
  const { address, location, rating, pictures } = institute
  const [category = 'hair'] = institute.categories
  const url = publicUrl + salonPath(institute.slug)
  const [picture] = pictures
  return {
    '@context': 'https://schema.org',
    '@type': businessTypes[category],
    '@id': url,
    url,
    name: institute.name,
    ...(institute.description !== null && { description: institute.description }),
    ...(institute.phone !== null && { telephone: institute.phone }),
    ...(institute.website !== null && { sameAs: [institute.website] }),
    ...(picture && { image: new URL(picture.url, publicUrl || undefined).href }),
    address: {
      '@type': 'PostalAddress',
      ...(address.line !== '' && { streetAddress: address.line }),
      addressLocality: address.city,
      addressCountry: address.countryCode,
      ...(address.postalCode !== null && { postalCode: address.postalCode }),
    },
    geo: { '@type': 'GeoCoordinates', latitude: location.lat, longitude: location.lon },
    currenciesAccepted: institute.currency,
    openingHoursSpecification: hoursOf(institute),
    ...(institute.claimed && { makesOffer: institute.services.flatMap(offerOf) }),
    ...(rating.count > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: ratingText(rating.average, 'en'),
        reviewCount: rating.count,
        bestRating: 5,
        worstRating: 1,
      },
    }),
  }
}

/** JSON that cannot end the script element it stands in. */
export function scriptJson(data: Record<string, unknown>): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
