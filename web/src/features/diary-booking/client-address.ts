// Where a client lives, as it is typed while they are on the telephone.
import { useState } from 'react'
import type { TypedAddress } from '#/address-fields.tsx'
import { isAddress, noAddress } from '#/typed-address.ts'
import type { BookingChoice } from './use-booking.ts'

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
