// Everything that is true of one made-up institute before anyone books.
import { dayOf } from '@soigne/scheduling/wall-clock'
import { type Instant, minuteOf } from '@soigne/contract/time'
import { instantText } from '#/rows/instants.ts'
import type { DemoContent } from '#/content/read-content.ts'
import { absenceRows, closureRows, type Made, openingRows, overrideRows, rotaRows } from '#/diaries/weeks.ts'
import { type Random, randomFrom } from '#/random.ts'
import {
  type BookingRules,
  type InstituteRow,
  instituteRow,
  type PictureRow,
  pictureRow,
  type Ratings,
  type LocalizedText,
} from '#/rows/institute.ts'
import type { InstituteRows } from '#/rows/tables.ts'
import { inventWeek } from './hours.ts'
import { crowdFrom } from './ids.ts'
import { offerAtHome } from '#/rows/menu.ts'
import { inventCategories, inventMenu, inventResources } from './menus.ts'
import { inventName, slugFor, type Speech } from '#/content/invented-names.ts'
import { inventTeam, inventTeamSize } from './teams.ts'
import { type Seat, spotOf, type Town } from './towns.ts'

/** What a door says where none of our languages is at home. */
const elsewhere: readonly Speech[] = ['en', 'en', 'en', 'fr']

function speechOf(languages: readonly string[], random: Random): Speech {
  const spoken = languages.flatMap((language): Speech[] =>
    language === 'English' ? ['en'] : language === 'French' ? ['fr'] : language === 'Arabic' ? ['ar'] : [],
  )
  return random.pick(spoken.length > 0 ? spoken : elsewhere)
}

function descriptionOf(category: string, { name: city, nameAr }: Town, content: DemoContent): LocalizedText {
  const name = content.menus[category]?.name ?? { en: '', fr: '', ar: '' }
  return {
    en: `${name.en} in ${city}. A made-up house, for trying things out.`,
    fr: `${name.fr}, ${city}. Une maison inventée, pour essayer.`,
    ar: `${name.ar}، ${nameAr ?? city}. مكان متخيَّل للتجربة.`,
  }
}

/** Each institute sets its own rules. */
function rulesOf(random: Random): BookingRules {
  return {
    gridMinutes: random.pick([5, 10, 10, 15, 15, 15, 20, 20, 30, 30]),
    noticeMinutes: random.pick([0, 15, 30, 60, 60, 120, 120, 240, 720, 1440]),
    horizonDays: random.pick([30, 30, 30, 30, 35, 40, 45, 60, 60, random.pick([14, 14, 90])]),
    maxWaitMinutes: random.pick([0, 0, 10, 20]),
    gapPolicy: random.pick(['off', 'off', 'off', 'rank', 'rank', 'rank', 'rank', 'rank', 'rank', 'hide']),
    serviceOrder: random.pick(['given', 'best']),
    cancelWindowMinutes: random.pick([60, 120, 240, 1440, 2880]),
    rescheduleWindowMinutes: random.pick([60, 120, 240, 1440]),
  }
}

/** How people usually find it. Grades hang together: a good institute is good at most things; of some nobody says anything. */
function ratingsOf(random: Random): Ratings {
  const middle = 3.4 + 1.4 * Math.sqrt(random.next())
  const grade = (): number => Math.round(Math.min(5, Math.max(1, middle + (random.next() - 0.5) * 0.7)) * 100) / 100
  return {
    count: random.chance(0.12) ? 0 : Math.floor(3 + 600 * random.next() ** 4),
    welcoming: grade(),
    hygiene: grade(),
    atmosphere: grade(),
    serviceQuality: grade(),
  }
}

const audienceOf = (category: string, random: Random): string[] => {
  if (category === 'barbering' && random.chance(0.5)) return ['Men']
  if (random.chance(0.15)) return ['Woman']
  return random.chance(0.1) ? ['All', 'Kids'] : ['All']
}

function pictureRows({ id: instituteId, slug, name }: InstituteRow, category: string, at: number, random: Random): PictureRow[] {
  const alt = { en: name, fr: name, ar: name }
  return [pictureRow({ id: random.uuid(at), instituteId, position: 0, url: `/art/cover/${category}/${slug}.svg`, alt })]
}

function doorOf(seat: Seat, categories: string[], speech: Speech, content: DemoContent, at: number, random: Random): InstituteRow {
  const { town, index } = seat
  const [category = 'hair'] = categories
  const invented = inventName(speech, category, random)
  const slug = slugFor(invented, town.slug, index)
  const spot = spotOf(seat, random)
  const atHome = random.chance(0.08)
  return instituteRow({
    id: random.uuid(at),
    slug,
    name: invented.name,
    description: descriptionOf(category, town, content),
    categories,
    email: `hello@${slug}.soigne.test`,
    addressLine: invented.street,
    city: town.name,
    countryCode: town.countryCode,
    ...spot,
    currency: town.currency,
    atHomeRadiusKm: atHome ? random.between(2, 15) : undefined,
    audience: audienceOf(category, random),
    languages: town.languages,
    paymentMethods: random.pick([['card'], ['card'], ['card', 'paypal'], ['card', 'paypal', 'klarna']]),
    rules: rulesOf(random),
    createdAt: instantText(at),
  })
}

/** One institute of the crowd around a day; the same numbers and the same day always give the same rows. `now` in milliseconds since the epoch. */
export function inventInstitute(
  seat: Seat,
  seedNumber: number,
  content: DemoContent,
  now: Instant,
): { institute: InstituteRows; speech: Speech; usual: Ratings; random: Random } {
  const random = randomFrom(`crowd ${seedNumber} ${seat.index}`)
  const at = crowdFrom + seat.index
  const { languages } = seat.town
  const speech = speechOf(languages, random)
  const categories = inventCategories(random)
  const [category] = categories
  const door = doorOf(seat, categories, speech, content, at, random)
  const usual = ratingsOf(random)
  const made: Made = { instituteId: door.id, at }
  const menu = inventMenu({ ...made, currency: door.currency, categories, priceLevel: 0.6 + 0.8 * random.next() }, content, random)
  if (door.at_home) offerAtHome(menu.services)
  const size = inventTeamSize(random)
  const team = inventTeam({ ...made, slug: door.slug, speech, categories, languages, size }, menu.services, content, random)
  const week = inventWeek(category, door.country_code, random)
  const today = Temporal.PlainDate.from(dayOf(door.time_zone, minuteOf(now)))
  const institute: InstituteRows = {
    institute: door,
    pictures: pictureRows(door, category, at, random),
    openingHours: openingRows(week, made),
    closures: random.chance(0.2) ? closureRows(today, random, made) : [],
    ...menu,
    ...team,
    ...rotaRows(week, team.members, random, made),
    overrides: random.chance(0.2) ? overrideRows(today, week, team.members, random, made) : [],
    absences: absenceRows(today, door.slug, team.members, random, made),
    resources: inventResources(menu.services, size, at, random),
    resourceClosures: [],
  }
  return { institute, speech, usual, random }
}
