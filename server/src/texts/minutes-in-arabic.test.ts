/** Minutes in letters and pages of ours: Arabic counts one, two, 3 to 10, 11 to 99 and hundreds in ways of their own. */
import type { Locale } from '@soigne/contract/wire'
import { expect, it } from 'vitest'
import english from './en.json' with { type: 'json' }
import { durationText } from './formats.ts'
import { translate } from './translate.ts'

const forms: [count: number, words: RegExp][] = [
  // None is less than one, or now.
  [0, /دقيقة|الآن/],
  [1, /(?<!\d )دقيقة/],
  [2, /(?<!\d )دقيقت(?:ان|ين)/],
  [3, /\b3 دقائق/],
  [10, /\b10 دقائق/],
  [11, /\b11 دقيقة/],
  [99, /\b99 دقيقة/],
  [100, /\b100 دقيقة/],
]
const plain = (text: string): string => text.replaceAll(/[\u200e\u200f\u2066-\u2069]/g, '').replaceAll('\u00a0', ' ')

/** Every sentence that counts minutes, by group and key. */
const counted = Object.entries(english).flatMap(([group, texts]) =>
  Object.entries(texts).flatMap(([key, text]) =>
    key.endsWith('_other') && /\{\{count\}\} minutes\b/.test(String(text)) ? [[group, key.slice(0, -'_other'.length)] as const] : [],
  ),
)
const say = translate as (locale: Locale, group: string, key: string, values: { count: number }) => string

it('each sentence that counts minutes has the form of their number in Arabic', () => {
  expect(counted).toEqual(expect.arrayContaining([['mails', 'codeNote']]))
  for (const [group, key] of counted)
    for (const [count, words] of forms)
      expect([group, key, count, plain(say('ar', group, key, { count }))]).toEqual([group, key, count, expect.stringMatching(words)])
})

it('a length has it too', () => {
  for (const [count, words] of forms) expect([count, plain(durationText(count, 'ar'))]).toEqual([count, expect.stringMatching(words)])
})
