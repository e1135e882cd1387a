// Where nothing is found no card says in which zone and currency that is: the answer does.
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertPlaces } from '#/features/places/store.ts'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const town = (geonameId: number, name: string, countryCode: string, timeZone: string, lat: number, lon: number) => ({
  geonameId,
  name,
  nameFr: null,
  nameAr: null,
  countryCode,
  region: null,
  lat,
  lon,
  population: 900_000,
  timeZone,
  search: `|${name.toLowerCase()}|`,
})
const towns = [
  town(1, 'Marrakech', 'MA', 'Africa/Casablanca', 31.63, -8.01),
  town(2, 'Tokyo', 'JP', 'Asia/Tokyo', 35.69, 139.69),
  town(3, 'Suva', 'FJ', 'Pacific/Fiji', -18.14, 178.44),
]
const morocco = { timeZone: 'Africa/Casablanca', currency: 'MAD' }

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
  await insertPlaces(t.db, Readable.from(towns))
  await makeInstitute(t.db, { name: 'Atelier' })
})
afterAll(() => t.close())

it.each<[Record<string, string>, object | undefined]>([
  [{ place: 'Marrakech' }, morocco],
  [
    { place: 'Tokyo', lat: '35.7', lon: '139.7' },
    { timeZone: 'Asia/Tokyo', currency: 'JPY' },
  ],
  [{ area: '-8.2,31.5,-7.8,31.8' }, morocco],
  [{ area: '178,-19,-179.5,-17' }, { timeZone: 'Pacific/Fiji', currency: 'FJD' }],
  [{ place: 'Tokyo', area: '-8.2,31.5,-7.8,31.8' }, morocco],
  [{ lat: '-45', lon: '-140' }, undefined],
  [{ what: 'xqzwk' }, undefined],
])('%j: in which zone and currency that is, if anybody lives there', async (query, local) => {
  const { body } = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams(query)}`)
  expect([body['total'], body['local']]).toEqual([0, local])
})

it('is said nowhere else', async () => {
  const { body } = await t.inject('GET', '/api/v1/client/institutes')
  expect([body['total'], body['local']]).toEqual([1, undefined])
})
