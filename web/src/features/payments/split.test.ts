import type { HoldPayment } from '@soigne/contract/payments'
import { describe, expect, it } from 'vitest'
import { noFees } from '#/testing/fake-server.ts'
import { isChoice, splitOf, waysOf } from './split.ts'

const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })
const plan = (part: Partial<HoldPayment> = {}): HoldPayment => ({
  total: euros(52),
  deposit: euros(15),
  payAtSalon: true,
  canPayAll: true,
  methods: ['card', 'paypal', 'klarna'],
  fees: noFees,
  checkout: null,
  booked: false,
  ...part,
})
const nothing = { part: null, way: null }

describe('what is paid now', () => {
  it('[E-11] is the deposit by card where nobody chose', () => {
    expect(splitOf(plan(), nothing)).toEqual({ way: 'card', part: 'deposit', now: 1500, later: 3700, keepsCard: false })
    expect(waysOf(plan(), nothing)).toEqual(['card', 'paypal', 'klarna'])
  })

  it('is everything for whoever wants that, and where the deposit is everything', () => {
    expect(splitOf(plan(), { part: 'all', way: 'klarna' })).toEqual({ way: 'klarna', part: 'all', now: 5200, later: 0, keepsCard: false })
    expect(splitOf(plan({ deposit: euros(52) }), { part: 'deposit', way: null })).toMatchObject({ way: 'card', part: 'all', now: 5200 })
  })

  it('is nothing where no deposit is asked, until somebody chooses to pay online', () => {
    const free = plan({ deposit: euros(0) })
    expect(waysOf(free, nothing)[0]).toBe('salon')
    expect(splitOf(free, nothing)).toMatchObject({ way: 'salon', now: 0, later: 5200 })
    expect(splitOf(free, { part: null, way: 'paypal' })).toMatchObject({ way: 'paypal', part: 'all', now: 5200, later: 0 })
  })

  it('keeps a card where a fee may be more than what is paid: then the deposit is paid by card', () => {
    const fees = { ...noFees, noShow: euros(26) }
    expect(waysOf(plan({ fees }), nothing)).toEqual(['card'])
    expect(splitOf(plan({ fees }), { part: null, way: 'paypal' })).toMatchObject({ way: 'card', now: 1500, keepsCard: true })
    expect(splitOf(plan({ fees }), { part: 'all', way: 'paypal' })).toMatchObject({ way: 'paypal', now: 5200, keepsCard: false })
    expect(splitOf(plan({ fees, deposit: euros(0) }), nothing)).toMatchObject({ way: 'salon', now: 0, keepsCard: true })
    expect(splitOf(plan({ fees: { ...noFees, lateCancel: euros(15) } }), nothing)).toMatchObject({ keepsCard: false })
  })

  it('is never all of a sum that the provider cannot move: then the deposit, or nothing before the salon', () => {
    const odd = plan({ canPayAll: false })
    expect(isChoice(odd)).toBe(false)
    expect(splitOf(odd, { part: 'all', way: 'paypal' })).toMatchObject({ way: 'paypal', part: 'deposit', now: 1500, later: 3700 })
    const free = plan({ canPayAll: false, deposit: euros(0) })
    expect(waysOf(free, nothing)).toEqual(['salon'])
    expect(splitOf(free, { part: null, way: 'card' })).toMatchObject({ way: 'salon', now: 0, later: 5200 })
    expect(isChoice(plan())).toBe(true)
    expect(isChoice(plan({ deposit: euros(52) }))).toBe(false)
  })

  it('a way that is there no more is no choice', () => {
    expect(splitOf(plan({ methods: ['card'] }), { part: null, way: 'klarna' }).way).toBe('card')
    expect(splitOf(plan({ methods: [] }), nothing)).toMatchObject({ way: 'salon', now: 0 })
  })
})
