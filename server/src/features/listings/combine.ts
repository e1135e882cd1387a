// One institute out of what one or more sources say of it: the most trusted first, the others fill what it leaves open.
import { currencyOf, type Facts, languagesOf, type SourceName, trustOf } from '#/features/listing-facts/service.ts'

export interface Said {
  source: SourceName
  facts: Facts
}

/** Columns of an unclaimed institute, named as the table names them. */
export interface InstituteColumns {
  name: string
  categories: string[]
  phone: string | null
  website: string | null
  address_line: string
  quarter: string | null
  postal_code: string | null
  city: string
  country_code: string
  lat: number
  lon: number
  time_zone: string
  currency: string
  audience: string[]
  languages: string[]
}

export interface Combined {
  columns: InstituteColumns
  hours: Facts['hours']
}

const mostCategories = 6

export function combine(one: Said, ...others: readonly Said[]): Combined {
  const facts = [one, ...others].toSorted((a, b) => trustOf(a.source) - trustOf(b.source)).map((said) => said.facts)
  const [first = one.facts] = facts
  const of = <T>(read: (one: Facts) => T | null): T | null => facts.map(read).find((value) => value !== null) ?? null
  // A street without its town, or a town without its street, belongs to one source alone.
  const address =
    facts.find(({ addressLine, cityGiven }) => addressLine !== '' && cityGiven) ??
    facts.find(({ addressLine }) => addressLine !== '') ??
    first
  return {
    columns: {
      name: first.name,
      categories: [...new Set(facts.flatMap(({ categories }) => categories))].slice(0, mostCategories),
      phone: of(({ phone }) => phone),
      website: of(({ website }) => website),
      address_line: address.addressLine,
      quarter: address.quarter,
      postal_code: address.postalCode,
      city: address.city,
      country_code: address.countryCode,
      lat: first.lat,
      lon: first.lon,
      time_zone: first.timeZone,
      currency: currencyOf(address.countryCode),
      audience: facts.find(({ audience }) => audience[0] !== 'All')?.audience ?? ['All'],
      languages: languagesOf(address.countryCode),
    },
    hours: facts.find(({ hours }) => hours.length > 0)?.hours ?? [],
  }
}
