// Says the texts of one language in the browser: groups, plurals and {{values}}, which is all that the catalogues use. It
// stands where i18next stands on the server, a tenth of the scripts of a page; page-translator.test.tsx compares every text.
import type { i18n } from 'i18next'
import { isolated } from './catalogues.ts'

type Texts = string | readonly Texts[] | { readonly [key: string]: Texts }
type Values = Readonly<Record<string, unknown>>
type Say = (key: string, values?: Values) => unknown

/** Namespaces by name. */
export type TextsByNamespace = Record<string, Texts>

const defaultNamespace = 'site'

function fill(texts: Texts, values: Values, language: string): unknown {
  if (typeof texts === 'string')
    return texts.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) => {
      const value = values[name]
      return typeof value === 'string' || typeof value === 'number' ? isolated(language, value) : place
    })
  if (Array.isArray(texts)) return texts.map((text: Texts) => fill(text, values, language))
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text, values, language)]))
}

const secondTryMs = 1000

/** A line that falters for a moment, or a page that is being left, is no reason to say that something failed. */
async function loadAgain(load: () => Promise<Texts>): Promise<Texts> {
  try {
    return await load()
  } catch {
    await new Promise((done) => setTimeout(done, secondTryMs))
    return load()
  }
}

/** Whatever `load` brings is kept; a failure is not, so that the next who asks tries again. */
function namespacesOf(carried: TextsByNamespace, load: (namespace: string) => Promise<Texts>) {
  const loaded = new Map(Object.entries(carried))
  const underWay = new Map<string, Promise<unknown>>()
  return {
    loaded,
    fetch(namespace: string): Promise<unknown> {
      const known = underWay.get(namespace)
      if (known) return known
      const coming = loadAgain(() => load(namespace)).then(
        (texts) => loaded.set(namespace, texts),
        (error: unknown) => {
          underWay.delete(namespace)
          throw error
        },
      )
      underWay.set(namespace, coming)
      return coming
    },
  }
}

function saying(language: string, loaded: ReadonlyMap<string, Texts>): (namespace?: string) => Say {
  const plurals = new Intl.PluralRules(language)
  const endings = (count: unknown): string[] =>
    typeof count === 'number' ? [...(count === 0 ? ['_zero'] : []), `_${plurals.select(count)}`, '_other', ''] : ['']
  function find(namespace: string, path: string): Texts | undefined {
    let at: Texts | undefined = loaded.get(namespace)
    for (const part of path.split('.'))
      at = typeof at === 'object' && Object.hasOwn(at, part) ? (at as Record<string, Texts>)[part] : undefined
    return at
  }
  return (own = defaultNamespace) =>
    (key, values = {}) => {
      const at = key.indexOf(':')
      const namespace = at < 0 ? (typeof values['ns'] === 'string' ? values['ns'] : own) : key.slice(0, at)
      const path = key.slice(at + 1)
      for (const ending of endings(values['count'])) {
        const texts = find(namespace, path + ending)
        if (typeof texts === 'string' || (texts !== undefined && values['returnObjects'] === true)) return fill(texts, values, language)
      }
      return path
    }
}

const heardNever = { on: () => undefined, off: () => undefined }

/** With the parts of i18next that hooks ask for; nothing changes while a page is open, so nobody is ever told. */
export function pageTranslator(language: string, carried: TextsByNamespace, load: (namespace: string) => Promise<Texts>): i18n {
  const { loaded, fetch } = namespacesOf(carried, load)
  const say = saying(language, loaded)
  const translator = {
    ...heardNever,
    store: heardNever,
    options: { ns: [], defaultNS: defaultNamespace },
    isInitialized: true,
    language,
    languages: [language],
    t: say(),
    getFixedT: (_: unknown, namespace?: string | readonly string[]) => say(typeof namespace === 'object' ? namespace[0] : namespace),
    hasLoadedNamespace: (namespace: string) => loaded.has(namespace),
    getResourceBundle: (_: string, namespace: string) => loaded.get(namespace),
    async loadNamespaces(names: string | readonly string[], done?: () => void): Promise<void> {
      try {
        await Promise.all([names].flat().map((name) => fetch(name)))
      } finally {
        done?.()
      }
    },
    /** Null for what the document carried; else the same promise for the same namespace, as React wants it. */
    coming: (namespace: string) => (namespace in carried ? null : fetch(namespace)),
  }
  return translator as unknown as i18n
}
