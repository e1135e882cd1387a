/** Addresses of pages as strangers write them. */
import { describe, expect, it } from 'vitest'
import { pageAddress } from './page-address.ts'

const publicUrl = 'https://soigne.test'

describe('the address of a page', () => {
  it('is the path and the query on our own host', () => {
    expect(pageAddress('/salon/x?day=2026-11-24', publicUrl).href).toBe('https://soigne.test/salon/x?day=2026-11-24')
  })

  it.each(['///', '//evil.test/x', '/\\evil.test', '/\\?area=1', '//', '///?what=x', '//:80', '//@'])('stays on our host: %s', (asked) => {
    expect(pageAddress(asked, publicUrl).host).toBe('soigne.test')
  })

  it.each(['http://evil.test/', '*', 'nowhere', ''])('that is no path is refused: %j', (asked) => {
    expect(() => pageAddress(asked, publicUrl)).toThrow(expect.objectContaining({ code: 'bad_input' }))
  })
})
