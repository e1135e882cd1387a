// Every card of the demo, held against reading every diary: which service it is about, what that costs and when it is free next.
import { categories } from '@soigne/contract/wire'
import { expect, it } from 'vitest'
import { type Known, lyon, naiveAnswering, naiveServices, naiveTimes, type Query, searchTheDemo } from '#/testing/search-world.ts'

const world = searchTheDemo()

/** Compares each card that a query finds; `narrowed` leaves of an institute what the words of the query are about. How many there are. */
async function compare(query: Query, narrowed: (one: Known) => Known = (one) => one): Promise<number> {
  const cards = await world.all(query)
  for (const card of cards) {
    const known = world.known.find(({ id }) => id === card._id)
    if (!known) throw new Error(`${card.slug} is not known`)
    const one = narrowed(known)
    const expected = await naiveTimes(world.t.db, one, query)
    const shown = expected?.service ?? naiveServices(one, query)[0]
    expect([query, card.slug, card.service?._id, card.priceFrom?.amount, card.nextTimes.map(({ startsAt }) => startsAt)]).toEqual([
      query,
      card.slug,
      shown?.id,
      shown?.price ?? undefined,
      expected?.times.slice(0, 3) ?? [],
    ])
  }
  return cards.length
}

it(
  'is about the signature where nothing was asked, and never about a child’s variant, a consultation or a test',
  { timeout: 600_000 },
  async () => {
    expect(await compare({})).toBe(world.known.length)
    for (const card of await world.all({})) expect(card.service?.name).not.toMatch(/child|consultation|test/i)
  },
)

it.each(categories)('is about a service of the asked category: %s', { timeout: 600_000 }, async (category) => {
  expect(await compare({ category })).toBeGreaterThan(0)
  for (const card of await world.all({ category })) {
    const service = world.known.flatMap(({ services }) => services).find(({ id }) => id === card.service?._id)
    expect([card.slug, service?.category ?? category]).toEqual([card.slug, category])
  }
})

it.each<[string, string | undefined]>([
  ['massage', 'massage'],
  ['gel', undefined],
  ['coupe', undefined],
  ['brushing', undefined],
  ['ongles', 'nails'],
  ['cheveux', 'hair'],
  ['laser', undefined],
  ['تدليك', 'massage'],
])('is about a service of the asked word: %s', { timeout: 600_000 }, async (what, category) => {
  expect(await compare({ what }, (one) => naiveAnswering(one, what, category))).toBeGreaterThan(2)
})

it.each<Query>([
  { day: '2026-11-20' },
  { day: '2026-11-21' },
  { day: '2026-11-22' },
  { day: '2026-11-24', part: 'morning' },
  { day: '2026-11-20', part: 'evening' },
  { part: 'afternoon' },
  { sort: 'soonest' },
  { day: '2026-11-21', category: 'hair' },
  { day: '2026-11-20', category: 'nails', sort: 'soonest' },
  { day: '2026-11-21', audience: 'Kids' },
  { day: '2026-11-21', maxPrice: '25', ...lyon },
])('of %j shows the signature where it has a time then, else the service that is free earliest', { timeout: 600_000 }, async (query) => {
  const found = await compare(query)
  let expected = 0
  for (const one of world.naiveSearch(query)) if (await naiveTimes(world.t.db, one, query)) expected++
  expect([query, found]).toEqual([query, expected])
})

it('is not later than another that the same house could have shown', { timeout: 600_000 }, async () => {
  let standIns = 0
  for (const card of await world.all({ day: '2026-11-20' })) {
    const one = world.known.find(({ id }) => id === card._id)
    if (one && naiveServices(one, {})[0]?.id !== card.service?._id) standIns++
  }
  expect(standIns).toBeGreaterThan(0)
})
