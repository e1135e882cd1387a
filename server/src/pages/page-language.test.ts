import { siteLanguages } from '@soigne/contract/site-documents'
import { type Locale, locales } from '@soigne/contract/wire'
import { describe, expect, it } from 'vitest'
import { readSettings } from '#/settings.ts'
import { localeOfPage } from './mount-pages.ts'

const asked = (lang: string | undefined, cookie: string | undefined, languages: readonly Locale[] = locales): Locale =>
  localeOfPage({ query: lang === undefined ? {} : { lang }, headers: cookie === undefined ? {} : { cookie } }, languages)

describe('the language of a document', () => {
  it.each([
    [undefined, undefined, 'en'],
    ['ar', undefined, 'ar'],
    ['ar', 'locale=fr', 'ar'],
    [undefined, 'a=b; locale=fr', 'fr'],
    ['xx', 'locale=fr', 'fr'],
    ['constructor', 'locale=__proto__', 'en'],
  ])('asked for %s with the cookie %s is %s', (lang, cookie, locale) => {
    expect(asked(lang, cookie)).toBe(locale)
  })

  it('is none that the screens are not written in', () => {
    expect(asked('ar', undefined, ['en'])).toBe('en')
    expect(asked(undefined, 'locale=fr', ['en'])).toBe('en')
    expect(asked('ar', 'locale=fr', ['en', 'fr'])).toBe('fr')
  })

  it('is declared for whole languages only, unless a setting shows what there is', () => {
    const languages = (given: Record<string, string>) => readSettings({ SECRET: 'x'.repeat(32), ...given }).siteLanguages
    expect(siteLanguages).toEqual(['en', 'fr', 'ar'])
    expect(languages({})).toBeNull()
    expect(languages({ SITE_LANGUAGES: 'ar,en' })).toEqual(['en', 'ar'])
    expect(() => languages({ SITE_LANGUAGES: 'de' })).toThrow('SITE_LANGUAGES')
  })
})
