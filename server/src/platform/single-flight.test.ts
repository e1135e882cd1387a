import { describe, expect, it } from 'vitest'
import { singleFlight } from './single-flight.ts'

/** A truth that changes, and readings of it that end when told to. */
function world() {
  let truth = 0
  let begun = 0
  const ends: (() => void)[] = []
  const read = async (): Promise<number> => {
    begun++
    const seen = truth
    await new Promise<void>((end) => ends.push(end))
    return seen
  }
  const settle = async (): Promise<void> => {
    for (const end of ends.splice(0)) end()
    await new Promise((done) => setImmediate(done))
  }
  return { read, settle, change: () => void truth++, begun: () => begun }
}

describe('readings that are shared', () => {
  it('are one for those who ask while another is under way', async () => {
    const { read, settle, begun } = world()
    const share = singleFlight<number>()
    const answers = Array.from({ length: 500 }, () => share('a', read))
    await settle()
    await settle()
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 500 }, () => 0))
    expect(begun()).toBe(2)
  })

  it('never tell anybody what was true only before they asked', async () => {
    const { read, settle, change } = world()
    const share = singleFlight<number>()
    const first = share('a', read)
    change()
    const second = share('a', read)
    await settle()
    await settle()
    expect(await Promise.all([first, second])).toEqual([0, 1])
  })

  it('are kept apart by what is asked', async () => {
    const { read, settle, begun } = world()
    const share = singleFlight<number>()
    const answers = ['a', 'b', 'c'].map((key) => share(key, read))
    await settle()
    await Promise.all(answers)
    expect(begun()).toBe(3)
  })

  it('fail for those who shared the failing one only', async () => {
    const share = singleFlight<number>()
    const first = share('a', async () => {
      throw new Error('away')
    })
    const second = share('a', async () => 7)
    await expect(first).rejects.toThrow('away')
    expect(await second).toBe(7)
    expect(await share('a', async () => 8)).toBe(8)
  })
})
