/** What is suggested for a text, on the demo: in three languages, with typing errors, and never more than eight. */
import type { Suggestion } from '@soigne/contract/suggestions'
import { describe, expect, it } from 'vitest'
import { foldedWords } from '#/platform/fold-text.ts'
import { makeInstitute } from '#/testing/factories.ts'
import { searchTheDemo } from '#/testing/search-world.ts'

const world = searchTheDemo()

async function suggest(q: string, locale = 'en'): Promise<Suggestion[]> {
  const answer = await world.t.inject('GET', `/api/v1/client/search/suggestions?${new URLSearchParams({ q })}`, { locale })
  expect(answer.status).toBe(200)
  return (answer.body as unknown as { items: Suggestion[] }).items
}
const namesOf = (items: readonly Suggestion[], kind: 'service' | 'institute'): string[] =>
  items.flatMap((one) => (one.kind !== 'category' && one.kind === kind ? [one.name] : []))

describe('suggestions for what is wanted', () => {
  it.each([
    ['na', 'nails'],
    ['Ongl', 'nails'],
    ['épil', 'hair-removal'],
    ['EPIL', 'hair-removal'],
    ['أظا', 'nails'],
    ['الأظافر', 'nails'],
    ['massaeg', 'massage'],
  ])('%s: names the category %s first, in whatever language it was typed', async (q, category) => {
    expect((await suggest(q))[0]).toEqual({ kind: 'category', category })
  })

  it('names services that can be booked and institutes whose words begin so, each once', async () => {
    for (const q of ['co', 'bru', 'gel', 'mas', 'cut']) {
      const items = await suggest(q)
      expect(items.length).toBeGreaterThan(0)
      expect(items.length).toBeLessThanOrEqual(8)
      const begins = (text: string): boolean => foldedWords(text).some((word) => word.startsWith(q))
      const offered = world.known.flatMap(({ services }) => services.filter(({ bookable, price }) => bookable && price !== null))
      const services = namesOf(items, 'service')
      expect(new Set(services).size).toBe(services.length)
      for (const name of services)
        expect([q, name, begins(name), offered.some(({ names }) => names.includes(name))]).toEqual([q, name, true, true])
      for (const name of namesOf(items, 'institute')) expect([name, begins(name)]).toEqual([name, true])
    }
  })

  it('what is suggested as a service finds somebody', async () => {
    for (const name of namesOf(await suggest('co'), 'service')) expect((await world.search({ what: name })).total).toBeGreaterThan(0)
  })

  it('names a service in the language that was typed, else in the one that is asked', async () => {
    const known = world.known.flatMap(({ services }) => services).find(({ names }) => names.includes('Haircut') || new Set(names).size > 2)
    expect(known).toBeDefined()
    for (const name of known?.names ?? []) expect(namesOf(await suggest(name), 'service')).toContain(name)
  })

  it('an institute is found by the beginning of any word of its name, and leads to its page', async () => {
    const [one] = world.known.toSorted((a, b) => b.name.length - a.name.length)
    const items = await suggest(one?.name.slice(0, -1) ?? '')
    expect(items.filter((item) => item.kind === 'institute').map(({ slug }) => slug)).toContain(one?.slug)
  })

  it('small typing errors do not matter', async () => {
    expect(namesOf(await suggest('balayga'), 'service').join()).toMatch(/balayage/i)
  })

  it.each([
    ['gel', 'gel xqzwkv'],
    ['coupe', 'coupe xqzwkv'],
    ['massage', 'xqzwkv massage'],
  ])('a word that nothing answers does not take away what answers the others: %s, %s', async (known, asked) => {
    const items = await suggest(asked)
    expect(items.length).toBeGreaterThan(0)
    expect(items).toEqual(await suggest(known))
  })

  it('words that each find somebody but nothing together suggest nothing', async () => {
    expect(await suggest('tattoo pedicure haircut')).toEqual([])
  })

  it.each(['', 'x', 'é', ' ', '!!', 'xqzwkv', 'gel xqzwkv', "'); drop table", '%', "a'b:*", '\\'])(
    '%j is no mistake and answers what it can',
    async (q) => {
      expect((await suggest(q)).length).toBeLessThanOrEqual(8)
    },
  )

  it('nothing is suggested for one letter', async () => {
    expect(await suggest('c')).toEqual([])
  })

  it('an institute that is not published is suggested neither by name nor by its menu', async () => {
    await makeInstitute(world.t.db, { name: 'Zyxwell', state: 'draft', services: [{ name: 'Zyxwell wrap' }] })
    expect(await suggest('zyxwell')).toEqual([])
  })
})
