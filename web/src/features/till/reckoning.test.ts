import { describe, expect, it } from 'vitest'
import {
  cashOf,
  paymentsOf,
  problemOf,
  reckon,
  sharesOf,
  sumOf,
  tillOf,
  workOf,
  type Discount,
  type Payments,
  type ShownLine,
  type Tip,
} from './reckoning.ts'

const manicure: ShownLine = {
  line: { key: 'a', kind: 'segment', segment: 0 },
  name: 'Gel manicure',
  staffId: 'ines',
  detail: 'Inès',
  price: 3800,
}
const massage: ShownLine = {
  line: { key: 'b', kind: 'service', serviceId: 's-massage', staffId: 'maud' },
  name: 'Hand massage',
  staffId: 'maud',
  detail: 'Maud',
  price: 1400,
}
const oil: ShownLine = {
  line: { key: 'c', kind: 'product', productId: 'p-oil', quantity: 1 },
  name: 'Almond cuticle oil',
  staffId: null,
  detail: null,
  price: 1250,
}
const all = [manicure, massage, oil]
const at = (shown: ShownLine, amount: number | null): ShownLine => ({ ...shown, line: { ...shown.line, amount } })
const tenPercent: Discount = { kind: 'percent', value: 10, reason: '' }
const none: Tip = { kind: 'none' }
const byTerminal: Payments = { cards: [], first: 'terminal', split: null, given: null }

describe('what it comes to', () => {
  it('[P-10] adds services and products, takes the discount off services alone, and adds the tip', () => {
    const sums = reckon(all, tenPercent, { kind: 'amount', amount: 500 }, 1500)
    expect(sums).toEqual({ goods: 6450, services: 5200, discount: 520, total: 5930, tip: 500, paid: 1500, due: 4930 })
  })

  it('rounds a discount in percent half up, once for all services together', () => {
    const odd = [at(manicure, 333), at(massage, 332)]
    // 66.5 of 665: two lines of their own would have come to 33 and 33.
    expect(reckon(odd, tenPercent, none, 0).discount).toBe(67)
    expect(reckon([at(manicure, 4)], tenPercent, none, 0).discount).toBe(0)
    expect(reckon([at(manicure, 5)], tenPercent, none, 0).discount).toBe(1)
  })

  it('takes an amount off as it is said', () => {
    expect(reckon(all, { kind: 'amount', value: 1000, reason: 'Regular' }, none, 0)).toMatchObject({ discount: 1000, total: 5450 })
    expect(reckon(all, { kind: 'amount', value: null, reason: '' }, none, 0).discount).toBe(0)
  })

  it('reckons a tip in percent of what is left after the discount', () => {
    expect(reckon(all, tenPercent, { kind: 'percent', percent: 5 }, 0)).toMatchObject({ total: 5930, tip: 297 })
    expect(reckon(all, null, { kind: 'amount', amount: null }, 0).tip).toBe(0)
  })

  it('takes the amount that was agreed instead of the price', () => {
    expect([sumOf(manicure), sumOf(at(manicure, 3000)), sumOf(at(manicure, null)), sumOf({ ...manicure, price: null })]).toEqual([
      3800,
      3000,
      null,
      null,
    ])
    expect(reckon([at(manicure, 0), oil], null, none, 0)).toMatchObject({ goods: 1250, due: 1250 })
  })

  it('is nothing, or less than nothing, where more was paid before', () => {
    expect(reckon([oil], null, none, 1250).due).toBe(0)
    expect(reckon([oil], null, none, 1500).due).toBe(-250)
  })
})

describe('a tip between people', () => {
  it('goes by what each did, and nothing of it is lost', () => {
    expect(workOf(all)).toEqual([
      { staffId: 'ines', amount: 3800 },
      { staffId: 'maud', amount: 1400 },
    ])
    expect(sharesOf(500, workOf(all))).toEqual([375, 125])
    const three = [{ amount: 1000 }, { amount: 1000 }, { amount: 1000 }]
    for (const tip of [1, 7, 100, 333, 1001]) expect(sharesOf(tip, three).reduce((sum, part) => sum + part, 0)).toBe(tip)
  })

  it('goes to one alone, or evenly where nobody’s work cost anything', () => {
    expect(sharesOf(500, [{ amount: 3800 }])).toEqual([500])
    expect(sharesOf(500, [{ amount: 0 }, { amount: 0 }])).toEqual([250, 250])
    expect(sharesOf(500, [])).toEqual([])
    expect(workOf([oil])).toEqual([])
    expect(workOf([manicure, { ...massage, staffId: 'ines' }])).toEqual([{ staffId: 'ines', amount: 5200 }])
  })
})

