// The written part of the demo and the crowd: cities with their institutes, menus by category, people, opening hours.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { audiences, categories, languages } from '@soigne/contract/wire'
import * as z from 'zod'

const audience = z.enum(audiences)
const category = z.enum(categories)
const language = z.enum(languages)

const completeText = z.strictObject({ en: z.string().min(1), fr: z.string().min(1), ar: z.string().min(1) })
/** A text in all languages of the product. */
export type CompleteText = z.output<typeof completeText>

const gender = z.enum(['f', 'm'])
export type Gender = z.output<typeof gender>

const minutes = z.int().min(0).multipleOf(5)

const serviceText = z.strictObject({
  section: z.string(),
  name: completeText,
  description: completeText,
  activeMinutes: minutes.min(5),
  idleMinutes: minutes,
  activeAfterMinutes: minutes,
  bufferBeforeMinutes: minutes.default(0),
  bufferAfterMinutes: minutes.default(0),
  /** Begins only once what comes before it in a visit is finished. */
  isSequential: z.boolean().default(false),
  priceKind: z.enum(['fixed', 'from', 'on_request']),
  /** Price in Lyon, whole euros; other countries follow from it. */
  euros: z.int().positive().optional(),
  resourceType: z.string(),
  audience: audience.default('All'),
  latestStart: z.int().min(0).max(1439).optional(),
  noticeMinutes: z.int().positive().optional(),
  minimumAge: z.int().positive().optional(),
  /** Needs the patch test of the same menu first. */
  patchTest: z.boolean().default(false),
  isPatchTest: z.boolean().default(false),
  /** Seats of a class. */
  capacity: z.int().min(2).optional(),
})
export type ServiceText = z.output<typeof serviceText>

const menu = z.strictObject({
  name: completeText,
  sections: z.record(z.string(), completeText),
  services: z.record(z.string(), serviceText),
})
export type Menu = z.output<typeof menu>

const teamText = z.strictObject({ name: z.string(), gender, founder: z.boolean().default(false), title: completeText.optional() })
export type TeamText = z.output<typeof teamText>

const grade = z.number().min(1).max(5)
const instituteText = z.strictObject({
  slug: z.string(),
  name: z.string(),
  street: z.string(),
  postalCode: z.string(),
  quarter: z.string(),
  quarterAr: z.string(),
  lat: z.number(),
  lon: z.number(),
  categories: z.array(category).min(1),
  priceLevel: z.number(),
  hours: z.string(),
  audience: z.array(audience).min(1),
  languages: z.array(language).min(1),
  atHomeRadiusKm: z.int().optional(),
  /** What is paid online to book: a part of the price, or an amount in minor units. */
  deposit: z.union([z.strictObject({ percent: z.int().min(1).max(100) }), z.strictObject({ amount: z.int().positive() })]).optional(),
  /** How people usually find it, and how well known it is: reviews are made around these. */
  ratings: z.strictObject({ welcoming: grade, hygiene: grade, atmosphere: grade, serviceQuality: grade, count: z.int() }),
  description: completeText,
  menu: z.array(z.string()).optional(),
  team: z.array(teamText).optional(),
})
export type InstituteText = z.output<typeof instituteText>

const city = z.strictObject({
  name: z.string(),
  countryCode: z.string().length(2),
  currency: z.string().length(3),
  phonePrefix: z.string(),
  institutes: z.array(instituteText),
})
export type City = z.output<typeof city>

const byGender = z.strictObject({ f: z.string(), m: z.string() })
const title = z.strictObject({ en: z.string(), fr: byGender, ar: byGender })
type Title = z.output<typeof title>

export const textOfTitle = (title: Title, gender: Gender): CompleteText => ({ en: title.en, fr: title.fr[gender], ar: title.ar[gender] })

const people = z.strictObject({
  names: z.record(z.string(), z.strictObject({ f: z.array(z.string()), m: z.array(z.string()), last: z.array(z.string()) })),
  titles: z.record(category, title),
  founder: title,
  bios: z.record(category, z.array(completeText)),
})
export type People = z.output<typeof people>

const saidOf = z.strictObject({
  /** What could be said of any institute. */
  generic: z.array(z.string()),
  critical: z.array(z.string()),
  byCategory: z.record(category, z.array(z.string()).min(1)),
  replies: z.array(z.string()).min(1),
  /** Answers to the critical ones. */
  apologies: z.array(z.string()).min(1),
})
/** What people say of their visits in one language, and what is answered. */
export type ReviewTexts = z.output<typeof saidOf>
const reviews = z.strictObject({ en: saidOf, fr: saidOf, ar: saidOf })

const ranges = z.array(z.strictObject({ opensAt: z.int(), closesAt: z.int() }))
/** Opening ranges in wall minutes, Monday first. */
const weeklyHours = z.record(z.string(), z.array(ranges).length(7))

export interface DemoContent {
  cities: City[]
  menus: Record<string, Menu>
  people: People
  hours: z.output<typeof weeklyHours>
  reviews: z.output<typeof reviews>
}

const folder = import.meta.dirname
const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))

/** Reads and checks all of it. @throws ZodError when a file is not as described here */
export function readDemoContent(): DemoContent {
  return {
    cities: readdirSync(join(folder, 'cities'))
      .sort()
      .map((file) => city.parse(read('cities', file))),
    menus: Object.fromEntries(categories.map((name) => [name, menu.parse(read('services', `${name}.json`))])),
    people: people.parse(read('people.json')),
    hours: weeklyHours.parse(read('opening-hours.json')),
    reviews: reviews.parse(read('reviews.json')),
  }
}
