// The draft as the call takes it, and what is still missing, step by step.
import type { SetupDraft as SentDraft } from '@soigne/contract/setup'
import { plainPhone } from '@soigne/contract/plain-phone'
import { weekdays } from '#/contract/closed-lists.ts'
import { amountOf as typedAmountOf, latin } from '#/amounts.ts'
import { depositRuleOf } from '#/deposit.ts'
import { type DraftMember, type DraftService, freeWeek, type OpeningRange, type SetupDraft, type ShiftWeek, type Words } from './draft.ts'

/** The dearest that can be published, in minor units. */
const dearest = 100_000_000

/** What is typed as a price, in minor units; null for what is none. */
export function amountOf(text: string, currency: string): number | null {
  const amount = typedAmountOf(text, currency)
  return amount !== null && amount <= dearest ? amount : null
}

export const currencyOf = ({ place }: Pick<SetupDraft, 'place'>): string => place?.currency ?? 'EUR'

/** Whole minutes in steps of five; an empty field is none. Null for anything else. */
export function minutesOf(text: string): number | null {
  const typed = latin(text).trim()
  if (typed === '') return 0
  return /^\d{1,3}$/.test(typed) && Number(typed) % 5 === 0 ? Number(typed) : null
}

/** Whole years from 1 to 99; null for any age, which an empty field is. Undefined for anything else. */
export function ageOf(text: string): number | null | undefined {
  const typed = latin(text).trim()
  if (typed === '') return null
  return /^[1-9]\d?$/.test(typed) ? Number(typed) : undefined
}

/** Whole kilometres from 1 to 200; null for anything else. */
export function radiusOf(text: string): number | null {
  const radius = Number(latin(text))
  return Number.isInteger(radius) && radius >= 1 && radius <= 200 ? radius : null
}

const minutesOrNone = (text: string): number => minutesOf(text) ?? 0

/** Ranges end after they begin and follow one another. */
export function rangesAreInOrder(ranges: readonly OpeningRange[]): boolean {
  return ranges.every(({ opensAt, closesAt }, index) => {
    const before = ranges[index - 1]
    return opensAt < closesAt && (!before || before.closesAt <= opensAt)
  })
}

/** Breaks lie within their shift. */
export const shiftsAreInOrder = (shifts: readonly (OpeningRange & { breaks?: readonly OpeningRange[] })[]): boolean =>
  rangesAreInOrder(shifts) &&
  shifts.every(({ opensAt, closesAt, breaks = [] }) => {
    return rangesAreInOrder(breaks) && breaks.every((one) => opensAt <= one.opensAt && one.closesAt <= closesAt)
  })

/** When somebody works, week by week. */
export function weeksOf({ hours, weeks }: Pick<DraftMember, 'hours' | 'weeks'>, { openingHours }: SetupDraft): ShiftWeek[] {
  if (hours === 'own' && weeks.length > 0) return weeks
  const week = freeWeek()
  for (const weekday of weekdays) week[weekday] = openingHours[weekday].map((range) => ({ ...range, breaks: [] }))
  return [week]
}

const hasName = ({ name }: { name: Words }): boolean => Object.values(name).some((text) => text.trim() !== '')

export type Missing =
  | 'name'
  | 'phone'
  | 'categories'
  | 'town'
  | 'address'
  | 'hours'
  | 'hoursOrder'
  | 'languages'
  | 'radius'
  | 'services'
  | 'serviceName'
  | 'serviceMinutes'
  | 'servicePrice'
  | 'serviceAge'
  | 'team'
  | 'memberName'
  | 'memberServices'
  | 'memberHours'
  | 'memberHoursOrder'
  | 'uncoveredService'
  | 'deposit'
/** One thing that keeps the draft from being published; `of` names the service or person. */
export type Problem = { step: number; what: Missing; of?: Words }

const phonePattern = /^$|^\+?[0-9 ().-]{5,29}$/

function ofGeneral(draft: SetupDraft): Missing[] {
  const days = weekdays.map((weekday) => draft.openingHours[weekday])
  const checks: [boolean, Missing][] = [
    [draft.name.trim() === '', 'name'],
    [!phonePattern.test(plainPhone(draft.phone).trim()), 'phone'],
    [draft.categories.length === 0, 'categories'],
    [!draft.place || draft.place.name.trim() === '' || draft.place.timeZone === '', 'town'],
    [draft.address.trim() === '', 'address'],
    [days.every((ranges) => ranges.length === 0), 'hours'],
    [!days.every(rangesAreInOrder), 'hoursOrder'],
    [draft.offeredLanguages.length === 0, 'languages'],
    [draft.atHomeService && radiusOf(draft.atHomeRadiusKm) === null, 'radius'],
  ]
  return checks.flatMap(([isWrong, what]) => (isWrong ? [what] : []))
}

/** The longest that each part can be, in minutes. */
export const longest = { active: 720, idle: 480, after: 720, buffer: 240 } as const

/** What is wrong with the minutes of one part, beside its field. */
export const partsAreWhole = ({ active, idle, after, buffer }: DraftService): boolean => {
  const [one, two, three] = [active, idle, after].map(minutesOf)
  const four = minutesOf(buffer)
  if (one == null || two == null || three == null || four === null) return false
  return (
    one >= 5 &&
    (two === 0) === (three === 0) &&
    one <= longest.active &&
    two <= longest.idle &&
    three <= longest.after &&
    four <= longest.buffer
  )
}

export const priceIsWhole = ({ priceKind, price }: DraftService, currency: string): boolean =>
  priceKind === 'on_request' || amountOf(price, currency) !== null

