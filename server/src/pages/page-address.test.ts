/** Addresses of pages as strangers write them. */
import { describe, expect, it } from 'vitest'
import { pageAddress, withoutTraces } from './page-address.ts'

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

describe('what an advertisement hangs on a link', () => {
  it.each([
    ['/?fbclid=IwAR0x-_y', '/'],
    ['/salon/belle?utm_source=letter&utm_medium=mail&service=5&gclid=Cj0K', '/salon/belle?service=5'],
    ['/institutes?place=Lyon&what=massage%20%26%20more&mc_eid=7', '/institutes?place=Lyon&what=massage%20%26%20more'],
    ['/institutes?_gl=1*abc*_ga&place=Lyon', '/institutes?place=Lyon'],
  ])('is taken off: %s', (asked, left) => {
    expect(withoutTraces(asked)).toBe(left)
  })

  it.each([
    '/',
    '/institutes?what=gclid',
    '/institutes?category=hair&category=nails',
    '/salon/x?at=2026-11-24T10:00:00Z',
    '/x?a=1?b=2',
    '/x?gclidx=1',
  ])('and nothing else: %s', (asked) => {
    expect(withoutTraces(asked)).toBe(asked)
  })
})
