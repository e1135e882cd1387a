// What is shown in a field, or in the words of a language, is read back as the amount it is.
import { describe, expect, it } from 'vitest'
import { amountOf, percentOf, typedAmount } from './amounts.ts'

const currencies = ['JPY', 'EUR', 'MAD', 'TND'] as const
const amounts = [0, 1, 5, 9, 10, 99, 100, 101, 999, 1000, 1005, 12_345, 100_000, 819_199, 1_000_001, 99_999_999]
const arabic = (text: string) => text.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))

describe.each(currencies)('an amount of %s', (currency) => {
  it('is read back as it stands in its field', () => {
    expect(amounts.map((amount) => amountOf(typedAmount(amount, currency), currency))).toEqual(amounts)
  })

  it('is read back with a comma, and in Arabic digits with their own comma', () => {
    const shown = amounts.map((amount) => typedAmount(amount, currency))
    expect(shown.map((text) => amountOf(text.replace('.', ','), currency))).toEqual(amounts)
    expect(shown.map((text) => amountOf(arabic(text).replace('.', '٫'), currency))).toEqual(amounts)
  })

  it('is read as French writes it, with narrow spaces between the thousands', () => {
    const digits = new Intl.NumberFormat('fr', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0
    const { format } = new Intl.NumberFormat('fr', { minimumFractionDigits: digits })
    expect(format(1234)).toMatch(/^1[\u00A0\u202F]234/)
    expect(amounts.map((amount) => amountOf(format(amount / 10 ** digits), currency))).toEqual(amounts)
  })

  it('has no more decimals than the currency, and no fewer are wanted', () => {
    const digits = typedAmount(0, currency).replace(/^0\.?/, '').length
    expect(amountOf(`3.${'1'.repeat(digits + 1)}`, currency)).toBeNull()
    expect(amountOf('3', currency)).toBe(3 * 10 ** digits)
    expect(amountOf('3.', currency)).toBe(3 * 10 ** digits)
  })
})

it.each(['12,5,0', '1,234.50', '1.234,50', '12 €', '٫5', ',5', '1e3', '0x10', '½', 'NaN', '−5', ' ', ',', '٫', 'عشرة', '5%'])(
  '%s is no amount, and is not guessed at',
  (text) => {
    expect(amountOf(text, 'EUR')).toBeNull()
  },
)

describe('a part in percent', () => {
  it('is the same as in whole numbers, for every percent', () => {
    const percents = Array.from({ length: 101 }, (_, percent) => percent)
    const exact = (amount: number, percent: number) => Number((2n * BigInt(amount) * BigInt(percent) + 100n) / 200n)
    for (const amount of amounts)
      expect(percents.map((percent) => percentOf(amount, percent))).toEqual(percents.map((percent) => exact(amount, percent)))
  })

  it('is nothing of nothing, all at a hundred, and never shrinks while the percent grows', () => {
    for (const amount of amounts) {
      const parts = Array.from({ length: 101 }, (_, percent) => percentOf(amount, percent))
      expect([parts[0], parts[100]]).toEqual([0, amount])
      expect(parts.toSorted((a, b) => a - b)).toEqual(parts)
    }
  })
})
