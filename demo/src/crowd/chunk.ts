// Some institutes of the crowd, with all that hangs on them, as text for COPY.
import type { DemoContent } from '#/content/read-content.ts'
import type { DemoHost } from '#/host.ts'
import { rankServices } from '#/rows/ranks.ts'
import { type CopyText, copyTextOf, type MadeInstitute } from '#/storage/rows-by-table.ts'
import { inventInstitute } from './institutes.ts'
import type { Seat } from './towns.ts'
import { addReviews, visitRows } from './visit-rows.ts'
import { inventVisits } from './visits.ts'

export interface ChunkRequest {
  seats: readonly Seat[]
  seedNumber: number
  /** Milliseconds since the epoch. */
  now: number
}

export interface CrowdSources {
  content: DemoContent
  host: DemoHost
  /** References that people have. */
  taken: ReadonlySet<string>
}

/** One institute with its visits and its summary. */
export function makeOne(
  seat: Seat,
  { seedNumber, now }: Omit<ChunkRequest, 'seats'>,
  { content, host, taken }: CrowdSources,
): MadeInstitute {
  const { institute, speech, usual, random } = inventInstitute(seat, seedNumber, content, now)
  const visits = visitRows({ institute, index: seat.index, speech, now, taken }, inventVisits(institute, now, random), content, random)
  rankServices(institute, visits)
  addReviews(institute, visits, usual, now, random.fork('reviews'))
  return { institute, visits, index: host.indexOf(institute, visits, now) }
}

export const makeChunk = (request: ChunkRequest, sources: CrowdSources): CopyText =>
  copyTextOf(request.seats.values().map((seat) => makeOne(seat, request, sources)))
