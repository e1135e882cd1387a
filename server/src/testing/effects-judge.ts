/** Says of a history of events and effects whether each event was answered once by each that has to, in the order of its visit. */

export interface Happened {
  id: number
  kind: string
  subjectId: string
}
/** One effect as it was committed; a history has them in order. */
export interface Effect {
  event: number
  /** Such as the letter to the client. */
  what: string
}

/** What has letters, and which. */
export const lettersOf = { kinds: ['visit.booked', 'visit.moved', 'visit.cancelled'], whats: ['client', 'institute'] }

/** Everything that must not be, in words. */
export function judgeEffects(
  events: readonly Happened[],
  effects: readonly Effect[],
  whats: readonly string[] = lettersOf.whats,
): string[] {
  const found: string[] = []
  const answered = events.filter(({ kind }) => lettersOf.kinds.includes(kind))
  const known = new Map(answered.map((event) => [event.id, event]))
  for (const what of whats) {
    const own = effects.filter((effect) => effect.what === what)
    for (const { id, kind } of answered) {
      const times = own.filter(({ event }) => event === id).length
      if (times !== 1) found.push(`${kind} ${id}: ${times === 0 ? 'lost' : `${times} times`} to the ${what}`)
    }
    const last = new Map<string, number>()
    for (const { event } of own) {
      const subject = known.get(event)?.subjectId
      if (subject === undefined) found.push(`${event}, which is no event with a letter, was told to the ${what}`)
      else {
        if (event < (last.get(subject) ?? 0)) found.push(`${event} of ${subject} was told to the ${what} after ${last.get(subject)}`)
        last.set(subject, event)
      }
    }
  }
  return found
}
