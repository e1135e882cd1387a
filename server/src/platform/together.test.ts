import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { together } from './together.ts'

/** Work that ends when it is told to, and remembers what it was given. */
function held(): { batches: number[][]; work: (items: readonly number[]) => Promise<number[]>; end(): Promise<void> } {
  const batches: number[][] = []
  const ends: (() => void)[] = []
  return {
    batches,
    work: async (items) => {
      batches.push([...items])
      await new Promise<void>((done) => ends.push(done))
      return items.map((item) => item * 10)
    },
    async end() {
      ends.shift()?.()
      await turn()
    },
  }
}

describe('work that costs less together', () => {
  it('begins at once for one alone, and takes those who come meanwhile in the next batch, each with their own answer', async () => {
    const { batches, work, end } = held()
    const ask = together(work, { atOnce: 1, most: 3 })
    const answers = Promise.all([1, 2, 3, 4, 5].map((n) => ask(n)))
    expect(batches).toEqual([[1]])
    await end()
    expect(batches).toEqual([[1], [2, 3, 4]])
    await end()
    expect(batches).toEqual([[1], [2, 3, 4], [5]])
    await end()
    expect(await answers).toEqual([10, 20, 30, 40, 50])
    const last = ask(6)
    expect(batches.at(-1)).toEqual([6])
    await end()
    expect(await last).toBe(60)
  })

  it('has as many batches under way as it may, and no more', async () => {
    const { batches, work, end } = held()
    const ask = together(work, { atOnce: 2, most: 10 })
    const answers = Promise.all([1, 2, 3, 4].map((n) => ask(n)))
    expect(batches).toEqual([[1], [2]])
    await end()
    expect(batches).toEqual([[1], [2], [3, 4]])
    await end()
    await end()
    expect(await answers).toEqual([10, 20, 30, 40])
  })

  it('does a batch that failed again one by one: one that cannot be done fails alone', async () => {
    const sizes: number[] = []
    const ask = together(
      async (items: readonly number[]) => {
        sizes.push(items.length)
        await turn()
        if (items.includes(3)) throw new Error('three')
        return items
      },
      { atOnce: 1, most: 10 },
    )
    const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => ask(n)))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(sizes).toEqual([1, 3, 1, 1, 1])
    expect(await ask(9)).toBe(9)
  })

  it('gives nobody the answer of another where there are fewer answers than questions', async () => {
    const ask = together(async (items: readonly number[]) => (items.length > 1 ? items.slice(1) : items), { atOnce: 1, most: 10 })
    expect(await Promise.all([1, 2, 3].map((n) => ask(n)))).toEqual([1, 2, 3])
  })

  it('asks for what waits before those who have their answer go on', async () => {
    const order: string[] = []
    const ends: (() => void)[] = []
    const ask = together(
      async (items: readonly number[]) => {
        await Promise.resolve()
        order.push(`asked for ${items.join()}`)
        await new Promise<void>((done) => ends.push(done))
        return items
      },
      { atOnce: 1, most: 10 },
    )
    const told = [1, 2, 3].map(async (n) => order.push(`told ${await ask(n)}`))
    await turn()
    ends.shift()?.()
    await turn()
    ends.shift()?.()
    await Promise.all(told)
    expect(order).toEqual(['asked for 1', 'asked for 2,3', 'told 1', 'told 2', 'told 3'])
  })
})
