import { describe, expect, it } from 'vitest'
import { gelManicure, handMassage, ines, maud, nacre } from '#/testing/institutes.ts'
import { holdAt } from '#/testing/visits.ts'
import { membersForAll, priceCart, priceByHold } from './priced-cart.ts'

describe('what a visit comes to', () => {
  it('adds prices and minutes of the chosen people', () => {
    const plan = priceCart(nacre, [
      { serviceId: gelManicure, staffId: maud },
      { serviceId: handMassage, staffId: ines },
    ])
    expect(plan.total).toEqual({ amount: 5800, currency: 'EUR' })
    expect(plan.durationMinutes).toBe(100)
    expect(plan.isOpenEnded).toBe(false)
  })

  it('with anyone, says from the least that somebody asks', () => {
    const plan = priceCart(nacre, [{ serviceId: gelManicure, staffId: null }])
    expect(plan.total?.amount).toBe(3800)
    expect(plan.isOpenEnded).toBe(true)
  })

  it('a hold settles the price and the person', () => {
    const asked = priceCart(nacre, [{ serviceId: gelManicure, staffId: null }])
    const plan = priceByHold(asked, nacre, holdAt('2026-11-24T15:40:00Z', 600_000))
    expect(plan.isOpenEnded).toBe(false)
    expect(plan.lines[0]?.member?.name).toBe('Inès')
  })

  it('names the people who perform everything', () => {
    expect(membersForAll(nacre, nacre.services).map(({ name }) => name)).toEqual(['Inès'])
  })
})
