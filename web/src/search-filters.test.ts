import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activeFilters, changeFilters, clearedFilters, filterNames, readFilters, searchPath } from './search-filters.ts'

function read(query: string) {
  return readFilters(new URLSearchParams(query))
}

describe('the filters in the address', () => {
  it('[R-07] are read as they stand there', () => {
    expect(read('what=gel&place=Lyon&lat=45.76&lon=4.83&day=2026-11-20&part=evening&category=nails&maxPrice=80')).toEqual({
      what: 'gel',
      place: 'Lyon',
      lat: '45.76',
      lon: '4.83',
      day: '2026-11-20',
      part: 'evening',
      category: 'nails',
      maxPrice: '80',
    })
  })

  it.each([
    'day=2026-02-30',
    'day=tomorrow',
    'category=garden',
    'lat=91&lon=4',
    'lat=45.76',
    'minRating=6',
    'radiusKm=0',
    'area=1,2,3',
    'area=180,90,-180,-90',
    'area=181,0,182,1',
    'area=0,-91,1,0',
    'radiusKm=0.05',
    'page=1.5',
    'maxPrice=1.123456789012345678',
    'atHome=false',
    'paymentMethod=cash',
    'pageSize=25',
    'page=0',
    'what=',
  ])('leave out what makes no sense: %s', (query) => {
    expect(read(query)).toEqual({})
  })

  it('take a day from the second control of a form when the first is empty', () => {
    expect(read('day=&otherDay=2026-12-03')).toEqual({ day: '2026-12-03' })
    expect(read('day=2026-11-20&otherDay=2026-12-03')).toEqual({ day: '2026-11-20' })
  })

  it('start again at the first page when one of them changes, and keep the page otherwise named', () => {
    const filters = read('category=nails&page=3&pageSize=20')
    expect(searchPath(filters, { minRating: '4.5' })).toBe('/institutes?category=nails&minRating=4.5&pageSize=20')
    expect(searchPath(filters, { page: '4' })).toBe('/institutes?category=nails&page=4&pageSize=20')
  })

  it('are cleared without losing the words, the place and the order', () => {
    const filters = read('what=gel&place=Lyon&category=nails&minRating=4&sort=price')
    expect(activeFilters(filters)).toEqual(['category', 'minRating'])
    expect(clearedFilters(filters)).toEqual({ what: 'gel', place: 'Lyon', sort: 'price' })
  })

  it('survive any address, and an address made from them reads the same', () => {
    const values = fc.oneof(fc.string(), fc.constantFrom('nails', '4.5', '2026-11-20', 'true', '45.7', '1,2,3,4', '20'))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...filterNames), values), (query) => {
        const filters = readFilters(new URLSearchParams(query))
        const again = readFilters(new URL(searchPath(filters, { page: filters.page ?? null }), 'https://x.invalid').searchParams)
        expect(again).toEqual(filters)
        expect(changeFilters(filters, { page: filters.page ?? null })).toEqual(filters)
      }),
    )
  })
})
