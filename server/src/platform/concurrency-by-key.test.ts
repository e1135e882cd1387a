import { describe, expect, it } from 'vitest'
import { limitByKey } from './concurrency-by-key.ts'

/** Works that end when they are told to. */
function works() {
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  return {
    ends,
    most: () => most,
    work: async (): Promise<void> => {
      most = Math.max(most, ++running)
      await new Promise<void>((end) => ends.push(end))
      running--
    },
  }
}
const turn = (): Promise<void> => new Promise((go) => setImmediate(go))

describe('work on one thing', () => {
  it('goes on for so many at once, and for each who waits as soon as one leaves', async () => {
    const { ends, most, work } = works()
    const limited = limitByKey(2)
    const all = Promise.all(Array.from({ length: 5 }, () => limited('a', work)))
    for (let n = 0; n < 5; n++) {
      await turn()
      ends.shift()?.()
    }
    await all
    expect(most()).toBe(2)
  })

  it('does not wait for work on another', async () => {
    const { ends, most, work } = works()
    const limited = limitByKey(1)
    const all = Promise.all(['a', 'b', 'c'].map((key) => limited(key, work)))
    await turn()
    expect(most()).toBe(3)
    for (const end of ends) end()
    await all
  })

  it('goes on after a failure', async () => {
    const limited = limitByKey(1)
    const failing = limited('a', () => Promise.reject(new Error('no')))
    const next = limited('a', async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
