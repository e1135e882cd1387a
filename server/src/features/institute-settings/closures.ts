/** Days on which an institute is closed, and the public holidays it may close on. Visits in a closure stay until somebody decides about them. */
import { isDeepStrictEqual } from 'node:util'
import { type Closure, type HitVisit, longestClosureDays, mostClosuresAhead } from '@soigne/contract/institute-settings'
import { minuteOf } from '@soigne/contract/time'
import { type Locale, locales } from '@soigne/contract/wire'
import { addDays, dayNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import {
  type ClosureRow,
  closuresAhead,
  countClosuresAhead,
  insertClosure,
  type NewClosure,
  removeClosure as storeRemoval,
} from './closures-store.ts'
import { holidayRegion, publicHolidays } from './holidays.ts'
import { closedSpans, within } from './outside.ts'
import { hitVisits, hoursOf, rangeOf, rowOf, type SpannedVisit, spannedVisits, wallMinutes, wallText } from './service.ts'
import type { LocalizedText, SettingsRow, SettingsScope } from './store.ts'

const daysOfHolidays = 365

export interface ClosureAsked {
  fromDay: string
  toDay?: string | undefined
  part?: { opensAt: string; closesAt: string } | undefined
  reason?: string | undefined
  isHoliday?: boolean | undefined
}

const visitsIn = (row: SettingsRow, closure: Omit<ClosureRow, 'id' | 'reason'>, visits: readonly SpannedVisit[]): SpannedVisit[] =>
  within(closedSpans(hoursOf(row), rangeOf(closure)), visits)

function forWire(row: SettingsRow, closure: ClosureRow, visits: readonly SpannedVisit[], today: string, locale: Locale): Closure {
  const { id, fromDay, toDay, opensAt, closesAt, reason } = closure
  return {
    _id: id,
    fromDay,
    toDay,
    part: opensAt === null || closesAt === null ? null : { opensAt: wallText(opensAt), closesAt: wallText(closesAt) },
    reason: localised(reason, locale) || null,
    visits: visitsIn(row, closure, visits).length,
    isBookable: fromDay <= addDays(today, row.horizonDays),
  }
}

function holidaysOf(row: SettingsRow, closures: readonly ClosureRow[], today: string, locale: Locale) {
  const items = publicHolidays(row, today, addDays(today, daysOfHolidays)).map(({ day, name }) => ({
    day,
    name: localised(name, locale) ?? '',
    closureId: closures.find((one) => one.opensAt === null && one.fromDay <= day && day <= one.toDay)?.id ?? null,
    isOpenDay: row.openingHours.some(([weekday]) => weekday === weekdayOfNumber(dayNumber(day))),
  }))
  const countryName = new Intl.DisplayNames(locale, { type: 'region' }).of(row.countryCode) ?? row.countryCode
  return { country: row.countryCode, countryName, region: holidayRegion(row.countryCode, row.postalCode), items }
}

export async function closuresOf({ database, clock }: AppContext, scope: SettingsScope, locale: Locale) {
  const { db } = database
  const now = clock.now()
  const row = await rowOf(db, scope)
  const today = dayOf(row.timeZone, minuteOf(now))
  const closures = await closuresAhead(db, scope, today)
  const visits = await spannedVisits(db, scope, now)
  return {
    items: closures.map((closure) => forWire(row, closure, visits, today, locale)),
    holidays: holidaysOf(row, closures, today, locale),
  }
}

/** What an owner types is in no language; a holiday has its name in each. */
function reasonOf(row: SettingsRow, { fromDay, reason, isHoliday }: ClosureAsked): LocalizedText {
  const holiday = isHoliday ? publicHolidays(row, fromDay, fromDay)[0] : undefined
  if (isHoliday && !holiday) throw refuseField('fromDay', 'invalid')
  if (holiday) return holiday.name
  return reason ? Object.fromEntries(locales.map((locale) => [locale, reason])) : {}
}

/** @throws bad_input for days that are over, turned round, or too many */
function closureAsked(row: SettingsRow, asked: ClosureAsked, today: string): NewClosure {
  const { fromDay, part } = asked
  const toDay = asked.toDay ?? fromDay
  if (fromDay < today) throw refuseField('fromDay', 'date')
  if (toDay < fromDay || dayNumber(toDay) - dayNumber(fromDay) >= longestClosureDays) throw refuseField('toDay', 'date')
  const [opensAt, closesAt] = part ? [wallMinutes(part.opensAt), wallMinutes(part.closesAt)] : [null, null]
  if (opensAt !== null && closesAt <= opensAt) throw refuseField('part.closesAt', 'invalid')
  return { fromDay, toDay, opensAt, closesAt, reason: reasonOf(row, asked) }
}

/** Closes, and answers the visits that lie in it. @throws too_many_closures */
export async function close(
  context: AppContext,
  scope: SettingsScope,
  asked: ClosureAsked,
  { locale, onlyAnswers }: { locale: Locale; onlyAnswers: boolean },
): Promise<{ closure: Closure | null; hits: HitVisit[] }> {
  if (onlyAnswers) {
    const { db } = context.database
    const now = context.clock.now()
    const row = await rowOf(db, scope)
    const closure = closureAsked(row, asked, dayOf(row.timeZone, minuteOf(now)))
    const hits = visitsIn(row, closure, await spannedVisits(db, scope, now))
    return { closure: null, hits: await hitVisits(db, scope, hits, locale) }
  }
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const row = await rowOf(unit.db, scope)
    const today = dayOf(row.timeZone, minuteOf(unit.now))
    const closure = closureAsked(row, asked, today)
    const same = (await closuresAhead(unit.db, scope, today)).find(({ id: _id, ...one }) => isDeepStrictEqual(one, closure))
    if (same) {
      unit.nothingChanged()
      const visits = visitsIn(row, closure, await spannedVisits(unit.db, scope, unit.now))
      return { closure: forWire(row, same, visits, today, locale), hits: await hitVisits(unit.db, scope, visits, locale) }
    }
    if ((await countClosuresAhead(unit, today)) >= mostClosuresAhead) throw refuse('too_many_closures', { most: mostClosuresAhead })
    const visits = await spannedVisits(unit.db, scope, unit.now)
    const made = await insertClosure(unit, closure)
    unit.record('institute.changed', made.id, { what: 'closures' })
    const hits = await hitVisits(unit.db, scope, visitsIn(row, closure, visits), locale)
    return { closure: forWire(row, made, visits, today, locale), hits }
  })
}

