// The service a card is about, as the menu describes it.
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { EpochMinute } from '@soigne/scheduling/model'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { anyoneOf, type LoadedInstitute, menuPrice, priceWith, type ServiceDetail } from '#/features/availability/service.ts'

export interface AskedService {
  id: string
  name: ServiceDetail['name']
  durationMinutes: number
  /** Lowest price in minor units among those whom anyone may be; null on request. */
  priceFrom: number | null
  /** The highest; null on request, and when it is open above. */
  priceTo: number | null
}

/** What a card says of a service, at the price of the first time it shows; null when nobody performs it online. */
export function serviceOfCard(loaded: LoadedInstitute, serviceId: string, firstStart: EpochMinute | undefined): AskedService | null {
  const service = loaded.serviceDetails.get(serviceId)
  const performers = anyoneOf(loaded, serviceId)
  if (!service || performers.length === 0) return null
  const day = firstStart === undefined ? null : dayOf(loaded.institute.timeZone, firstStart)
  const prices = performers.map(({ id }) => priceWith(loaded, serviceId, id, day)).filter((price) => price !== null)
  return {
    id: service.id,
    name: service.name,
    durationMinutes: Math.min(...performers.map((member) => spanMinutes(member.performs.get(service.id)?.parts ?? service.parts))),
    priceFrom: prices.length === 0 ? null : Math.min(...prices),
    priceTo: prices.length === 0 || menuPrice(service, day).priceKind === 'from' ? null : Math.max(...prices),
  }
}
