/** Reading a calendar: asked only whether it changed, taken apart in a thread that is ended when it takes too long, and what is busy goes into the diary. */
import type { BusyProblem } from '@soigne/contract/busy-calendars'
import { dayMs, type Instant, minuteMs } from '@soigne/contract/time'
import { syncExternal } from '#/features/diary-entries/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { addJobs } from '#/platform/jobs.ts'
import { startThread } from '#/platform/limited-thread.ts'
import { fetchPublic } from '#/platform/public-fetch.ts'
import { unseal } from '#/platform/sealed.ts'
import type { BusyQuestion, BusySpans } from './busy-times.ts'
import { findCalendar, noteOutcome, noteRead, type StoredCalendar, takeDue } from './store.ts'

const system = systemScope('read busy calendars')
/** What its address is sealed for. */
export const purpose = 'busy calendar'

const limits = { timeoutMs: 10_000, mostBytes: 5_000_000 } as const
const threadLimits = { timeMs: 2000, memoryMb: 160 } as const
/** Further ahead than anything can be booked. */
const daysAhead = 400

/** From yesterday on, in whole days, so that what reaches over its ends stays the same all day. */
function windowAt(now: Instant): { from: number; to: number } {
  const today = Math.floor(now / dayMs) * dayMs
  return { from: today - dayMs, to: today + daysAhead * dayMs }
}

export type ReadBusy =
  | { problem: BusyProblem }
  | { isSame: true }
  | { spans: BusySpans; from: number; to: number; etag: string | null; lastModified: string | null }

async function spansOf(question: BusyQuestion): Promise<BusySpans | 'no_calendar' | 'too_much'> {
  const thread = await startThread<BusyQuestion, BusySpans | 'no_calendar' | 'too_much'>(
    new URL('./busy-thread.ts', import.meta.url),
    threadLimits,
  )
  try {
    const outcome = await thread.ask(question)
    if ('answer' in outcome) return outcome.answer
    return outcome.ended === 'broken' ? 'no_calendar' : 'too_much'
  } finally {
    await thread.end()
  }
}

/** Reads an address; with what its server said the last time it may answer that nothing has changed. */
export async function readAddress(
  { settings, clock }: AppContext,
  address: string,
  asked: { timeZone: string; etag?: string | null; lastModified?: string | null },
): Promise<ReadBusy> {
  const headers = {
    accept: 'text/calendar, text/plain;q=0.5',
    'user-agent': 'Soigne (busy times of a calendar)',
    ...(asked.etag && { 'if-none-match': asked.etag }),
    ...(asked.lastModified && { 'if-modified-since': asked.lastModified }),
  }
  const answer = await fetchPublic(new URL(address), headers, { ...limits, anywhere: settings.busyCalendars.anywhere })
  if ('problem' in answer) return answer
  if (answer.status === 304) return { isSame: true }
  const window = windowAt(clock.now())
  const spans = await spansOf({ text: answer.text, timeZone: asked.timeZone, ...window })
  if (typeof spans === 'string') return { problem: spans }
  return { spans, ...window, etag: answer.headers.etag ?? null, lastModified: answer.headers['last-modified'] ?? null }
}

/** What was read takes its time; where the calendar was removed meanwhile, or is another by now, nothing. */
export async function takeBusy(
  context: AppContext,
  scope: Parameters<typeof syncExternal>[1],
  { id, memberId, addressSealed }: Pick<StoredCalendar, 'id' | 'memberId' | 'addressSealed'>,
  { spans, from, to, etag, lastModified }: Extract<ReadBusy, { spans: BusySpans }>,
): Promise<void> {
  const busy = spans.map(([begin, end]) => ({ startsAt: instantText(begin), endsAt: instantText(end) }))
  const stretch = { startsAt: instantText(from), endsAt: instantText(to) }
  const now = new Date(context.clock.now())
  await syncExternal(context, scope, { memberId, sourceId: id, ...stretch, busy }, (unit) =>
    noteRead(unit, { id, addressSealed }, { now, problem: null, read: { etag, lastModified } }),
  )
}

/** All of it is read once a day at least: the weeks ahead move on, whether it changed or not. */
const isFresh = ({ readAt }: StoredCalendar, now: Instant): boolean => readAt !== null && now - parseInstant(readAt) < dayMs

/** One reading. What goes wrong is noted, and what was known before stays as it is. */
export async function readBusyCalendar(context: AppContext, id: string): Promise<void> {
  const { db } = context.database
  const calendar = await findCalendar(db, system, id)
  if (!calendar) return
  const now = context.clock.now()
  const address = unseal(context.settings.tokenKeys, purpose, calendar.addressSealed)
  const { timeZone, etag, lastModified } = calendar
  const read: ReadBusy =
    address === null
      ? { problem: 'refused' }
      : await readAddress(context, address, { timeZone, ...(isFresh(calendar, now) && { etag, lastModified }) })
  if ('spans' in read) await takeBusy(context, system.institute(calendar.instituteId), calendar, read)
  else await noteOutcome(db, system, calendar, { now: new Date(now), problem: 'problem' in read ? read.problem : null })
}

/** Adds a job for each that is due. */
export async function readDue(context: AppContext): Promise<void> {
  const { db } = context.database
  const now = context.clock.now()
  const next = new Date(now + context.settings.busyCalendars.minutes * minuteMs)
  const found = await takeDue(db, system, new Date(now), next)
  await addJobs(
    db,
    found.map(({ id }) => ({ name: 'read_busy_calendar', payload: { id }, key: `busy-calendar:${id}` })),
  )
}
