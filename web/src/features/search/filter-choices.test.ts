import { expect, it } from 'vitest'
import { sortOrders } from '#/contract/closed-lists.ts'
import { priceCeilings, shownOrders } from './filter-choices.ts'

it('every order the search knows is offered', () => {
  expect(shownOrders.toSorted()).toEqual(sortOrders.toSorted())
})

it.each([
  ['euros', 38, ['30', '50', '80', '120']],
  ['dirhams', 230, ['300', '500', '800', '1200']],
  ['yen', 6400, ['3000', '5000', '8000', '12000']],
  ['the price of a fringe', 8, ['30', '50', '80', '120']],
  ['what is free', 0, ['30', '50', '80', '120']],
  ['what nobody knows', undefined, []],
])('ceilings of prices are such as fit %s', (_, price, ceilings) => {
  expect(priceCeilings(price)).toEqual(ceilings)
})
