// Several things as a sentence names them: "Cut, Colour and Gloss".
import { useCallback } from 'react'
import { formatted } from './formatted.ts'
import { useTranslation } from './translation.ts'

const formats = new Map<string, Intl.ListFormat>()

/** In the words of the language. */
export const listText = (things: readonly string[], locale: string): string =>
  things.length < 2 ? (things[0] ?? '') : formatted(`list ${locale} ${things.join('\n')}`, () => spellList(things, locale))

function spellList(things: readonly string[], locale: string): string {
  const known = formats.get(locale)
  // No comma before the "and" of a British list.
  const format = known ?? new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale, { type: 'conjunction' })
  if (!known) formats.set(locale, format)
  return format.format(things)
}

export function useList(): (things: readonly string[]) => string {
  const { i18n } = useTranslation()
  return useCallback((things) => listText(things, i18n.language), [i18n.language])
}

/** Things beside each other, without an "and". */
export const inLine = (things: readonly string[], locale: string): string => things.join(locale === 'ar' ? '، ' : ', ')

type PlaceParts = { name?: string; region?: string | null; country?: string }

/** A place as far as it has to be told from others: "Croix-Rousse, Lyon, France". */
export const placeText = ({ name, region, country }: PlaceParts, locale: string): string =>
  inLine(
    [name, region, country].flatMap((part) => part || []),
    locale,
  )
