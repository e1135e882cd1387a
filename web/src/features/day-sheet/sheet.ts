// The days that lie on the device: today and tomorrow, of one account at one institute, without what should not lie there.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import type { Service } from '@soigne/contract/institutes'
import { dayOf, instantText, parseInstant } from '#/platform/time.ts'
import { forget, keep, readKept } from './kept-json.ts'

/** Of the private answers the worker keeps: it goes with them when somebody signs out. */
const cacheName = 'own-1'

/** What can be done at a walk-in: the name, how long it takes, and who does it. */
export type SheetService = Pick<Service, '_id' | 'name' | 'durationMinutes' | 'performers'>

export type DaySheet = {
  /** By the clock of the device. */
  keptAt: number
  diary: Diary
  services: SheetService[]
}

/** The calendar as it was at an instant, where it is not what the server says now. */
export type KeptDiary = Diary & { asOf?: string }

export const keptDays = 2

/** Whose it is: nobody else is shown it, or sends what waits in it. */
export const ownerOf = (user: { id: string; institute?: { _id: string } | undefined }): string | null =>
  user.institute ? `${user.id}.${user.institute._id}` : null

/** Without telephones, notes, homes, and how often somebody did not come. */
function strippedVisit({ atHome: _, ...visit }: DiaryVisit): DiaryVisit {
  return {
    ...visit,
    note: null,
    ownNote: null,
    overbooked: visit.overbooked === null ? null : '',
    customer: { ...visit.customer, phone: null, noShows: 0, pastVisits: 0 },
    undoUntil: null,
  }
}

/** That somebody is away is kept, why is not. */
export function stripped(diary: Diary): Diary {
  return {
    ...diary,
    days: diary.days.map((day) => ({
      ...day,
      members: day.members.map((member) => ({ ...member, away: member.away.map((one) => ({ ...one, kind: 'other' as const })) })),
    })),
    visits: diary.visits.filter(({ isHeld }) => !isHeld).map(strippedVisit),
    blocked: diary.blocked.map((block) => ({ ...block, note: null })),
  }
}

export const keepSheet = (owner: string, diary: Diary, services: readonly Service[], now: number): Promise<void> =>
  keep(cacheName, owner, {
    keptAt: now,
    diary: stripped(diary),
    services: services
      .filter(({ capacity }) => capacity === undefined)
      .map(({ _id, name, durationMinutes, performers }) => ({ _id, name, durationMinutes, performers })),
  } satisfies DaySheet)

export const readSheet = async (owner: string): Promise<DaySheet | null> =>
  ((await readKept(cacheName, owner)) as DaySheet | undefined) ?? null

export const forgetSheet = (owner: string): Promise<void> => forget(cacheName, owner)

/** Days of the sheet as an answer of the server would be; null where not all of them were kept. */
export function daysOfSheet({ diary, keptAt }: DaySheet, span: { from: string; days: number }, now: number): KeptDiary | null {
  const place = diary.days.findIndex(({ day }) => day === span.from)
  const days = place < 0 ? [] : diary.days.slice(place, place + span.days)
  if (days.length < span.days) return null
  const names = new Set(days.map(({ day }) => day))
  const isOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) =>
    names.has(dayOf(startsAt, diary.timeZone)) || names.has(dayOf(parseInstant(endsAt) - 1, diary.timeZone))
  return {
    ...diary,
    // The server's clock goes on by that of the device.
    now: instantText(parseInstant(diary.now) + Math.max(0, now - keptAt)),
    asOf: diary.now,
    days,
    visits: diary.visits.filter(isOf),
    blocked: diary.blocked.filter(isOf),
    sessions: diary.sessions.filter(isOf),
  }
}
