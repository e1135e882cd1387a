// Where a client lives, as it is typed while they are on the telephone.
import type { HomeAddressInput } from '@soigne/contract/appointments'
import { useState } from 'react'
import type { TypedAddress } from '#/address-fields.tsx'
import type { BookingChoice } from './use-booking.ts'

const noAddress: TypedAddress = { line: '', postalCode: '', city: '', place: null }
const isAddress = ({ line, city }: TypedAddress): boolean => line.trim() !== '' && city.trim() !== ''

/** As the call wants it. */
export function homePart({ line, postalCode, city, place }: TypedAddress): HomeAddressInput {
  return {
    line: line.trim(),
    city: city.trim(),
    ...(postalCode.trim() !== '' && { postalCode: postalCode.trim() }),
    ...(place && { lat: place.lat, lon: place.lon }),
  }
}

/** What was typed stays while services and times are chosen. */
export function useClientAddress() {
  const [address, setAddress] = useState(noAddress)
  return {
    address,
    changeAddress: (change: Partial<TypedAddress>) => setAddress((before) => ({ ...before, ...change })),
    /** Whether it is known where the visit is done. */
    isPlaceKnown: ({ venue, isAtHome }: Pick<BookingChoice, 'venue' | 'isAtHome'>): boolean =>
      venue !== 'apart' && (!isAtHome || isAddress(address)),
  }
}
