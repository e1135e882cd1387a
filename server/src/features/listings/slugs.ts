// Addresses of institutes' pages: the name and the town, then the street, then a mark of the record; once given they stay.
import { createHash } from 'node:crypto'
import { foldText } from '#/platform/fold-text.ts'

const longest = 80

const slugOf = (words: string): string =>
  foldText(words)
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
  // A name in letters that no address has leaves the category.
  const base = slugOf(name) || slugOf(categories[0] ?? 'salon')
  const mark = createHash('sha256').update(`${source} ${sourceId}`).digest('hex').slice(0, 8)
  // A salon that has its town in its name needs it once.
  const town = base.endsWith(slugOf(city)) ? base : slugOf(`${base} ${city}`)
  return [...new Set([town, slugOf(`${base} ${street} ${city}`), `${town}-${mark}`])].filter(Boolean)
}
