// A crowd of made-up institutes, for seeing the product at full size: any number of them, where people live.
import { dayMs, type Instant } from '@soigne/contract/time'
import { utcDayOf } from '#/rows/instants.ts'
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { DemoHost } from '#/host.ts'
import {
  addVocabulary,
  analyzeTables,
  buildConstraints,
  copyRows,
  databaseBytes,
  dropConstraints,
  inBulk,
  removeInstitutes,
  tidyUp,
} from '#/storage/bulk.ts'
import type { CopyText } from '#/storage/rows-by-table.ts'
import type { ChunkRequest } from './chunk.ts'
import { crowdIds, mostInstitutes, usualSeedNumber } from './ids.ts'
import { makeChunks } from './makers.ts'
import { countCrowd, readReferences, readTowns } from './store.ts'
import { type Seat, seatsFor } from './towns.ts'
import { referenceLetter } from './visit-rows.ts'

const chunkSize = 250
/** With fewer the constraints stay: building them again would take longer, and the server may go on. */
const usuallyMany = 3000

export interface CrowdRequest {
  host: DemoHost
  institutes: number
  seedNumber?: number
  /** Milliseconds since the epoch; only the day counts. */
  now: Instant
  threads?: number
  /** From so many on the constraints of the tables are dropped meanwhile. */
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

function* chunksOf(seats: readonly Seat[], seedNumber: number, now: Instant): Generator<ChunkRequest> {
  const size = Math.min(chunkSize, Math.ceil(seats.length / 8))
  for (let at = 0; at < seats.length; at += size) yield { seats: seats.slice(at, at + size), seedNumber, now }
}

interface Loaded {
  rows: Map<string, number>
  vocabulary: Set<string>
}

async function load(client: pg.ClientBase, chunks: AsyncIterable<CopyText>, onInstitutes: (count: number) => void): Promise<Loaded> {
  const loaded: Loaded = { rows: new Map(), vocabulary: new Set() }
  for await (const chunk of chunks) {
    for (const table of chunk.tables) {
      await copyRows(client, table)
      loaded.rows.set(table.table, (loaded.rows.get(table.table) ?? 0) + table.rows)
    }
    for (const word of chunk.vocabulary) loaded.vocabulary.add(word)
    onInstitutes(loaded.rows.get('institutes') ?? 0)
  }
  await addVocabulary(client, loaded.vocabulary)
  return loaded
}

/** Says how far it is, at most every few seconds. */
function progress(request: CrowdRequest, say: (line: string) => void): (count: number) => void {
  let next = 3000
  const began = performance.now()
  return (count) => {
    const passed = performance.now() - began
    if (passed < next) return
    next = passed + 3000
    say(`${count} of ${request.institutes} institutes, ${Math.round(passed / 1000)} s`)
  }
}

async function replace(
  client: pg.ClientBase,
  request: CrowdRequest,
  seedNumber: number,
  now: Instant,
): Promise<{ loaded: Loaded; removed: number }> {
  const say = request.say ?? (() => {})
  const removed = await countCrowd(client)
  const isLarge = Math.max(removed, request.institutes) >= (request.manyInstitutes ?? usuallyMany)
  const seats = request.institutes === 0 ? [] : seatsFor(await readTowns(client, request.host), request.institutes, seedNumber)
  const taken = await readReferences(client, referenceLetter)
  const dropped = isLarge ? await dropConstraints(client) : null
  if (removed > 0) {
    await removeInstitutes(client, (id) => `${id} between $1 and $2`, crowdIds)
    say(`an earlier crowd of ${removed} institutes was taken away`)
  }
  const threads = seats.length === 0 ? 0 : (request.threads ?? Math.min(4, availableParallelism()))
  const loaded = await load(
    client,
    makeChunks({ chunks: chunksOf(seats, seedNumber, now), threads, taken, host: request.host }),
    progress(request, say),
  )
  if (dropped) {
    say('rows are in; constraints and indexes are built up again')
    await analyzeTables(client)
    await buildConstraints(client, dropped, (what, seconds) => seconds >= 1 && say(`  ${what}, ${seconds.toFixed(1)} s`))
  }
  return { loaded, removed }
}

/**
 * Makes a crowd of institutes instead of the one that was made before; with none of them it only takes that away. What people made
 * elsewhere stays. All of it is there in the end, or nothing has changed.
 */
export async function seedCrowd(pool: pg.Pool, request: CrowdRequest): Promise<CrowdCounts> {
  if (!Number.isSafeInteger(request.institutes) || request.institutes < 0 || request.institutes > mostInstitutes)
    throw new RangeError(`a crowd has 0 to ${mostInstitutes} institutes`)
  const began = performance.now()
  const seedNumber = request.seedNumber ?? usualSeedNumber
  const now = Math.floor(request.now / dayMs) * dayMs
  const { loaded, removed } = await inBulk(pool, (client) => replace(client, request, seedNumber, now))
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
    day: utcDayOf(now),
    seconds: Math.round((performance.now() - began) / 100) / 10,
    databaseMb: Math.round((await databaseBytes(pool)) / 2 ** 20),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }
}
