/** Free times of one institute, answered from its diary in memory after its version was compared: one small statement an answer. */
import type { FreeTime } from '@soigne/contract/wire'
import type { CartLine, Day } from '@soigne/scheduling/model'
import { daysWithRoom } from '@soigne/scheduling/offers'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { type Instant, minuteOf } from '@soigne/contract/time'
import type { AppContext } from '#/platform/app-context.ts'
import { parseInstant } from '#/platform/instants.ts'
import type { LoadedInstitute } from './diary.ts'
import { type DiaryState, lapsedIn, liveDiary, verifiedDiary } from './diary-memory.ts'
import { leadingServices } from './leading.ts'
import {
  checkBookable,
  daysOf,
  earliestOf,
  inOnePlace,
  longestHorizonDays,
  type NextTimesQuery,
  offersWithin,
  timesOf,
  type TimesOfDays,
} from './offers.ts'
import type { LocalizedText } from './store.ts'

const mostAnswers = 300

interface Asked {
  instituteId: string
  cart: readonly CartLine[]
}

/** A diary gives the same answer to the same question within a minute; another state of it starts anew. */
const answers = new WeakMap<DiaryState, Map<string, unknown>>()

const mostReadings = 3

/** The diary and the time it tells of: nothing ran out while it was read, so what was taken was so all at one moment. */
async function diaryNow(
  context: Pick<AppContext, 'database' | 'clock'>,
  instituteId: string,
): Promise<{ state: DiaryState | null; now: Instant }> {
  for (let reading = 1; ; reading++) {
    const now = context.clock.now()
    const state = await verifiedDiary(context, instituteId, now)
    if (!state || reading === mostReadings || lapsedIn(state, context.clock.now()).length === lapsedIn(state, now).length)
      return { state, now }
  }
}

async function answer<T>(
  context: Pick<AppContext, 'database' | 'clock'>,
  asked: Asked & { call: string; [detail: string]: unknown },
  make: (loaded: LoadedInstitute, now: Instant, cart: readonly CartLine[]) => T,
): Promise<T> {
  const { state, now } = await diaryNow(context, asked.instituteId)
  if (!state) return make(checkBookable(null, asked.cart), now, asked.cart)
  let known = answers.get(state)
  if (!known) answers.set(state, (known = new Map()))
  // Starts are whole minutes, so nothing changes between two of them but what runs out.
  const key = JSON.stringify([Math.ceil(minuteOf(now)), lapsedIn(state, now).length, asked])
  const kept = known.get(key)
  if (kept !== undefined) return kept as T
  const loaded = checkBookable(liveDiary(state, now), asked.cart)
  const made = make(loaded, now, inOnePlace(loaded, asked.cart))
  if (known.size >= mostAnswers) known.clear()
  known.set(key, made)
  return made
}

/** Free starts day by day from a day of the institute's calendar (today when absent), with the starts others have taken. */
export const freeDays = (
  context: Pick<AppContext, 'database' | 'clock'>,
  asked: Asked & { from?: Day; days: number },
): Promise<TimesOfDays> => answer(context, { call: 'days', ...asked }, (loaded, now, cart) => daysOf(loaded, { ...asked, cart, now }))

/** Which days of a calendar month (`YYYY-MM`) have any free start. */
export const freeMonth = (
  context: Pick<AppContext, 'database' | 'clock'>,
  asked: Asked & { month: string },
): Promise<{ timeZone: string; days: { day: Day; hasRoom: boolean }[] }> =>
  answer(context, { call: 'month', ...asked }, ({ diary }, now, placed) => {
    const days = Temporal.PlainYearMonth.from(asked.month).daysInMonth
    const rooms = daysWithRoom(diary, placed, { now: minuteOf(now), fromDay: `${asked.month}-01`, days })
    return { timeZone: diary.timeZone, days: rooms.map(({ day, room }) => ({ day, hasRoom: room === 'some' })) }
  })

/** The next free starts, and of which services; of the one that is free earliest where the cart is empty. */
export const nextFree = (
  context: Pick<AppContext, 'database' | 'clock'>,
  asked: Asked & Omit<NextTimesQuery, 'now'>,
): Promise<{ timeZone: string; times: FreeTime[]; services: string[] }> =>
  answer(context, { call: 'next', ...asked }, (loaded, now, placed) => {
    const query = { ...asked, now }
    const cart = placed.length > 0 ? placed : earliestOf(loaded, leadingServices(loaded), { ...query, limit: 1 }, longestHorizonDays)?.cart
    return {
      timeZone: loaded.diary.timeZone,
      times: cart ? timesOf(offersWithin(loaded, cart, query, longestHorizonDays)) : [],
      services: (cart ?? []).map(({ serviceId }) => serviceId),
    }
  })

export interface NamedTime extends FreeTime {
  timeZone: string
  services: { serviceId: string; name: LocalizedText; memberId: string | null; memberName: string | null }[]
}

/** One start, with the names of what is done and by whom where that was asked; null when it is not free now. */
export const freeTimeAt = (
  context: Pick<AppContext, 'database' | 'clock'>,
  asked: Asked & { startsAt: Instant },
): Promise<NamedTime | null> =>
  answer(context, { call: 'at', ...asked }, (loaded, now, cart) => {
    const { timeZone } = loaded.diary
    const from = dayOf(timeZone, minuteOf(asked.startsAt))
    const times = daysOf(loaded, { cart, now, from, days: 1 }).days.flatMap((day) => day.times)
    const found = times.find(({ startsAt }) => parseInstant(startsAt) === asked.startsAt)
    if (!found) return null
    const services = asked.cart.map(({ serviceId, memberId }) => ({
      serviceId,
      name: loaded.serviceDetails.get(serviceId)?.name ?? {},
      memberId: memberId ?? null,
      memberName: memberId === undefined ? null : (loaded.memberDetails.get(memberId)?.name ?? null),
    }))
    return { ...found, timeZone, services }
  })
