import { describe, expect, it } from 'vitest'
import { depositFor, depositRuleOf, typedDeposit } from './deposit.ts'

const typed = (part: Partial<Parameters<typeof depositRuleOf>[0]>) => ({ kind: 'none' as const, amount: '', percent: '', ...part })

describe('a deposit', () => {
  it('is what was typed, or none while that is no amount', () => {
    expect(depositRuleOf(typed({}), 'EUR')).toEqual({ kind: 'none' })
    expect(depositRuleOf(typed({ kind: 'fixed', amount: '12,5' }), 'EUR')).toEqual({ kind: 'fixed', amount: 1250 })
    expect(depositRuleOf(typed({ kind: 'percent', percent: '30' }), 'EUR')).toEqual({ kind: 'percent', percent: 30 })
    for (const wrong of ['', '0', '101', '2.5', 'x']) expect(depositRuleOf(typed({ kind: 'percent', percent: wrong }), 'EUR')).toBeNull()
    for (const wrong of ['', '0', '1.234', '-1']) expect(depositRuleOf(typed({ kind: 'fixed', amount: wrong }), 'EUR')).toBeNull()
  })

  it('stands in its field as it was stored', () => {
    expect(typedDeposit({ kind: 'fixed', amount: 1500 }, 'EUR')).toEqual({ kind: 'fixed', amount: '15.00', percent: '' })
    expect(typedDeposit({ kind: 'percent', percent: 25 }, 'EUR')).toEqual({ kind: 'percent', amount: '', percent: '25' })
  })

  it.each([
    [{ kind: 'percent', percent: 30 }, 6800, 2040],
    [{ kind: 'percent', percent: 25 }, 6800, 1700],
    [{ kind: 'percent', percent: 30 }, 4555, 1367],
    [{ kind: 'fixed', amount: 5000 }, 4200, 4200],
    [{ kind: 'none' }, 4200, 0],
  ] as const)('%j of %i comes to %i', (rule, price, now) => {
    expect(depositFor(rule, price)).toBe(now)
  })
})
