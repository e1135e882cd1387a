/** The calendar as it is read: days, a month, and one visit with what happened to it. */
import type { Diary, DiaryMember } from '@soigne/contract/diary'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Locale } from '@soigne/contract/wire'
import { addDays } from '@soigne/scheduling/days'
import type { MemberDiary } from '@soigne/scheduling/model'
import { dayOf, spanOfDay } from '@soigne/scheduling/wall-clock'
import { instantOf, type Instant } from '@soigne/contract/time'
import { historyOf } from '#/features/appointments/service.ts'
import { homeForPerformer } from '#/features/at-home/service.ts'
import { type LoadedInstitute, loadDiary } from '#/features/availability/service.ts'
import { seriesAtInstitute } from '#/features/series/service.ts'
import { columnOf, type DiaryReaderScope, findVisit, wireTerms } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, minuteOfText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { missingTests } from './customers-store.ts'
import { type CalendarFacts, dayForWire, daysFrom, closureOf, fullnessOf } from './days.ts'
import { type Part, readBeside, readStarts, readTaken, readVisit, readVisits, type TakenRow } from './days-store.ts'
import { blockForWire, sessionForDiary, visitForDiary } from './present.ts'

/** Whoever did what nobody did. */
const product = 'Soigné'

export interface Reader {
  scope: DiaryReaderScope
  locale: Locale
}

interface Stretch {
  from: Date
  to: Date
}
const stretchOf = (timeZone: string, from: string, days: number): Stretch => ({
  from: new Date(instantOf(spanOfDay(timeZone, from).from)),
  to: new Date(instantOf(spanOfDay(timeZone, addDays(from, days - 1)).to)),
})

/** What the institute sets, for some days from one on; of who sees one column alone, with nobody else. */
async function settingsFor(db: Db, scope: DiaryReaderScope, from: string, days: number, now: Instant): Promise<LoadedInstitute> {
  // The zone is not known yet: days of UTC reach over the edges of any zone's.
  const start = parseInstant(`${from}T00:00:00Z`)
  const stretch = { from: new Date(start), to: new Date(parseInstant(`${addDays(from, days)}T00:00:00Z`)) }
  const loaded = await loadDiary(db, { instituteId: scope.instituteId, ...stretch, now: new Date(now) })
  if (!loaded) throw refuse('not_found')
  const own = columnOf(scope)
  if (own === null) return loaded
  return { ...loaded, diary: { ...loaded.diary, members: loaded.diary.members.filter(({ id }) => id === own) } }
}

const takenOf = (parts: readonly Part[]): TakenRow[] =>
  parts.map(({ memberId, startsAt, endsAt, snapshot }) => ({
    memberId,
    startsAt,
    endsAt,
    active: snapshot.activeMinutes ?? null,
    idle: snapshot.idleMinutes ?? null,
  }))

const memberForWire = ({ memberDetails }: LoadedInstitute, { id, performs, bookableOnline }: MemberDiary, locale: Locale): DiaryMember => {
  const details = memberDetails.get(id)
  return {
    _id: id,
    name: details?.name ?? '',
    title: localised(details?.title ?? null, locale),
    imageUrl: details?.imageUrl ?? '',
    bookableOnline,
    services: [...performs.keys()],
  }
}

/** Whoever has visits on these days and is no more in the team keeps a column. */
function formerMembers(loaded: LoadedInstitute, parts: readonly Part[]): DiaryMember[] {
  const known = new Set(loaded.memberDetails.keys())
  const former = new Map(parts.filter(({ memberId }) => !known.has(memberId)).map(({ memberId, memberName }) => [memberId, memberName]))
  return [...former].map(([_id, name]) => ({ _id, name, title: null, imageUrl: '', bookableOnline: false, services: [] }))
}

