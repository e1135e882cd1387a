// What one source says of one place, in our words and forms: the part of it that is kept.
import type { Audience, Category } from '@soigne/contract/wire'
import { foldText } from '#/platform/fold-text.ts'
import { type PointAsked, type Surroundings, zoneAt } from '#/features/places/service.ts'
import { addressLineOf, townOf } from './addresses.ts'
import { phoneOf, websiteOf } from './contacts.ts'
import { isCountry, isWithin } from './countries.ts'
import type { HoursAnswer, HoursQuestion } from './hours-reader.ts'
import { categoriesOf } from './kinds.ts'
import type { RawPlace, Tags } from './record.ts'
import type { WeekRow } from './weeks.ts'

export interface Facts {
  name: string
  categories: Category[]
  addressLine: string
  quarter: string | null
  postalCode: string | null
  city: string
  /** The town was given; else it is the nearest one. */
  cityGiven: boolean
  countryCode: string
  timeZone: string
  lat: number
  lon: number
  phone: string | null
  website: string | null
  audience: Audience[]
  hours: WeekRow[]
}

/** What was left out or put right, by name; counted in the report. */
export type Note = string

/** A place that will be listed, with what must still be asked about it. */
export interface Draft {
  place: RawPlace
  categories: Category[]
  /** As tagged; null when absent or no country. */
  countryGiven: string | null
}

export function draftOf(place: RawPlace): Draft | 'unknown_kind' | 'not_a_salon' {
  const categories = categoriesOf(place)
  if (typeof categories === 'string') return categories
  const country = (place.tags['addr:country'] ?? '').trim().toUpperCase()
  return { place, categories, countryGiven: isCountry(country) ? country : null }
}

export function pointOf({ place, countryGiven }: Draft): PointAsked {
  const { name } = townOf(place.tags, countryGiven ?? '')
  return { lat: place.lat, lon: place.lon, countryCode: countryGiven, town: name === null ? null : foldText(name).slice(0, 60) || null }
}

/** The tag, unless the pin lies where that country has nothing. */
function countryOf({ countryGiven }: Draft, { nearest, inCountry }: Surroundings): { countryCode: string | null; corrected: boolean } {
  const located = nearest?.countryCode ?? null
  if (countryGiven === null) return { countryCode: located, corrected: false }
  if (inCountry !== null || located === null || isWithin(located, countryGiven)) return { countryCode: countryGiven, corrected: false }
  return { countryCode: located, corrected: true }
}

/** The zone of the nearest place of its country, as borders are finer than the shapes of zones; else that of the point. */
function zoneOf({ place }: Draft, { nearest, inCountry, town }: Surroundings, countryCode: string): string {
  const neighbour = [inCountry, nearest, town].find((one) => one && isWithin(one.countryCode, countryCode))
  return neighbour?.timeZone ?? zoneAt(place.lat, place.lon)
}

function audienceOf(tags: Tags): Audience[] {
  const says = (key: string): boolean | null => (tags[key] === 'yes' || tags[key] === 'only' ? true : tags[key] === 'no' ? false : null)
  const [men, women] = [says('male'), says('female')]
  if (says('unisex') === true || (men === true && women === true)) return ['All']
  if (men === true && women !== true) return ['Men']
  if (women === true) return ['Woman']
  if (men === false) return ['Woman']
  if (women === false) return ['Men']
  return ['All']
}

export const hoursTextOf = ({ tags }: RawPlace): string | null => tags['opening_hours']?.trim() || null

export function hoursQuestion(draft: Draft, surroundings: Surroundings, monday: string): Omit<HoursQuestion, 'id'> | null {
  const text = hoursTextOf(draft.place)
  const { lat, lon } = draft.place
  return text === null
    ? null
    : {
        text,
        lat,
        lon,
        countryCode: countryOf(draft, surroundings).countryCode ?? '',
        region: (surroundings.nearest ?? surroundings.inCountry)?.region ?? null,
        monday,
      }
}

function hoursOf(answer: HoursAnswer | null): { hours: WeekRow[]; notes: Note[] } {
  if (answer === null) return { hours: [], notes: ['no_hours'] }
  if (!answer.ok) return { hours: [], notes: [`hours_${answer.reason}`] }
  return {
    hours: answer.rows,
    notes: [...(answer.note ? [`hours_${answer.note}`] : []), ...(answer.loose ? ['hours_loosely_written'] : [])],
  }
}

/** The facts of a draft; null when it lies where there is no country, as at sea. */
export function factsOf(draft: Draft, surroundings: Surroundings, answer: HoursAnswer | null): { facts: Facts; notes: Note[] } | null {
  const { place, categories } = draft
  const { tags } = place
  const { countryCode, corrected } = countryOf(draft, surroundings)
  if (countryCode === null) return null
  const town = townOf(tags, countryCode)
  // One spelling for one town, whoever wrote it.
  const city = surroundings.town?.name ?? town.name ?? surroundings.nearest?.name
  if (!city) return null
  const phone = phoneOf(tags, countryCode)
  const website = websiteOf(tags)
  const { hours, notes } = hoursOf(answer)
  if (place.nameFrom !== null) notes.push('named_by_other_tag')
  if (corrected) notes.push('country_by_place')
  if (town.name === null) notes.push('town_by_place')
  else if (surroundings.town === null) notes.push('town_not_found_near')
  if (phone.dropped) notes.push('phone_dropped')
  if (website.dropped) notes.push('website_dropped')
  const facts: Facts = {
    name: place.name,
    categories,
    addressLine: addressLineOf(tags, countryCode),
    quarter: town.quarter,
    postalCode: town.postalCode,
    city: city.slice(0, 80),
    cityGiven: town.name !== null,
    countryCode,
    timeZone: zoneOf(draft, surroundings, countryCode),
    lat: place.lat,
    lon: place.lon,
    phone: phone.value,
    website: website.value,
    audience: audienceOf(tags),
    hours,
  }
  return { facts, notes }
}
