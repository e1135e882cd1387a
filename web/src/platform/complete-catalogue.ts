// Fills up the catalogue of a language with English, so that a document carries one language and no page lacks a text.

/** As in the JSON files: texts, lists and groups of them. */
export type Texts = { readonly [key: string]: string | readonly unknown[] | Texts }

/** The key without the ending of its plural form. */
export function plainKey(key: string): string {
  return key.replace(/_(?:zero|one|two|few|many|other)$/, '')
}

const isGroup = (texts: Texts[string] | undefined): texts is Texts => typeof texts === 'object' && !Array.isArray(texts)

/** A text counts as there when any of its plural forms is: languages have different ones. */
export function completeCatalogue(own: Texts, english: Texts): Texts {
  const known = new Set(Object.keys(own).map(plainKey))
  const complete: Record<string, Texts[string]> = { ...own }
  for (const [key, text] of Object.entries(english)) {
    const mine = own[key]
    // A list is whole in its language, or English.
    if (isGroup(mine) && isGroup(text)) complete[key] = completeCatalogue(mine, text)
    else if (!known.has(plainKey(key))) complete[key] = text
  }
  return complete
}
