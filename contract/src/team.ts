/** The team of an institute and what it works with: members, when they work and are away, rooms, chairs and machines. */
import * as z from 'zod/mini'
import { levels } from './members.ts'
import { defineCalls } from './define.ts'
import { minutesOfDay } from './time.ts'
import { availabilities, day, id, language, locales, message, money, personName, text, weekdays } from './wire.ts'

const base = '/api/v1/secure/mysalon/staff'
const memberPath = `${base}/:id` as const
const change = { of: 'institute', may: 'team.change' } as const

/** Most members of one team. */
export const mostTeamMembers = 60
/** Most weeks after which a rota repeats. */
export const mostRotaWeeks = 4
/** Characters of what a member's page tells. */
export const memberTextLengths = { title: 80, bio: 600 } as const
/** Bytes of a picture that is sent. */
export const largestMemberPicture = 5_000_000

const wordsOf = (max: number) => {
  const one = z.optional(text(max, 0))
  return z.object({ en: one, fr: one, ar: one })
}

/** Wall time `HH:MM`; what ends may end at 24:00. */
const wallTime = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))
const wallEnd = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/))
const range = z.object({ opensAt: wallTime, closesAt: wallEnd })
type Range = z.output<typeof range>

const minutesOf = (wall: string): number => Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3))

/** Minutes from the midnight before: an end that is not after its beginning is on the next day. */
export function minutesOfRange({ opensAt, closesAt }: Range, from = 0): { opensAt: number; closesAt: number } {
  const [begins, ends] = [minutesOf(opensAt), minutesOf(closesAt)]
  const opens = begins < from ? begins + minutesOfDay : begins
  return { opensAt: opens, closesAt: ends + (ends <= opens % minutesOfDay ? minutesOfDay : 0) + (opens >= minutesOfDay ? minutesOfDay : 0) }
}

/** One range of work with its breaks, in minutes from the midnight it begins after. */
export function minutesOfShift(shift: z.output<typeof shiftInput>) {
  const { opensAt, closesAt } = minutesOfRange(shift)
  return { opensAt, closesAt, breaks: shift.breaks.map((one) => minutesOfRange(one, opensAt)) }
}

const areApart = (ranges: readonly { opensAt: number; closesAt: number }[]): boolean => {
  const inOrder = ranges.toSorted((a, b) => a.opensAt - b.opensAt)
  return inOrder.every(({ opensAt }, at) => at === 0 || (inOrder[at - 1]?.closesAt ?? 0) <= opensAt)
}

/** A shift with its breaks, which lie within it and apart from one another; one that ends before it begins goes into the night. */
export const shiftInput = z
  .object({ opensAt: wallTime, closesAt: wallEnd, breaks: z._default(z.array(range).check(z.maxLength(4)), []) })
  .check((context) => {
    const { opensAt, closesAt, breaks } = minutesOfShift(context.value)
    if (breaks.every((one) => opensAt <= one.opensAt && one.closesAt <= closesAt) && areApart(breaks)) return
    context.issues.push({ code: 'custom', input: context.value.breaks, path: ['breaks'], message: 'invalid' })
  })
export type ShiftInput = z.output<typeof shiftInput>

const shiftsOfDay = z.array(shiftInput).check(
  z.maxLength(4),
  z.refine((shifts) => areApart(shifts.map((one) => minutesOfRange(one))), { error: 'invalid' }),
)
const oneDay = z._default(shiftsOfDay, [])

/** The shifts of one week; a day that is left out is a day off. */
export const shiftWeek = z.object({
  [weekdays[0]]: oneDay,
  [weekdays[1]]: oneDay,
  [weekdays[2]]: oneDay,
  [weekdays[3]]: oneDay,
  [weekdays[4]]: oneDay,
  [weekdays[5]]: oneDay,
  [weekdays[6]]: oneDay,
})
export type ShiftWeek = z.output<typeof shiftWeek>

/** Weeks that repeat. The first is the week that `anchorDay` is in, before and after it without end, across the ends of years too. */
export const rotaInput = z.object({
  anchorDay: day,
  weeks: z.array(shiftWeek).check(z.minLength(1), z.maxLength(mostRotaWeeks)),
  /** From which day these weeks hold; what held before stays before it. Null: as long as anybody can look back. */
  fromDay: z._default(z.nullable(day), null),
})
export type RotaInput = z.output<typeof rotaInput>

/** Own minutes, where they differ from the menu's: at work, waiting with free hands, at work again. */
const ownMinutes = z
  .object({
    activeMinutes: z.int().check(z.gte(5), z.lte(720), z.multipleOf(5)),
    idleMinutes: z.int().check(z.gte(0), z.lte(480), z.multipleOf(5)),
    activeAfterMinutes: z.int().check(z.gte(0), z.lte(720), z.multipleOf(5)),
  })
  .check(
    z.refine(({ idleMinutes, activeAfterMinutes }) => (idleMinutes === 0) === (activeAfterMinutes === 0), {
      path: ['activeAfterMinutes'],
      error: 'invalid',
    }),
  )

