import { expect, it } from 'vitest'
import { sortOrders } from '#/contract/closed-lists.ts'
import { shownOrders } from './filter-choices.ts'

it('every order the search knows is offered', () => {
  expect(shownOrders.toSorted()).toEqual(sortOrders.toSorted())
})
