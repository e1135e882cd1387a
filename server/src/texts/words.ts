/** Every sentence the server says, in three languages; the keys are checked against English. */
import type { Locale } from '@soigne/contract/wire'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

type Catalogue = typeof en
export type Section = keyof Catalogue
const catalogues: Record<Locale, Catalogue> = { en, fr, ar }

/** The sentence of a key with its values filled in. */
export function translate<S extends Section>(
  locale: Locale,
  section: S,
  key: keyof Catalogue[S] & string,
  values: Record<string, string | number> = {},
): string {
  const sentence = catalogues[locale][section][key] as string
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** Whether English has this key, for keys made at run time. */
export const hasWords = <S extends Section>(section: S, key: string): key is keyof Catalogue[S] & string => key in en[section]

/** Words kept with a stored thing, `{ en, fr, ar }`: the caller's language, else English, else any. */
export function localised(words: Partial<Record<string, string>> | null, locale: Locale): string | null {
  if (!words) return null
  return words[locale] ?? words['en'] ?? words['fr'] ?? Object.values(words)[0] ?? null
}