/** @throws not_found */
export const reopen = (context: AppContext, scope: SettingsScope, id: string): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    if (!(await storeRemoval(unit, id))) throw refuse('not_found')
    unit.record('institute.changed', id, { what: 'closures' })
  })

/** Opens a day out of every closure that takes it whole; the days before and after stay closed. @throws not_found, bad_input for a day that is not in it */
export const reopenDay = (context: AppContext, scope: SettingsScope, id: string, day: string): Promise<void> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const { timeZone } = await rowOf(unit.db, scope)
    const ahead = await closuresAhead(unit.db, scope, dayOf(timeZone, minuteOf(unit.now)))
    if (!ahead.some((one) => one.id === id)) throw refuse('not_found')
    const taking = ahead.filter(({ fromDay, toDay, opensAt }) => opensAt === null && fromDay <= day && day <= toDay)
    if (!taking.some((one) => one.id === id)) throw refuseField('day', 'date')
    for (const { id: closureId, ...one } of taking) {
      await storeRemoval(unit, closureId)
      if (one.fromDay < day) await insertClosure(unit, { ...one, toDay: addDays(day, -1) })
      if (day < one.toDay) await insertClosure(unit, { ...one, fromDay: addDays(day, 1) })
    }
    unit.record('institute.changed', id, { what: 'closures' })
  })
