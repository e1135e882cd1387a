// Turns what is stored of an institute into the diary the time engine reads, and keeps the words and prices beside it.
import { withOnlyAtHome } from '@soigne/scheduling/at-home'
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { Day } from '@soigne/contract/time'
import type { Venue } from '@soigne/contract/wire'
import type {
  DayOverride,
  DayRange,
  InstituteDiary,
  MemberDiary,
  Performance,
  Rota,
  ServiceParts,
  ServiceRule,
  Span,
  Weekday,
} from '@soigne/scheduling/model'
import { isGroupService } from '@soigne/scheduling/sessions'
import type { Db } from '#/platform/database.ts'
import { readShifts } from './shifts-store.ts'
import type { BusyRow, DaysRow, DiaryRow, MemberJson, ServiceJson, LocalizedText } from './store.ts'

export interface DiaryInstitute {
  id: string
  slug: string
  name: string
  state: 'draft' | 'published' | 'suspended'
  claimed: boolean
  ownerId: string | null
  timeZone: string
  currency: string
  city: string
  lat: number
  lon: number
  /** How far it comes to people's homes; null where it does not. */
  homeRadiusKm: number | null
  homeTravelMinutes: number
  quarter: string | null
  categories: string[]
  paymentMethods: string[]
  payAtSalon: boolean
  gridMinutes: number
  noticeMinutes: number
  horizonDays: number
  cancelWindowMinutes: number | null
  rescheduleWindowMinutes: number | null
}

/** What a service costs on the menu from a day on. */
export interface LaterPrice {
  fromDay: Day
  priceKind: 'fixed' | 'from'
  priceAmount: number
}

export interface ServiceDetail {
  id: string
  category: string
  section: LocalizedText
  name: LocalizedText
  audience: string
  parts: ServiceParts
  /** From start to end as the client sees it. */
  durationMinutes: number
  priceKind: 'fixed' | 'from' | 'on_request'
  priceAmount: number | null
  /** Prices from a day of the institute's calendar on, the next first. */
  laterPrices: readonly LaterPrice[]
  /** Seats of a group session; null where a visit is one client alone. */
  capacity: number | null
  venue: Venue
  isSignature: boolean
  bookedRank: number | null
  /** Own prices by member id, only where they differ from the menu. */
  memberPrices: Map<string, number>
}

export interface MemberDetail {
  id: string
  name: string
  title: LocalizedText
  imageUrl: string
  bookableOnline: boolean
}

/** One institute as the engine and its callers need it. Only active services, members and resources are in it, in the order of the menu and the team. */
export interface LoadedInstitute {
  diary: InstituteDiary
  institute: DiaryInstitute
  serviceDetails: Map<string, ServiceDetail>
  memberDetails: Map<string, MemberDetail>
}

const daysOf = (rows: readonly DaysRow[] | null): DayRange[] =>
  (rows ?? []).map(([fromDay, toDay, opensAt, closesAt]) =>
    opensAt === null || closesAt === null ? { fromDay, toDay } : { fromDay, toDay, part: { opensAt, closesAt } },
  )

const partsOf = ([activeMinutes, idleMinutes, activeAfterMinutes]: ServiceJson['parts']): ServiceParts => ({
  activeMinutes,
  idleMinutes,
  activeAfterMinutes,
})

function ruleOf(service: ServiceJson): ServiceRule {
  const age = service.minimumAge === null ? [] : [{ kind: 'minimum_age' as const, years: service.minimumAge }]
  const prior = (service.prerequisites ?? []).map(([serviceId, minHours, maxMonths]) => ({
    kind: 'prior_service' as const,
    serviceId,
    minHours,
    maxMonths,
  }))
  return {
    id: service.id,
    parts: partsOf(service.parts),
    bufferBeforeMinutes: service.buffers[0],
    bufferAfterMinutes: service.buffers[1],
    isSequential: service.isSequential,
    latestStart: service.latestStart ?? undefined,
    noticeMinutes: service.noticeMinutes ?? undefined,
    resourceType: service.resourceType ?? undefined,
    prerequisites: [...age, ...prior],
    capacity: service.capacity ?? undefined,
    venue: service.venue,
  }
}

function rotasOf(rows: MemberJson['rotas']): Rota[] {
  return (rows ?? []).map((rota) => ({
    weeks: rota.weeks as Rota['weeks'],
    anchorDay: rota.anchorDay,
    validFrom: rota.validFrom ?? undefined,
    validTo: rota.validTo ?? undefined,
    shifts: (rota.shifts ?? []).map(([week, weekday, opensAt, closesAt, breaks]) => ({
      week: week as Rota['weeks'],
      weekday: weekday as Weekday,
      opensAt,
      closesAt,
      breaks,
    })),
  }))
}

