// Which service of an institute a search is about: the asked one, else the shortest that passes the filters and can be booked.
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { MemberDiary } from '@soigne/scheduling/model'
import type { LoadedInstitute, ServiceDetail } from '#/features/availability/service.ts'
import { namesOfCategory } from './category-names.ts'

export interface ServiceFilters {
  category?: string
  audience?: string
  /** In whole units of the institute's currency. */
  maxPrice?: number
  /** How well texts answer what was asked; absent when nothing was. */
  fit?: (texts: readonly { text: string; weight: number }[]) => number
}

export interface AskedService {
  id: string
  name: ServiceDetail['name']
  durationMinutes: number
  /** Lowest price in minor units among those who perform it; null on request. */
  priceFrom: number | null
}

/** Services that answer the words about as well as the best one are all meant. */
const nearlyBest = 0.08
const answers = 0.5

const digits = new Map<string, number>()

/** Minor units in one whole unit of a currency: 100 for EUR, 1000 for TND. */
export function minorUnits(currency: string): number {
  let places = digits.get(currency)
  if (places === undefined)
    digits.set(
      currency,
      (places = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2),
    )
  return 10 ** places
}

const performersOf = ({ diary }: LoadedInstitute, serviceId: string): MemberDiary[] =>
  diary.members.filter((member) => member.bookableOnline && member.performs.has(serviceId))

function priceFromOf(service: ServiceDetail, performers: readonly MemberDiary[]): number | null {
  const prices = performers.map(({ id }) => service.memberPrices.get(id) ?? service.priceAmount).filter((price) => price !== null)
  return prices.length === 0 ? service.priceAmount : Math.min(...prices)
}

const textsOf = ({ name, section, category }: ServiceDetail): { text: string; weight: number }[] => [
  ...Object.values(name).map((text) => ({ text: text ?? '', weight: 1 })),
  ...Object.values(section).map((text) => ({ text: text ?? '', weight: 0.7 })),
  ...namesOfCategory(category).map((text) => ({ text, weight: 0.6 })),
]

/** Those the words mean; all when they name something else, such as the institute. */
function meant(services: readonly ServiceDetail[], fit: ServiceFilters['fit']): readonly ServiceDetail[] {
  if (!fit) return services
  const fits = services.map((service) => ({ service, fit: fit(textsOf(service)) }))
  const best = Math.max(...fits.map((one) => one.fit))
  return best < answers ? services : fits.filter((one) => one.fit >= answers && one.fit >= best - nearlyBest).map(({ service }) => service)
}

/** The service a card is about, or null when none passes. Of several the shortest, then the first of the menu. */
export function askedService(loaded: LoadedInstitute, { category, audience, maxPrice, fit }: ServiceFilters): AskedService | null {
  const ceiling = maxPrice === undefined ? Infinity : maxPrice * minorUnits(loaded.institute.currency)
  const passing = [...loaded.serviceDetails.values()].filter(
    (service) =>
      (category === undefined || service.category === category) &&
      (audience === undefined || service.audience === 'All' || service.audience === audience) &&
      performersOf(loaded, service.id).length > 0,
  )
  let chosen: AskedService | null = null
  for (const service of meant(passing, fit)) {
    const performers = performersOf(loaded, service.id)
    const priceFrom = priceFromOf(service, performers)
    if (maxPrice !== undefined && (priceFrom === null || priceFrom > ceiling)) continue
    const durationMinutes = Math.min(...performers.map((member) => spanMinutes(member.performs.get(service.id)?.parts ?? service.parts)))
    if (chosen === null || durationMinutes < chosen.durationMinutes)
      chosen = { id: service.id, name: service.name, durationMinutes, priceFrom }
  }
  return chosen
}
