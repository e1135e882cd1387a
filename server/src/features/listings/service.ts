// Takes files of open data into unclaimed institutes.
import type { Instant } from '@soigne/contract/time'
import { utcDayOf } from '#/platform/instants.ts'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { withAdvisoryLock, type Database, type Db, inTransaction } from '#/platform/database.ts'
import { type HoursReader, openHoursReader, readRecord, type SourceName } from '#/features/listing-facts/service.ts'
import { type AreaFile, areaOfFile, byAge } from './area.ts'
import { type BatchOptions, type PlaceRead, understand } from './batch.ts'
import { countIn, type ImportCounts, openAccount, type Remark, sumOf } from './counts.ts'
import { readLines } from './lines.ts'
import { readSnapshot, refreshStatistics, writeSnapshot } from './store.ts'
import { countBatch, takeAwayGone, writeBatch } from './write.ts'

export { type ImportCounts, type Remark } from './counts.ts'
export { slugsFor } from './slugs.ts'
export { currencyOf, languagesOf, sourceNames, type SourceName } from '#/features/listing-facts/service.ts'

/** Imports take turns by this number. */
const turn = 727_006
const batchSize = 400

export interface ImportOptions {
  source: SourceName
  files: readonly string[]
  /** Milliseconds since the epoch. */
  now: Instant
  /** A line for people about each file. */
  say?: (line: string) => void
  /** Each line refused and each fact lost. */
  tell?: (remark: Remark) => void
}

const damaged = new Set(['not_json', 'not_a_feature', 'line_too_long'])

/** Whether a file can tell what is gone: it has places, and most of its lines can be read. */
function canTellGone({ lines, good, rejected }: { lines: number; good: number; rejected: Record<string, number> }): boolean {
  const unreadable = Object.entries(rejected).reduce((sum, [reason, count]) => sum + (damaged.has(reason) ? count : 0), 0)
  return good > 0 && unreadable * 2 < lines
}

async function importFile(db: Db, { path, area, snapshot }: AreaFile, options: ImportOptions, reader: HoursReader): Promise<ImportCounts> {
  const account = openAccount(path, options.tell ?? (() => {}))
  const { counts } = account
  const newest = await readSnapshot(db, options.source, area)
  const today = Temporal.Instant.fromEpochMilliseconds(options.now).toZonedDateTimeISO('UTC').toPlainDate()
  const batchOptions: BatchOptions = {
    source: options.source,
    area,
    run: randomUUID(),
    isOlder: newest !== null && snapshot < newest,
    monday: today.subtract({ days: today.dayOfWeek - 1 }).toString(),
    reader,
  }
  let lines = 0
  let good = 0
  let places: PlaceRead[] = []
  const flush = async (): Promise<void> => {
    const batch = await understand(db, places, batchOptions, account)
    await inTransaction(db, (transaction) => writeBatch(transaction, batch, batchOptions, options.now))
    countBatch(batch, counts)
    places = []
  }
  for await (const line of readLines(path)) {
    if ('text' in line && line.text === '') continue
    lines++
    const read = 'text' in line ? readRecord(options.source, line.text) : ({ ok: false, reason: 'line_too_long', sourceId: null } as const)
    if (read.ok) {
      good++
      places.push({ place: read.place, line: line.number })
    } else account.refuse(line.number, read.sourceId, read.reason)
    if (places.length >= batchSize) await flush()
  }
  await flush()
  if (!batchOptions.isOlder && canTellGone({ lines, good, rejected: counts.rejected })) {
    counts.gone = await inTransaction(db, async (transaction) => {
      await writeSnapshot(transaction, options.source, area, snapshot)
      return takeAwayGone(transaction, batchOptions, options.now)
    })
  } else if (!batchOptions.isOlder) countIn(counts.notes, 'file_too_damaged_to_tell_what_is_gone')
  return counts
}

/** Takes the files in, older ones first; one import at a time. @throws when a file cannot be read, before anything is written */
export async function importListings(database: Database, options: ImportOptions): Promise<ImportCounts> {
  const today = utcDayOf(options.now)
  const files = byAge(options.files.map((path) => areaOfFile(path, today)))
  for (const { path } of files) await access(path, constants.R_OK)
  const reader = openHoursReader()
  try {
    return await withAdvisoryLock(database, turn, async (connection) => {
      const all: ImportCounts[] = []
      for (const file of files) {
        const counts = sumOf([await importFile(connection, file, options, reader)])
        options.say?.(`${file.path} (${file.area}, ${file.snapshot}): ${summary(counts)}`)
        all.push(counts)
      }
      await refreshStatistics(connection)
      return sumOf(all)
    })
  } finally {
    await reader.close()
  }
}

const list = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none'

/** The counts in a sentence. */
export function summary({ taken, updated, unchanged, gone, merged, rejected, notes }: ImportCounts): string {
  return `${taken} taken, ${updated} updated, ${unchanged} unchanged, ${gone} gone, ${merged} merged; rejected: ${list(rejected)}; notes: ${list(notes)}`
}
