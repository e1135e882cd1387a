/** What a search does with odd requests, and how much work it is. */
import { describe, expect, it } from 'vitest'
import { lyon, type Query, searchTheDemo } from '#/testing/search-world.ts'

const world = searchTheDemo()
const { search } = world

describe('hostile input', () => {
  it.each([
    'pageSize=10&pageSize=50',
    'page=1&page=2',
    'page=0',
    'page=-1',
    'page=1e9',
    'page=1.5',
    'page=Infinity',
    'pageSize=11',
    'lat=91&lon=0',
    'lat=NaN&lon=0',
    'lat=45',
    'lon=4',
    'lat=&lon=',
    'lat=1&lat=2&lon=1',
    'radiusKm=0&lat=1&lon=1',
    'radiusKm=501&lat=1&lon=1',
    'what=%00',
    'what=a&what=b',
    `what=${'a'.repeat(121)}`,
    'area=1,2,3',
    'area=200,0,201,1',
    'area=0,50,1,40',
    'area=a,b,c,d',
    'day=2026-02-30',
    'day=tomorrow',
    'part=night',
    'category=hairy',
    'category=hair&category=nails',
    'audience=Women',
    'atHome=yes',
    'language=Klingon',
    'maxPrice=-1',
    'maxPrice=',
    'minRating=6',
    'paymentMethod=cash',
    'openNow=1',
    'sort=paid',
    'place=%00',
  ])('%s is bad input', async (query) => {
    const answer = await world.t.inject('GET', `/api/v1/client/institutes?${query}`)
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_input'])
  })

  it.each([
    "what=' or 1=1 --",
    'what=%ED%A0%80',
    'what=((((',
    'what=%5C',
    'what=.*.*.*',
    'what=a',
    'place=%27%3B%20drop%20table',
    'what=<script>',
    `what=${'ab '.repeat(40)}`,
    'unknown=1',
    '__proto__=1',
  ])('%s is answered calmly', async (query) => {
    expect((await world.t.inject('GET', `/api/v1/client/institutes?${query}`)).status).toBe(200)
  })
})

describe('the work of the database', () => {
  it.each<[string, Query, number]>([
    ['a plain page', {}, 7],
    ['a place and words, which may be a quarter too', { place: 'Lyon', what: 'massage' }, 9],
    ['a day over all', { day: '2026-11-21' }, 8],
    ['a mistyped word on a day', { what: 'nial', day: '2026-11-21', part: 'evening' }, 11],
    ['a price sort with words', { sort: 'price', what: 'massage', ...lyon }, 7],
    ['soonest of all', { sort: 'soonest', pageSize: '50' }, 11],
  ])('%s needs few statements, begin and commit among them, however many institutes there are', async (_, query, most) => {
    const before = world.t.context.database.statements()
    await search(query)
    expect(world.t.context.database.statements() - before).toBeLessThanOrEqual(most)
  })
})
