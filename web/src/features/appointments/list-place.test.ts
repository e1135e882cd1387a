import { describe, expect, it } from 'vitest'
import { listPath, readListPlace } from './list-place.ts'

const read = (query: string) => readListPlace(new URLSearchParams(query))

describe('the place in the list of appointments', () => {
  it.each([10, 20, 30, 40, 50])('[K-01] takes pages of %i', (pageSize) => {
    expect(read(`pageSize=${pageSize}`).pageSize).toBe(pageSize)
  })

  it.each(['', 'pageSize=15', 'pageSize=1000', 'pageSize=-10', 'pageSize=ten'])('[K-01] any other size is 10: %s', (query) => {
    expect(read(query).pageSize).toBe(10)
  })

  it.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=1e99'])('an absurd page is the first: %s', (query) => {
    expect(read(query).page).toBe(1)
  })

  it('reads back every address it writes', () => {
    for (const when of ['upcoming', 'past', 'cancelled'] as const) {
      const place = { when, page: 3, pageSize: 20 }
      expect(read(listPath(place).split('?')[1] ?? '')).toEqual(place)
    }
  })

  it('another part starts at its first page, another page keeps the part', () => {
    const place = { when: 'past', page: 3, pageSize: 20 } as const
    expect(listPath(place, { when: 'cancelled' })).toBe('/appointment/list?when=cancelled&pageSize=20')
    expect(listPath(place, { page: 4 })).toBe('/appointment/list?when=past&page=4&pageSize=20')
  })

  it('an unknown part is what is coming up', () => {
    expect(read('when=never').when).toBe('upcoming')
  })
})