/** A service that a member performs. */
const performed = z.object({
  serviceId: id,
  minutes: z._default(z.nullable(ownMinutes), null),
  /** Minor units of the institute's currency; null where the menu's price holds. */
  priceAmount: z._default(z.nullable(z.int().check(z.gte(0), z.lte(1_000_000_000))), null),
})

const isDistinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length

const title = wordsOf(memberTextLengths.title)
const bio = wordsOf(memberTextLengths.bio)
const spoken = z.array(language).check(z.refine(isDistinct, { error: 'invalid' }))
const services = z.array(performed).check(
  z.maxLength(300),
  z.refine((list) => isDistinct(list.map(({ serviceId }) => serviceId)), { error: 'invalid' }),
)

/** A member as they are written: on the page of the team, and in the setup before there is an institute. */
export const memberInput = z.object({
  name: personName,
  title: z._default(title, {}),
  bio: z._default(bio, {}),
  languages: z._default(spoken, []),
  /** Whether clients may choose them; otherwise only the institute places visits with them. */
  bookableOnline: z._default(z.boolean(), true),
  services: z._default(services, []),
  rota: rotaInput,
})
export type MemberInput = z.output<typeof memberInput>

/** A change of a member: what is left out stays. */
const memberChange = z.object({
  name: z.optional(personName),
  title: z.optional(title),
  bio: z.optional(bio),
  languages: z.optional(spoken),
  bookableOnline: z.optional(z.boolean()),
  services: z.optional(services),
  rota: z.optional(rotaInput),
  /** Null: who was to leave stays. */
  lastDay: z.optional(z.null()),
})
export type MemberChange = z.output<typeof memberChange>

/** Why somebody is away, as the institute alone reads it. */
export const leaveKinds = ['on_holiday', 'sick_leave', 'other'] as const
const leaveKind = z.enum(leaveKinds)
export type LeaveKind = z.output<typeof leaveKind>

const absence = z.object({
  _id: z.string(),
  kind: leaveKind,
  fromDay: z.string(),
  toDay: z.string(),
  /** Wall times of each day; null for whole days. */
  part: z.nullable(z.object({ opensAt: z.string(), closesAt: z.string() })),
  note: z.nullable(z.string()),
  /** Visits ahead that it meets and that nobody has decided about. */
  hits: z.int(),
})
export type TeamAbsence = z.output<typeof absence>

const words = z.partialRecord(z.enum(locales), z.string())
const shift = z.object({
  opensAt: z.string(),
  closesAt: z.string(),
  breaks: z.array(z.object({ opensAt: z.string(), closesAt: z.string() })),
})

/** One day of somebody as it falls: by the rota or what replaces it, and by absences. */
const dayOfMember = z.object({
  day: z.string(),
  shifts: z.array(shift),
  /** The whole day is taken by an absence of this kind. */
  away: z.nullable(leaveKind),
  /** Its shifts stand for this day alone. */
  isReplaced: z.boolean(),
})

const teamMember = z.object({
  _id: z.string(),
  name: z.string(),
  title: words,
  bio: words,
  languages: z.array(language),
  imageUrl: z.string(),
  bookableOnline: z.boolean(),
  services: z.array(
    z.object({
      serviceId: z.string(),
      minutes: z.nullable(z.object({ activeMinutes: z.int(), idleMinutes: z.int(), activeAfterMinutes: z.int() })),
      priceAmount: z.nullable(z.int()),
    }),
  ),
  /** The weeks that hold today, or first after it; then those that follow. */
  rotas: z.array(
    z.object({
      anchorDay: z.string(),
      fromDay: z.nullable(z.string()),
      toDay: z.nullable(z.string()),
      weeks: z.array(z.record(z.enum(weekdays), z.array(shift))),
    }),
  ),
  /** Today. */
  availability: z.enum(availabilities),
  /** Absences from today on, also those that have begun. */
  absences: z.array(absence),
  /** From Monday of this week on, four weeks. */
  days: z.array(dayOfMember),
  /** This week: minutes at work, and those of them that visits and sessions take. Waiting parts and visits nobody came to are not counted, overlaps once. */
  shiftMinutes: z.int(),
  busyMinutes: z.int(),
  /** Who signs in as this member, or was invited to. */
  login: z.nullable(z.object({ state: z.enum(['joined', 'invited']), level: z.enum(levels) })),
  /** The last day they work here, where that is known. */
  lastDay: z.nullable(z.string()),
})
export type TeamMember = z.output<typeof teamMember>

const teamService = z.object({
  _id: z.string(),
  name: z.string(),
  section: z.string(),
  minutes: z.object({ activeMinutes: z.int(), idleMinutes: z.int(), activeAfterMinutes: z.int() }),
  priceAmount: z.nullable(z.int()),
})
export type TeamService = z.output<typeof teamService>

