/** How full the day of each member is: minutes at work on visits over minutes of the shift. */
import type { Dashboard } from '@soigne/contract/dashboard'
import { dayNumber } from '@soigne/scheduling/days'
import type { Span } from '@soigne/scheduling/model'
import { edgeAt, zoneClock } from '@soigne/scheduling/wall-clock'
import { joinRanges, takesWholeDay, withoutRanges } from '@soigne/scheduling/wall-ranges'
import { workingDays } from '@soigne/scheduling/working-time'
import type { LoadedInstitute } from '#/features/availability/service.ts'
import { minuteText } from '#/platform/instants.ts'

/** Stretches in order, those that touch or overlap as one. */
export function union(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && span.from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    else all.push({ from: span.from, to: span.to })
  }
  return all
}

const minutesOf = (spans: readonly Span[]): number => Math.round(spans.reduce((sum, { from, to }) => sum + to - from, 0))
const forWire = (spans: readonly Span[]) => spans.map(({ from, to }) => ({ startsAt: minuteText(from), endsAt: minuteText(to) }))

/** Each member in the order of the team; nobody's shift counts where they are away or the institute is closed. */
export function memberDays(
  { diary, memberDetails }: LoadedInstitute,
  day: string,
  busy: readonly (Span & { memberId: string })[],
): Dashboard['occupancy']['members'] {
  const clock = zoneClock(diary.timeZone)
  const number = dayNumber(day)
  const isShut = takesWholeDay(diary.closures, day)
  return diary.members.flatMap((member) => {
    const details = memberDetails.get(member.id)
    if (!details) return []
    const { stretches } = workingDays(member)(number, day)
    const gone = [...diary.closures, ...member.absences].flatMap(({ part, fromDay, toDay }) =>
      part && fromDay <= day && day <= toDay ? [part] : [],
    )
    const left = isShut ? [] : withoutRanges(stretches, joinRanges(gone))
    const shifts: Span[] = []
    for (let at = 0; at < left.length; at += 2)
      shifts.push({ from: edgeAt(clock, number, left[at] ?? 0), to: edgeAt(clock, number, left[at + 1] ?? 0) })
    const taken = union(busy.filter(({ memberId }) => memberId === member.id))
    return [
      {
        _id: member.id,
        name: details.name,
        imageUrl: details.imageUrl,
        shifts: forWire(shifts),
        busy: forWire(taken),
        shiftMinutes: minutesOf(shifts),
        busyMinutes: minutesOf(taken),
      },
    ]
  })
}
