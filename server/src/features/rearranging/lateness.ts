/**
 * Who has to wait when somebody runs late: a pure rule on the rest of the day. What the late member does now, or does next, ends or begins so much later; gaps absorb
 * it, a client's next service waits for the one before, and whoever works with them then is late too. Idle parts keep their length; breaks and blocked time give way.
 */
import type { EpochMinute } from '@soigne/scheduling/model'

export interface LateSegment {
  visitId: string
  position: number
  memberId: string
  resourceId: string | null
  from: EpochMinute
  to: EpochMinute
  /** Minutes of its parts; an idle part leaves the member free. */
  activeMinutes: number
  idleMinutes: number
  bufferBefore: number
  bufferAfter: number
}

/** Less than this is no waiting. */
const leastMinutes = 5

interface Piece {
  segment: LateSegment
  isFirst: boolean
  from: EpochMinute
  to: EpochMinute
}

function piecesOf(segment: LateSegment): Piece[] {
  const { from, to, activeMinutes, idleMinutes } = segment
  const second = from + activeMinutes + idleMinutes
  if (idleMinutes === 0 || second >= to) return [{ segment, isFirst: true, from, to }]
  return [
    { segment, isFirst: true, from, to: from + activeMinutes },
    { segment, isFirst: false, from: second, to },
  ]
}

interface Last {
  visitId: string
  /** As planned, clean-up apart. */
  to: EpochMinute
  bufferAfter: number
  delay: number
}
/** What is left of a delay after the gap that was planned. Two that overlap on purpose have none. */
function inherited(last: Last | undefined, { segment, from, isFirst }: Piece): number {
  if (!last) return 0
  const between = last.visitId === segment.visitId ? 0 : last.bufferAfter + (isFirst ? segment.bufferBefore : 0)
  return Math.max(0, last.delay - Math.max(0, from - between - last.to))
}

export interface Delayed {
  segment: LateSegment
  minutes: number
}

/** The first service of each visit that begins later than planned, in the order of time. */
export function whoWaits(segments: readonly LateSegment[], late: { memberId: string; minutes: number }, now: EpochMinute): Delayed[] {
  const pieces = segments
    .flatMap(piecesOf)
    .filter(({ to }) => to > now)
    .toSorted((one, other) => one.from - other.from || one.segment.position - other.segment.position)
  const seed = pieces.find(({ segment }) => segment.memberId === late.memberId)
  const members = new Map<string, Last>()
  const resources = new Map<string, Last>()
  const visits = new Map<string, Last>()
  const waiting = new Map<string, Delayed>()
  for (const piece of pieces) {
    const { segment, from, to, isFirst } = piece
    const { visitId, memberId, resourceId, bufferAfter } = segment
    const begun = from <= now && piece !== seed
    const within = isFirst ? inherited(visits.get(visitId), piece) : (visits.get(visitId)?.delay ?? 0)
    const room = isFirst && resourceId !== null ? inherited(resources.get(resourceId), piece) : 0
    const own = piece === seed ? late.minutes : 0
    const delay = begun ? 0 : Math.max(own, within, room, inherited(members.get(memberId), piece))
    const last = { visitId, to, bufferAfter: to === segment.to ? bufferAfter : 0, delay }
    members.set(memberId, last)
    visits.set(visitId, last)
    if (resourceId !== null) resources.set(resourceId, { ...last, to: segment.to, bufferAfter })
    if (isFirst && from > now && delay >= leastMinutes && !waiting.has(visitId)) waiting.set(visitId, { segment, minutes: delay })
  }
  return [...waiting.values()]
}
