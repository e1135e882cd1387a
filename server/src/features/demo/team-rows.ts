// The people of one institute: names, titles, what each performs, own prices and durations.
import type { City, DemoContent, Gender, InstituteText, TeamText, Title, Words } from './content.ts'
import type { Random } from './random.ts'
import type { MemberRow, MemberServiceRow, ServiceRow } from './rows.ts'

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

const words = (title: Title, gender: Gender): Words => ({ en: title.en, fr: title.fr[gender], ar: title.ar[gender] })

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')

function memberRow(
  person: TeamText,
  position: number,
  specialty: string,
  institute: InstituteText,
  content: DemoContent,
  random: Random,
  made: { instituteId: string; at: number },
): MemberRow {
  const title = person.founder ? content.people.founder : content.people.titles[specialty as keyof DemoContent['people']['titles']]
  const bios = content.people.bios[specialty as keyof DemoContent['people']['bios']]
  const bio = bios?.[position % bios.length]
  if (!title || !bio) throw new Error(`no title or bio for ${specialty}`)
  return {
    id: random.uuid(made.at),
    institute_id: made.instituteId,
    user_id: null,
    position,
    name: person.name,
    title: person.title ?? words(title, person.gender),
    bio,
    languages: institute.languages.filter((_, at) => at === 0 || random.chance(0.7)),
    image_url: `/art/face/${institute.slug}-${slugOf(person.name)}.svg`,
    bookable_online: true,
    active: true,
  }
}

/** Whether a member performs a service: the founder everything, others their own specialty and about half of the rest. */
function performs(position: number, specialty: string, service: ServiceRow, random: Random): boolean {
  if (position === 0) return true
  return service.category === specialty ? random.chance(0.9) : random.chance(0.45)
}

function ownTerms(
  service: ServiceRow,
  senior: boolean,
  slow: boolean,
): Pick<MemberServiceRow, 'active_minutes' | 'idle_minutes' | 'active_after_minutes' | 'price_amount'> {
  const dearer = senior && service.price_amount !== null && service.price_kind === 'fixed'
  // A step of five in the smallest coin people use there.
  const step = service.price_amount !== null && service.price_amount % 1000 === 0 && service.price_amount >= 5000 ? 1000 : 100
  const longer = slow && service.idle_minutes === 0 && service.active_minutes >= 40 && service.active_minutes <= 80
  return {
    active_minutes: longer ? service.active_minutes + 20 : null,
    idle_minutes: longer ? 0 : null,
    active_after_minutes: longer ? 0 : null,
    price_amount: dearer && service.price_amount !== null ? Math.ceil((service.price_amount * 1.15) / step) * step : null,
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
  const specialtyOf = (position: number): string => institute.categories[position % institute.categories.length] ?? 'hair'
  const members = team.map((person, position) => memberRow(person, position, specialtyOf(position), institute, content, random, made))
  const memberServices: MemberServiceRow[] = []
  members.forEach((member, position) => {
    const senior = position === 0 && members.length > 3 && institute.team === undefined
    const slow = position === members.length - 1 && members.length > 2 && institute.team === undefined && random.chance(0.5)
    for (const service of services) {
      if (!performs(position, specialtyOf(position), service, random)) continue
      memberServices.push({
        member_id: member.id,
        service_id: service.id,
        institute_id: made.instituteId,
        ...ownTerms(service, senior, slow),
      })
    }
  })
  const last = members.at(-1)
  if (last && members.length >= 5 && institute.team === undefined) last.bookable_online = false
  return { members, memberServices }
}
