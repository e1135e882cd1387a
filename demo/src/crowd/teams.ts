// The people of made-up institutes: one to eight, sometimes twenty; what each performs, and who takes longer.
import { type DemoContent, type Gender, textOfTitle } from '#/content/read-content.ts'
import type { Made } from '#/diaries/weeks.ts'
import type { Random } from '#/random.ts'
import type { ServiceRow } from '#/rows/menu.ts'
import { type MemberRow, memberRow, type MemberServiceRow, memberServiceRow } from '#/rows/team.ts'
import type { Speech } from '#/content/invented-names.ts'

/** Of a hundred institutes, how many have one member, two, … eight. About three on average. */
const sizes = [19, 26, 22, 14, 9, 5, 3, 2]
const largeTeam = 20

export function inventTeamSize(random: Random): number {
  if (random.chance(1 / 400)) return largeTeam
  let at = random.next() * sizes.reduce((sum, share) => sum + share, 0)
  return sizes.findIndex((share) => (at -= share) < 0) + 1 || 1
}

/** Whose names are heard where a language is spoken. */
const countries: Readonly<Record<Speech, readonly string[]>> = { en: ['GB'], fr: ['FR', 'BE'], ar: ['MA', 'TN'] }
const faces: Readonly<Record<Gender, readonly string[]>> = {
  f: ['long', 'bun', 'bob', 'curly', 'short', 'locs', 'silver'],
  m: ['short', 'beard', 'crop', 'curly', 'bald'],
}

export interface Person {
  gender: Gender
  first: string
  last: string
}

export function inventPerson(speech: Speech, content: DemoContent, random: Random): Person {
  const names = content.people.names[random.pick(countries[speech])]
  if (!names) throw new Error(`no names for ${speech}`)
  const gender: Gender = random.chance(0.65) ? 'f' : 'm'
  return { gender, first: random.pick(names[gender]), last: random.pick(names.last) }
}

export interface TeamRequest extends Made {
  slug: string
  speech: Speech
  categories: readonly string[]
  languages: readonly string[]
  size: number
}

export interface Team {
  members: MemberRow[]
  memberServices: MemberServiceRow[]
}

function inventMember(
  request: TeamRequest,
  position: number,
  name: string,
  gender: Gender,
  content: DemoContent,
  random: Random,
): MemberRow {
  const specialty = (request.categories[position % request.categories.length] ?? 'hair') as keyof DemoContent['people']['titles']
  const { titles, bios, founder } = content.people
  const bio = bios[specialty]?.[position % 3] ?? { en: '', fr: '', ar: '' }
  return memberRow({
    id: random.uuid(request.at),
    instituteId: request.instituteId,
    position,
    name,
    title: textOfTitle(position === 0 ? founder : (titles[specialty] ?? founder), gender),
    bio,
    languages: request.languages,
    imageUrl: `/art/face/${request.slug}-${position + 1}.svg?style=${random.pick(faces[gender])}`,
    bookableOnline: position < 5 || position % 7 !== 6,
  })
}

export function inventTeam(request: TeamRequest, services: readonly ServiceRow[], content: DemoContent, random: Random): Team {
  const members: MemberRow[] = []
  const known = new Set<string>()
  while (members.length < request.size) {
    const { first, last, gender } = inventPerson(request.speech, content, random)
    const name = known.has(first) ? `${first} ${last}` : first
    if (known.has(name)) continue
    known.add(name)
    members.push(inventMember(request, members.length, name, gender, content, random))
  }
  const slow = members.length > 2 && random.chance(0.4) ? members.length - 1 : -1
  const senior = members.length > 3 && random.chance(0.5) ? 0 : -1
  // In most institutes everybody does everything; in others some leave this or that to the rest.
  const doesAll = random.chance(0.55)
  const memberServices = members.flatMap((member, position) =>
    services
      .filter(() => doesAll || position === 0 || random.chance(0.8))
      .map((service) => {
        const longer = position === slow && service.idle_minutes === 0 && service.active_minutes >= 30
        const dearer = position === senior && service.price_kind === 'fixed' && service.price_amount !== null
        return memberServiceRow({
          memberId: member.id,
          serviceId: service.id,
          instituteId: request.instituteId,
          minutes: longer ? { activeMinutes: service.active_minutes + 15, idleMinutes: 0, activeAfterMinutes: 0 } : null,
          priceAmount: dearer && service.price_amount !== null ? Math.round(service.price_amount * 1.2) : null,
        })
      }),
  )
  return { members, memberServices }
}
