// What a translator said is remembered: a page says hundreds of words, and every page says mostly the same ones.
import type { i18n, TFunction } from 'i18next'

/** Far more than the product says in a language; beyond that the memory starts anew. */
const mostRemembered = 5000
const longestFilling = 60

/** What a text was asked for with, as a key; null for what is not worth remembering. */
function keyOf(key: unknown, filling: unknown): string | null {
  if (typeof key !== 'string') return null
  if (filling === undefined) return key
  if (typeof filling !== 'object' || filling === null) return null
  let text = key
  for (const [name, value] of Object.entries(filling)) {
    const isShort = typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= longestFilling)
    if (!isShort) return null
    text += `\n${name}\t${typeof value}\t${value}`
  }
  return text
}

function remembering(say: TFunction): TFunction {
  const known = new Map<string, unknown>()
  const remembered = (...asked: Parameters<typeof say>): unknown => {
    const key = asked.length > 2 ? null : keyOf(asked[0], asked[1])
    if (key === null) return say(...asked)
    const text = known.get(key)
    if (text !== undefined) return text
    const found: unknown = say(...asked)
    if (known.size >= mostRemembered) known.clear()
    known.set(key, found)
    return found
  }
  return Object.assign(remembered, say) as TFunction
}

/** For a translator whose catalogues do not change. Lists of texts are shared: they are read only. */
export function rememberWords(translator: i18n): void {
  const make = translator.getFixedT.bind(translator) as (...asked: unknown[]) => TFunction
  const made = new Map<string, TFunction>()
  const remembered = (...asked: unknown[]): TFunction => {
    const key = JSON.stringify(asked)
    const known = made.get(key)
    if (known) return known
    const fixed = remembering(make(...asked))
    made.set(key, fixed)
    return fixed
  }
  translator.getFixedT = remembered as typeof translator.getFixedT
}
