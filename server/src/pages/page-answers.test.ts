/** Answers that pages share: how old they may be, and what is told apart. */
import { beforeEach, describe, expect, it } from 'vitest'
import { keepAnswers, type ReadCall } from './page-answers.ts'

let time = 0
let truth: unknown
let asked: string[] = []

beforeEach(() => {
  time = 0
  truth = 'free at 9:00'
  asked = []
})

const read: ReadCall = async (name, input) => {
  asked.push(`${name} ${JSON.stringify(input)}`)
  const said = truth
  await Promise.resolve()
  if (said === 'away') throw new Error('away')
  return { said }
}
const opened = () => keepAnswers({ freshForMs: 5000, size: 3, now: () => time })

describe('an answer', () => {
  it('is given again to other pages while it is fresh, with the moment it was read', async () => {
    const answers = opened()('en', read)
    const first = await answers('home', {})
    time = 4999
    truth = 'full'
    expect(await answers('home', {})).toBe(first)
    expect(first).toMatchObject({ json: '{"said":"free at 9:00"}', readAt: 0 })
    time = 5000
    expect(await answers('home', {})).toMatchObject({ json: '{"said":"full"}', readAt: 5000 })
  })

  it('is read once for all who ask at the same time', async () => {
    const answers = opened()('en', read)
    await Promise.all([answers('home', {}), answers('home', {}), answers('home', {})])
    expect(asked).toHaveLength(1)
  })

  it('is as old as the moment it was asked for, not the moment it came', async () => {
    const slow: ReadCall = async () => {
      time = 3000
      return 'slow'
    }
    expect((await opened()('en', slow)('home', {})).readAt).toBe(0)
  })

  it('is told apart by language, call and what was asked', async () => {
    const keep = opened()
    await keep('en', read)('institute', { params: { slug: 'a' } })
    await keep('en', read)('institute', { params: { slug: 'b' } })
    await keep('fr', read)('institute', { params: { slug: 'a' } })
    await keep('en', read)('nextTimes', { params: { slug: 'a' } })
    expect(asked).toHaveLength(4)
  })

  it('that fails is not kept', async () => {
    const answers = opened()('en', read)
    truth = 'away'
    await expect(answers('home', {})).rejects.toThrow('away')
    truth = 'back'
    expect((await answers('home', {})).json).toBe('{"said":"back"}')
  })

  it('has the same digest as another that says the same, and no other', async () => {
    const answers = opened()('en', read)
    const digests: string[] = []
    for (const [at, said] of ['full', 'full', 'free'].entries()) {
      time = at * 5000
      truth = said
      digests.push((await answers('home', {})).digest)
    }
    expect(digests[0]).toBe(digests[1])
    expect(digests[2]).not.toBe(digests[0])
  })

  it('makes room: only so many are kept', async () => {
    const answers = opened()('en', read)
    for (const page of [1, 2, 3, 4, 1, 4]) await answers('searchInstitutes', { query: { page } })
    expect(asked).toHaveLength(5)
  })
})
