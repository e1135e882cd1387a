// What a person has chosen so far, kept in the address alone: services in order, who performs each, the day and the time.
import type { Institute, Service } from '@soigne/contract/institutes'
import { instantText, parseInstant } from '#/platform/time.ts'
import { mostServices } from '#/contract/limits.ts'

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
  /** The appointment this booking became. */
  booked: string | null
}

/** Can be booked here: somebody performs it online. */
export function isBookable(institute: Pick<Institute, 'claimed'>, service: Service): boolean {
  return institute.claimed && service.performers.length > 0
}

/** Given to a group at times of its own. */
const isClass = (service: Service): boolean => service.capacity !== undefined

function chosenServices(params: URLSearchParams, institute: Institute): Service[] {
  const chosen = new Set<Service>()
  for (const id of params.getAll('service')) {
    const service = institute.services.find((one) => one._id === id)
    if (!service || !isBookable(institute, service)) continue
    // A class is booked by itself: it replaces what was chosen before, and whatever is chosen after replaces it.
    for (const other of chosen) if (other !== service && (isClass(service) || isClass(other))) chosen.delete(other)
    if (chosen.size < mostServices) chosen.add(service)
  }
  return [...chosen]
}

/** Members match services by position; a single one holds for all who can be asked. */
function memberFor(service: Service, at: number, staff: readonly string[]): string | null {
  const asked = staff.length === 1 ? staff[0] : staff[at]
  return service.performers.some(({ staffId }) => staffId === asked) ? (asked ?? null) : null
}

function readInstant(text: string | null): string | null {
  const time = text === null ? Number.NaN : parseInstant(text)
  return Number.isNaN(time) ? null : instantText(time)
}

function readStep(params: URLSearchParams, { items, staffAnswered, at }: Omit<Choice, 'step'>): Step {
  if (items.length === 0) return 'services'
  const asked = steps.find((step) => step === params.get('step'))
  if (asked && (asked !== 'confirm' || at !== null)) return asked
  if (at !== null) return 'confirm'
  return staffAnswered ? 'time' : 'professional'
}

/** Reads the address; whatever the institute does not offer is passed over. */
export function readChoice(params: URLSearchParams, institute: Institute): Choice {
  const staff = params.getAll('staff')
  const items = chosenServices(params, institute).map((service, at) => ({
    serviceId: service._id,
    staffId: memberFor(service, at, staff),
  }))
  const day = params.get('day')
  const choice = {
    items,
    staffAnswered: staff.length > 0,
    day: day !== null && /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(parseInstant(day)) ? day : null,
    at: readInstant(params.get('at')),
    booked: params.get('booked'),
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
  const { items, staffAnswered, day, at } = { ...choice, ...change }
  const params = new URLSearchParams()
  for (const { serviceId } of items) params.append('service', serviceId)
  if (staffAnswered) for (const staff of staffOf(items)) params.append('staff', staff)
  if (day !== null) params.set('day', day)
  if (at !== null) params.set('at', at)
  if (change.step) params.set('step', change.step)
  return params
}

/** The same choice with a service added at the end, or taken out; the time no longer fits either way. */
export function toggleService(choice: Choice, serviceId: string): Choice {
  const isChosen = choice.items.some((item) => item.serviceId === serviceId)
  const items = isChosen ? choice.items.filter((item) => item.serviceId !== serviceId) : [...choice.items, { serviceId, staffId: null }]
  return { ...choice, items, staffAnswered: false, at: null, day: null }
}
