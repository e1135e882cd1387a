import { describe, expect, it } from 'vitest'
import { gelManicure, handMassage, ines, maud, nacre } from '#/testing/institutes.ts'
import { holdAt } from '#/testing/visits.ts'
import { membersForAll, priceCart, priceByHold } from './priced-cart.ts'

const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })

describe('what a visit comes to', () => {
  it('adds prices and minutes of the chosen people', () => {
    const plan = priceCart(nacre, [
      { serviceId: gelManicure, staffId: maud },
      { serviceId: handMassage, staffId: ines },
    ])
    expect(plan.total).toEqual({ least: euros(58), most: euros(58) })
    expect(plan.durationMinutes).toBe(100)
  })

  it('with anyone lies between the least and the most that somebody asks', () => {
    const plan = priceCart(nacre, [
      { serviceId: gelManicure, staffId: null },
      { serviceId: handMassage, staffId: null },
    ])
    expect(plan.total).toEqual({ least: euros(52), most: euros(58) })
  })

  it('costs what its day costs, where a price is dated ahead', () => {
    const services = nacre.services.map((one) => ({
      ...one,
      laterPrices: [{ fromDay: '2027-01-01', price: euros(45), priceKind: 'from' as const, performers: [] }],
    }))
    const on = (day: string | null) => priceCart({ ...nacre, services }, [{ serviceId: gelManicure, staffId: ines }], day).total
    expect([on(null), on('2026-12-31'), on('2027-01-01')]).toEqual([
      { least: euros(38), most: euros(38) },
      { least: euros(38), most: euros(38) },
      { least: euros(45), most: null },
    ])
  })

  it('a hold settles the price and the person', () => {
    const asked = priceCart(nacre, [{ serviceId: gelManicure, staffId: null }])
    const plan = priceByHold(asked, nacre, holdAt('2026-11-24T15:40:00Z', 600_000))
    expect(plan.total).toEqual({ least: euros(38), most: euros(38) })
    expect(plan.lines[0]?.member?.name).toBe('Inès')
  })

  it('names the people who perform everything', () => {
    expect(membersForAll(nacre, nacre.services).map(({ name }) => name)).toEqual(['Inès'])
  })
})
