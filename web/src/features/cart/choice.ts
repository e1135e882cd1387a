// What a person has chosen so far, kept in the address alone: services in order, who performs each, the day and the time.
import type { Institute, Service } from '@soigne/contract/institutes'
import { instantText, parseInstant } from '#/platform/time.ts'
import type { Venue } from '@soigne/contract/wire'
import { mostServices } from '#/contract/limits.ts'
import { isBookable } from '#/prices.ts'
import { venueOf } from '#/venues.ts'

/** One service of the cart; `staffId` null means anyone. */
export type CartItem = { serviceId: string; staffId: string | null }

export const steps = ['services', 'professional', 'time', 'confirm'] as const
export type Step = (typeof steps)[number]

export type Choice = {
  items: readonly CartItem[]
  /** Whether the question of who was answered, be it with anyone. */
  staffAnswered: boolean
  /** Day on show, `YYYY-MM-DD` in the institute's zone. */
  day: string | null
  /** Start of the visit, an instant. */
  at: string | null
  step: Step
  /** Where it can be done: what is done in the salon alone and at home alone is in no visit together. */
  venue: Venue | 'apart'
  /** At the client's home. The address itself stands in no address of the web. */
  atHome: boolean
  /** The appointment this booking became. */
  booked: string | null
  /** What is booked after this, as its own address says it: this is only what that asks for first. */
  next: string | null
  /** What the address asks for and cannot be had any more, such as from booking an old visit again. */
  gone: { services: number; person: boolean }
  /** The address asks for a time that has begun meanwhile, such as a link that was kept. */
  isTimeOver: boolean
  /** What is on the menu no more, and what took its place by another name. */
  replaced: readonly { former: string; now: string }[]
}

/** Given to a group at times of its own. */
const isClass = (service: Service): boolean => service.capacity !== undefined

/** The services in order, each with who was asked for: members match services by position, and a single one holds for all who can be asked. */
function chosenServices(params: URLSearchParams, institute: Institute) {
  const chosen = new Map<Service, string | undefined>()
  const staff = params.getAll('staff')
  let gone = 0
  const replaced: { former: string; now: string }[] = []
  for (const [at, asked] of params.getAll('service').entries()) {
    // What is on the menu no more may have been followed by another.
    const id = institute.successors?.[asked] ?? asked
    const service = institute.services.find((one) => one._id === id)
    if (!service || !isBookable(institute, service)) {
      gone++
      continue
    }
    const former = id === asked ? undefined : institute.formerNames?.[asked]
    if (former && former !== service.name && !replaced.some((one) => one.former === former)) replaced.push({ former, now: service.name })
    // A class is booked by itself: it replaces what was chosen before, and whatever is chosen after replaces it.
    for (const other of chosen.keys()) if (other !== service && (isClass(service) || isClass(other))) chosen.delete(other)
    if (chosen.size < mostServices && !chosen.has(service)) chosen.set(service, staff.length === 1 ? staff[0] : staff[at])
  }
  return { chosen: [...chosen], gone, replaced }
}

const performs = (service: Service, member: string | undefined): boolean => service.performers.some(({ staffId }) => staffId === member)

/** Somebody was asked for by name who performs nothing of what they were asked for. */
function isPersonGone(chosen: readonly (readonly [Service, string | undefined])[]): boolean {
  return chosen.some(
    ([, asked]) => asked !== undefined && asked !== 'any' && !chosen.some(([service, one]) => one === asked && performs(service, asked)),
  )
}

function readInstant(text: string | null): string | null {
  const time = text === null ? Number.NaN : parseInstant(text)
  return Number.isNaN(time) ? null : instantText(time)
}

function readStep(params: URLSearchParams, { items, staffAnswered, at, gone }: Omit<Choice, 'step'>): Step {
  if (items.length === 0) return 'services'
  // Nobody is put in the place of somebody who was asked for.
  if (gone.person) return params.get('step') === 'services' ? 'services' : 'professional'
  const asked = steps.find((step) => step === params.get('step'))
  if (asked && (asked !== 'confirm' || at !== null)) return asked
  if (at !== null) return 'confirm'
  return staffAnswered ? 'time' : 'professional'
}

/** Reads the address; whatever the institute does not offer is passed over. `now`: where a time that has begun is none. */
export function readChoice(params: URLSearchParams, institute: Institute, now = -Infinity): Choice {
  const { chosen, gone: services, replaced } = chosenServices(params, institute)
  const person = isPersonGone(chosen)
  const items = chosen.map(([service, asked]) => ({ serviceId: service._id, staffId: performs(service, asked) ? (asked ?? null) : null }))
  const day = params.get('day')
  // A time was for the whole of what was chosen, with who was chosen.
  const at = services > 0 || person ? null : readInstant(params.get('at'))
  const isTimeOver = at !== null && parseInstant(at) <= now
  const venue = venueOf(chosen.map(([service]) => service))
  const choice = {
    items,
    staffAnswered: params.has('staff') && !person,
    day: day !== null && /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(parseInstant(day)) ? day : null,
    at: isTimeOver ? null : at,
    isTimeOver,
    booked: params.get('booked'),
    next: params.get('next'),
    venue,
    atHome: venue === 'home' || (venue === 'either' && params.get('home') === '1'),
    gone: { services, person },
    replaced,
  }
  return { ...choice, step: readStep(params, choice) }
}

/** The members as the calls and the address spell them. */
export function staffOf(items: readonly CartItem[]): string[] {
  const staff = items.map(({ staffId }) => staffId ?? 'any')
  return new Set(staff).size === 1 ? staff.slice(0, 1) : staff
}

/** The address of a choice, changed in the named parts. */
export function choiceParams(choice: Choice, change: Partial<Choice> = {}): URLSearchParams {
  const { items, staffAnswered, day, at, atHome, next } = { ...choice, ...change }
  const params = new URLSearchParams()
  for (const { serviceId } of items) params.append('service', serviceId)
  if (staffAnswered) for (const staff of staffOf(items)) params.append('staff', staff)
  if (day !== null) params.set('day', day)
  if (at !== null) params.set('at', at)
  if (atHome) params.set('home', '1')
  if (next !== null) params.set('next', next)
  if (change.step) params.set('step', change.step)
  return params
}

/** The same choice with a service added at the end, or taken out; the time no longer fits either way. */
export function toggleService(choice: Choice, serviceId: string): Choice {
  const isChosen = choice.items.some((item) => item.serviceId === serviceId)
  const items = isChosen ? choice.items.filter((item) => item.serviceId !== serviceId) : [...choice.items, { serviceId, staffId: null }]
  return { ...choice, items, staffAnswered: false, at: null, day: null }
}
