import type { Locale } from '@soigne/contract/wire'
import { describe, expect, it } from 'vitest'
import { fieldText, refusalText } from './refusal-texts.ts'
import { translate } from './translate.ts'

describe('a sentence that counts', () => {
  it.each([
    [0, 'يُرجى إعادة المحاولة الآن', 'لا حد أدنى لعدد الأحرف.'],
    [1, 'يُرجى إعادة المحاولة بعد ثانية واحدة', 'حرف واحد على الأقل.'],
    [2, 'يُرجى إعادة المحاولة بعد ثانيتين', 'حرفان على الأقل.'],
    [3, 'يُرجى إعادة المحاولة بعد 3 ثوانٍ', '3 أحرف على الأقل.'],
    [10, 'يُرجى إعادة المحاولة بعد 10 ثوانٍ', '10 أحرف على الأقل.'],
    [11, 'يُرجى إعادة المحاولة بعد 11 ثانية', '11 حرفًا على الأقل.'],
    [99, 'يُرجى إعادة المحاولة بعد 99 ثانية', '99 حرفًا على الأقل.'],
    [100, 'يُرجى إعادة المحاولة بعد 100 ثانية', '100 حرف على الأقل.'],
    [102, 'يُرجى إعادة المحاولة بعد 102 ثانية', '102 حرف على الأقل.'],
    [103, 'يُرجى إعادة المحاولة بعد 103 ثوانٍ', '103 أحرف على الأقل.'],
    [111, 'يُرجى إعادة المحاولة بعد 111 ثانية', '111 حرفًا على الأقل.'],
  ])('has the form of %i in Arabic', (count, cooldown, characters) => {
    expect(translate('ar', 'refusals', 'resend_cooldown', { count })).toBe(cooldown)
    expect(fieldText('ar', `too_short:${count}`)).toBe(characters)
  })

  it.each([
    [0, 'Réessayez dans 0 seconde', 'At least 0 characters.'],
    [1, 'Réessayez dans 1 seconde', 'At least 1 character.'],
    [2, 'Réessayez dans 2 secondes', 'At least 2 characters.'],
    [48, 'Réessayez dans 48 secondes', 'At least 48 characters.'],
  ])('has the form of %i in French and English', (count, french, english) => {
    expect(translate('fr', 'refusals', 'resend_cooldown', { count })).toBe(french)
    expect(fieldText('en', `too_short:${count}`)).toBe(english)
  })

  it('[V-04] has the specified words in English, whatever is counted', () => {
    for (const count of [1, 48])
      expect(refusalText('en', 'resend_cooldown', undefined, { count })).toBe(`Please try again in ${count} seconds`)
  })

  it.each([
    ['mails', 'codeNote', 15, 'الرمز صالح لمدة 15 دقيقة.'],
    ['mails', 'resetIntro', 1, 'خلال ساعة واحدة:'],
    ['conditions', 'minimumAge', 2, 'ابتداءً من عمر سنتين'],
    ['conditions', 'minimumAge', 18, 'ابتداءً من عمر 18 سنة'],
    ['fields', 'too_many_files', 3, '3 ملفات على الأكثر.'],
    ['fields', 'too_many_pixels', 40, '40 مليون بكسل على الأكثر.'],
  ] as const)('reads right in Arabic: %s.%s of %i', (group, key, count, words) => {
    const say = translate as (locale: Locale, group: string, key: string, values: { count: number }) => string
    expect(say('ar', group, key, { count })).toContain(words)
  })
})

describe('values', () => {
  it('are put in as they are, whatever they look like', () => {
    for (const name of ['$t(refusals:internal)', '{{count}}', '$&$1', '<b>&amp;', '%s', '{name}', 'constructor'])
      expect(translate('en', 'messages', 'welcome', { name })).toBe(`Welcome back, ${name}.`)
  })

  it('that are missing leave nothing behind', () => {
    expect(translate('fr', 'messages', 'welcome')).toBe('Bonjour .')
  })

  it('named as an option of the translator change nothing but the sentence', () => {
    expect(translate('en', 'messages', 'codeSent', { lng: 'fr', ns: 'mails', context: 'x', defaultValue: 'y' })).toBe(
      'A new code has been sent.',
    )
  })
})

describe('a problem of a field', () => {
  it('says what it needs to, and that something is wrong when nobody knows what', () => {
    expect(fieldText('en', 'required')).toBe('Please fill this in.')
    expect(fieldText('en', 'not_picture:JPEG, PNG, WebP')).toContain('JPEG, PNG, WebP')
    expect(fieldText('en', 'too_big:5')).toBe('At most 5.')
    for (const unknown of ['unheard', 'constructor', '', ':', '__proto__:1']) expect(fieldText('en', unknown)).toBe('This is not valid.')
  })
})
