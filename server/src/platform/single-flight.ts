/** Many who ask the same at the same moment share one reading. It never begins before any of them asked, so nobody gets an older truth than their own. */

export type ShareReads<T> = (key: string, read: () => Promise<T>) => Promise<T>

interface Reading<T> {
  running: Promise<unknown>
  /** Has not begun: whoever asks now may still join. */
  next: Promise<T> | null
}

export function singleFlight<T>(): ShareReads<T> {
  const readings = new Map<string, Reading<T>>()
  const begin = (key: string, read: () => Promise<T>): Promise<T> => {
    const answer = read()
    const reading: Reading<T> = { running: answer, next: null }
    readings.set(key, reading)
    const forget = (): void => {
      if (reading.next === null && readings.get(key) === reading) readings.delete(key)
    }
    answer.then(forget, forget)
    return answer
  }
  return (key, read) => {
    const reading = readings.get(key)
    if (!reading) return begin(key, read)
    const start = (): Promise<T> => begin(key, read)
    reading.next ??= reading.running.then(start, start)
    return reading.next
  }
}
