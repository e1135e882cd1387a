// When made-up institutes are open: weeks with early and late days, lunch breaks and days off, by what they do and where they are.
import type { Week } from '#/diaries/weeks.ts'
import type { Random } from '#/random.ts'

const quarter = 15
/** Where Friday is the day of rest. */
const fridayRest = new Set(['AE', 'AF', 'BH', 'DZ', 'EG', 'IQ', 'IR', 'JO', 'KW', 'LY', 'OM', 'PS', 'QA', 'SA', 'SD', 'SY', 'YE'])

function daysOff(category: string, countryCode: string, random: Random): Set<number> {
  if (category === 'fitness') return new Set()
  const rest = fridayRest.has(countryCode) ? 5 : 7
  const second = category === 'medical' || category === 'counseling' ? rest - 1 : random.pick([1, 1, 3, 0, 0])
  return new Set([...(random.chance(0.12) ? [] : [rest]), ...(second === 0 ? [] : [second])])
}

/** Opening ranges of a week, Monday first, in wall minutes that are multiples of five. */
export function inventWeek(category: string, countryCode: string, random: Random): Week {
  const off = daysOff(category, countryCode, random)
  const early = category === 'fitness' ? random.between(24, 30) * quarter : random.between(32, 42) * quarter
  const opensAt = random.chance(0.1) ? early + 5 : early
  const closesAt = category === 'fitness' ? random.between(80, 90) * quarter : random.between(68, 80) * quarter
  const split = category !== 'fitness' && random.chance(0.2)
  const lunch = random.between(48, 52) * quarter
  const lunchEnds = lunch + random.between(3, 8) * quarter
  const lateDay = random.chance(0.3) ? random.between(2, 5) : 0
  return Array.from({ length: 7 }, (_, index) => {
    const weekday = index + 1
    if (off.has(weekday)) return []
    const end = weekday === lateDay ? Math.min(closesAt + 60, 22 * 60) : weekday === 6 ? Math.min(closesAt, 18 * 60) : closesAt
    if (!split || weekday === 6) return [{ opensAt, closesAt: end }]
    return [
      { opensAt, closesAt: lunch },
      { opensAt: lunchEnds, closesAt: end },
    ]
  })
}
