/** What must be true of conversations in which both sides wrote while servers were killed. */

/** A message as it is stored, or as a side was told of it. */
export interface Told {
  seq: number
  clientId: string
}

/** What one side of a conversation did and saw. */
export interface Side {
  name: string
  /** Keys that were acknowledged, in the order they were written. */
  acknowledged: readonly string[]
  /** Its screen: messages by place, as a browser keeps them of answers, sockets and lists. */
  screen: ReadonlyMap<number, string>
  /** What came more than once over one connection. */
  doubled: readonly string[]
}

/** Words for whatever is not as it must be in one conversation; none is good. */
export function judgeChat(id: string, stored: readonly Told[], sides: readonly Side[]): string[] {
  const found: string[] = []
  const keys = stored.map(({ clientId }) => clientId)
  stored.forEach(({ seq }, at) => {
    if (seq !== at + 1) found.push(`${id}: place ${at + 1} is empty or taken twice`)
  })
  for (const { name, acknowledged, screen, doubled } of sides) {
    const places = acknowledged.map((key) => keys.indexOf(key))
    acknowledged.forEach((key, at) => {
      const times = keys.filter((one) => one === key).length
      if (times !== 1) found.push(`${id}: what ${name} wrote as ${key} was acknowledged and is there ${times} times`)
      else if (at > 0 && (places[at] ?? 0) < (places[at - 1] ?? 0))
        found.push(`${id}: ${key} of ${name} stands before what was written first`)
    })
    const missing = stored.filter(({ seq, clientId }) => screen.get(seq) !== clientId)
    if (missing.length > 0) found.push(`${id}: ${name} does not see ${missing.length} messages, such as ${missing[0]?.clientId}`)
    if (screen.size > stored.length) found.push(`${id}: ${name} sees ${screen.size - stored.length} messages that are not there`)
    for (const key of doubled) found.push(`${id}: ${name} was told of ${key} twice over one connection`)
  }
  return found
}
