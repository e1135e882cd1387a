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

/** The same day of a later month, or its last where it has none. */
function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return instantText(Date.UTC(year, month - 1 + months, Math.min(date, last))).slice(0, 10)
}

/** When a test lets its service begin: from an instant on, and on no day after the last. */
export type TestWindow = { from: string; lastDay: string }

/** What the tests allow that this person has had or booked there, but for those that have run out. */
export function windowsOf(
  { test, minHours, maxMonths }: Need,
  visits: readonly Visit[],
  { _id, timeZone }: Pick<Institute, '_id' | 'timeZone'>,
  now: number,
): TestWindow[] {
  return visits
    .filter(({ institute, status, attendance }) => institute._id === _id && status !== 'cancelled' && attendance !== 'no_show')
    .flatMap(({ segments }) => segments.filter(({ serviceId }) => serviceId === test._id).map(({ endsAt }) => parseInstant(endsAt)))
    .map((end) => ({ from: instantText(end + minHours * hourMs), lastDay: monthsLater(dayOf(end, timeZone), maxMonths) }))
    .filter(({ lastDay }) => lastDay >= dayOf(now, timeZone))
}

/** Which starts tests leave: each list is of one test, and one of its windows has to hold. */
export type Allowed = { windows: readonly (readonly TestWindow[])[]; timeZone: string }

export const isAllowed = ({ windows, timeZone }: Allowed, startsAt: string): boolean =>
  windows.every((list) =>
    list.some(({ from, lastDay }) => parseInstant(startsAt) >= parseInstant(from) && dayOf(startsAt, timeZone) <= lastDay),
  )

/** Whether anything of a day is left. */
export const isDayAllowed = ({ windows, timeZone }: Allowed, day: string): boolean =>
  windows.every((list) => list.some(({ from, lastDay }) => dayOf(from, timeZone) <= day && day <= lastDay))

/** Before this day nothing is left. */
export const firstAllowed = ({ windows, timeZone }: Allowed): string =>
  windows
    .flatMap((list) => list.map(({ from }) => dayOf(from, timeZone)).toSorted()[0] ?? [])
    .toSorted()
    .at(-1) ?? ''

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
