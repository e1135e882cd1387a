/**
 * Compares the translations of a folder with its English ones: the same keys, every plural form the language has, and the same
 * placeholders and marks. `node scripts/check-translations.ts` checks the texts of screens and of letters.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { siteLanguages } from '@soigne/contract/site-documents'

interface Texts {
  readonly [key: string]: string | Texts
}
/** Texts by their path, such as `booking hold.over`. */
type Flat = Map<string, string>

const pluralForm = /_(zero|one|two|few|many|other)$/
const source = 'en'

function flatten(texts: Texts, prefix: string, into: Flat = new Map()): Flat {
  for (const [key, text] of Object.entries(texts)) {
    const path = `${prefix}${key}`
    if (typeof text === 'string') into.set(path, text)
    else flatten(text, `${path}.`, into)
  }
  return into
}

/** What is filled in and what marks a part: `{{name}}`, `{name}`, `<link>`. Their order is the language's own. */
const partsOf = (text: string): string[] =>
  [...text.matchAll(/\{+\s*\w+\s*\}+|<\/?\w+\s*\/?>/g)].map(([part]) => part.replaceAll(/\s/g, '')).sort()

interface Counted {
  /** Path without the plural form. */
  path: string
  forms: Map<string, string>
}

/** Texts that come in plural forms, and those that do not. */
function split(texts: Flat): { plain: Flat; counted: Map<string, Counted> } {
  const plain: Flat = new Map()
  const counted = new Map<string, Counted>()
  for (const [key, text] of texts) {
    const form = pluralForm.exec(key)?.[1]
    if (!form) {
      plain.set(key, text)
      continue
    }
    const path = key.replace(pluralForm, '')
    const known = counted.get(path) ?? { path, forms: new Map() }
    known.forms.set(form, text)
    counted.set(path, known)
  }
  return { plain, counted }
}

/** A form for one or two may leave the number out: the word says it. */
const withoutCount = (parts: readonly string[]): string[] => parts.filter((part) => !/^\{+count\}+$/.test(part))

function comparePlural(locale: string, { path, forms }: Counted, english: Counted | undefined): string[] {
  const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const missing = needed.filter((form) => !forms.has(form)).map((form) => `${locale} ${path}: the form ${form} is missing`)
  const model = english?.forms.get('other')
  if (model === undefined) return missing
  const wrong = [...forms].filter(([, text]) => `${withoutCount(partsOf(text))}` !== `${withoutCount(partsOf(model))}`)
  const uncounted =
    partsOf(model).length > withoutCount(partsOf(model)).length && `${partsOf(forms.get('other') ?? '')}` !== `${partsOf(model)}`
  return [
    ...missing,
    ...wrong.map(([form]) => `${locale} ${path}_${form}: other placeholders than in English`),
    ...(uncounted && wrong.length === 0 ? [`${locale} ${path}_other: the number is missing`] : []),
  ]
}

/** @returns what is wrong, one line each */
export function compareTranslations(locale: string, own: Flat, english: Flat): string[] {
  const [mine, theirs] = [split(own), split(english)]
  const lacking = [...theirs.plain.keys()].filter((key) => !mine.plain.has(key)).map((key) => `${locale} ${key}: is missing`)
  const lackingPlural = [...theirs.counted.keys()].filter((key) => !mine.counted.has(key)).map((key) => `${locale} ${key}: is missing`)
  const unknown = [...mine.plain.keys()].filter((key) => !theirs.plain.has(key)).map((key) => `${locale} ${key}: is not in English`)
  const unknownPlural = [...mine.counted.keys()]
    .filter((key) => !theirs.counted.has(key))
    .map((key) => `${locale} ${key}: is not in English`)
  const different = [...mine.plain]
    .filter(([key, text]) => theirs.plain.has(key) && `${partsOf(text)}` !== `${partsOf(theirs.plain.get(key) ?? '')}`)
    .map(([key]) => `${locale} ${key}: other placeholders than in English`)
  const plural = [...mine.counted.values()].flatMap((one) => comparePlural(locale, one, theirs.counted.get(one.path)))
  return [...lacking, ...lackingPlural, ...unknown, ...unknownPlural, ...different, ...plural]
}

/** A number in a text without plural forms reads wrong in some language. */
function uncounted(english: Flat): string[] {
  return [...split(english).plain].filter(([, text]) => /\{+count\}+/.test(text)).map(([key]) => `en ${key}: a number without plural forms`)
}

const read = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8')) as Texts
const jsonIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.json'))

/** A folder of languages with a file for each namespace. */
export function readByNamespace(folder: string): Map<string, Flat> {
  const locales = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return new Map(
    locales.map(({ name }) => {
      const texts: Flat = new Map()
      for (const file of jsonIn(join(folder, name))) flatten(read(join(folder, name, file)), `${basename(file, '.json')} `, texts)
      return [name, texts]
    }),
  )
}

/** A folder with one file for each language. */
export const readByLanguage = (folder: string): Map<string, Flat> =>
  new Map(jsonIn(folder).map((file) => [basename(file, '.json'), flatten(read(join(folder, file)), '')]))

const namespaceOf = (key: string): string => key.split(' ')[0] ?? ''

/** Texts of the namespaces that a language has: what is not begun is filled in with English when the pages are built. */
function begun(english: Flat, own: Flat): Flat {
  const namespaces = new Set([...own.keys()].map(namespaceOf))
  return new Map([...english].filter(([key]) => namespaces.has(namespaceOf(key))))
}

/** Everything wrong with the languages of a room; with `byNamespace` a language may lack whole namespaces. */
export function checkTranslations(languages: Map<string, Flat>, byNamespace = false): string[] {
  const english = languages.get(source) ?? new Map<string, string>()
  if (english.size === 0) return ['en: there are no texts']
  const others = [...languages].filter(([locale]) => locale !== source)
  return [
    ...uncounted(english),
    ...[...split(english).counted.values()].flatMap((one) => comparePlural(source, one, one)),
    ...others.flatMap(([locale, own]) => compareTranslations(locale, own, byNamespace ? begun(english, own) : english)),
  ]
}

/** Documents are declared in the languages whose screens lack nothing, and in all of these. */
export function declaredFaults(screens: Map<string, Flat>, declared: readonly string[]): string[] {
  const namespacesOf = (language: string): Set<string> => new Set([...(screens.get(language)?.keys() ?? [])].map(namespaceOf))
  const needed = namespacesOf(source)
  return [...screens.keys()]
    .filter((language) => declared.includes(language) !== needed.isSubsetOf(namespacesOf(language)))
    .map((language) =>
      declared.includes(language)
        ? `${language}: siteLanguages declares it, but screens are missing`
        : `${language}: has every screen and is not in siteLanguages`,
    )
}

/** Screens and letters of the product below a root. */
export function checkProduct(root: string): string[] {
  const screens = join(root, 'web/src/locales')
  const letters = join(root, 'server/src/texts')
  return [
    ...(existsSync(screens)
      ? [...checkTranslations(readByNamespace(screens), true), ...declaredFaults(readByNamespace(screens), siteLanguages)].map(
          (line) => `screens ${line}`,
        )
      : []),
    ...(existsSync(letters) ? checkTranslations(readByLanguage(letters)).map((line) => `letters ${line}`) : []),
  ]
}

if (import.meta.main) {
  const wrong = checkProduct(resolve(process.argv[2] ?? '.'))
  for (const line of wrong) console.log(line)
  if (wrong.length > 0) process.exit(1)
  console.log('every language says the same')
}
