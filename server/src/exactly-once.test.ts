/** Each event is answered once by each reaction, whatever is killed between the two. REACTIONS_SEED and REACTIONS_KILLS repeat and lengthen a course. */
import { randomFrom } from '@soigne/demo/random'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Effect, type Happened, judgeEffects } from '#/testing/effects-judge.ts'
import { killReactions, slot } from '#/testing/killed-reactions.ts'
import { cloneTemplate } from '#/testing/test-database.ts'

const seed = process.env['REACTIONS_SEED'] ?? String(Date.now() % 1_000_000)
const kills = Number(process.env['REACTIONS_KILLS'] ?? 2)

let clone: Awaited<ReturnType<typeof cloneTemplate>>
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
})
afterAll(() => clone.drop())

it(
  `two servers killed ${kills} times in the middle of reactions: none lost, none twice, each visit in its order (seed ${seed})`,
  { timeout: 900_000 },
  async ({ signal }) => {
    const { figures, violations, unguarded } = await killReactions({
      databaseUrl: clone.url,
      kills,
      random: randomFrom(seed),
      withUnguarded: true,
      signal,
    })
    process.stdout.write(`seed ${seed}: ${JSON.stringify(figures)}\n`)
    expect(violations).toEqual([])
    // The same course through a reaction without a guard: the judge sees it.
    expect(unguarded).toContainEqual(expect.stringMatching(/ 2 times to the unguarded$/))
  },
)

it('a course however long asks for times of an open institute alone', () => {
  const times = Array.from({ length: 27 * 50 }, (_, n) => slot(n))
  expect(new Set(times).size).toBe(times.length)
  for (const time of times) {
    const [hour = 0, minute = 0] = time.slice(11, 16).split(':').map(Number)
    expect([time, hour * 60 + minute >= 540 && hour * 60 + minute + 20 <= 1080]).toEqual([time, true])
  }
})

describe('the judge', () => {
  const events: Happened[] = [
    { id: 1, kind: 'visit.held', subjectId: 'a' },
    { id: 2, kind: 'visit.booked', subjectId: 'a' },
    { id: 3, kind: 'visit.booked', subjectId: 'b' },
    { id: 4, kind: 'visit.moved', subjectId: 'a' },
  ]
  const effects = (...numbers: number[]): Effect[] => numbers.flatMap((event) => ['client', 'institute'].map((what) => ({ event, what })))

  it('is content with each once in the order of its visit, whatever the others do', () => {
    expect(judgeEffects(events, effects(2, 4, 3))).toEqual([])
    expect(judgeEffects(events, effects(3, 2, 4))).toEqual([])
  })

  it('sees one that is lost, one that comes twice, one that comes too early and one that should not come at all', () => {
    expect(judgeEffects(events, effects(2, 3))).toEqual(['visit.moved 4: lost to the client', 'visit.moved 4: lost to the institute'])
    expect(judgeEffects(events, [...effects(2, 3, 4), { event: 3, what: 'client' }])).toEqual(['visit.booked 3: 2 times to the client'])
    expect(judgeEffects(events, effects(4, 2, 3))[0]).toBe('2 of a was told to the client after 4')
    expect(judgeEffects(events, effects(1, 2, 3, 4))[0]).toBe('1, which is no event with a letter, was told to the client')
  })
})