describe('how it is paid', () => {
  it('is one payment, or two that come to the whole', () => {
    expect(paymentsOf(byTerminal, 5200)).toEqual([{ method: 'terminal', amount: 5200 }])
    expect(paymentsOf({ ...byTerminal, split: { amount: 2000, second: 'cash' } }, 5200)).toEqual([
      { method: 'terminal', amount: 2000 },
      { method: 'cash', amount: 3200 },
    ])
  })

  it('is no payment where nothing is due', () => {
    expect(paymentsOf(byTerminal, 0)).toEqual([])
  })

  it.each([null, 0, 5200, 6000])('is not known while the first of two is %s', (amount) => {
    expect(paymentsOf({ ...byTerminal, split: { amount, second: 'cash' } }, 5200)).toBeNull()
  })

  it('counts what is cash of it', () => {
    expect(
      cashOf([
        { method: 'terminal', amount: 2000 },
        { method: 'cash', amount: 3200 },
      ]),
    ).toBe(3200)
  })
})

describe('what is sent', () => {
  it('names each line as the server knows it, with its amount where another was agreed or it depends on who does it', () => {
    const till = tillOf([manicure, at(massage, 1200), oil], null, [], [{ method: 'cash', amount: 6250 }])
    expect(till).toEqual({
      lines: [{ segment: 0 }, { serviceId: 's-massage', staffId: 'maud', amount: 1200 }, { productId: 'p-oil', quantity: 1 }],
      tips: [],
      payments: [{ method: 'cash', amount: 6250 }],
    })
  })

  it('leaves out a tip of nothing, a member nobody named and a reason nobody wrote', () => {
    const nobodys: ShownLine = { ...massage, line: { key: 'b', kind: 'service', serviceId: 's-massage', staffId: null } }
    const tips = [
      { staffId: 'ines', amount: 500 },
      { staffId: 'maud', amount: 0 },
    ]
    expect(tillOf([nobodys], { kind: 'percent', value: 10, reason: '  ' }, tips, [])).toEqual({
      lines: [{ serviceId: 's-massage', amount: 1400 }],
      discount: { percent: 10 },
      tips: [{ staffId: 'ines', amount: 500 }],
      payments: [],
    })
    expect(tillOf([nobodys], { kind: 'amount', value: 300, reason: ' Regular ' }, [], []).discount).toEqual({
      amount: 300,
      reason: 'Regular',
    })
  })
})

describe('what keeps it from being taken', () => {
  type Case = { lines?: ShownLine[]; discount?: Discount | null; tip?: Tip; tips?: { staffId: string; amount: number }[] | null }
  function problem({ lines = all, discount = null, tip = none, tips = [] }: Case, pays: Payments = byTerminal, paid = 0) {
    const sums = reckon(lines, discount, tip, paid)
    return problemOf({ lines, discount, tip, tips, sums }, pays, sums.due)
  }

  it('is nothing, where all is said', () => {
    expect(problem({})).toBeNull()
    expect(problem({ discount: tenPercent, tip: { kind: 'amount', amount: 500 }, tips: [{ staffId: 'ines', amount: 500 }] })).toBeNull()
  })

  it('is a line that is missing or has no amount', () => {
    expect(problem({ lines: [] })).toBe('noLines')
    expect(problem({ lines: [at(manicure, null)] })).toBe('noPrice')
    expect(problem({ lines: [{ ...manicure, price: null }] })).toBe('noPrice')
  })

  it('is a discount that is none, or more than the services', () => {
    expect(problem({ discount: { kind: 'percent', value: null, reason: '' } })).toBe('discountWrong')
    expect(problem({ discount: { kind: 'amount', value: 0, reason: '' } })).toBe('discountWrong')
    expect(problem({ discount: { kind: 'amount', value: 5201, reason: '' } })).toBe('discountTooLarge')
    expect(problem({ lines: [oil], discount: { kind: 'percent', value: 101, reason: '' } })).toBe('discountTooLarge')
  })

  it('is a tip without an amount, without a person, or not wholly given out', () => {
    expect(problem({ tip: { kind: 'amount', amount: null } })).toBe('tipWrong')
    expect(problem({ tip: { kind: 'amount', amount: 500 }, tips: null })).toBe('tipNobody')
    expect(problem({ tip: { kind: 'amount', amount: 500 }, tips: [{ staffId: 'ines', amount: 400 }] })).toBe('tipSplit')
  })

  it('is a payment before of more than it comes to, a split that is none, or too little cash', () => {
    expect(problem({ lines: [oil] }, byTerminal, 1500)).toBe('overpaid')
    expect(problem({}, { ...byTerminal, split: { amount: null, second: 'cash' } })).toBe('splitWrong')
    expect(problem({}, { cards: [], first: 'cash', split: null, given: 6000 })).toBe('givenShort')
    expect(problem({}, { cards: [], first: 'cash', split: null, given: 6450 })).toBeNull()
    // What was given earlier says nothing once the terminal takes it.
    expect(problem({}, { cards: [], first: 'terminal', split: null, given: 100 })).toBeNull()
  })
})
