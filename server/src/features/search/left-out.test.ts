// A word that nothing answers is left out and named; institutes that are only listed are counted apart.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import type { Answer } from '#/testing/search-world.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
  const services = [{ name: 'Coupe et brushing' }, { name: 'Balayage' }]
  await makeInstitute(t.db, { name: 'Atelier', slug: 'atelier', services })
  await makeInstitute(t.db, { name: 'Tamaris', slug: 'tamaris', services: [{ name: 'Balayage' }] })
  await makeInstitute(t.db, { name: 'Femme', slug: 'far', lat: 10, services })
  for (const name of ['Balayage Un', 'Balayage Deux']) await makeInstitute(t.db, { name, claimed: false })
})
afterAll(() => t.close())

async function search(query: Record<string, string>): Promise<[found: string[], total: number, listed: number, leftOut: string[]]> {
  const answer = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams({ lat: '45.764', lon: '4.8357', ...query })}`)
  const { items, total, listed, leftOut } = answer.body as unknown as Answer
  return [items.filter(({ claimed }) => claimed).map(({ slug }) => slug), total, listed, leftOut]
}

describe('a word that nothing here answers', () => {
  it.each<[string, string[], string[]]>([
    ['coupe femme', ['atelier'], ['femme']],
    ['Féerique coupe xqzwk', ['atelier'], ['Féerique', 'xqzwk']],
    ['copue femme', ['atelier'], ['femme']],
    ['tamaris coupe', ['tamaris'], ['coupe']],
    ['coupe brushing', ['atelier'], []],
    ['xqzwk', [], []],
    ['xqzwk vqjwx', [], []],
  ])('%s: is left out and named as it was typed', async (what, found, leftOut) => {
    const [slugs, , , left] = await search({ what })
    expect([slugs, left]).toEqual([found, leftOut])
  })

  it('is not left out because of the day: a word that is answered on other days stays', async () => {
    expect(await search({ what: 'coupe brushing', day: '2020-01-01' })).toEqual([[], 0, 0, []])
  })

  it('answers where it is known', async () => {
    expect((await search({ what: 'coupe femme', lat: '10' })).slice(0, 1)).toEqual([['far']])
  })
})

it.each([{}, { sort: 'nearest' }, { what: 'balayage' }])('institutes that are only listed are counted apart: %j', async (query) => {
  expect((await search({ ...query })).slice(1, 3)).toEqual([4, 2])
  expect((await search({ ...query, day: '2026-11-24' })).slice(1, 3)).toEqual([2, 0])
})
