// Addresses of institutes' pages: the name and the town, then the street, then a mark of the record; once given they lead there for good.
import { createHash } from 'node:crypto'
import anyAscii from 'any-ascii'
import { foldText } from '#/platform/fold-text.ts'

const longest = 80

/** Whole words of other scripts, before accents are folded: が is no か with an accent. */
const otherScript = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+/gu

const slugOf = (words: string): string =>
  foldText(words.replace(otherScript, (word) => ` ${anyAscii(word)} `))
    .replaceAll(/[^a-z0-9 ]/g, '')
    .trim()
    .replaceAll(/ +/g, '-')
    .slice(0, longest)
    .replace(/-+$/, '')

export interface Named {
  source: string
  sourceId: string
  name: string
  city: string
  addressLine: string
  categories: readonly string[]
}

/** Slugs to try, best first; the last is nobody else's. */
export function slugsFor({ source, sourceId, name, city, addressLine, categories }: Named): string[] {
  const street = addressLine.replaceAll(/\d+[a-z]?\b/gi, ' ')
  // A name of signs alone leaves the category.
  const base = slugOf(name) || slugOf(categories[0] ?? 'salon')
  const mark = createHash('sha256').update(`${source} ${sourceId}`).digest('hex').slice(0, 8)
  // A salon that has its town in its name needs it once.
  const town = base.endsWith(slugOf(city)) ? base : slugOf(`${base} ${city}`)
  return [...new Set([town, slugOf(`${base} ${street} ${city}`), `${town}-${mark}`])].filter(Boolean)
}

/** The first word of an address that was given while names in other letters had none of their own. */
export const isNamedByTrade = (slug: string, categories: readonly string[]): boolean =>
  [...categories, 'salon'].some((category) => slug === category || slug.startsWith(`${category}-`))
