// Keeps the summary of free time true: in the transaction of every change, and as the days go by.
import { addDays, dayNumber } from '@soigne/scheduling/days'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { dayMs, type Instant, minuteOf } from '@soigne/contract/time'
import { loadDiary } from '#/features/availability/service.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { classesOf } from './classes.ts'
import { daysWithin, startBits } from './starts.ts'
import { type Behind, lockSummaries, patchFreeTime, readIdsAfter, type StoredCover, takeMarksOf, writeSummaries } from './store.ts'
import { refreshInstitutes, summariesOf } from './build-summaries.ts'

export { type BookableServiceRow, type FreeTimeRow, summaryOf } from './summarise.ts'
export { binMinutes, edgesOfParts } from './starts.ts'

const chunk = 100

type Marked = NonNullable<Behind['marked']>

/** The days on the calendar of the institute whose starts a change between two instants may have changed. */
function daysOfMarks(marked: Marked, timeZone: string, reachMinutes: number, wholeDays: boolean): { fromDay: string; toDay: string } {
  // Where gaps are hidden, a visit decides about starts before and after it, too.
  const spare = wholeDays ? 1 : 0
  return {
    fromDay: addDays(dayOf(timeZone, Math.floor(minuteOf(marked.from)) - reachMinutes), -spare),
    toDay: addDays(dayOf(timeZone, Math.ceil(minuteOf(marked.to)) + reachMinutes), spare),
  }
}

/** Patches the days that were marked; false when the whole summary has to be written. */
async function patched(db: Db, cover: StoredCover, marked: Marked, now: Instant): Promise<boolean> {
  const stretch = { from: new Date(marked.from - 3 * dayMs), to: new Date(marked.to + 3 * dayMs) }
  const loaded = await loadDiary(db, { instituteId: cover.instituteId, ...stretch, now: new Date(now), withLapsed: true })
  if (!loaded) return true
  const classes = classesOf(loaded)
  if (classes.key !== cover.classes) return false
  const { diary } = loaded
  const days = daysOfMarks(marked, diary.timeZone, classes.reachMinutes, diary.rules.gaps === 'hide')
  const asked = daysWithin(diary, cover, days.fromDay, days.toDay)
  if (!asked) return true
  await patchFreeTime(db, {
    cover,
    asked,
    dayIndex: dayNumber(asked.fromDay) - dayNumber(cover.firstDay),
    classes: startBits(diary, classes.examples, asked),
  })
  return true
}

/**
 * Makes the summary of an institute true again after what this transaction changed; without a change it does nothing.
 * The last thing a transaction does before its answer: it waits for others who change the same institute.
 */
export async function refreshAvailabilityIndex(db: Db, instituteId: string, now: Instant): Promise<void> {
  await lockSummaries(db, [instituteId])
  const behind = await takeMarksOf(db, instituteId)
  if (!behind) return
  const { cover, marked } = behind
  if (cover && marked && (await patched(db, cover, marked, now))) return
  await writeSummaries(db, await summariesOf(db, [instituteId], now))
}

/** Writes every summary anew. */
export async function rebuildSummary(db: Db, now: Instant, onProgress: (done: number) => void = () => {}): Promise<number> {
  let after = '00000000-0000-0000-0000-000000000000'
  let done = 0
  for (;;) {
    const ids = await readIdsAfter(db, after, chunk)
    if (ids.length === 0) return done
    await inTransaction(db, (transaction) => refreshInstitutes(transaction, ids, now))
    after = ids.at(-1) ?? after
    onProgress((done += ids.length))
  }
}

export { refreshInstitutes } from './build-summaries.ts'
export { type Mending, openMending } from './mending.ts'
export { verifySummary } from './verify.ts'
export { indexPatch, type IndexPatch } from './index-patch.ts'
