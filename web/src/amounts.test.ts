import { describe, expect, it } from 'vitest'
import { amountOf, percentOf, typedAmount } from './amounts.ts'

describe('an amount that is typed', () => {
  it.each([
    ['12', 'EUR', 1200],
    ['12.5', 'EUR', 1250],
    ['12,50', 'EUR', 1250],
    [' 1 234,05 ', 'EUR', 123_405],
    ['0', 'EUR', 0],
    ['007', 'EUR', 700],
    ['0,05', 'EUR', 5],
    ['0.001', 'TND', 1],
    ['99999999', 'JPY', 99_999_999],
    ['12,5', 'MAD', 1250],
    ['12.', 'EUR', 1200],
    ['35.5', 'TND', 35_500],
    ['35,125', 'TND', 35_125],
    ['1500', 'JPY', 1500],
    ['١٢٫٥', 'EUR', 1250],
  ])('%s in %s is %i minor units', (text, currency, amount) => {
    expect(amountOf(text, currency)).toBe(amount)
  })

  it.each([
    ['', 'EUR'],
    ['twelve', 'EUR'],
    ['-5', 'EUR'],
    ['+5', 'EUR'],
    ['€5', 'EUR'],
    ['.5', 'EUR'],
    ['1.2.3', 'EUR'],
    ['12.505', 'EUR'],
    ['12.5', 'JPY'],
    ['123456789', 'EUR'],
  ])('%s in %s is none', (text, currency) => {
    expect(amountOf(text, currency)).toBeNull()
  })

  it('stands in its field with the decimals of its currency', () => {
    expect([typedAmount(1250, 'EUR'), typedAmount(35_500, 'TND'), typedAmount(1500, 'JPY'), typedAmount(null, 'EUR')]).toEqual([
      '12.50',
      '35.500',
      '1500',
      '',
    ])
  })
})

it('a part in percent is rounded half up, to the minor unit', () => {
  expect([percentOf(5200, 10), percentOf(5, 10), percentOf(4, 10), percentOf(3333, 15), percentOf(1, 50), percentOf(0, 10)]).toEqual([
    520, 1, 0, 500, 1, 0,
  ])
})