export async function readDiary(
  context: Pick<AppContext, 'database' | 'clock'>,
  { scope, locale }: Reader,
  { from, days }: { from: string; days: number },
): Promise<Diary> {
  const db = context.database.prepared
  const now = context.clock.now()
  const loaded = await settingsFor(db, scope, from, days, now)
  const { diary, institute } = loaded
  const stretch = { ...stretchOf(institute.timeZone, from, days), now: new Date(now) }
  // The version is read before the visits: an answer never claims to be newer than it is.
  const beside = await readBeside(db, scope, { ...stretch, fromDay: from, toDay: addDays(from, days - 1) })
  const visits = await readVisits(db, scope, stretch)
  const cameTo = visits.filter(({ life, attendance }) => life === 'booked' && attendance !== 'no_show')
  const facts: CalendarFacts = { diary, beside, taken: takenOf(cameTo.flatMap(({ parts }) => parts)) }
  const own = columnOf(scope)
  const former =
    own === null
      ? formerMembers(
          loaded,
          visits.flatMap(({ parts }) => parts),
        )
      : []
  return {
    timeZone: institute.timeZone,
    currency: institute.currency,
    gridMinutes: institute.gridMinutes,
    now: instantText(now),
    version: beside.version,
    members: [...diary.members.map((member) => memberForWire(loaded, member, locale)), ...former],
    resources: beside.resources,
    days: daysFrom(from, days).map((day) => dayForWire(facts, diary.members, day, locale)),
    visits: visits.map((row) => visitForDiary(row, scope, locale, now)),
    blocked: beside.blocked.map(blockForWire),
    sessions: beside.sessions.map((session) => sessionForDiary(session, locale)),
  }
}

export async function readMonth(
  context: Pick<AppContext, 'database' | 'clock'>,
  { scope, locale }: Reader,
  month: string,
): Promise<Answer<Calls['diaryMonth']>> {
  const db = context.database.prepared
  const now = context.clock.now()
  const days = Temporal.PlainYearMonth.from(month).daysInMonth
  const from = `${month}-01`
  const { diary, institute } = await settingsFor(db, scope, from, days, now)
  const { timeZone } = institute
  const stretch = { ...stretchOf(timeZone, from, days), now: new Date(now) }
  const beside = await readBeside(db, scope, { ...stretch, fromDay: from, toDay: addDays(from, days - 1) })
  const taken = Map.groupBy(await readTaken(db, scope, stretch), ({ startsAt }) => dayOf(timeZone, minuteOfText(startsAt)))
  const starts = Map.groupBy(await readStarts(db, scope, stretch), ({ startsAt }) => dayOf(timeZone, minuteOfText(startsAt)))
  return {
    timeZone,
    now: instantText(now),
    days: daysFrom(from, days).map((day) => {
      // A visit of the night before may reach into this day.
      const near = [...(taken.get(addDays(day, -1)) ?? []), ...(taken.get(day) ?? [])]
      const facts: CalendarFacts = { diary, beside, taken: near }
      const begun = starts.get(day) ?? []
      const cancelled = begun.filter(({ isCancelled }) => isCancelled).length
      return {
        day,
        closure: closureOf(facts, day, locale),
        visits: begun.length - cancelled,
        cancelled,
        ...fullnessOf(facts, diary.members, day),
      }
    }),
  }
}

/** One visit as it is in the calendar. @throws not_found for one in a column that may not be seen */
export async function visitInDiary(db: Db, { scope, locale }: Reader, id: string, now: Instant) {
  const row = await readVisit(db, scope, id, new Date(now))
  if (!row) throw refuse('not_found')
  return visitForDiary(row, scope, locale, now)
}

export async function readVisitWithHistory(
  context: Pick<AppContext, 'database' | 'clock'>,
  reader: Reader,
  id: string,
): Promise<Answer<Calls['diaryVisit']>> {
  const db = context.database.prepared
  const { scope } = reader
  const now = context.clock.now()
  const shown = await visitInDiary(db, reader, id, now)
  const row = await findVisit(db, scope, { id })
  if (!row) throw refuse('not_found')
  const happened = await historyOf(db, scope, id)
  const home = shown.atHome ? await homeForPerformer(db, scope, id, new Date(now)) : null
  const missing = (await missingTests(db, scope, id, new Date(now))).map(({ serviceName, testName }) => ({
    serviceName: localised(serviceName, reader.locale) ?? '',
    testName: localised(testName, reader.locale) ?? '',
  }))
  const series = await seriesAtInstitute(db, scope, id)
  const { cancelWindowHours, freeUntil } = wireTerms(row.terms)
  return {
    ...shown,
    ...(home && { home }),
    ...(missing.length > 0 && { missing }),
    ...(series[1] && {
      series: {
        everyWeeks: series[1].everyWeeks,
        visits: series.map(({ id: _id, startsAt, movedFrom }) => ({ _id, startsAt, movedFrom })),
      },
    }),
    timeZone: row.timeZone,
    terms: { cancelWindowHours, freeUntil },
    history: happened
      .filter(({ kind }) => kind !== 'visit.settled')
      .map(({ kind, name, at, payload }) => ({
        kind,
        by: name ?? product,
        at,
        startsAt: payload.startsAt ? instantText(parseInstant(payload.startsAt)) : null,
      })),
  }
}
