import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { returnLocation } from './return-location.ts'

const site = 'https://soigne.test'

describe('the place to come back to', () => {
  it('[R-18] keeps path, query and hash of this site', () => {
    expect(returnLocation('/salon/atelier-nacre/book?service=1&at=16:40#pay')).toBe('/salon/atelier-nacre/book?service=1&at=16:40#pay')
    expect(returnLocation('/')).toBe('/')
  })

  it('[R-18] refuses everything that could lead to another site', () => {
    const hostile = [
      '//evil.test',
      '/\\evil.test',
      '\\\\evil.test',
      'https://evil.test',
      'javascript:alert(1)',
      '/\t/evil.test',
      '/\n/evil.test',
      ' //evil.test',
      '',
      '/.//evil.test',
      '/a/..//evil.test',
      '/%09/x\u0000',
      'evil',
      '/a b',
    ]
    for (const text of hostile) expect(returnLocation(text), JSON.stringify(text)).toBeNull()
    expect(returnLocation(null)).toBeNull()
    expect(returnLocation(undefined)).toBeNull()
  })

  it('[R-18] never leaves this site, whatever the text', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '//',
      ':',
      '@',
      '?',
      '#',
      'evil.test',
      'https:',
      '\t',
      '\n',
      '\u0000',
      '%2f',
      '%5c',
      'a',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(text, (candidate) => {
        const place = returnLocation(candidate)
        if (place === null) return
        expect(place.startsWith('/')).toBe(true)
        expect(new URL(place, site).origin).toBe(site)
      }),
      { numRuns: 2000 },
    )
  })
})
