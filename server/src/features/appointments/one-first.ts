/** Of all who want the very same time in this process one goes first. The others wait here, not in the database, and once it is taken they know. */

export interface Wanting<T> {
  /** Asked again each time one who went before has got what they wanted; throws when there is nothing left to go for. */
  look(): Promise<void>
  go(): Promise<T>
}

export type OneFirst = <T>(what: string, wanting: Wanting<T>) => Promise<T>

export function oneFirst(): OneFirst {
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
