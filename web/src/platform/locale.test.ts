import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLocale, settleLocale, answerLocale } from './locale.ts'

function forget() {
  localStorage.clear()
  document.documentElement.lang = ''
  document.cookie = 'locale=; path=/; max-age=-1'
}
beforeEach(forget)
afterEach(forget)

describe('the language when a page starts', () => {
  it('is not chosen for good by an address', () => {
    settleLocale(new URL('https://soigne.test/?lang=fr'))
    expect(localStorage.getItem('locale')).toBeNull()
    expect(document.cookie).not.toContain('locale=')
    expect(answerLocale()).toBe('en')
  })

  it('[C-01] answers come in the language of the page while none is stored, and in the stored one then', () => {
    document.documentElement.lang = 'ar'
    expect(answerLocale()).toBe('ar')
    localStorage.setItem('locale', 'fr')
    expect(answerLocale()).toBe('fr')
  })

  it('that is stored is mirrored for documents', () => {
    localStorage.setItem('locale', 'fr')
    document.documentElement.lang = 'fr'
    settleLocale(new URL('https://soigne.test/'))
    expect(document.cookie).toContain('locale=fr')
  })

  it('that nobody knows is none', () => {
    localStorage.setItem('locale', 'xx')
    settleLocale(new URL('https://soigne.test/'))
    expect(document.cookie).not.toContain('locale=xx')
    expect(answerLocale()).toBe('en')
  })
})

it('[K-05] the page is asked for again only when the browser has the cookie of the language', () => {
  const steps: string[] = []
  let kept = ''
  const cookie = vi.spyOn(document, 'cookie', 'set').mockImplementation((text) => {
    kept = text
    steps.push('written')
  })
  const read = vi.spyOn(document, 'cookie', 'get').mockImplementation(() => {
    steps.push('read')
    return kept
  })
  vi.stubGlobal('location', { href: 'https://soigne.test/terms', reload: () => steps.push('reloaded') })
  chooseLocale('en')
  vi.unstubAllGlobals()
  cookie.mockRestore()
  read.mockRestore()
  expect(steps).toEqual(['written', 'read', 'reloaded'])
})
