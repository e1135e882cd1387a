// The open data we read: whose it is, under which licence, and how its ids look.
import sources from './sources.json' with { type: 'json' }

export const sourceNames = ['osm', 'overture', 'sirene', 'paris'] as const
export type SourceName = (typeof sourceNames)[number]

/** Who must be named beside a record, and the licence it came under. */
export interface Provenance {
  attribution: string
  attributionUrl: string
  licence: string
  licenceUrl: string
}

type Part = Pick<Provenance, 'attribution' | 'licence' | 'licenceUrl'>
interface Source extends Provenance {
  ids: string
  parts?: Readonly<Record<string, Part>>
}

const known: Readonly<Record<SourceName, Source>> = sources

/** Whether an id is one this source gives. */
export const isIdOf = (source: SourceName, id: string): boolean => new RegExp(known[source].ids).test(id)

/** Some records of a collection keep the licence of the collection they came from. */
export function provenanceOf(source: SourceName, datasets: readonly string[]): Provenance {
  const { attribution, attributionUrl, licence, licenceUrl, parts = {} } = known[source]
  const part = Object.entries(parts).find(([name]) => datasets.some((dataset) => dataset.startsWith(`${name}:`)))?.[1]
  return { attribution, attributionUrl, licence, licenceUrl, ...part }
}

/** Where sources disagree the earlier one is believed. */
export const trustOf = (source: SourceName): number => ['osm', 'overture', 'paris', 'sirene'].indexOf(source)
