// The people of made-up institutes: one to eight, sometimes twenty; what each performs, and who takes longer.
import type { Gender, MemberRow, MemberServiceRow, Random, Title, Words } from '#/features/demo/service.ts'
import type { Content } from './menu.ts'
import type { Speech } from './names.ts'
import type { CrowdServiceRow } from './rows.ts'

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

export function inventPerson(speech: Speech, content: Content, random: Random): Person {
  const names = content.people.names[random.pick(countries[speech])]
  if (!names) throw new Error(`no names for ${speech}`)
  const gender: Gender = random.chance(0.65) ? 'f' : 'm'
  return { gender, first: random.pick(names[gender]), last: random.pick(names.last) }
}

const titled = (title: Title, gender: Gender): Words => ({ en: title.en, fr: title.fr[gender], ar: title.ar[gender] })

export interface TeamWish {
  instituteId: string
  slug: string
  speech: Speech
  categories: readonly string[]
  languages: string[]
  size: number
  at: number
}

export interface Team {
  members: MemberRow[]
  memberServices: MemberServiceRow[]
}

function memberRow(wish: TeamWish, position: number, name: string, gender: Gender, content: Content, random: Random): MemberRow {
  const specialty = (wish.categories[position % wish.categories.length] ?? 'hair') as keyof Content['people']['titles']
  const { titles, bios, founder } = content.people
  const bio = bios[specialty]?.[position % 3] ?? { en: '', fr: '', ar: '' }
  return {
    id: random.uuid(wish.at),
    institute_id: wish.instituteId,
    user_id: null,
    position,
    name,
    title: titled(position === 0 ? founder : (titles[specialty] ?? founder), gender),
    bio,
    languages: wish.languages,
    image_url: `/art/face/${wish.slug}-${position + 1}.svg?style=${random.pick(faces[gender])}`,
    bookable_online: position < 5 || position % 7 !== 6,
    active: true,
  }
}

export function inventTeam(wish: TeamWish, services: readonly CrowdServiceRow[], content: Content, random: Random): Team {
  const members: MemberRow[] = []
  const known = new Set<string>()
  while (members.length < wish.size) {
    const { first, last, gender } = inventPerson(wish.speech, content, random)
    const name = known.has(first) ? `${first} ${last}` : first
    if (known.has(name)) continue
    known.add(name)
    members.push(memberRow(wish, members.length, name, gender, content, random))
  }
  const slow = members.length > 2 && random.chance(0.4) ? members.length - 1 : -1
  const senior = members.length > 3 && random.chance(0.5) ? 0 : -1
  // In most houses everybody does everything; in others some leave this or that to the rest.
  const doesAll = random.chance(0.55)
  const memberServices = members.flatMap((member, position) =>
    services
      .filter(() => doesAll || position === 0 || random.chance(0.8))
      .map((service): MemberServiceRow => {
        const longer = position === slow && service.idle_minutes === 0 && service.active_minutes >= 30
        const dearer = position === senior && service.price_kind === 'fixed' && service.price_amount !== null
        return {
          member_id: member.id,
          service_id: service.id,
          institute_id: wish.instituteId,
          active_minutes: longer ? service.active_minutes + 15 : null,
          idle_minutes: longer ? 0 : null,
          active_after_minutes: longer ? 0 : null,
          price_amount: dearer && service.price_amount !== null ? Math.round(service.price_amount * 1.2) : null,
        }
      }),
  )
  return { members, memberServices }
}
