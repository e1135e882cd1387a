// The people of one institute: names, titles, what each performs, own prices and durations.
import { type City, type DemoContent, type Gender, type InstituteText, type TeamText, textOfTitle } from '#/content/read-content.ts'
import type { Random } from '#/random.ts'
import type { ServiceRow } from '#/rows/menu.ts'
import { type MemberRow, memberRow, type MemberServiceFacts, type MemberServiceRow, memberServiceRow } from '#/rows/team.ts'
import { nearestLocalPrice } from './prices.ts'

function inventTeam(institute: InstituteText, city: City, content: DemoContent, random: Random): TeamText[] {
  if (institute.team) return institute.team
  const names = content.people.names[city.countryCode]
  if (!names) throw new Error(`no names for ${city.countryCode}`)
  const size = random.between(institute.categories.length === 1 ? 2 : 3, institute.priceLevel > 1.15 ? 7 : 6)
  const onlyWomen = institute.audience[0] === 'Woman'
  const onlyMen = institute.audience[0] === 'Men'
  const team: TeamText[] = []
  while (team.length < size) {
    const gender: Gender = onlyWomen || (!onlyMen && random.chance(0.62)) ? 'f' : 'm'
    const name = random.pick(names[gender])
    if (!team.some((person) => person.name === name)) team.push({ name, gender, founder: team.length === 0 })
  }
  return team
}

/** What people speak where they live; the institute's other languages come on top. */
const spokenIn: Readonly<Record<string, readonly string[]>> = {
  FR: ['French'],
  BE: ['French'],
  GB: ['English'],
  MA: ['French', 'Arabic'],
  TN: ['French', 'Arabic'],
}

/** Paper portraits: hair styles for the address of a face. */
const hairStyles: Readonly<Record<Gender, readonly string[]>> = {
  f: ['long', 'bun', 'bob', 'curly', 'short', 'locs', 'silver', 'long', 'bun'],
  m: ['short', 'beard', 'crop', 'curly', 'bald', 'short', 'beard'],
}
const scarfToo: readonly string[] = [...hairStyles.f, 'hijab', 'hijab', 'hijab']

function faceOf(person: TeamText, institute: InstituteText, countryCode: string, random: Random): string {
  const worn = person.gender === 'f' && (countryCode === 'MA' || countryCode === 'TN') ? scarfToo : hairStyles[person.gender]
  return `/art/face/${institute.slug}-${slugOf(person.name)}.svg?style=${random.pick(worn)}`
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')

function personRow(
  person: TeamText,
  position: number,
  specialty: string,
  institute: InstituteText,
  countryCode: string,
  content: DemoContent,
  random: Random,
  made: { instituteId: string; at: number },
): MemberRow {
  const title = person.founder ? content.people.founder : content.people.titles[specialty as keyof DemoContent['people']['titles']]
  const bios = content.people.bios[specialty as keyof DemoContent['people']['bios']]
  const bio = bios?.[position % bios.length]
  if (!title || !bio) throw new Error(`no title or bio for ${specialty}`)
  return memberRow({
    id: random.uuid(made.at),
    instituteId: made.instituteId,
    position,
    name: person.name,
    title: person.title ?? textOfTitle(title, person.gender),
    bio,
    languages: institute.languages.filter((language) => spokenIn[countryCode]?.includes(language) || random.chance(0.6)),
    imageUrl: faceOf(person, institute, countryCode, random),
  })
}

/** Whether a member performs a service: the founder everything, others their own specialty and about half of the rest. */
function performs(isFounder: boolean, specialty: string, service: ServiceRow, random: Random): boolean {
  if (isFounder) return true
  return service.category === specialty ? random.chance(0.9) : random.chance(0.45)
}

function ownTerms(
  service: ServiceRow,
  senior: boolean,
  slow: boolean,
  currency: string,
): Pick<MemberServiceFacts, 'minutes' | 'priceAmount'> {
  const dearer = senior && service.price_amount !== null && service.price_kind === 'fixed'
  const longer = slow && service.idle_minutes === 0 && service.active_minutes >= 40 && service.active_minutes <= 80
  return {
    minutes: longer ? { activeMinutes: service.active_minutes + 20, idleMinutes: 0, activeAfterMinutes: 0 } : null,
    priceAmount: dearer && service.price_amount !== null ? nearestLocalPrice(service.price_amount * 1.15, currency) : null,
  }
}

export interface TeamRows {
  members: MemberRow[]
  memberServices: MemberServiceRow[]
}

export function teamRows(
  institute: InstituteText,
  city: City,
  content: DemoContent,
  services: readonly ServiceRow[],
  random: Random,
  made: { instituteId: string; at: number },
): TeamRows {
  const team = inventTeam(institute, city, content, random)
  const specialties = institute.team ? institute.categories.slice(0, 1) : institute.categories
  const specialtyOf = (position: number): string => specialties[position % specialties.length] ?? 'hair'
  const members = team.map((person, position) =>
    personRow(person, position, specialtyOf(position), institute, city.countryCode, content, random, made),
  )
  // Somebody can do everything on the menu: the founder, or whoever comes first.
  const allRounder = Math.max(
    0,
    team.findIndex((person) => person.founder),
  )
  const memberServices: MemberServiceRow[] = []
  members.forEach((member, position) => {
    const senior = position === 0 && members.length > 3 && institute.team === undefined
    const slow = position === members.length - 1 && members.length > 2 && institute.team === undefined && random.chance(0.5)
    for (const service of services) {
      if (!performs(position === allRounder, specialtyOf(position), service, random)) continue
      const own = ownTerms(service, senior, slow, city.currency)
      memberServices.push(memberServiceRow({ instituteId: made.instituteId, memberId: member.id, serviceId: service.id, ...own }))
    }
  })
  const last = members.at(-1)
  if (last && members.length >= 5 && institute.team === undefined) last.bookable_online = false
  return { members, memberServices }
}
