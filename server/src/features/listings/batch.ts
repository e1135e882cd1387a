// A batch of places on its way into the database: what is known of them is read, what they say is understood, then everything is written at once.
import type { Db } from '#/platform/database.ts'
import { readSurroundings } from '#/features/places/service.ts'
import {
  type Draft,
  draftOf,
  type Facts,
  factsOf,
  hoursQuestion,
  type HoursReader,
  pointOf,
  type RawPlace,
  type Rejection,
  type SourceName,
} from '#/features/listing-facts/service.ts'
import { countIn, type ImportCounts } from './counts.ts'
import { decide } from './decide.ts'
import { cellOf, cellsNear, sameness } from './likeness.ts'
import { readInstitutesOfCells, readListings, type StoredListing } from './store.ts'

export interface BatchOptions {
  source: SourceName
  area: string
  /** Names this reading of the file. */
  run: string
  isOlder: boolean
  /** The Monday from which a year of opening hours is looked at. */
  monday: string
  reader: HoursReader
}

export interface Understood {
  place: RawPlace
  facts: Facts
  kind: 'new' | 'update' | 'back'
  /** Its listing, when there is one. */
  stored: StoredListing | null
  /** Of a new one: the institute another source lists. */
  sameAs: string | null
}

export interface Batch {
  understood: Understood[]
  /** Listings that say what they said. */
  seen: string[]
}

interface Wanted {
  draft: Draft
  kind: Understood['kind']
  stored: StoredListing | null
}

async function sortOut(
  db: Db,
  places: readonly RawPlace[],
  options: BatchOptions,
  counts: ImportCounts,
): Promise<{ wanted: Wanted[]; seen: string[] }> {
  const ids = places.map(({ sourceId }) => sourceId)
  const known = new Map((await readListings(db, options.source, ids)).map((listing) => [listing.sourceId, listing]))
  const met = new Set<string>()
  const wanted: Wanted[] = []
  const seen: string[] = []
  for (const place of places) {
    const stored = known.get(place.sourceId)
    if (met.has(place.sourceId) || stored?.seenIn === options.run) {
      countIn(counts.notes, 'repeated')
      continue
    }
    met.add(place.sourceId)
    const draft = draftOf(place)
    if (typeof draft === 'string') {
      countIn(counts.rejected, draft)
      continue
    }
    const decision = decide(place, stored, options)
    if (decision === 'unchanged') counts.unchanged++
    if (decision === 'older') countIn(counts.notes, 'older_than_known')
    if (decision === 'unchanged' || decision === 'older') {
      if (stored && stored.goneAt === null) seen.push(stored.id)
    } else wanted.push({ draft, kind: decision, stored: stored ?? null })
  }
  return { wanted, seen }
}

/** Finds for new places the institutes that are the same; the surest pairs first, nobody twice. */
async function recognise(db: Db, understood: readonly Understood[], source: SourceName): Promise<void> {
  const fresh = understood.filter(({ kind }) => kind === 'new')
  if (fresh.length === 0) return
  const cells = new Set(fresh.flatMap(({ place }) => cellsNear(place)))
  const neighbours = Map.groupBy(await readInstitutesOfCells(db, { source, cells: [...cells] }), cellOf)
  const pairs = fresh
    .flatMap((one) =>
      cellsNear(one.place)
        .flatMap((cell) => neighbours.get(cell) ?? [])
        .map((neighbour) => ({ one, instituteId: neighbour.instituteId, score: sameness(one.facts, neighbour) }))
        .filter(({ score }) => score > 0),
    )
    .toSorted((a, b) => b.score - a.score)
  const given = new Set<string>()
  for (const { one, instituteId } of pairs) {
    if (one.sameAs !== null || given.has(instituteId)) continue
    one.sameAs = instituteId
    given.add(instituteId)
  }
}

/** Reads and thinks; writes nothing, so that no transaction waits for the reading of opening hours. */
export async function understand(db: Db, places: readonly RawPlace[], options: BatchOptions, counts: ImportCounts): Promise<Batch> {
  const { wanted, seen } = await sortOut(db, places, options, counts)
  const surroundings =
    wanted.length === 0
      ? []
      : await readSurroundings(
          db,
          wanted.map(({ draft }) => pointOf(draft)),
        )
  const understood: Understood[] = []
  for (const [at, { draft, kind, stored }] of wanted.entries()) {
    const around = surroundings[at] ?? { nearest: null, town: null, inCountry: null }
    const question = hoursQuestion(draft, around, options.monday)
    const read = factsOf(draft, around, question && (await options.reader.read(question)))
    if (!read) {
      countIn(counts.rejected, 'nowhere' satisfies Rejection)
      continue
    }
    for (const note of read.notes) countIn(counts.notes, note)
    understood.push({ place: draft.place, facts: read.facts, kind, stored, sameAs: null })
  }
  await recognise(db, understood, options.source)
  return { understood, seen }
}
