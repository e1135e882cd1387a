// Some institutes of the crowd, with all that hangs on them, as text for COPY.
import { type BookableServiceRow, type FreeTimeRow, type InstituteSummary, summaryOf } from '#/features/summary/service.ts'
import { copyLine, GrowingText } from './copy-text.ts'
import { loadedHouse } from './diary-row.ts'
import { buildHouse } from './house.ts'
import type { Content } from './menu.ts'
import type { CrowdHouse, CrowdVisits } from './rows.ts'
import type { Seat } from './towns.ts'
import { visitRows } from './visit-rows.ts'
import { inventVisits } from './visits.ts'

export interface ChunkWish {
  seats: readonly Seat[]
  seedNumber: number
  /** Milliseconds since the epoch. */
  now: number
}

export interface ChunkTable {
  table: string
  columns: readonly string[]
  rows: number
  /** UTF-8. */
  text: Uint8Array<ArrayBuffer>
}

/** In the order in which they are written: whatever is pointed at comes first. */
export interface Chunk {
  tables: ChunkTable[]
  vocabulary: string[]
}

export interface Made {
  house: CrowdHouse
  visits: CrowdVisits
  summary: InstituteSummary
}

/** One institute with its visits and its summary. */
export function makeOne(
  seat: Seat,
  { seedNumber, now, content, taken }: { seedNumber: number; now: number; content: Content; taken: ReadonlySet<string> },
): Made {
  const { house, speech, random } = buildHouse(seat, seedNumber, content, now)
  const visits = visitRows({ house, index: seat.index, speech, now, taken }, inventVisits(house, now, random), content, random)
  return { house, visits, summary: summaryOf(loadedHouse(house, visits), now) }
}

type Rows = readonly object[]
const tablesOf = ({ house, visits, summary }: Made): [table: string, rows: Rows][] => [
  ['institutes', [{ ...house.institute, words: summary.words }]],
  ['institute_pictures', house.pictures],
  ['opening_hours', house.openingHours],
  ['closures', house.closures],
  ['services', house.services],
  ['service_prerequisites', house.prerequisites],
  ['team_members', house.members],
  ['member_services', house.memberServices],
  ['rotas', house.rotas],
  ['rota_shifts', house.shifts],
  ['shift_overrides', house.overrides],
  ['absences', house.absences],
  ['resources', house.resources],
  ['customers', visits.customers],
  ['appointments', visits.appointments],
  ['segments', visits.segments],
  ['occupations', visits.occupations],
  ['bookable_services', summary.services.map(bookableServiceRow)],
  ['free_time', summary.freeTime ? [freeTimeRow(summary.freeTime)] : []],
]

const bookableServiceRow = (row: BookableServiceRow): object => ({
  service_id: row.serviceId,
  institute_id: row.instituteId,
  position: row.position,
  category: row.category,
  audience: row.audience,
  duration_minutes: row.durationMinutes,
  price_amount: row.priceAmount,
  minor_units: row.minorUnits,
  notice_minutes: row.noticeMinutes,
  time_class: row.timeClass,
  words: row.words,
})

const freeTimeRow = (row: FreeTimeRow): object => ({
  institute_id: row.instituteId,
  classes: row.classes,
  near_from: row.nearFrom,
  near_count: row.nearCount,
  first_day: row.firstDay,
  day_count: row.dayCount,
  near: row.near,
  near_all: row.nearAll,
  far: row.far,
  coarse: row.coarse,
})

interface Lines {
  columns: readonly string[]
  count: number
  text: GrowingText
}

export function makeChunk({ seats, seedNumber, now }: ChunkWish, content: Content, taken: ReadonlySet<string>): Chunk {
  const lines = new Map<string, Lines>()
  const vocabulary = new Set<string>()
  for (const seat of seats) {
    const made = makeOne(seat, { seedNumber, now, content, taken })
    for (const word of made.summary.vocabulary) vocabulary.add(word)
    for (const [table, rows] of tablesOf(made)) {
      const [first] = rows
      if (!first) continue
      let into = lines.get(table)
      if (!into) lines.set(table, (into = { columns: Object.keys(first), count: 0, text: new GrowingText() }))
      into.count += rows.length
      let text = ''
      for (const row of rows) text += copyLine(into.columns, row as Record<string, unknown>)
      into.text.add(text)
    }
  }
  const order = ['institutes', 'services', 'team_members', 'rotas', 'resources', 'customers', 'appointments']
  const rank = (table: string): number => (order.includes(table) ? order.indexOf(table) : order.length)
  const tables = [...lines]
    .map(([table, { columns, count, text }]) => ({ table, columns, rows: count, text: text.bytes() }))
    .sort((a, b) => rank(a.table) - rank(b.table))
  return { tables, vocabulary: [...vocabulary] }
}
