import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatted, formattedPlace, onFormatted, readFormatted, withFormatted } from './formatted.ts'
import { moneyText } from './money.ts'
import { dayText } from './time.ts'

afterEach(() => onFormatted(() => {}))

describe('what formats have written', () => {
  it('is written once and told each time it is asked for', () => {
    const told: string[][] = []
    onFormatted((key, text) => told.push([key, text]))
    const write = vi.fn(() => 'twelve')
    expect([formatted('a dozen', write), formatted('a dozen', write)]).toEqual(['twelve', 'twelve'])
    expect(write).toHaveBeenCalledOnce()
    expect(told).toEqual([
      ['a dozen', 'twelve'],
      ['a dozen', 'twelve'],
    ])
  })

  it('goes with the document whatever letters it has, and ends no element of it', () => {
    const texts = new Map([
      ['price', "$& $1 $'"],
      ['markup', '</script><b>'],
    ])
    const html = withFormatted(`<script type="application/json">${formattedPlace}</script>`, texts)
    const json = /<script type="application\/json">(.*)<\/script>/.exec(html)?.[1] ?? ''
    expect(json).not.toContain('<')
    expect(JSON.parse(json)).toEqual(Object.fromEntries(texts))
  })

  it('is believed as the document brought it, in the place of the browser’s own', () => {
    const write = vi.fn(() => 'of the browser')
    readFormatted(JSON.stringify({ 'day 2031-01-01 2031-01-01 en short': 'of the server', 'money 7700 EUR en': 'as well' }))
    expect(dayText('2031-01-01', '2031-01-01', 'en')).toBe('of the server')
    expect(moneyText({ amount: 7700, currency: 'EUR' }, 'en')).toBe('as well')
    expect(formatted('another', write)).toBe('of the browser')
  })

  it('is none in a document that was never filled', () => {
    for (const json of [formattedPlace, '', null, undefined]) expect(() => readFormatted(json)).not.toThrow()
    expect(dayText('2032-01-02', '2032-01-01', 'en')).toBe('Tomorrow')
  })
})
