// Everything that is true of one made-up institute before anyone books.
import { dayOf } from '@soigne/scheduling/wall-clock'
import {
  absenceRows,
  closureRows,
  openingRows,
  overrideRows,
  type PictureRow,
  type Random,
  randomFrom,
  rotaRows,
  type Words,
} from '#/features/demo/service.ts'
import { currencyOf, languagesOf } from '#/features/listings/service.ts'
import { inventWeek } from './hours.ts'
import { type Content, inventCategories, inventMenu, inventResources } from './menu.ts'
import { inventName, slugFor, type Speech } from './names.ts'
import { crowdFrom, type CrowdHouse, type CrowdInstituteRow } from './rows.ts'
import { inventTeam, inventTeamSize } from './team.ts'
import { type Seat, spotOf, type Town } from './towns.ts'

/** What a door says where none of our languages is at home. */
const elsewhere: readonly Speech[] = ['en', 'en', 'en', 'fr']

function speechOf(languages: readonly string[], random: Random): Speech {
  const spoken = languages.flatMap((language): Speech[] =>
    language === 'English' ? ['en'] : language === 'French' ? ['fr'] : language === 'Arabic' ? ['ar'] : [],
  )
  return random.pick(spoken.length > 0 ? spoken : elsewhere)
}

function descriptionOf(category: string, { name: city, nameAr }: Town, content: Content): Words {
  const name = content.menus[category]?.name ?? { en: '', fr: '', ar: '' }
  return {
    en: `${name.en} in ${city}. A made-up house, for trying things out.`,
    fr: `${name.fr}, ${city}. Une maison inventée, pour essayer.`,
    ar: `${name.ar}، ${nameAr ?? city}. مكان متخيَّل للتجربة.`,
  }
}

/** Each house sets its own rules. */
function rulesOf(
  random: Random,
): Pick<
  CrowdInstituteRow,
  | 'grid_minutes'
  | 'notice_minutes'
  | 'horizon_days'
  | 'max_wait_minutes'
  | 'gap_policy'
  | 'service_order'
  | 'cancel_window_minutes'
  | 'reschedule_window_minutes'
> {
  return {
    grid_minutes: random.pick([5, 10, 10, 15, 15, 15, 20, 20, 30, 30]),
    notice_minutes: random.pick([0, 15, 30, 60, 60, 120, 120, 240, 720, 1440]),
    horizon_days: random.pick([30, 30, 30, 30, 35, 40, 45, 60, 60, random.pick([14, 14, 90])]),
    max_wait_minutes: random.pick([0, 0, 10, 20]),
    gap_policy: random.pick(['off', 'off', 'off', 'rank', 'rank', 'rank', 'rank', 'rank', 'rank', 'hide']),
    service_order: random.pick(['given', 'best']),
    cancel_window_minutes: random.pick([60, 120, 240, 1440, 2880]),
    reschedule_window_minutes: random.pick([60, 120, 240, 1440]),
  }
}

/** Grades that hang together: a good house is good at most things. */
function ratingsOf(
  random: Random,
): Pick<CrowdInstituteRow, 'rating_count' | 'average_welcoming' | 'average_hygiene' | 'average_atmosphere' | 'average_service_quality'> {
  const middle = 3.4 + 1.4 * Math.sqrt(random.next())
  const grade = (): number => Math.round(Math.min(5, Math.max(1, middle + (random.next() - 0.5) * 0.7)) * 100) / 100
  return {
    rating_count: random.chance(0.12) ? 0 : Math.floor(3 + 600 * random.next() ** 4),
    average_welcoming: grade(),
    average_hygiene: grade(),
    average_atmosphere: grade(),
    average_service_quality: grade(),
  }
}

const audienceOf = (category: string, random: Random): string[] => {
  if (category === 'barbering' && random.chance(0.5)) return ['Men']
  if (random.chance(0.15)) return ['Woman']
  return random.chance(0.1) ? ['All', 'Kids'] : ['All']
}

function pictureRows(institute: CrowdInstituteRow, category: string, at: number, random: Random): PictureRow[] {
  const urls = [
    `/art/cover/${category}/${institute.slug}.svg`,
    `/art/interior/${institute.slug}.svg?kind=${random.pick(['mirror', 'shelf', 'window', 'basin'])}`,
  ]
  const alt = { en: institute.name, fr: institute.name, ar: institute.name }
  return urls.map((url, position) => ({ id: random.uuid(at), institute_id: institute.id, position, url, alt }))
}

function instituteRow(
  seat: Seat,
  categories: string[],
  speech: Speech,
  languages: string[],
  content: Content,
  at: number,
  random: Random,
): CrowdInstituteRow {
  const { town, index } = seat
  const [category = 'hair'] = categories
  const invented = inventName(speech, category, random)
  const slug = slugFor(invented, town.name, index)
  const { timeZone, ...point } = spotOf(seat, random)
  const opened = new Date(at).toISOString()
  const atHome = random.chance(0.08)
  return {
    id: random.uuid(at),
    slug,
    owner_id: null,
    state: 'published',
    claimed: true,
    name: invented.name,
    description: descriptionOf(category, town, content),
    categories,
    email: `hello@${slug}.soigne.test`,
    website: null,
    address_line: invented.street,
    city: town.name,
    country_code: town.countryCode,
    ...point,
    time_zone: timeZone,
    currency: currencyOf(town.countryCode),
    at_home: atHome,
    at_home_radius_km: atHome ? random.between(2, 15) : null,
    audience: audienceOf(category, random),
    languages,
    payment_methods: random.pick([['card'], ['card'], ['card', 'paypal'], ['card', 'paypal', 'klarna']]),
    pay_at_salon: random.chance(0.9),
    ...rulesOf(random),
    ...ratingsOf(random),
    created_at: opened,
    published_at: opened,
  }
}

/** One institute of the crowd around a day; the same numbers and the same day always give the same rows. `now` in milliseconds since the epoch. */
export function buildHouse(
  seat: Seat,
  seedNumber: number,
  content: Content,
  now: number,
): { house: CrowdHouse; speech: Speech; random: Random } {
  const random = randomFrom(`crowd ${seedNumber} ${seat.index}`)
  const at = crowdFrom + seat.index
  const languages: string[] = languagesOf(seat.town.countryCode)
  const speech = speechOf(languages, random)
  const categories = inventCategories(random)
  const [category] = categories
  const institute = instituteRow(seat, categories, speech, languages, content, at, random)
  const made = { instituteId: institute.id, at }
  const menu = inventMenu({ ...made, currency: institute.currency, categories, priceLevel: 0.6 + 0.8 * random.next() }, content, random)
  const size = inventTeamSize(random)
  const team = inventTeam({ ...made, slug: institute.slug, speech, categories, languages, size }, menu.services, content, random)
  const week = inventWeek(category, institute.country_code, random)
  const today = Temporal.PlainDate.from(dayOf(institute.time_zone, now / 60_000))
  const house: CrowdHouse = {
    institute,
    pictures: pictureRows(institute, category, at, random),
    openingHours: openingRows(week, made),
    closures: random.chance(0.2) ? closureRows(today, random, made) : [],
    ...menu,
    ...team,
    ...rotaRows(week, team.members, random, made),
    overrides: random.chance(0.2) ? overrideRows(today, week, team.members, random, made) : [],
    absences: absenceRows(today, institute.slug, team.members, random, made),
    resources: inventResources(menu.services, size, at, random),
  }
  return { house, speech, random }
}
