// An address as it is typed: what it begins with, whether it is one, and how calls want it.
import type { HomeAddress, HomeAddressInput } from '@soigne/contract/appointments'
import type { TypedAddress } from '#/address-fields.tsx'

export const noAddress: TypedAddress = { line: '', postalCode: '', city: '', place: null }

/** One that is known, to be put right. */
export const typedOf = ({ line, postalCode, city }: HomeAddress): TypedAddress => ({
  line,
  postalCode: postalCode ?? '',
  city,
  place: null,
})

export const isAddress = ({ line, city }: TypedAddress): boolean => line.trim() !== '' && city.trim() !== ''

/** Whether it is written as one that is known. */
export const isSameAddress = (typed: TypedAddress, { line, postalCode, city }: HomeAddress): boolean =>
  typed.line.trim() === line && typed.postalCode.trim() === (postalCode ?? '') && typed.city.trim() === city

/** As the call wants it. */
export function homePart({ line, postalCode, city, place }: TypedAddress): HomeAddressInput {
  return {
    line: line.trim(),
    city: city.trim(),
    ...(postalCode.trim() !== '' && { postalCode: postalCode.trim() }),
    ...(place && { lat: place.lat, lon: place.lon }),
  }
}
