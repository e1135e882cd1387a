/** Imports of made-up open data into a real app with three towns; what was imported goes after each test. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { importListings, type ImportCounts, type SourceName } from '#/features/listings/service.ts'
import { makeTowns, placeFiles, placeLine, type PlaceOptions } from './open-data.ts'
import { openTestApp, type TestAnswer, type TestApp } from './test-app.ts'

export const now = Date.parse('2026-11-20T11:00:00Z')
/** Counts of an import that did nothing. */
export const nothing = { taken: 0, updated: 0, unchanged: 0, gone: 0, merged: 0, rejected: {} }

export interface StoredInstitute {
  id: string
  slug: string
  state: string
  claimed: boolean
  name: string
}

export interface ImportWorld {
  readonly t: TestApp
  readonly files: ReturnType<typeof placeFiles>
  /** Imports places as a file of that name. */
  take(places: readonly (PlaceOptions | string)[], options?: { source?: SourceName; file?: string; at?: number }): Promise<ImportCounts>
  /** The page of an institute. */
  page(slug: string): Promise<TestAnswer>
  stored(): Promise<StoredInstitute[]>
}

export function importWorld(): ImportWorld {
  let t: TestApp
  const files = placeFiles()
  beforeAll(async () => {
    t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
    await makeTowns(t.db)
  })
  afterEach(async () => {
    await sql`delete from institutes`.execute(t.db)
    await sql`delete from listing_areas`.execute(t.db)
  })
  afterAll(async () => {
    files.remove()
    await t.close()
  })
  return {
    get t() {
      return t
    },
    files,
    take: (places, { source = 'osm', file = 'lyon_fr.ndjson', at = now } = {}) =>
      importListings(t.context.database.db, {
        source,
        files: [
          files.write(
            file,
            places.map((place) => (typeof place === 'string' ? place : placeLine(place))),
          ),
        ],
        now: at,
      }),
    page: (slug) => t.inject('GET', `/api/v1/client/institutes/${slug}`),
    stored: async () =>
      (await sql<StoredInstitute>`select id, slug, state, claimed, name from institutes order by slug`.execute(t.db)).rows,
  }
}
