import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { limitConcurrency, keyedMutex } from './keyed-mutex.ts'

/** So many places; whoever looks and sees none left gives up. */
function places(left: number) {
  const counts = { inside: 0, most: 0, went: 0, looks: 0 }
  const wanting = {
    async look(): Promise<void> {
      counts.looks++
      await turn()
      if (left === 0) throw new Error('taken')
    },
    async go(): Promise<string> {
      counts.went++
      counts.most = Math.max(counts.most, ++counts.inside)
      await turn()
      counts.inside--
      if (left === 0) throw new Error('taken')
      left--
      return 'mine'
    },
  }
  return { counts, wanting }
}
const outcomes = (settled: PromiseSettledResult<string>[]): number => settled.filter(({ status }) => status === 'fulfilled').length

describe('five hundred who want the same', () => {
  it('go in once: the others look and leave', async () => {
    const { counts, wanting } = places(1)
    const first = keyedMutex()
    const settled = await Promise.allSettled(Array.from({ length: 500 }, () => first('ten o’clock', wanting)))
    expect(outcomes(settled)).toBe(1)
    expect(counts).toEqual({ inside: 0, most: 1, went: 1, looks: 499 })
  })

  it('go in one after the other while there is something left', async () => {
    const { counts, wanting } = places(3)
    const first = keyedMutex()
    const settled = await Promise.allSettled(Array.from({ length: 500 }, () => first('ten o’clock', wanting)))
    expect(outcomes(settled)).toBe(3)
    expect(counts).toMatchObject({ most: 1, went: 3 })
  })

  it('do not look again after one who went in and came out with nothing', async () => {
    let looks = 0
    const first = keyedMutex()
    const wanting = {
      look: async () => void looks++,
      go: async (): Promise<string> => {
        await turn()
        throw new Error('too many holds')
      },
    }
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => first('ten o’clock', wanting)))
    expect(outcomes(settled)).toBe(0)
    expect(looks).toBe(0)
  })

  it('do not wait for those who want something else', async () => {
    const { counts, wanting } = places(2)
    const first = keyedMutex()
    await Promise.all(['ten', 'eleven'].map((what) => first(what, wanting)))
    expect(counts.most).toBe(2)
  })
})

describe('a crowd at one institute', () => {
  it('goes in three at a time, in the order it came, and looks again when it had to wait', async () => {
    const { counts, wanting } = places(20)
    const few = limitConcurrency(3)
    const came: number[] = []
    const settled = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => few('salon', { look: wanting.look, go: () => (came.push(n), wanting.go()) })),
    )
    expect(outcomes(settled)).toBe(12)
    expect(counts).toEqual({ inside: 0, most: 3, went: 12, looks: 9 })
    expect(came).toEqual(Array.from({ length: 12 }, (_, n) => n))
  })

  it('leaves its place to the next when it fails or gives up, and holds up no other institute', async () => {
    const { counts, wanting } = places(1)
    const few = limitConcurrency(1)
    const elsewhere = places(1)
    const crowd = Promise.allSettled(Array.from({ length: 6 }, () => few('salon', wanting)))
    expect(await few('another salon', elsewhere.wanting)).toBe('mine')
    expect(outcomes(await crowd)).toBe(1)
    expect(counts).toEqual({ inside: 0, most: 1, went: 1, looks: 5 })
    const later = places(1)
    expect(await few('salon', later.wanting)).toBe('mine')
  })
})
