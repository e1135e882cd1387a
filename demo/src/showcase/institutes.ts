// Everything that is true of one demo institute before anyone books.
import { instantText } from '#/rows/instants.ts'
import tzlookup from '@photostructure/tz-lookup'
import type { City, DemoContent, InstituteText } from '#/content/read-content.ts'
import { holidayRows } from '#/diaries/holidays.ts'
import { absenceRows, closureRows, openingRows, overrideRows, rotaRows } from '#/diaries/weeks.ts'
import { type Random, randomFrom } from '#/random.ts'
import { type BookingRules, type InstituteRow, instituteRow, type PictureRow, pictureRow } from '#/rows/institute.ts'
import { type ResourceClosureRow, resourceClosureRow, type ResourceRow } from '#/rows/menu.ts'
import type { InstituteRows } from '#/rows/tables.ts'
import { offerAtHome } from '#/rows/menu.ts'
import { menuRows, resourceRows } from './menus.ts'
import { teamRows } from './teams.ts'

/** The institutes of the demo have existed since this day, whenever the demo is made. */
const opened = Date.UTC(2026, 0, 5, 8)

/** Its cover; rooms and work are drawn by its page, for each trade its own. */
function pictureRows(text: InstituteText, random: Random, instituteId: string): PictureRow[] {
  const alt = { en: text.name, fr: text.name, ar: text.name }
  const url = `/art/cover/${text.categories[0] ?? 'hair'}/${text.slug}.svg`
  return [pictureRow({ id: random.uuid(opened), instituteId, position: 0, url, alt })]
}

/** Each institute sets its own rules; the one of the mockups has theirs. */
function rulesOf(text: InstituteText, random: Random): BookingRules {
  const usual: BookingRules = {
    gridMinutes: 20,
    noticeMinutes: 40,
    horizonDays: 90,
    maxWaitMinutes: 20,
    gapPolicy: 'rank',
    serviceOrder: 'given',
    cancelWindowMinutes: 120,
    rescheduleWindowMinutes: 120,
  }
  if (text.slug === 'atelier-nacre') return usual
  const strict = text.hours === 'practice'
  const own: BookingRules = {
    ...usual,
    noticeMinutes: random.pick([0, 20, 40, 60]),
    horizonDays: random.pick([60, 90, 120]),
    maxWaitMinutes: random.pick([0, 20]),
    gapPolicy: random.pick(['off', 'rank', 'rank', 'hide']),
    serviceOrder: random.pick(['given', 'best']),
    cancelWindowMinutes: strict ? 2880 : random.pick([120, 240, 1440]),
    rescheduleWindowMinutes: strict ? 1440 : random.pick([120, 240]),
  }
  // Whoever asks for a deposit keeps it from those who cancel within a day.
  return text.deposit ? { ...own, cancelWindowMinutes: 1440 } : own
}

function doorOf(text: InstituteText, city: City, random: Random, id: string, position: number): InstituteRow {
  return instituteRow({
    id,
    slug: text.slug,
    name: text.name,
    description: text.description,
    categories: text.categories,
    email: `bonjour@${text.slug}.soigne.test`,
    phone: `${city.phonePrefix} ${String(position + 10).padStart(2, '0')} ${String(random.between(10, 99))}`,
    addressLine: text.street,
    quarter: text.quarter,
    quarterAr: text.quarterAr,
    postalCode: text.postalCode,
    city: city.name,
    countryCode: city.countryCode,
    lat: text.lat,
    lon: text.lon,
    timeZone: tzlookup(text.lat, text.lon),
    currency: city.currency,
    atHomeRadiusKm: text.atHomeRadiusKm,
    audience: text.audience,
    languages: text.languages,
    paymentMethods: random.pick([['card'], ['card', 'paypal'], ['card', 'paypal', 'klarna']]),
    deposit: text.deposit,
    rules: rulesOf(text, random),
    createdAt: instantText(opened),
  })
}

/** Machines are looked after now and then. */
function maintenance(resources: readonly ResourceRow[], today: Temporal.PlainDate, random: Random): ResourceClosureRow[] {
  return resources
    .filter((resource) => ['laser', 'machine', 'hammam'].includes(resource.type) && random.chance(0.5))
    .map((resource) =>
      resourceClosureRow({
        id: random.uuid(opened),
        instituteId: resource.institute_id,
        resourceId: resource.id,
        fromDay: today.add({ days: 8 }).toString(),
        toDay: today.add({ days: 9 }).toString(),
      }),
    )
}

/** Builds one institute around its local today; the same day always gives the same rows. */
export function buildInstitute(
  text: InstituteText,
  city: City,
  content: DemoContent,
  now: Temporal.Instant,
  position: number,
): InstituteRows {
  const random = randomFrom(`institute ${text.slug}`)
  const id = random.uuid(opened)
  const made = { instituteId: id, at: opened }
  const week = content.hours[text.hours]
  if (!week) throw new Error(`no opening hours named ${text.hours}`)
  const { services, prerequisites } = menuRows(text, content, random, { ...made, currency: city.currency })
  const institute = doorOf(text, city, random, id, position)
  if (institute.at_home) offerAtHome(services)
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
