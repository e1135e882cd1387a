// What the statement over all of the area may skip because it cannot matter: zones where the day is over, menus without the word.
import type { InstituteCard } from '@soigne/contract/institutes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

// A Friday: 22:45 in Chatham, 10:00 in Paris, 05:30 in St John's, 23:00 of the day before in Honolulu.
const now = '2026-11-20T09:00:00Z'
const zones = ['Pacific/Chatham', 'Europe/Paris', 'America/St_Johns', 'Pacific/Honolulu']

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: now })
  for (const timeZone of zones)
    await makeInstitute(t.db, {
      slug: timeZone.toLowerCase().replace(/\W/, '-').replace('_', '-'),
      timeZone,
      opensAt: 360,
      closesAt: 1420,
      notice: 0,
    })
  await makeInstitute(t.db, {
    slug: 'studio-zanzibar',
    name: 'Studio Zanzibar',
    lat: 10,
    lon: 10,
    services: [
      { name: 'Cut', active: 15, price: 1000 },
      { name: 'Beard', active: 10, price: 3000 },
    ],
  })
  await makeInstitute(t.db, {
    slug: 'palmier',
    name: 'Palmier',
    lat: 10,
    lon: 10,
    services: [
      { name: 'Cut', active: 15, price: 1000 },
      { name: 'Zanzibar wrap', active: 50, price: 9000 },
      { name: 'Zanzibar scrub', active: 40, price: 5000 },
    ],
  })
})
afterAll(() => t.close())

interface Answer {
  items: InstituteCard[]
  total: number
  relax: { filter: string; total: number }[]
}

async function answerOf(query: Record<string, string>): Promise<Answer> {
  const { status, body } = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams({ pageSize: '50', ...query })}`)
  expect(status).toBe(200)
  return body as unknown as Answer
}
const search = async (query: Record<string, string>): Promise<InstituteCard[]> => (await answerOf(query)).items

describe('a day anywhere in the world', () => {
  const slugsOf = async (query: Record<string, string>): Promise<string[]> =>
    (await search(query))
      .map(({ slug }) => slug)
      .filter((slug) => /^(pacific|europe|america)/.test(slug))
      .sort()

  it.each<[string, Record<string, string>, string[]]>([
    ['today', { day: '2026-11-20' }, ['america-st-johns', 'europe-paris', 'pacific-chatham', 'pacific-honolulu']],
    ['this morning', { day: '2026-11-20', part: 'morning' }, ['america-st-johns', 'europe-paris', 'pacific-honolulu']],
    ['yesterday', { day: '2026-11-19' }, ['pacific-honolulu']],
    ['the morning of yesterday', { day: '2026-11-19', part: 'morning' }, []],
  ])('%s is looked for wherever it is not over', async (_, query, slugs) => {
    expect(await slugsOf(query)).toEqual(slugs)
  })
})

describe('giving up the place', () => {
  const nowhere = { lat: '60', lon: '-40', radiusKm: '1' }

  it.each<Record<string, string>>([
    { day: '2026-11-20' },
    { day: '2026-11-20', part: 'morning' },
    { day: '2026-11-20', part: 'evening', category: 'hair' },
    { day: '2026-11-23', part: 'afternoon', maxPrice: '40' },
    { day: '2026-11-23', what: 'cut' },
    { day: '2026-12-21', sort: 'soonest' },
    { part: 'evening', sort: 'soonest' },
    { sort: 'soonest' },
  ])('brings as many as %j finds anywhere', async (query) => {
    const { total } = await answerOf(query)
    expect(total).toBeGreaterThan(2)
    expect((await answerOf({ ...nowhere, ...query })).relax).toContainEqual({ filter: 'place', total })
  })
})

describe('the service that words ask for', () => {
  const here = { lat: '10', lon: '10', radiusKm: '1', day: '2026-11-24' }
  const servicesOf = async (query: Record<string, string>): Promise<[string, string | undefined][]> =>
    (await search({ ...here, ...query })).map(({ slug, service }): [string, string | undefined] => [slug, service?.name]).sort()

  it('is the first of those that have the word, or of all where the word is the name of the institute', async () => {
    expect(await servicesOf({ what: 'zanzibar' })).toEqual([
      ['palmier', 'Zanzibar wrap'],
      ['studio-zanzibar', 'Cut'],
    ])
  })

  it('is not another one that is cheaper', async () => {
    expect(await servicesOf({ what: 'zanzibar', maxPrice: '60' })).toEqual([
      ['palmier', 'Zanzibar scrub'],
      ['studio-zanzibar', 'Cut'],
    ])
    expect(await servicesOf({ what: 'zanzibar', maxPrice: '20' })).toEqual([['studio-zanzibar', 'Cut']])
  })

  it('answers as many of several words as it can', async () => {
    expect(await servicesOf({ what: 'zanzibar wrap' })).toEqual([['palmier', 'Zanzibar wrap']])
    expect(await servicesOf({ what: 'palmier zanzibar' })).toEqual([['palmier', 'Zanzibar wrap']])
  })
})
