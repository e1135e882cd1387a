/** Of all who want the very same time in this process one goes first. The others wait here, not in the database, and once it is taken they know. */

export interface Wanting<T> {
  /** Asked again each time one who went before has got what they wanted; throws when there is nothing left to go for. */
  look(): Promise<void>
  go(): Promise<T>
}

export type OneFirst = <T>(what: string, wanting: Wanting<T>) => Promise<T>

export function keyedMutex(): OneFirst {
  const inside = new Map<string, Promise<boolean>>()
  return async (what, { look, go }) => {
    for (let ahead = inside.get(what); ahead; ahead = inside.get(what)) if (await ahead) await look()
    const going = go()
    // The way is free before anybody who waits is told, or they would wait for one who has left.
    const left = (hasSucceeded: boolean) => (): boolean => {
      inside.delete(what)
      return hasSucceeded
    }
    inside.set(what, going.then(left(true), left(false)))
    return going
  }
}

/** At most so many at once for one thing; the others wait in line, and look again when it is their turn. */
export function limitConcurrency(most: number): OneFirst {
  const rooms = new Map<string, { inside: number; line: (() => void)[] }>()
  return async (what, { look, go }) => {
    const room = rooms.get(what) ?? { inside: 0, line: [] }
    rooms.set(what, room)
    const hasToWait = room.inside >= most
    // Whoever leaves hands the place on, so it counts already.
    if (hasToWait) await new Promise<void>((admit) => room.line.push(admit))
    else room.inside++
    try {
      if (hasToWait) await look()
      return await go()
    } finally {
      const next = room.line.shift()
      if (next) next()
      else if (--room.inside === 0) rooms.delete(what)
    }
  }
}

/** A crowd at one institute waits here for its locks, not on connections that everybody else needs. */
export const atInstitute = limitConcurrency(3)
