import type { HoldPayment } from '@soigne/contract/payments'
import { describe, expect, it } from 'vitest'
import { splitOf, waysOf } from './split.ts'

const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })
const plan = (part: Partial<HoldPayment> = {}): HoldPayment => ({
  total: euros(52),
  deposit: euros(15),
  payAtSalon: true,
  methods: ['card', 'paypal', 'klarna'],
  checkout: null,
  booked: false,
  ...part,
})
const nothing = { part: null, way: null }

describe('what is paid now', () => {
  it('[E-11] is the deposit by card where nobody chose', () => {
    expect(splitOf(plan(), nothing)).toEqual({ way: 'card', part: 'deposit', now: 1500, later: 3700 })
    expect(waysOf(plan())).toEqual(['card', 'paypal', 'klarna'])
  })

  it('is everything for whoever wants that, and where the deposit is everything', () => {
    expect(splitOf(plan(), { part: 'all', way: 'klarna' })).toEqual({ way: 'klarna', part: 'all', now: 5200, later: 0 })
    expect(splitOf(plan({ deposit: euros(52) }), { part: 'deposit', way: null })).toEqual({ way: 'card', part: 'all', now: 5200, later: 0 })
  })

  it('is nothing where no deposit is asked, until somebody chooses to pay online', () => {
    const free = plan({ deposit: euros(0) })
    expect(waysOf(free)[0]).toBe('salon')
    expect(splitOf(free, nothing)).toMatchObject({ way: 'salon', now: 0, later: 5200 })
    expect(splitOf(free, { part: null, way: 'paypal' })).toMatchObject({ way: 'paypal', part: 'all', now: 5200, later: 0 })
  })

  it('a way that is there no more is no choice', () => {
    expect(splitOf(plan({ methods: ['card'] }), { part: null, way: 'klarna' }).way).toBe('card')
    expect(splitOf(plan({ methods: [] }), nothing)).toMatchObject({ way: 'salon', now: 0 })
  })
})
