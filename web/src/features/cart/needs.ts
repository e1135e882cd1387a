// What a service asks for first, such as a patch test: of what is chosen, of what somebody has, and the way there and back.
import type { Appointment } from '@soigne/contract/appointments'
import type { Institute, Service } from '@soigne/contract/institutes'
import { hourMs } from '@soigne/contract/time'
import { dayOf, instantText, parseInstant } from '#/platform/time.ts'
import { choiceParams, readChoice, type CartItem, type Choice } from './choice.ts'

export type Need = { service: Service; test: Service; minHours: number; maxMonths: number }

type Visit = Pick<Appointment, 'status' | 'attendance' | 'segments'> & { institute: { _id: string } }

const serviceOf = ({ services }: Institute, id: string): Service | undefined => services.find(({ _id }) => _id === id)

/** What the chosen services ask for first, each with the service that asks. */
export function needsOf(institute: Institute, items: readonly CartItem[]): Need[] {
  return items.flatMap(({ serviceId }) => {
    const service = serviceOf(institute, serviceId)
    return (service?.needs ?? []).flatMap(({ serviceId: id, ...rest }) => {
      const test = serviceOf(institute, id)
      return service && test ? [{ service, test, ...rest }] : []
    })
  })
}

function monthsLater(instant: number, months: number): number {
  const date = new Date(instant)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.getTime()
}

/** From when on the service can begin, by the tests this person has had or booked there: the earliest instant; null without any that still holds. */
export function openFrom({ test, minHours, maxMonths }: Need, visits: readonly Visit[], instituteId: string, now: number): string | null {
  const ends = visits
    .filter(({ institute, status, attendance }) => institute._id === instituteId && status !== 'cancelled' && attendance !== 'no_show')
    .flatMap(({ segments }) => segments.filter(({ serviceId }) => serviceId === test._id).map(({ endsAt }) => parseInstant(endsAt)))
    .filter((end) => monthsLater(end, maxMonths) > now)
  return ends.length === 0 ? null : instantText(Math.min(...ends) + minHours * hourMs)
}

/** The booking of the test alone, which keeps what was chosen for afterwards. */
export function testFirst(choice: Choice, test: Service): URLSearchParams {
  const items = choice.items.filter(({ serviceId }) => serviceId !== test._id)
  const next = choiceParams({ ...choice, items, day: null, at: null, next: null }).toString()
  const only = { items: [{ serviceId: test._id, staffId: null }], staffAnswered: false, atHome: false }
  return choiceParams({ ...choice, ...only, day: null, at: null, next })
}

export type Afterwards = { services: readonly Service[]; from: string; params: URLSearchParams }

/** What was wanted before the test, on the first day on which it can begin; null where it is not on the menu any more. */
export function afterwards(institute: Institute, next: string | null, visit: Pick<Appointment, 'segments' | 'endsAt'>): Afterwards | null {
  if (next === null) return null
  const wanted = readChoice(new URLSearchParams(next), institute)
  const services = wanted.items.flatMap(({ serviceId }) => serviceOf(institute, serviceId) ?? [])
  if (services.length === 0) return null
  const starts = needsOf(institute, wanted.items).flatMap(({ test, minHours }) =>
    visit.segments.filter(({ serviceId }) => serviceId === test._id).map(({ endsAt }) => parseInstant(endsAt) + minHours * hourMs),
  )
  const from = instantText(Math.max(parseInstant(visit.endsAt), ...starts))
  const change = { day: dayOf(from, institute.timeZone), at: null, staffAnswered: true, step: 'time' as const }
  return { services, from, params: choiceParams({ ...wanted, next: null }, change) }
}
