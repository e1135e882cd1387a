// Compares the stored summary with one made from the diaries at this moment.
import { addDays, dayNumber } from '@soigne/scheduling/days'
import { type Instant, minuteOf } from '@soigne/contract/time'
import { inSnapshot, type Db } from '#/platform/database.ts'
import { readIdsAfter, readSummaries, type StoredSummary } from './store.ts'
import { summariesOf } from './build-summaries.ts'
import { binMinutes } from './starts.ts'
import type { InstituteSummary } from './summarise.ts'

export interface SummaryReport {
  institutes: number
  /** Behind and marked as such: searches read their diaries. */
  marked: number
  wrong: { instituteId: string; what: string }[]
}

const nibbles: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, value) => [value.toString(16), value.toString(2).padStart(4, '0')]),
)
const binary = (hexadecimal: string): string => Array.from(hexadecimal.slice(1), (digit) => nibbles[digit]).join('')

const servicesText = ({ services }: InstituteSummary): string =>
  services
    .map((one) =>
      [
        one.serviceId,
        one.position,
        one.category,
        one.audience,
        one.durationMinutes,
        one.priceAmount ?? '-',
        one.minorUnits,
        one.noticeMinutes,
        one.timeClass,
        one.homeClass ?? '-',
        one.lead,
      ].join(' '),
    )
    .join('|')

/** The bits both know, one class after another: the stored cover may have begun on an earlier day. */
function differenceOfTimes(
  made: NonNullable<InstituteSummary['freeTime']>,
  stored: NonNullable<StoredSummary['freeTime']>,
  now: Instant,
): string | null {
  if (made.classes !== stored.classes) return 'classes'
  if (made.coarse && !stored.coarse) return 'coarse'
  const classes = binary(made.near).length / made.nearCount
  const bits = { near: [binary(made.near), stored.near], far: [binary(made.far), stored.far] } as const
  const shift = made.nearFrom - stored.nearFrom
  const same = Math.min(stored.nearCount - shift, made.nearCount)
  // What is over is of no use: a summary made today knows nothing of yesterday.
  const over = Math.ceil(minuteOf(now) / binMinutes) - made.nearFrom
  for (let number = 0; number < classes; number++) {
    const [mine, theirs] = [number * made.nearCount, number * stored.nearCount + shift]
    const differs = (one: string, other: string): boolean =>
      one.slice(mine + over, mine + same) !== other.slice(theirs + over, theirs + same)
    if (differs(made.nearAll ? binary(made.nearAll) : '', stored.nearAll ?? '')) return `every start of class ${number}`
    if (differs(bits.near[0], bits.near[1])) return `near of class ${number}`
  }
  const dayShift = dayNumber(made.firstDay) - dayNumber(stored.firstDay)
  const sameDays = Math.min(stored.dayCount - dayShift, made.dayCount)
  for (let row = 0; row < classes * 3; row++) {
    const [mine, theirs] = [row * made.dayCount, row * stored.dayCount + dayShift]
    if (bits.far[0].slice(mine, mine + sameDays) !== bits.far[1].slice(theirs, theirs + sameDays))
      return `part ${row % 3} of class ${Math.floor(row / 3)} from ${addDays(made.firstDay, 0)}`
  }
  return null
}

function difference(made: InstituteSummary, stored: StoredSummary | undefined, now: Instant): string | null {
  if (!stored) return 'nothing stored'
  if (!stored.words) return 'words'
  if (servicesText(made) !== stored.services) return 'services'
  if (!made.freeTime || !stored.freeTime) return made.freeTime || stored.freeTime ? 'free time missing' : null
  return differenceOfTimes(made.freeTime, stored.freeTime, now)
}

async function compare(db: Db, ids: readonly string[], now: Instant, report: SummaryReport): Promise<void> {
  const made = await summariesOf(db, ids, now)
  const stored = new Map((await readSummaries(db, made)).map((one) => [one.instituteId, one]))
  for (const one of made) {
    report.institutes++
    if (stored.get(one.instituteId)?.marked) {
      report.marked++
      continue
    }
    const what = difference(one, stored.get(one.instituteId), now)
    if (what) report.wrong.push({ instituteId: one.instituteId, what })
  }
}

/** Reads every diary and says which summaries are not what they should be. Each batch is read at one moment. */
export async function verifySummary(db: Db, now: Instant): Promise<SummaryReport> {
  const report: SummaryReport = { institutes: 0, marked: 0, wrong: [] }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = await readIdsAfter(db, after, 100)
    const last = ids.at(-1)
    if (last === undefined) return report
    await inSnapshot(db, (moment) => compare(moment, ids, now, report))
    after = last
  }
}