const overridesOf = (rows: MemberJson['overrides']): DayOverride[] =>
  (rows ?? []).map(([day, shifts]) => ({
    day,
    shifts: shifts.map(({ opensAt, closesAt, breaks }) => ({ opensAt, closesAt, breaks: breaks ?? [] })),
  }))

/** Most that anyone may cost, by service: the lowest price of the menu, now and later; where everyone asks more, what the cheapest asks. */
function capsOf(services: readonly ServiceJson[], members: readonly MemberJson[]): Map<string, number> {
  const caps = new Map<string, number>()
  for (const { id, priceAmount, laterPrices, capacity } of services) {
    // Who gives a session is known before it is booked.
    if (priceAmount === null || (capacity ?? 1) > 1) continue
    const menu = Math.min(priceAmount, ...(laterPrices ?? []).map(([, , amount]) => amount))
    const online = members.filter(({ bookableOnline, performs }) => bookableOnline && performs?.some(([performed]) => performed === id))
    const own = pricesOf(id, online)
    const isAtMenu = online.length === 0 || own.size < online.length
    caps.set(id, isAtMenu ? menu : Math.max(menu, Math.min(...own.values())))
  }
  return caps
}

function memberOf(member: MemberJson, order: number, busy: readonly Span[], caps: ReadonlyMap<string, number>): MemberDiary {
  const performs = new Map<string, Performance>()
  for (const [serviceId, active, idle, after, price] of member.performs ?? []) {
    performs.set(serviceId, {
      ...(active !== null && { parts: partsOf([active, idle ?? 0, after ?? 0]) }),
      ...(price !== null && price > (caps.get(serviceId) ?? price) && { onlyByName: true }),
    })
  }
  return {
    id: member.id,
    order,
    bookableOnline: member.bookableOnline,
    rotas: rotasOf(member.rotas),
    absences: daysOf(member.absences),
    busy,
    performs,
    overrides: overridesOf(member.overrides),
  }
}

/** When one member works and is away, with the id of each absence. */
export interface MemberShifts extends Pick<MemberDiary, 'rotas' | 'overrides' | 'absences'> {
  memberId: string
  instituteId: string
  timeZone: string
  absenceIds: readonly string[]
}

/** Members' shifts and absences as the engine reads them. Unknown ids are left out. */
export async function shiftsOf(db: Db, memberIds: readonly string[]): Promise<MemberShifts[]> {
  return (await readShifts(db, memberIds)).map(({ rotas, overrides, absences, ...member }) => ({
    ...member,
    rotas: rotasOf(rotas),
    overrides: overridesOf(overrides),
    absences: daysOf((absences ?? []).map(([, ...days]) => days)),
    absenceIds: (absences ?? []).map(([id]) => id),
  }))
}

const numbersOf = (array: string): number[] => JSON.parse(`[${array.slice(1, -1)}]`) as number[]

/** Busy spans by member or resource id. */
export function busyBySubject(rows: readonly BusyRow[]): Map<string, Span[]> {
  return new Map(
    rows.map(({ subjectId, starts, ends }) => {
      const upper = numbersOf(ends)
      return [subjectId, numbersOf(starts).map((from, at) => ({ from, to: upper[at] ?? from }))]
    }),
  )
}

function diaryOf(row: DiaryRow, busy: ReadonlyMap<string, readonly Span[]>): InstituteDiary {
  const caps = capsOf(row.services ?? [], row.members ?? [])
  return withOnlyAtHome({
    timeZone: row.timeZone,
    rules: {
      gridMinutes: row.gridMinutes as InstituteDiary['rules']['gridMinutes'],
      noticeMinutes: row.noticeMinutes,
      horizonDays: row.horizonDays,
      maxWaitMinutes: row.maxWaitMinutes,
      gaps: row.gapPolicy,
      serviceOrder: row.serviceOrder,
    },
    openingHours: (row.openingHours ?? []).map(([weekday, opensAt, closesAt]) => ({ weekday: weekday as Weekday, opensAt, closesAt })),
    closures: daysOf(row.closures),
    members: (row.members ?? []).map((member, order) => memberOf(member, order, busy.get(member.id) ?? [], caps)),
    resources: (row.resources ?? []).map((resource, order) => ({
      id: resource.id,
      type: resource.type,
      order,
      busy: busy.get(resource.id) ?? [],
      closures: (resource.closures ?? []).map(([fromDay, toDay]) => ({ fromDay, toDay })),
    })),
    services: new Map((row.services ?? []).map((service) => [service.id, ruleOf(service)])),
    sessions: (row.sessions ?? []).map(([id, serviceId, memberId, resourceId, from, to, seats, taken]) => ({
      id,
      serviceId,
      memberId,
      resourceId: resourceId ?? undefined,
      from,
      to,
      seats,
      taken,
    })),
    travelMinutes: row.homeTravelMinutes,
  })
}

