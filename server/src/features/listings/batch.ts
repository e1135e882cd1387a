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
import type { Account } from './counts.ts'
import { decide } from './decide.ts'
import { cellOf, cellsNear, sameness, twinness } from './likeness.ts'
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

/** A place and the line of its file. */
export interface PlaceRead {
  place: RawPlace
  line: number
}

export interface Understood {
  place: RawPlace
  facts: Facts
  kind: 'new' | 'update' | 'back'
  /** Its listing, when there is one. */
  stored: StoredListing | null
  /** Of a new one: the institute that is listed already. */
  sameAs: string | null
  /** Of a new one: the place of this batch that its source has twice. */
  twinOf: Understood | null
}

export interface Batch {
  understood: Understood[]
  /** Listings that say what they said. */
  seen: string[]
}

interface Wanted {
  draft: Draft
  line: number
  kind: Understood['kind']
  stored: StoredListing | null
}

async function sortOut(
  db: Db,
  places: readonly PlaceRead[],
  options: BatchOptions,
  account: Account,
): Promise<{ wanted: Wanted[]; seen: string[] }> {
  const ids = places.map(({ place }) => place.sourceId)
  const known = new Map((await readListings(db, options.source, ids)).map((listing) => [listing.sourceId, listing]))
  const met = new Set<string>()
  const wanted: Wanted[] = []
  const seen: string[] = []
  for (const { place, line } of places) {
    const stored = known.get(place.sourceId)
    if (met.has(place.sourceId) || stored?.seenIn === options.run) {
      account.note(line, place.sourceId, 'repeated')
      continue
    }
    met.add(place.sourceId)
    const draft = draftOf(place)
    if (typeof draft === 'string') {
      account.refuse(line, place.sourceId, draft)
      continue
    }
    const decision = decide(place, stored, options)
    if (decision === 'unchanged') account.counts.unchanged++
    if (decision === 'older') account.note(line, place.sourceId, 'older_than_known')
    if (decision === 'unchanged' || decision === 'older') {
      if (stored && stored.goneAt === null) seen.push(stored.id)
    } else wanted.push({ draft, line, kind: decision, stored: stored ?? null })
  }
  return { wanted, seen }
}

/** Of places their source has twice the first stands for both. */
function pairTwins(fresh: readonly Understood[]): void {
  const leaders = new Map<number, Understood[]>()
  for (const one of fresh) {
    const near = cellsNear(one.place).flatMap((cell) => leaders.get(cell) ?? [])
    one.twinOf = near.find((other) => twinness(one.facts, other.facts) > 0) ?? null
    if (one.twinOf === null) leaders.set(cellOf(one.place), [...(leaders.get(cellOf(one.place)) ?? []), one])
  }
}

/** Finds for new places the institutes that are the same; the surest pairs first, nobody twice but by their own source. */
async function recognise(db: Db, understood: readonly Understood[], source: SourceName): Promise<void> {
  const fresh = understood.filter(({ kind }) => kind === 'new')
  if (fresh.length === 0) return
  pairTwins(fresh)
  const cells = new Set(fresh.flatMap(({ place }) => cellsNear(place)))
  const neighbours = Map.groupBy(await readInstitutesOfCells(db, { source, cells: [...cells] }), cellOf)
  const pairs = fresh
    .filter(({ twinOf }) => twinOf === null)
    .flatMap((one) =>
      cellsNear(one.place)
        .flatMap((cell) => neighbours.get(cell) ?? [])
        .map((neighbour) => ({ one, neighbour, score: (neighbour.isOwn ? twinness : sameness)(one.facts, neighbour) }))
        .filter(({ score }) => score > 0),
    )
    .toSorted((a, b) => b.score - a.score)
  const given = new Set<string>()
  for (const { one, neighbour } of pairs) {
    if (one.sameAs !== null || given.has(neighbour.instituteId)) continue
    one.sameAs = neighbour.instituteId
    if (!neighbour.isOwn) given.add(neighbour.instituteId)
  }
}

/** Reads and thinks; writes nothing, so that no transaction waits for the reading of opening hours. */
export async function understand(db: Db, places: readonly PlaceRead[], options: BatchOptions, account: Account): Promise<Batch> {
  const { wanted, seen } = await sortOut(db, places, options, account)
  const surroundings =
    wanted.length === 0
      ? []
      : await readSurroundings(
          db,
          wanted.map(({ draft }) => pointOf(draft)),
        )
  const understood: Understood[] = []
  for (const [at, { draft, line, kind, stored }] of wanted.entries()) {
    const around = surroundings[at] ?? { nearest: null, town: null, inCountry: null }
    const question = hoursQuestion(draft, around, options.monday)
    const read = factsOf(draft, around, question && (await options.reader.read(question)))
    if (!read) {
      account.refuse(line, draft.place.sourceId, 'nowhere' satisfies Rejection)
      continue
    }
    for (const note of read.notes) account.note(line, draft.place.sourceId, note)
    understood.push({ place: draft.place, facts: read.facts, kind, stored, sameAs: null, twinOf: null })
  }
  await recognise(db, understood, options.source)
  return { understood, seen }
}
