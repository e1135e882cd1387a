// A crowd of made-up institutes, for seeing the product at full size: any number of them, where people live.
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { Chunk, ChunkWish } from './chunk.ts'
import { makeChunks } from './makers.ts'
import { crowdFrom, mostInstitutes } from './rows.ts'
import {
  addVocabulary,
  analyzeTables,
  buildConstraints,
  copyRows,
  countCrowd,
  databaseBytes,
  type IdRange,
  inBulk,
  readReferences,
  readTowns,
  removeInstitutes,
  dropConstraints,
  tidyUp,
} from './store.ts'
import { type Seat, seatsFor } from './towns.ts'
import { referenceLetter } from './visit-rows.ts'

export { mostInstitutes } from './rows.ts'

export const usualSeedNumber = 1
const day = 86_400_000
const chunkSize = 250
/** With fewer the walls stay up: building them up again would take longer, and the server may go on. */
const usuallyMany = 3000

export interface CrowdWish {
  institutes: number
  seedNumber?: number
  /** Milliseconds since the epoch; only the day counts. */
  now: number
  threads?: number
  /** From so many on the walls of the tables are taken down meanwhile. */
  manyInstitutes?: number
  /** A line for people now and then. */
  say?: (line: string) => void
}

export interface CrowdCounts {
  institutes: number
  members: number
  services: number
  appointments: number
  occupations: number
  /** Of all tables. */
  rows: number
  /** Institutes of an earlier crowd that were taken away. */
  removed: number
  seedNumber: number
  day: string
  seconds: number
  databaseMb: number
  /** Most memory this process had, with its threads. */
  peakMb: number
}

const idAt = (ms: number, rest: string): string => {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest}`
}
const crowdIds: IdRange = {
  first: idAt(crowdFrom, '0000-0000-000000000000'),
  last: idAt(crowdFrom + mostInstitutes, 'ffff-ffff-ffffffffffff'),
}

function* chunksOf(seats: readonly Seat[], seedNumber: number, now: number): Generator<ChunkWish> {
  const size = Math.min(chunkSize, Math.ceil(seats.length / 8))
  for (let at = 0; at < seats.length; at += size) yield { seats: seats.slice(at, at + size), seedNumber, now }
}

interface Loaded {
  rows: Map<string, number>
  vocabulary: Set<string>
}

async function load(client: pg.ClientBase, chunks: AsyncIterable<Chunk>, onInstitutes: (count: number) => void): Promise<Loaded> {
  const loaded: Loaded = { rows: new Map(), vocabulary: new Set() }
  for await (const chunk of chunks) {
    for (const table of chunk.tables) {
      await copyRows(client, table)
      loaded.rows.set(table.table, (loaded.rows.get(table.table) ?? 0) + table.rows)
    }
    for (const word of chunk.vocabulary) loaded.vocabulary.add(word)
    onInstitutes(loaded.rows.get('institutes') ?? 0)
  }
  await addVocabulary(client, [...loaded.vocabulary].sort())
  return loaded
}

/** Says how far it is, at most every few seconds. */
function progress(wish: CrowdWish, say: (line: string) => void): (count: number) => void {
  let next = 3000
  const began = performance.now()
  return (count) => {
    const passed = performance.now() - began
    if (passed < next) return
    next = passed + 3000
    say(`${count} of ${wish.institutes} institutes, ${Math.round(passed / 1000)} s`)
  }
}

async function replace(
  client: pg.ClientBase,
  wish: CrowdWish,
  seedNumber: number,
  now: number,
): Promise<{ loaded: Loaded; removed: number }> {
  const say = wish.say ?? (() => {})
  const removed = await countCrowd(client, crowdIds)
  const isLarge = Math.max(removed, wish.institutes) >= (wish.manyInstitutes ?? usuallyMany)
  const seats = wish.institutes === 0 ? [] : seatsFor(await readTowns(client), wish.institutes, seedNumber)
  const taken = await readReferences(client, referenceLetter, crowdIds)
  const walls = isLarge ? await dropConstraints(client) : null
  if (removed > 0) {
    await removeInstitutes(client, crowdIds)
    say(`an earlier crowd of ${removed} institutes was taken away`)
  }
  const threads = seats.length === 0 ? 0 : (wish.threads ?? Math.min(4, availableParallelism()))
  const loaded = await load(client, makeChunks({ chunks: chunksOf(seats, seedNumber, now), threads, taken }), progress(wish, say))
  if (walls) {
    say('rows are in; constraints and indexes are built up again')
    await analyzeTables(client)
    await buildConstraints(client, walls, (what, seconds) => seconds >= 1 && say(`  ${what}, ${seconds.toFixed(1)} s`))
  }
  return { loaded, removed }
}

/**
 * Makes a crowd of institutes instead of the one that was made before; with none of them it only takes that away. What people made
 * elsewhere stays. All of it is there in the end, or nothing has changed.
 */
export async function seedCrowd(pool: pg.Pool, wish: CrowdWish): Promise<CrowdCounts> {
  if (!Number.isSafeInteger(wish.institutes) || wish.institutes < 0 || wish.institutes > mostInstitutes)
    throw new RangeError(`a crowd has 0 to ${mostInstitutes} institutes`)
  const began = performance.now()
  const seedNumber = wish.seedNumber ?? usualSeedNumber
  const now = Math.floor(wish.now / day) * day
  const { loaded, removed } = await inBulk(pool, (client) => replace(client, wish, seedNumber, now))
  await tidyUp(pool)
  const rows = (table: string): number => loaded.rows.get(table) ?? 0
  return {
    institutes: rows('institutes'),
    members: rows('team_members'),
    services: rows('services'),
    appointments: rows('appointments'),
    occupations: rows('occupations'),
    rows: [...loaded.rows.values()].reduce((sum, count) => sum + count, 0),
    removed,
    seedNumber,
    day: new Date(now).toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - began) / 100) / 10,
    databaseMb: Math.round((await databaseBytes(pool)) / 2 ** 20),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }
}
