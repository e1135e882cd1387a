import { expect, test } from 'vitest'
import { processorsForWork } from './processors.ts'
import { RefusalError, refuse } from './refuse.ts'
import { openTurns } from './turns.ts'

/** Work that ends when told. */
function works() {
  const ends: (() => void)[] = []
  const begun: string[] = []
  return {
    begun,
    of: (name: string) => () =>
      new Promise<string>((end) => {
        begun.push(name)
        ends.push(() => end(name))
      }),
    endAll() {
      for (const end of ends.splice(0)) end()
    },
  }
}
const codeOf = (error: unknown): string => (error instanceof RefusalError ? `${error.code} ${error.retryAfter}` : String(error))
/** Lets everything that can go on go on. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done))

test('so many at once, the next in the order in which they came, and a refusal beyond the line', async () => {
  const turn = openTurns({ atOnce: 2, waiting: 3 })
  const { of, begun, endAll } = works()
  const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => turn(name, of(name)))
  await settled()
  expect(begun).toEqual(['a', 'b'])
  expect(await turn('f', of('f')).catch(codeOf)).toBe('too_many_requests 2')
  endAll()
  await settled()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  endAll()
  await settled()
  endAll()
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e'])
  const again = turn('f', of('f'))
  await settled()
  endAll()
  expect(await again).toBe('f')
})

test('one network fills half of it at most, so that another finds room', async () => {
  const turn = openTurns({ atOnce: 2, waiting: 6 })
  const { of, endAll } = works()
  const greedy = Array.from({ length: 20 }, () => turn('greedy', of('greedy')).catch(codeOf))
  const other = turn('other', of('other'))
  for (let n = 0; n < 4; n++) {
    await settled()
    endAll()
  }
  expect(await other).toBe('other')
  const ended = await Promise.all(greedy)
  expect(ended.filter((one) => one === 'greedy')).toHaveLength(4)
  expect(ended.filter((one) => one === 'too_many_requests 2')).toHaveLength(16)
})

test('networks take turns: whoever comes after a crowd of another waits for one of it, not for all', async () => {
  const turn = openTurns({ atOnce: 1, waiting: 10 })
  const { of, begun, endAll } = works()
  const asked = ['crowd', 'crowd', 'crowd', 'crowd', 'one', 'two'].map((network) => turn(network, of(network)))
  for (let n = 0; n < 6; n++) {
    await settled()
    endAll()
  }
  await Promise.all(asked)
  expect(begun).toEqual(['crowd', 'one', 'two', 'crowd', 'crowd', 'crowd'])
})

test('lines of work that keeps a processor busy have half of the processors together', async () => {
  const lines = Array.from({ length: 3 }, () => openTurns({ atOnce: processorsForWork, waiting: 100, keepsBusy: true }))
  const { of, begun, endAll } = works()
  const asked = lines.flatMap((turn, line) => Array.from({ length: processorsForWork }, (_, n) => turn(`${n}`, of(`line ${line}`))))
  await settled()
  expect(begun).toHaveLength(processorsForWork)
  for (let n = 0; n < asked.length; n++) {
    endAll()
    await settled()
  }
  await Promise.all(asked)
  expect(begun).toHaveLength(asked.length)
})

test('who waits too long is refused, and work that fails gives its place back', async () => {
  const turn = openTurns({ atOnce: 1, waiting: 2, patienceMs: 10, refusal: () => refuse('unavailable', undefined, { retryAfter: 3 }) })
  const { of, begun, endAll } = works()
  const first = turn('a', of('a'))
  expect(await turn('b', of('b')).catch(codeOf)).toBe('unavailable 3')
  endAll()
  await first
  await expect(turn('c', async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const last = turn('d', of('d'))
  await settled()
  endAll()
  expect(await last).toBe('d')
  expect(begun).toEqual(['a', 'd'])
})