function ofServices(draft: SetupDraft): Omit<Problem, 'step'>[] {
  if (draft.services.length === 0) return [{ what: 'services' }]
  return draft.services.flatMap((service): Omit<Problem, 'step'>[] => {
    if (!hasName(service)) return [{ what: 'serviceName' }]
    const of = service.name
    return [
      ...(partsAreWhole(service) ? [] : [{ what: 'serviceMinutes' as const, of }]),
      ...(priceIsWhole(service, currencyOf(draft)) ? [] : [{ what: 'servicePrice' as const, of }]),
      ...(ageOf(service.minimumAge) === undefined ? [{ what: 'serviceAge' as const, of }] : []),
    ]
  })
}

const performs = (member: DraftMember, { key }: DraftService): boolean => !member.skips.includes(key)

function ofTeam(draft: SetupDraft): Omit<Problem, 'step'>[] {
  if (draft.staff.length === 0) return [{ what: 'team' }]
  const ofMembers = draft.staff.flatMap((member): Omit<Problem, 'step'>[] => {
    if (member.name.trim() === '') return [{ what: 'memberName' }]
    const of = { en: member.name, fr: member.name, ar: member.name }
    // Who works as the institute is open is right once its hours are: the first step says what is wrong with them.
    const isAsOpen = member.hours === 'salon'
    const days = isAsOpen ? [] : weeksOf(member, draft).flatMap((week) => weekdays.map((weekday) => week[weekday]))
    return [
      ...(draft.services.length === 0 || draft.services.some((service) => performs(member, service))
        ? []
        : [{ what: 'memberServices' as const, of }]),
      ...(isAsOpen || days.some((shifts) => shifts.length > 0) ? [] : [{ what: 'memberHours' as const, of }]),
      ...(days.every(shiftsAreInOrder) ? [] : [{ what: 'memberHoursOrder' as const, of }]),
    ]
  })
  const uncovered = draft.services.filter((service) => hasName(service) && !draft.staff.some((member) => performs(member, service)))
  return [...ofMembers, ...uncovered.map(({ name }) => ({ what: 'uncoveredService' as const, of: name }))]
}

const depositOf = (draft: SetupDraft): SentDraft['payment']['deposit'] | null => depositRuleOf(draft.deposit, currencyOf(draft))

/** Everything that is missing, in the order of the steps. */
export function problemsOf(draft: SetupDraft): Problem[] {
  return [
    ...ofGeneral(draft).map((what) => ({ step: 0, what })),
    ...ofServices(draft).map((one) => ({ step: 1, ...one })),
    ...ofTeam(draft).map((one) => ({ step: 2, ...one })),
    ...(depositOf(draft) ? [] : [{ step: 4, what: 'deposit' as const }]),
  ]
}

function trimmed(words: Words): Words {
  return Object.fromEntries(Object.entries(words).flatMap(([locale, text]) => (text.trim() === '' ? [] : [[locale, text.trim()]])))
}

function serviceToSend(service: DraftService, { services, ...draft }: SetupDraft): SentDraft['services'][number] {
  const { key, category, priceKind, audience } = service
  const known = new Set(services.map((one) => one.key))
  return {
    key,
    category,
    section: trimmed(service.section),
    name: trimmed(service.name),
    description: trimmed(service.description),
    activeMinutes: minutesOrNone(service.active),
    idleMinutes: minutesOrNone(service.idle),
    activeAfterMinutes: minutesOrNone(service.after),
    bufferAfterMinutes: minutesOrNone(service.buffer),
    isSequential: service.isSequential,
    minimumAge: ageOf(service.minimumAge) ?? null,
    priceKind,
    priceAmount: priceKind === 'on_request' ? null : amountOf(service.price, currencyOf(draft)),
    audience,
    prerequisites: service.prerequisites.filter((one) => one.key !== key && known.has(one.key)),
  }
}

/** What is sent; null while something is missing. `monday`: of this week, where nobody has said when weeks begin. */
export function draftToSend(draft: SetupDraft, monday: string): SentDraft | null {
  const { place } = draft
  const deposit = depositOf(draft)
  if (!place || !deposit || problemsOf(draft).length > 0) return null
  return {
    profile: {
      name: draft.name,
      phone: draft.phone.trim(),
      description: draft.description,
      categories: draft.categories,
      address: {
        line: draft.address,
        quarter: draft.quarter,
        postalCode: draft.postalCode,
        city: place.name,
        countryCode: place.countryCode,
      },
      location: { lat: place.lat, lon: place.lon },
      openingHours: draft.openingHours,
      audience: draft.clientType,
      languages: draft.offeredLanguages,
      atHomeRadiusKm: draft.atHomeService ? radiusOf(draft.atHomeRadiusKm) : null,
    },
    services: draft.services.map((service) => serviceToSend(service, draft)),
    staff: draft.staff.map((member) => ({
      key: member.key,
      name: member.name,
      title: member.title,
      isMe: member.isMe,
      languages: member.languages,
      bookableOnline: member.bookableOnline,
      services: draft.services.filter((service) => performs(member, service)).map(({ key }) => key),
      anchorDay: member.hours === 'own' && member.anchorDay !== '' ? member.anchorDay : monday,
      weeks: weeksOf(member, draft),
    })),
    pictures: draft.pictures.map(({ id }) => id),
    logo: draft.logo?.id ?? null,
    payment: {
      paymentMethods: draft.paymentMethods,
      payAtSalon: true,
      deposit,
      cancelWindowMinutes: draft.cancelWindow,
      rescheduleWindowMinutes: draft.rescheduleWindow,
    },
    claims: draft.claims?.id ?? null,
  }
}
