// Arabic counts in six ways: none, one, two, 3 to 10, 11 to 99, and whole hundreds.
import { describe, expect, it } from 'vitest'
import { type CatalogueFile, isolated } from './catalogues.ts'
import { serverTranslator } from './server-translator.ts'
import { durationText, soonText } from './time.ts'

/** Marks that keep numbers in their place say nothing. */
const plain = (text: string): string => text.replaceAll(/[\u200e\u200f\u2066-\u2069]/g, '').replaceAll('\u00a0', ' ')

/** How so many minutes are called, in whichever place of a sentence. */
const forms: [count: number, words: RegExp][] = [
  [1, /(?<!\d )دقيقة/],
  [2, /(?<!\d )دقيقت(?:ان|ين)/],
  [3, /\b3 دقائق/],
  [10, /\b10 دقائق/],
  [11, /\b11 دقيقة/],
  [99, /\b99 دقيقة/],
  [100, /\b100 دقيقة/],
]

const english = import.meta.glob<CatalogueFile>('/src/locales/en/*.json', { eager: true })
type Texts = { readonly [key: string]: string | Texts }
function countedIn(texts: Texts, path: string): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    if (typeof text !== 'string') return countedIn(text, `${path}${key}.`)
    return key.endsWith('_other') && /\{\{count\}\} minutes\b/.test(text) ? [path + key.slice(0, -'_other'.length)] : []
  })
}
/** Every sentence of a screen that counts minutes, by `namespace:key`. */
const counted = Object.entries(english).flatMap(([file, catalogue]) =>
  countedIn(catalogue.default as Texts, `${/([a-z-]+)\.json$/.exec(file)?.[1]}:`),
)
const ar = serverTranslator('ar')
const say = (key: string, count: number): string => plain(String(ar.t(key as never, { count, name: isolated('ar', 'ليلى') } as never)))

describe('minutes in Arabic', () => {
  it('have the form of their number wherever a sentence of a screen counts them', () => {
    expect(counted).toContain('rearranging:late.of')
    expect(counted.length).toBeGreaterThan(2)
    for (const key of counted)
      for (const [count, words] of forms) expect([key, count, say(key, count)]).toEqual([key, count, expect.stringMatching(words)])
  })

  it('have it as a length, and as how long ago or how soon', () => {
    for (const [count, words] of forms) expect([count, plain(durationText(count, 'ar'))]).toEqual([count, expect.stringMatching(words)])
    expect([0, 1, 2, 3, 10, 11].map((count) => plain(durationText(count, 'ar')))).toEqual([
      '0 دقيقة',
      'دقيقة',
      'دقيقتان',
      '3 دقائق',
      '10 دقائق',
      '11 دقيقة',
    ])
    expect([1, 2, 3, 11].map((count) => plain(soonText(-count, 'ar')))).toEqual([
      'قبل دقيقة واحدة',
      'قبل دقيقتين',
      'قبل 3 دقائق',
      'قبل 11 دقيقة',
    ])
    expect([1, 2, 10, 89].map((count) => plain(soonText(count, 'ar')))).toEqual([
      'خلال دقيقة واحدة',
      'خلال دقيقتين',
      'خلال 10 دقائق',
      'خلال 89 دقيقة',
    ])
  })

  it('[E-07] [U-14] have a sister in the bell: one unread, two, some and many', () => {
    expect([1, 2, 3, 11, 100].map((count) => say('notifications:labelUnread', count))).toEqual([
      'الإشعارات، إشعار واحد غير مقروء',
      'الإشعارات، إشعاران غير مقروءين',
      'الإشعارات، 3 إشعارات غير مقروءة',
      'الإشعارات، 11 إشعارًا غير مقروء',
      'الإشعارات، 100 إشعار غير مقروء',
    ])
  })
})
