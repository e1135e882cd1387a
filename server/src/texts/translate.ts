/** Every sentence the server says, in three languages; the keys are checked against English. */
import { type Locale, locales } from '@soigne/contract/wire'
import i18next from 'i18next'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

type Catalogue = typeof en
export type Group = keyof Catalogue
/** How the forms of a counted sentence end. */
type Form = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type KeyOf<G extends Group> = keyof Catalogue[G] & string
/** Sentences that count something: they have a form for each of a language's plurals. */
type CountedKey<G extends Group> = KeyOf<G> extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never
/** The sentences of a group, without the ends of their forms. */
export type SentenceKey<G extends Group> = KeyOf<G> extends infer K ? (K extends `${infer Base}_${Form}` ? Base : K & string) : never

type Values = Record<string, string | number>
type ValuesOf<G extends Group, K> = K extends CountedKey<G> ? [values: Values & { count: number }] : [values?: Values]

const catalogues: Record<Locale, Catalogue> = { en, fr, ar }

const translator = i18next.createInstance()
// Everything is at hand, so there is nothing to wait for.
void translator.init({
  resources: catalogues,
  lng: 'en',
  fallbackLng: 'en',
  supportedLngs: [...locales],
  ns: Object.keys(en),
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  missingInterpolationHandler: () => '',
  // Whoever shows a sentence makes it fit for the place: HTML, a header, plain text.
  interpolation: { escapeValue: false },
})

/** i18next types its keys from one catalogue for the whole program; ours are checked by `translate`. */
const say = translator.t as unknown as (key: string, options: Record<string, unknown>) => string

/** Words of another script keep their own direction in an Arabic sentence; an address stays as whoever presses it needs it. */
const isolated = (value: string | number): string | number =>
  typeof value === 'string' && value !== '' && !/^https?:/.test(value) ? `\u2068${value}\u2069` : value

const inArabic = (values: Values): Values => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, isolated(value)]))

/** The sentence of a key with its values filled in; `count` chooses its form. */
export function translate<G extends Group, K extends SentenceKey<G>>(
  locale: Locale,
  group: G,
  key: K,
  ...[values = {}]: ValuesOf<G, K>
): string {
  // Values stand apart from options, and nothing in them is looked up: a name may be `$t(…)`.
  return say(key, { lng: locale, ns: group, replace: locale === 'ar' ? inArabic(values) : values, count: values['count'], nest: false })
}

/** Whether English has this key, for keys made at run time. */
export const hasText = <G extends Group>(group: G, key: string): key is SentenceKey<G> =>
  Object.hasOwn(en[group], key) || Object.hasOwn(en[group], `${key}_other`)

/** A text kept with a stored thing, `{ en, fr, ar }`: the caller's language, else English, else any. */
export function localised(texts: Partial<Record<string, string>> | null, locale: Locale): string | null {
  if (!texts) return null
  return texts[locale] ?? texts['en'] ?? texts['fr'] ?? Object.values(texts)[0] ?? null
}