const team = z.object({
  items: z.array(teamMember),
  /** What can be performed. */
  services: z.array(teamService),
  timeZone: z.string(),
  currency: z.string(),
  today: z.string(),
  /** When the institute is open, by weekday. */
  openingHours: z.record(z.enum(weekdays), z.array(z.object({ opensAt: z.string(), closesAt: z.string() }))),
})
export type Team = z.output<typeof team>

/** A visit that a change meets: it stays where it is until somebody decides about it. */
export const metVisit = z.object({
  _id: z.string(),
  /** A visit, a time somebody is deciding about, or a group session. */
  kind: z.enum(['visit', 'hold', 'session']),
  startsAt: z.string(),
  endsAt: z.string(),
  customer: z.nullable(z.string()),
})
export type MetVisit = z.output<typeof metVisit>

/** A service of a visit that a member has ahead. */
const visitOfMember = z.object({
  /** Of the visit or the session. */
  _id: z.string(),
  kind: z.enum(['visit', 'hold', 'session']),
  /** Its place in the visit, for moving it alone; null for a session. */
  segment: z.nullable(z.int()),
  serviceName: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  customer: z.nullable(z.string()),
  /** What was agreed, which a colleague keeps. */
  price: z.nullable(money),
  colleagues: z.array(z.object({ staffId: z.string(), name: z.string() })),
})
export type VisitOfMember = z.output<typeof visitOfMember>

const params = z.object({ id })

/** Members of a team, their pictures, days and absences. */
export const teamCalls = defineCalls({
  team: {
    method: 'GET',
    path: base,
    access: change,
    tag: 'team',
    summary: 'The members of the team in their order, with shifts, absences and how full this week is',
    answer: team,
  },
  addTeamMember: {
    method: 'POST',
    path: base,
    access: change,
    tag: 'team',
    summary: 'Add a member to the team; their times are offered at once',
    body: memberInput,
    status: 201,
    answer: z.object({ _id: z.string() }),
    refusals: ['too_many_members'],
  },
  orderTeam: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/staff-order',
    access: change,
    tag: 'team',
    summary: 'Put the team into an order, which clients see and which decides between equals',
    body: z.object({ ids: z.array(id).check(z.maxLength(mostTeamMembers), z.refine(isDistinct, { error: 'invalid' })) }),
    answer: message,
  },
  changeTeamMember: {
    method: 'PUT',
    path: memberPath,
    access: change,
    tag: 'team',
    summary: 'Change a member; what is left out stays. Visits outside the shifts of now on stay too and are answered',
    params,
    body: memberChange,
    answer: z.object({ _id: z.string(), outside: z.array(metVisit) }),
  },
  teamPicture: {
    method: 'PUT',
    path: `${memberPath}/picture`,
    access: change,
    tag: 'team',
    summary: 'Replace the picture of a member (JPEG, PNG or WebP up to 5 MB; re-encoded, square)',
    params,
    files: { image: { most: 1, bytes: largestMemberPicture } },
    answer: z.object({ message: z.string(), imageUrl: z.string() }),
    refusals: ['too_large', 'wrong_type'],
  },
  setAvailability: {
    method: 'PUT',
    path: `${memberPath}/availability`,
    access: change,
    tag: 'team',
    summary:
      'Mark a member away for some days, or there again. Takes effect at once; visits it hits stay and are answered. With `dryRun=1` nothing is changed',
    params,
    query: z.object({ dryRun: z.optional(z.enum(['0', '1'])) }),
    body: z.object({
      /** `other` is away as well, for a reason that has no label. */
      status: z.enum([...availabilities, 'other']),
      fromDay: day,
      toDay: day,
      /** Wall times of each day; whole days when left out. Not for `available`. */
      part: z.optional(range),
      /** For the institute alone. */
      note: z.optional(text(200, 0)),
    }),
    answer: z.object({
      status: z.enum([...availabilities, 'other']),
      fromDay: z.string(),
      toDay: z.string(),
      appointments: z.array(metVisit),
    }),
  },
  setDayShifts: {
    method: 'PUT',
    path: `${memberPath}/days/:day`,
    access: change,
    tag: 'team',
    summary: 'Replace the shifts of one day, none for a day off; null gives the day back to the rota. Visits outside stay and are answered',
    params: z.object({ id, day }),
    body: z.object({ shifts: z.nullable(shiftsOfDay) }),
    answer: z.object({ outside: z.array(metVisit) }),
  },
  visitsOfMember: {
    method: 'GET',
    path: `${memberPath}/visits`,
    access: change,
    tag: 'team',
    summary: 'What a member has ahead from a day on, each part with the colleagues who could do it at that time',
    params,
    query: z.object({ from: z.optional(day) }),
    answer: z.object({ items: z.array(visitOfMember), timeZone: z.string() }),
  },
  removeTeamMember: {
    method: 'DELETE',
    path: memberPath,
    access: change,
    tag: 'team',
    summary:
      'A member leaves, after a last day or now: refused while visits lie ahead after it. Their login ends with it; what they did keeps their name',
    params,
    query: z.object({ lastDay: z.optional(day) }),
    answer: message,
    refusals: ['member_has_visits', 'forbidden'],
  },
})
