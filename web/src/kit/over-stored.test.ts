import { describe, expect, it } from 'vitest'
import { fieldsOf, isSame, overStored } from './over-stored.ts'

const read = {
  name: { en: 'Cut', fr: 'Coupe' },
  price: 4000,
  note: '',
  tags: ['a', 'b'],
  performers: [
    { staffId: 'ines', priceAmount: null as number | null },
    { staffId: 'salma', priceAmount: null },
  ],
}
type Values = typeof read
const over = (typed: Partial<Values>, stored: Partial<Values>) =>
  overStored<Values>({ read, typed: { ...read, ...typed }, stored: { ...read, ...stored }, inParts: ['name'] })

describe('what was changed on one screen, over what another has stored', () => {
  it('keeps the other’s fields, and the other languages of words', () => {
    const { values, clashes } = over(
      { price: 4500, name: { en: 'Cut', fr: 'Coupe courte' } },
      { note: 'Wash first', name: { en: 'Haircut', fr: 'Coupe' } },
    )
    expect(values).toEqual({ ...read, price: 4500, note: 'Wash first', name: { en: 'Haircut', fr: 'Coupe courte' } })
    expect(clashes).toEqual([])
  })

  it('keeps what either added to a list, changed in it and took from it', () => {
    const { values, clashes } = over(
      {
        tags: ['b', 'c'],
        performers: [
          { staffId: 'ines', priceAmount: 5000 },
          { staffId: 'salma', priceAmount: null },
        ],
      },
      {
        tags: ['a', 'b', 'd'],
        performers: [
          { staffId: 'karim', priceAmount: null },
          { staffId: 'ines', priceAmount: null },
        ],
      },
    )
    expect(values.tags).toEqual(['b', 'd', 'c'])
    expect(values.performers).toEqual([
      { staffId: 'karim', priceAmount: null },
      { staffId: 'ines', priceAmount: 5000 },
    ])
    expect(clashes).toEqual([])
  })

  it('tells where both changed the same, by its path, once for a list', () => {
    const { values, clashes } = over(
      {
        price: 4500,
        name: { en: 'Trim', fr: 'Coupe' },
        performers: [
          { staffId: 'ines', priceAmount: 1 },
          { staffId: 'salma', priceAmount: 1 },
        ],
      },
      { price: 5000, name: { en: 'Haircut', fr: 'Coupe' }, performers: [{ staffId: 'ines', priceAmount: 2 }] },
    )
    expect(clashes).toEqual([
      { path: 'name.en', stored: 'Haircut' },
      { path: 'price', stored: 5000 },
      { path: 'performers', stored: { staffId: 'ines', priceAmount: 2 } },
    ])
    expect([values.price, values.name.en]).toEqual([4500, 'Trim'])
  })

  it('takes a list whose items are about nothing for one value', () => {
    const hours = (opensAt: string) => ({ hours: [{ opensAt, closesAt: '18:00' }] })
    const screens = { read: hours('09:00'), typed: hours('10:00') }
    expect(overStored({ ...screens, stored: hours('09:00') })).toEqual({ values: hours('10:00'), clashes: [] })
    expect(overStored({ ...screens, stored: hours('08:00') }).clashes).toEqual([{ path: 'hours', stored: hours('08:00').hours }])
  })

  it('finds no difference between the same values, nor between nothing and nothing', () => {
    expect(over({ price: 4500 }, { price: 4500 }).clashes).toEqual([])
    expect(isSame({ en: 'Cut', fr: '' }, { en: 'Cut' })).toBe(true)
    expect(isSame({ a: 1, b: [1] }, { b: [1], a: 1 })).toBe(true)
    expect([isSame([1, 2], [2, 1]), isSame(0, ''), isSame(false, null)]).toEqual([false, false, false])
    expect(fieldsOf(read, ['price'])).toEqual({ price: 4000 })
  })
})
