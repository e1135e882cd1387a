// The words by which institutes and services are found, as text that PostgreSQL reads into a tsvector.
import type { LoadedInstitute, ServiceDetail } from '#/features/availability/service.ts'
import { foldedWords } from '#/platform/fold-text.ts'

type Weight = 'A' | 'B' | 'C' | 'D'
type Weighed = readonly [Weight, readonly (string | null | undefined)[]]

/** A folded word has forty letters at most, 120 bytes in any script: so many fit the megabyte of a tsvector, and more than any real menu has. */
const mostWords = 7000

const known = new Map<string, readonly string[]>()
const mostKnown = 20_000

/** Menus say the same again and again, and each text counts for its service and for its institute. */
function wordsOf(text: string): readonly string[] {
  let words = known.get(text)
  if (words === undefined) {
    if (known.size >= mostKnown) known.clear()
    known.set(text, (words = foldedWords(text)))
  }
  return words
}

function lexemes(texts: readonly Weighed[]): Map<string, Set<Weight>> {
  const found = new Map<string, Set<Weight>>()
  for (const [weight, list] of texts) {
    for (const text of list) {
      for (const word of text ? wordsOf(text) : []) {
        const weights = found.get(word)
        if (weights) weights.add(weight)
        else if (found.size < mostWords) found.set(word, new Set([weight]))
      }
    }
  }
  return found
}

/** Positions carry the weights: each weight has its own. Folded words are letters and digits, so they need no more than quotes. */
const vectorOf = (found: ReadonlyMap<string, ReadonlySet<Weight>>): string =>
  [...found]
    .map(
      ([word, weights]) =>
        `'${word}':${[...weights]
          .sort()
          .map((weight, at) => `${at + 1}${weight}`)
          .join()}`,
    )
    .join(' ')

const namesOf = ({ name }: ServiceDetail): (string | undefined)[] => Object.values(name)
const sectionsOf = ({ section }: ServiceDetail): (string | undefined)[] => Object.values(section)

export interface InstituteWords {
  /** A its name, B services, C sections, D where it is; '#hair' for each category. */
  vector: string
  /** All of them without the categories. */
  words: string[]
}

export function instituteWords({ institute, serviceDetails }: LoadedInstitute): InstituteWords {
  const services = [...serviceDetails.values()]
  const found = lexemes([
    ['A', [institute.name]],
    ['D', [institute.quarter, institute.city]],
    ['B', services.flatMap(namesOf)],
    ['C', services.flatMap(sectionsOf)],
  ])
  const categories = institute.categories.map((category) => `'#${category}':1D`)
  return { vector: [vectorOf(found), ...categories].join(' '), words: [...found.keys()] }
}

export const serviceWords = (service: ServiceDetail): string =>
  vectorOf(
    lexemes([
      ['A', namesOf(service)],
      ['B', sectionsOf(service)],
    ]),
  )
