// A calendar with some of its days read again.
import type { Diary } from '@soigne/contract/diary'
import { dayOf } from '#/platform/time.ts'

const partOf = (diary: Diary, days: ReadonlySet<string>) => (one: { startsAt: string }) => days.has(dayOf(one.startsAt, diary.timeZone))

/** An older answer changes nothing. */
export function spliced(diary: Diary, part: Diary): Diary {
  if (part.version < diary.version) return diary
  const days = new Set(part.days.map(({ day }) => day))
  const isFresh = partOf(diary, days)
  const merged = <One extends { startsAt: string; _id: string }>(old: readonly One[], fresh: readonly One[]): One[] => {
    const ids = new Set(fresh.map(({ _id }) => _id))
    return [...old.filter((one) => !isFresh(one) && !ids.has(one._id)), ...fresh].toSorted((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
  }
  return {
    ...diary,
    now: part.now,
    version: part.version,
    days: diary.days.map((day) => part.days.find((one) => one.day === day.day) ?? day),
    visits: merged(diary.visits, part.visits),
    blocked: merged(diary.blocked, part.blocked),
    sessions: merged(diary.sessions, part.sessions),
  }
}
