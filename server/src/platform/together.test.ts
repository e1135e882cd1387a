import { describe, expect, it } from 'vitest'
import { sendTogether } from './together.ts'

const refusedBy = (code: string): Error => Object.assign(new Error(code), { code })

/** Batches that end when told to; who is odd has to be done alone. */
function world(most = 3) {
  const batches: number[][] = []
  const alone: number[] = []
  const ends: { done(answers: (string | null)[]): void; fail(error: Error): void }[] = []
  const send = sendTogether<number, string>({
    most,
    together: (asked) => {
      batches.push([...asked])
      return new Promise((done, fail) => ends.push({ done, fail }))
    },
    alone: async (one) => {
      alone.push(one)
      if (one === 13) throw new Error('thirteen')
      return `alone ${one}`
    },
  })
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done))
  const end = async (): Promise<void> => {
    const asked = batches.at(-1) ?? []
    ends.shift()?.done(asked.map((one) => (one % 2 === 1 ? null : `together ${one}`)))
    await turn()
  }
  const fail = async (error: Error): Promise<void> => {
    ends.shift()?.fail(error)
    await turn()
  }
  return { send, batches, alone, end, fail }
}

describe('what is asked while a batch is under way', () => {
  it('goes together with the next, in order and so many at most', async () => {
    const { send, batches, end } = world()
    const answers = [2, 4, 6, 8, 10].map(send)
    expect(batches).toEqual([[2]])
    await end()
    await end()
    await end()
    expect(batches).toEqual([[2], [4, 6, 8], [10]])
    expect(await Promise.all(answers)).toEqual(['together 2', 'together 4', 'together 6', 'together 8', 'together 10'])
    const later = send(12)
    await end()
    expect(await later).toBe('together 12')
  })

  it('is done alone where it would have to wait, and the next batch does not wait for it', async () => {
    const { send, batches, alone, end } = world()
    const answers = [2, 3, 4, 6].map(send)
    await end()
    await end()
    expect(await Promise.all(answers)).toEqual(['together 2', 'alone 3', 'together 4', 'together 6'])
    expect({ batches, alone }).toEqual({ batches: [[2], [3, 4, 6]], alone: [3] })
  })
})

describe('a batch that fails', () => {
  it.each(['23P01', '23505', '40001', '40P01', '55P03', 'P0001'])(
    'with %s kept nothing: each is done alone, and one spoils nothing',
    async (code) => {
      const { send, end, fail, alone } = world()
      const answers = Promise.allSettled([2, 4, 13].map(send))
      await end()
      await fail(refusedBy(code))
      expect(await answers).toMatchObject([{ value: 'together 2' }, { value: 'alone 4' }, { reason: { message: 'thirteen' } }])
      expect(alone).toEqual([4, 13])
    },
  )

  it.each(['57P01', '08006', '57014', 'ECONNRESET'])('with %s is not done again: nobody knows what became of it', async (code) => {
    const { send, end, fail, alone } = world()
    const answers = Promise.allSettled([2, 4, 6].map(send))
    await end()
    await fail(refusedBy(code))
    expect(await answers).toMatchObject([{ value: 'together 2' }, { reason: { code } }, { reason: { code } }])
    expect(alone).toEqual([])
    const later = send(8)
    await end()
    expect(await later).toBe('together 8')
  })
})
