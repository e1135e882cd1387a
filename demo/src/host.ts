// What the demo needs of the product it is made for. Whoever seeds hands it over, so that this room imports nothing of the server.
import type { AskedSearch } from '#/rows/time-searches.ts'
import type { OnlineVisit } from '#/showcase/online.ts'
import type { InstituteRows, TableRows, VisitRows } from '#/rows/tables.ts'

/** What is stored beside an institute so that searches find it and its free time. */
export interface SearchIndex {
  /** Text of the institute's tsvector. */
  words: string
  /** Words that a search may be spelled like. */
  vocabulary: readonly string[]
  tables: readonly TableRows[]
}

export interface DemoHost {
  /** Address of the module that exports this host as `demoHost`: threads load it there. */
  module: string
  /** By country code. */
  currencyOf(countryCode: string): string
  languagesOf(countryCode: string): readonly string[]
  /** Lower case, without accents, single spaces. */
  foldText(text: string): string
  /** What was written of the money of visits until now: sales, documents, payments and the ledger, and of what was paid online pages, refunds and payouts. */
  booksOf(institute: InstituteRows, visits: VisitRows, online: readonly OnlineVisit[], now: number): readonly TableRows[]
  /** How many free starts each search would have found at its moment, by the rules of the institute and what was booked by then. */
  startsFound(institute: InstituteRows, visits: VisitRows, searches: readonly AskedSearch[]): readonly number[]
  /** `now` in milliseconds since the epoch. */
  indexOf(institute: InstituteRows, visits: VisitRows, now: number): SearchIndex
}
