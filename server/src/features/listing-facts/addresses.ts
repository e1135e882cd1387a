// Street, postal code, town and quarter of a place as people write them; registers shout and abbreviate.
import { foldText } from '#/platform/fold-text.ts'
import { putsNumberFirst } from './countries.ts'
import { cleanText, type Tags } from './record.ts'

export interface TownAsGiven {
  /** As a person would write it; null when the data has none. */
  name: string | null
  quarter: string | null
  postalCode: string | null
}

const abbreviations: Readonly<Record<string, string>> = {
  AV: 'avenue',
  ALL: 'allée',
  ALLEE: 'allée',
  ALLEES: 'allées',
  BD: 'boulevard',
  BLD: 'boulevard',
  CHE: 'chemin',
  CRS: 'cours',
  CTRE: 'centre',
  FG: 'faubourg',
  GR: 'grande rue',
  HAM: 'hameau',
  IMP: 'impasse',
  LD: 'lieu-dit',
  LDT: 'lieu-dit',
  LOT: 'lotissement',
  MTE: 'montée',
  PAS: 'passage',
  PL: 'place',
  PROM: 'promenade',
  QU: 'quai',
  QUA: 'quartier',
  RES: 'résidence',
  RLE: 'ruelle',
  RPT: 'rond-point',
  RTE: 'route',
  SQ: 'square',
  ST: 'Saint',
  STE: 'Sainte',
}
const kindsOfStreet = new Set(
  'rue avenue place route boulevard chemin impasse allée allées cours quai passage square résidence lotissement faubourg hameau promenade ruelle esplanade montée centre quartier lieu-dit rond-point zone grande ancienne'.split(
    ' ',
  ),
)
const small = new Set('de du des la le les à au aux et en sur sous d l lès ès'.split(' '))
const keptCapital = new Set(['ZA', 'ZI', 'ZAC', 'ZAE', 'RN', 'RD', 'SNCF', 'CC'])

const isShouted = (text: string): boolean => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)

const capitalised = (word: string): string => word.replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** What machines leave behind in any case of letters: an apostrophe twice, half a shopping centre, an accent lost on the way up. */
function mended(text: string): string {
  const inCase = (words: string): string => (isShouted(text) ? words.toUpperCase() : words)
  return text
    .replaceAll(/(['’])['’]+/g, '$1')
    .replaceAll(/\bct?re? +(?:c?cial|comm?(?:erc)?)\b\.?/gi, inCase('Centre Commercial'))
    .replaceAll(/(?<=[\s-])A(?=[\s-][Ll]['’])/g, inCase('à'))
}

/** `AV RENE COTY` as `Avenue Rene Coty`; text that is not all capitals keeps its own. */
export function spokenSoftly(written: string): string {
  const text = mended(written)
  if (!isShouted(text)) return text
  const parts = text.split(/([\s\-'’./]+)/)
  const words = parts.map((part, at) => {
    if (at % 2 === 1 || part === '') return part
    if (keptCapital.has(part) || /^[IVX]{2,5}$/.test(part)) return part
    const apart = parts[at + 1] ?? ''
    const full = at === 0 || /^\s/.test(parts[at - 1] ?? '') ? abbreviations[part] : undefined
    const word = full ?? part.toLowerCase()
    if (at > 0 && (small.has(word) || kindsOfStreet.has(word) || (apart.startsWith("'") && word.length === 1))) return word
    return capitalised(word)
  })
  return words.join('')
}

const arrondissement = /^(PARIS|LYON|MARSEILLE)\s+0?(\d{1,2})(?:E|EME|ER)?$/i
const postalArrondissement = /^(75|69|13)0(\d\d)$/
const dividedTowns: Readonly<Record<string, [town: string, parts: number]>> = {
  '75': ['Paris', 20],
  '69': ['Lyon', 9],
  '13': ['Marseille', 16],
}

function frenchQuarter(city: string | null, postalCode: string | null, countryCode: string): { town: string; quarter: string } | null {
  const named = city === null ? null : arrondissement.exec(city)
  const coded = countryCode === 'FR' && postalCode !== null ? postalArrondissement.exec(postalCode) : null
  const [town, parts] = dividedTowns[coded?.[1] ?? ''] ?? [null, 0]
  const number = Number(named?.[2] ?? coded?.[2] ?? 0)
  const name = named?.[1] ? capitalised(named[1].toLowerCase()) : city?.toLowerCase() === town?.toLowerCase() ? town : null
  if (name === null || number < 1 || (named === null && number > parts)) return null
  return { town: name, quarter: `${name} ${number}${number === 1 ? 'er' : 'e'}` }
}

const first = (tags: Tags, keys: readonly string[], longest?: number): string | null => {
  for (const key of keys) {
    const text = cleanText(tags[key], longest)
    if (text !== null && !text.includes('@')) return text
  }
  return null
}

export function townOf(tags: Tags, countryCode: string): TownAsGiven {
  const given = first(tags, ['addr:city', 'contact:city', 'addr:town', 'addr:village'], 80)
  const postalCode = first(tags, ['addr:postcode', 'contact:postcode'], 12)
  const part = frenchQuarter(given, postalCode, countryCode)
  const quarter = first(tags, ['addr:quarter', 'addr:suburb', 'addr:neighbourhood', 'addr:district'], 80)
  return {
    name: part?.town ?? (given === null ? null : capitalised(spokenSoftly(given))),
    quarter: quarter ?? part?.quarter ?? null,
    postalCode,
  }
}

/** Street and number in the order of the country; an empty text when the data has neither. */
export function addressLineOf(tags: Tags, countryCode: string): string {
  const full = first(tags, ['addr:full'])
  if (full !== null) return spokenSoftly(full)
  // A town in the place of the street says nothing; in the place of the place it may be all there is.
  const town = foldText(townOf(tags, countryCode).name ?? '')
  const street = [first(tags, ['addr:street']), first(tags, ['contact:street']), first(tags, ['addr:place', 'addr:housename'])].find(
    (one, at) => one !== null && (at === 2 || foldText(one) !== town),
  )
  if (!street) return ''
  const number = first(tags, ['addr:housenumber', 'contact:housenumber'], 20)
  const said = spokenSoftly(street)
  if (number === null) return said
  if (!putsNumberFirst(countryCode)) return `${said} ${number}`
  // In the middle of a line the kind of street is small: 7 rue de la Gare.
  const [kind = '', ...rest] = said.split(' ')
  const small = isShouted(street) && kindsOfStreet.has(kind.toLowerCase()) ? kind.toLowerCase() : kind
  return [number, small, ...rest].join(' ')
}
