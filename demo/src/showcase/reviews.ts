// What people said of visits they kept: the figures of every institute of the demo are made of these rows.
import { hourMs, type Instant } from '@soigne/contract/time'
import type { InstituteText, ReviewTexts } from '#/content/read-content.ts'
import { type Random, randomFrom } from '#/random.ts'
import { rateInstitute } from '#/rows/institute.ts'
import { instantText, parseInstant } from '#/rows/instants.ts'
import { ratingsOfRows, type ReviewRow, reviewRow, shownName } from '#/rows/reviews.ts'
import type { InstituteRows, VisitRows } from '#/rows/tables.ts'
import type { AppointmentRow } from '#/rows/visits.ts'

type Language = ReviewRow['language']

/** Of ten people, who writes in which language. */
const spoken: Record<string, readonly Language[]> = {
  FR: ['fr', 'fr', 'fr', 'fr', 'fr', 'fr', 'fr', 'en', 'en', 'ar'],
  BE: ['fr', 'fr', 'fr', 'fr', 'fr', 'fr', 'en', 'en', 'en', 'ar'],
  GB: ['en', 'en', 'en', 'en', 'en', 'en', 'en', 'en', 'fr', 'ar'],
  MA: ['ar', 'ar', 'ar', 'ar', 'ar', 'fr', 'fr', 'fr', 'fr', 'en'],
  TN: ['ar', 'ar', 'ar', 'ar', 'ar', 'fr', 'fr', 'fr', 'fr', 'en'],
}

/** How many have written so far: some of those who came. */
export const reviewsWanted = ({ ratings }: InstituteText): number => Math.min(36, Math.max(5, Math.round(ratings.count / 8)))

type Grades = Pick<ReviewRow, 'welcoming' | 'hygiene' | 'atmosphere'> & { serviceQuality: number }

/** Around what is usual there; now and then somebody had a worse day, or one thing was not as it should be. */
function gradesOf({ ratings }: InstituteText, random: Random): Grades {
  const down = random.chance(0.07) ? random.between(1, 2) : 0
  const grade = (usual: number): number => {
    const usually = Math.floor(usual) + (random.chance(usual % 1) ? 1 : 0)
    return Math.min(5, Math.max(1, usually - down - (random.chance(0.06) ? 1 : 0)))
  }
  return {
    welcoming: grade(ratings.welcoming),
    hygiene: grade(ratings.hygiene),
    atmosphere: grade(ratings.atmosphere),
    serviceQuality: grade(ratings.serviceQuality),
  }
}

type Category = InstituteText['categories'][number]

/** Nobody says what another said of the same institute: words that were used are gone. Of what was done first, then of anything. */
function textsOf(content: Record<Language, ReviewTexts>, random: Random) {
  const used = new Set<string>()
  return (language: Language, isGood: boolean, category: Category): string => {
    const { generic, critical, byCategory } = content[language]
    const left = (texts: readonly string[]): string[] => texts.filter((text) => !used.has(text))
    const special = left(isGood ? byCategory[category] : [])
    const texts = special.length > 0 && random.chance(0.6) ? special : left(isGood ? generic : critical)
    const said = texts.length === 0 ? '' : random.pick(texts)
    used.add(said)
    return said
  }
}

interface Asked {
  text: InstituteText
  rows: InstituteRows
  visits: VisitRows
  content: Record<Language, ReviewTexts>
  now: Instant
}

/** Visits that somebody may have written about by now, the demo's own client aside. */
const reviewable = ({ visits, now }: Asked): AppointmentRow[] =>
  visits.appointments.filter(
    ({ attendance, life, user_id: user, ends_at: end }) =>
      attendance === 'done' && life === 'booked' && user === null && parseInstant(end) < now - 12 * hourMs,
  )

/** Writes the reviews of one institute, and its averages, which are theirs. */
export function addReviews(asked: Asked): void {
  const { text, rows, visits, content, now } = asked
  const random = randomFrom(`reviews ${text.slug}`)
  const names = new Map(visits.customers.map((one) => [one.id, shownName(one.first_name, one.last_name)]))
  const categories = new Map(rows.services.map((one) => [one.id, one.category as Category]))
  const words = textsOf(content, random)
  const pool = reviewable(asked)
  const wrote = new Set<string>()
  while (visits.reviews.length < reviewsWanted(text) && pool.length > 0) {
    const [visit] = pool.splice(random.between(0, pool.length - 1), 1)
    // One each, though they may have come often.
    if (!visit || wrote.has(visit.customer_id)) continue
    wrote.add(visit.customer_id)
    const end = parseInstant(visit.ends_at)
    const at = Math.min(now - random.between(1, 10) * hourMs, end + random.between(2, 130) * hourMs)
    const language = random.pick<Language>(spoken[rows.institute.country_code] ?? ['en'])
    const grades = gradesOf(text, random)
    const isGood = Object.values(grades).reduce((sum, one) => sum + one, 0) >= 15
    const said = random.chance(isGood ? 0.82 : 0.95)
      ? words(language, isGood, categories.get(visit.cart[0]?.serviceId ?? '') ?? 'hair')
      : ''
    const { replies, apologies } = content[language]
    const replyAt = at + random.between(4, 60) * hourMs
    const isAnswered = said !== '' && replyAt < now && random.chance(isGood ? 0.25 : 0.8)
    visits.reviews.push(
      reviewRow({
        id: random.uuid(at),
        appointmentId: visit.id,
        instituteId: rows.institute.id,
        author: names.get(visit.customer_id) ?? 'A.',
        language,
        ...grades,
        text: said,
        createdAt: instantText(at),
        reply: isAnswered ? { text: random.pick(isGood ? replies : apologies), at: instantText(replyAt) } : null,
      }),
    )
  }
  rateInstitute(rows.institute, ratingsOfRows(visits.reviews))
}

/** Days gone by, furthest first, of which some visits are written: enough for those who reviewed. */
export function daysOfReviews(text: InstituteText, random: Random, { from, to }: { from: number; to: number }): number[] {
  const days = Array.from({ length: to - from }, (_, index) => from + index)
  const wanted = Math.ceil(reviewsWanted(text) / 3) + 2
  return Array.from(
    { length: Math.min(wanted, days.length) },
    () => days.splice(random.between(0, days.length - 1), 1)[0] ?? from,
  ).toSorted((a, b) => a - b)
}
