import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { oneFirst } from './one-first.ts'

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
    const first = oneFirst()
    const settled = await Promise.allSettled(Array.from({ length: 500 }, () => first('ten o’clock', wanting)))
    expect(outcomes(settled)).toBe(1)
    expect(counts).toEqual({ inside: 0, most: 1, went: 1, looks: 499 })
  })

  it('go in one after the other while there is something left', async () => {
    const { counts, wanting } = places(3)
    const first = oneFirst()
    const settled = await Promise.allSettled(Array.from({ length: 500 }, () => first('ten o’clock', wanting)))
    expect(outcomes(settled)).toBe(3)
    expect(counts).toMatchObject({ most: 1, went: 3 })
  })

  it('do not look again after one who went in and came out with nothing', async () => {
    let looks = 0
    const first = oneFirst()
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
    const first = oneFirst()
    await Promise.all(['ten', 'eleven'].map((what) => first(what, wanting)))
    expect(counts.most).toBe(2)
  })
})
