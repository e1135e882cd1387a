// Everything that is true of one demo institute before anyone books.
import { zoneAt } from '#/features/places/service.ts'
import type { City, DemoContent, InstituteText } from './content.ts'
import { holidayRows } from './holiday-rows.ts'
import { absenceRows, closureRows, openingRows, overrideRows, rotaRows } from './diary-rows.ts'
import { menuRows, resourceRows } from './menu-rows.ts'
import { type Random, randomFrom } from './random.ts'
import type { DemoInstitute, InstituteRow, PictureRow, ResourceClosureRow, ResourceRow } from './rows.ts'
import { teamRows } from './team-rows.ts'

/** The demo houses have existed since this day, whenever the demo is made. */
const opened = Date.UTC(2026, 0, 5, 8)

const roomKinds = ['mirror', 'shelf', 'window', 'basin'] as const

function pictureRows(text: InstituteText, random: Random, instituteId: string): PictureRow[] {
  const first = text.categories[0] ?? 'hair'
  const cover = `/art/cover/${first}/${text.slug}.svg`
  const rooms = roomKinds.filter((_, at) => at < 2 || random.chance(0.6)).map((kind) => `/art/interior/${text.slug}.svg?kind=${kind}`)
  return [cover, ...rooms].map((url, position) => ({
    id: random.uuid(opened),
    institute_id: instituteId,
    position,
    url,
    alt: { en: text.name, fr: text.name, ar: text.name },
  }))
}

/** Each house sets its own rules; the one of the mockups has theirs. */
function rulesOf(
  text: InstituteText,
  random: Random,
): Pick<
  InstituteRow,
  | 'grid_minutes'
  | 'notice_minutes'
  | 'horizon_days'
  | 'max_wait_minutes'
  | 'gap_policy'
  | 'service_order'
  | 'cancel_window_minutes'
  | 'reschedule_window_minutes'
> {
  const usual = {
    grid_minutes: 20,
    notice_minutes: 40,
    horizon_days: 90,
    max_wait_minutes: 20,
    gap_policy: 'rank',
    service_order: 'given',
    cancel_window_minutes: 120,
    reschedule_window_minutes: 120,
  }
  if (text.slug === 'atelier-nacre') return usual
  const strict = text.hours === 'practice'
  return {
    ...usual,
    notice_minutes: random.pick([0, 20, 40, 60]),
    horizon_days: random.pick([60, 90, 120]),
    max_wait_minutes: random.pick([0, 20]),
    gap_policy: random.pick(['off', 'rank', 'rank', 'hide']),
    service_order: random.pick(['given', 'best']),
    cancel_window_minutes: strict ? 2880 : random.pick([120, 240, 1440]),
    reschedule_window_minutes: strict ? 1440 : random.pick([120, 240]),
  }
}

function instituteRow(text: InstituteText, city: City, random: Random, id: string, position: number): InstituteRow {
  const at = new Date(opened).toISOString()
  return {
    id,
    slug: text.slug,
    owner_id: null,
    state: 'published',
    claimed: true,
    name: text.name,
    description: text.description,
    categories: text.categories,
    email: `bonjour@${text.slug}.soigne.test`,
    phone: `${city.phonePrefix} ${String(position + 10).padStart(2, '0')} ${String(random.between(10, 99))}`,
    website: null,
    address_line: text.street,
    quarter: text.quarter,
    postal_code: text.postalCode,
    city: city.name,
    country_code: city.countryCode,
    lat: text.lat,
    lon: text.lon,
    time_zone: zoneAt(text.lat, text.lon),
    currency: city.currency,
    at_home: text.atHomeRadiusKm !== undefined,
    at_home_radius_km: text.atHomeRadiusKm ?? null,
    audience: text.audience,
    languages: text.languages,
    payment_methods: random.pick([['card'], ['card', 'paypal'], ['card', 'paypal', 'klarna']]),
    pay_at_salon: true,
    ...rulesOf(text, random),
    rating_count: text.ratings.count,
    average_welcoming: text.ratings.welcoming,
    average_hygiene: text.ratings.hygiene,
    average_atmosphere: text.ratings.atmosphere,
    average_service_quality: text.ratings.serviceQuality,
    created_at: at,
    published_at: at,
  }
}

/** Machines are looked after now and then. */
function maintenance(resources: readonly ResourceRow[], today: Temporal.PlainDate, random: Random): ResourceClosureRow[] {
  return resources
    .filter((resource) => ['laser', 'machine', 'hammam'].includes(resource.type) && random.chance(0.5))
    .map((resource) => ({
      id: random.uuid(opened),
      institute_id: resource.institute_id,
      resource_id: resource.id,
      from_day: today.add({ days: 8 }).toString(),
      to_day: today.add({ days: 9 }).toString(),
    }))
}

/** Builds one institute around its local today; the same day always gives the same rows. */
export function buildInstitute(
  text: InstituteText,
  city: City,
  content: DemoContent,
  now: Temporal.Instant,
  position: number,
): DemoInstitute {
  const random = randomFrom(`institute ${text.slug}`)
  const id = random.uuid(opened)
  const made = { instituteId: id, at: opened }
  const week = content.hours[text.hours]
  if (!week) throw new Error(`no opening hours named ${text.hours}`)
  const { services, prerequisites } = menuRows(text, content, random, { ...made, currency: city.currency })
  const institute = instituteRow(text, city, random, id, position)
  const today = now.toZonedDateTimeISO(institute.time_zone).toPlainDate()
  const { members, memberServices } = teamRows(text, city, content, services, random, made)
  const resources = resourceRows(services, members.length, city.countryCode, random, made)
  const { rotas, shifts } = rotaRows(week, members, random, made)
  return {
    institute,
    pictures: pictureRows(text, random, id),
    openingHours: openingRows(week, made),
    services,
    prerequisites,
    members,
    memberServices,
    resources,
    rotas,
    shifts,
    closures: [...closureRows(today, random, made), ...holidayRows(institute.country_code, today, random, made)],
    overrides: overrideRows(today, week, members, random, made),
    absences: absenceRows(today, text.slug, members, random, made),
    resourceClosures: maintenance(resources, today, random),
  }
}