function pricesOf(serviceId: string, members: readonly MemberJson[]): Map<string, number> {
  const prices = new Map<string, number>()
  for (const { id, performs } of members) {
    const own = performs?.find(([performed]) => performed === serviceId)?.[4]
    if (own !== undefined && own !== null) prices.set(id, own)
  }
  return prices
}

function detailOf(service: ServiceJson, members: readonly MemberJson[]): ServiceDetail {
  const { id, category, section, name, audience, priceKind, priceAmount, laterPrices, capacity, venue, isSignature, bookedRank } = service
  const parts = partsOf(service.parts)
  return {
    id,
    category,
    section,
    name,
    audience,
    parts,
    durationMinutes: spanMinutes(parts),
    priceKind,
    priceAmount,
    laterPrices: (laterPrices ?? []).map(([fromDay, kind, amount]) => ({ fromDay, priceKind: kind, priceAmount: amount })),
    capacity,
    venue,
    isSignature,
    bookedRank,
    memberPrices: pricesOf(id, members),
  }
}

/** The diary of one institute with the words beside it. */
export function loadedFrom(row: DiaryRow, busy: ReadonlyMap<string, readonly Span[]>): LoadedInstitute {
  const { openingHours: _hours, closures: _closures, services, members, resources: _resources, sessions: _sessions, ...institute } = row
  return {
    institute,
    diary: diaryOf(row, busy),
    serviceDetails: new Map((services ?? []).map((service) => [service.id, detailOf(service, members ?? [])])),
    memberDetails: new Map(
      (members ?? []).map(({ id, name, title, imageUrl, bookableOnline }) => [id, { id, name, title, imageUrl, bookableOnline }]),
    ),
  }
}

/**
 * What the menu asks on a day of the institute's calendar. Without a day: what stands in the row of the service, into which a price moves when
 * its day has come; the index of free time and the searches keep this one.
 */
export function menuPrice(
  { priceKind, priceAmount, laterPrices }: ServiceDetail,
  day: Day | null,
): Pick<ServiceDetail, 'priceKind' | 'priceAmount'> {
  const later = day === null || priceKind === 'on_request' ? undefined : laterPrices.findLast(({ fromDay }) => fromDay <= day)
  return later ?? { priceKind, priceAmount }
}

/** What a service costs with a member on a day, in minor units; null when the price is on request. */
export function priceWith(loaded: LoadedInstitute, serviceId: string, memberId: string | undefined, day: Day | null): number | null {
  const service = loaded.serviceDetails.get(serviceId)
  if (!service) return null
  return (memberId === undefined ? undefined : service.memberPrices.get(memberId)) ?? menuPrice(service, day).priceAmount
}

/** The diary in which services take these times, whoever performs them. */
export function withLengths(diary: InstituteDiary, lengths: ReadonlyMap<string, ServiceParts>): InstituteDiary {
  if (lengths.size === 0) return diary
  const members = diary.members.map((member) => ({
    ...member,
    performs: new Map(
      [...member.performs].map(([serviceId, own]) => {
        const parts = lengths.get(serviceId)
        return [serviceId, parts ? { ...own, parts } : own] as const
      }),
    ),
  }))
  return { ...diary, members }
}

/** Whether its price is agreed with the institute alone, so that it cannot be booked online. */
export const isOnRequest = ({ serviceDetails }: LoadedInstitute, serviceId: string): boolean =>
  serviceDetails.get(serviceId)?.priceKind === 'on_request'

const isOnlyAtHome = ({ serviceDetails }: LoadedInstitute, serviceId: string): boolean => serviceDetails.get(serviceId)?.venue === 'home'

/** Whether a cart is for a visit at home: it says so, or one of its services is done nowhere else. */
export const asksForHome = (loaded: LoadedInstitute, cart: readonly { serviceId: string; atHome?: boolean | undefined }[]): boolean =>
  cart.some(({ serviceId, atHome }) => atHome === true || isOnlyAtHome(loaded, serviceId))

/**
 * Who performs a service that clients book: those bookable online, and for group sessions everybody, since a session is put there to be
 * booked. Nobody where the price is on request, or where it is done at homes alone and the institute comes to none.
 */
export const performersOf = (loaded: LoadedInstitute, serviceId: string): MemberDiary[] =>
  isOnRequest(loaded, serviceId) || (isOnlyAtHome(loaded, serviceId) && loaded.institute.homeRadiusKm === null)
    ? []
    : loaded.diary.members.filter(
        (member) => member.performs.has(serviceId) && (member.bookableOnline || isGroupService(loaded.diary.services.get(serviceId))),
      )

/** Those of them whom anyone may turn out to be: nobody who costs more than the menu says. */
export const anyoneOf = (loaded: LoadedInstitute, serviceId: string): MemberDiary[] =>
  performersOf(loaded, serviceId).filter(({ performs }) => performs.get(serviceId)?.onlyByName !== true)
