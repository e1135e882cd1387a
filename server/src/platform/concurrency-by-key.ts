/** At most so many at once for one key; the others wait in line here, not on connections that everybody else needs. */
export type LimitedByKey = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function limitByKey(most: number): LimitedByKey {
  const rooms = new Map<string, { inside: number; line: (() => void)[] }>()
  return async (key, work) => {
    const room = rooms.get(key) ?? { inside: 0, line: [] }
    rooms.set(key, room)
    // Whoever leaves hands the place on, so it counts already.
    if (room.inside >= most) await new Promise<void>((admit) => room.line.push(admit))
    else room.inside++
    try {
      return await work()
    } finally {
      const next = room.line.shift()
      if (next) next()
      else if (--room.inside === 0) rooms.delete(key)
    }
  }
}
