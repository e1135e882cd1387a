import { categories } from '@soigne/contract/wire'
import { describe, expect, it } from 'vitest'
import { mixedByAppetite } from './appetite.ts'

const of = (...names: string[]) => names.map((category, index) => ({ id: index, categories: [category] }))

describe('many trades on one page', () => {
  it('never begin with the doctor while somebody else is there', () => {
    for (const category of categories.filter((name) => name !== 'medical'))
      expect(mixedByAppetite(of('medical', category))[0]?.categories).toEqual([category])
  })

  it('take turns, the nearest of each first', () => {
    const mixed = mixedByAppetite(of('nails', 'nails', 'nails', 'medical', 'massage', 'massage'))
    expect(mixed.map(({ id, categories: [name] }) => `${name} ${id}`)).toEqual([
      'massage 4',
      'nails 0',
      'medical 3',
      'massage 5',
      'nails 1',
      'nails 2',
    ])
  })

  it('lose nobody, and know every category', () => {
    const all = of(...categories, 'something new')
    expect(mixedByAppetite(all)).toHaveLength(categories.length + 1)
    expect(mixedByAppetite(all).at(-1)?.categories).toEqual(['something new'])
  })
})
