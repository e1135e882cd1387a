/** Replays the pages of institutes that a trial has written, and compares where each ends with what is stored. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from '@soigne/contract/time'
import type pg from 'pg'
import { checkHistory, compareEntries, compareWithStored, type Operation, type Stored, type StoredEntry } from './checker.ts'
import type { Page } from './journal.ts'
import { root } from './stage.ts'

async function storedOn(db: pg.Pool, page: Page): Promise<Stored[]> {
  const { rows } = await db.query<{ id: string; status: string; taken: Stored['taken'] | null }>(
    `select a.id, a.status, (select json_agg(json_build_object('subject', o.subject_id, 'from', floor(extract(epoch from lower(o.during)) / 60), 'to', floor(extract(epoch from upper(o.during)) / 60)))
       from (select subject_id, during, appointment_id from occupations union all select subject_id, during, appointment_id from soft_occupations) o where o.appointment_id = a.id) as taken
     from appointments a where a.institute_id = $1 and a.starts_at >= $2 and a.starts_at < $3 and (a.status <> 'held' or a.expires_at > now())`,
    [page.institute.id, new Date(page.day), new Date(page.day + dayMs)],
  )
  return rows.map(({ id, status, taken }) => ({
    id,
    status: status === 'held' || status === 'cancelled' ? status : 'booked',
    taken: taken ?? [],
  }))
}

/** Leave, blocked time and the busy time of other calendars of a day. */
async function entriesOn(db: pg.Pool, page: Page): Promise<StoredEntry[]> {
  const { rows } = await db.query<StoredEntry>(
    `with entries as (
       select 'leave' as what, absence_id::text as id, member_id as subject, piece as during from leave_times, unnest(during) as piece where institute_id = $1
       union all select 'session', source_id::text, subject_id, during from occupations where institute_id = $1 and kind = 'session'
       union all select 'blocked time', id::text, subject_id, during from blocked_times where institute_id = $1
       union all select 'busy time', source_id || ' ' || $4, subject_id, during from soft_occupations where institute_id = $1 and kind = 'external')
     select what, id, json_agg(json_build_object('subject', subject, 'from', floor(extract(epoch from lower(during)) / 60), 'to', floor(extract(epoch from upper(during)) / 60))) as taken
     from entries where during && tstzrange($2, $3) group by what, id`,
    [page.institute.id, new Date(page.day), new Date(page.day + dayMs), String(page.day)],
  )
  return rows
}

/** A history that is no true one is kept whole, for people who look for the reason. */
function keepPage(page: Page, number: number): void {
  const directory = join(root, 'trust/reports')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `history-${number}.json`), JSON.stringify(page))
}

const words = ({ by, step, beganAt, endedAt }: Operation, zero: number): string =>
  `${by} ${beganAt - zero}…${endedAt - zero} ms ${JSON.stringify(step)}`

/** Replays every page and compares where it ends with what is stored. */
export async function judge(db: pg.Pool, pages: readonly Page[]): Promise<{ violations: string[]; steps: number; operations: number }> {
  const violations: string[] = []
  let steps = 0
  let operations = 0
  for (const page of pages) {
    operations += page.operations.length
    const verdict = checkHistory(page.institute, page.operations)
    if (verdict.isTrue) {
      steps += verdict.steps
      violations.push(...compareWithStored(verdict.diary, await storedOn(db, page)))
      violations.push(...compareEntries(verdict.diary, await entriesOn(db, page)))
      continue
    }
    const zero = verdict.stuckAt?.beganAt ?? 0
    const meanwhile = verdict.around.map((one) => `    ${words(one, zero)}`).join('\n')
    violations.push(
      `${verdict.why}: ${verdict.stuckAt ? words(verdict.stuckAt, zero) : ''} (in the way: ${verdict.inTheWay.join(', ')})\n${meanwhile}`,
    )
    keepPage(page, pages.indexOf(page))
  }
  return { violations, steps, operations }
}

/** How often each kind of step was taken. */
export function kindsOf(pages: readonly Page[]): string {
  const kinds = new Map<string, number>()
  for (const { step } of pages.flatMap((page) => page.operations)) kinds.set(step.kind, (kinds.get(step.kind) ?? 0) + 1)
  return [...kinds].map(([kind, count]) => `${kind} ${count}`).join(' ')
}
