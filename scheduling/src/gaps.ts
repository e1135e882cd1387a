/** Time that a visit would leave too short to sell. */
import { nextSet, previousSetEnd } from './bits.ts'
import type { FreeTime, MemberTime } from './free-time.ts'

/**
 * Minutes left free right before and right after a member's block from…to (row minutes, buffers included) that are fewer than the member's
 * shortest service with its buffers. Only time that could be sold counts: at work, free and inside opening hours.
 */
export function strandedAround(free: FreeTime, member: MemberTime, from: number, to: number): number {
  const shortest = member.shortestMinutes
  if (shortest === 0) return 0
  const begin = from - shortest
  const end = to + shortest
  const before = from - Math.max(previousSetEnd(member.blocked, from, begin), previousSetEnd(free.closed, from, begin))
  const after = Math.min(nextSet(member.blocked, to, end), nextSet(free.closed, to, end)) - to
  return (before < shortest ? before : 0) + (after < shortest ? after : 0)
}
