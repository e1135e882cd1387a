/** Places of open data for tests: lines of a file in the form the sources have, and a few towns to be near. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'

export interface PlaceOptions {
  id?: string
  name?: string | null
  match?: string
  lat?: number
  lon?: number
  version?: number | null
  editedAt?: string
  tags?: Record<string, string>
  more?: Record<string, unknown>
}

/** One place as its line; a hairdresser in Lyon unless told otherwise. */
export function placeLine(options: PlaceOptions = {}): string {
  const { id = 'node/1', name = 'Salon Un', match = 'shop=hairdresser', lat = 45.764, lon = 4.8357, version = null } = options
  const properties = {
    name,
    match,
    osm_version: version,
    osm_timestamp: options.editedAt ?? null,
    ...options.more,
    tags: { ...(name !== null && { name }), 'addr:city': 'Lyon', 'addr:country': 'FR', ...options.tags },
  }
  return JSON.stringify({ type: 'Feature', id, geometry: { type: 'Point', coordinates: [lon, lat] }, properties })
}

/** A folder for files of places. */
export function placeFiles(): { write(name: string, lines: readonly string[]): string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'soigne-places-'))
  return {
    write(name, lines) {
      const path = join(directory, name)
      writeFileSync(path, `${lines.join('\n')}\n`)
      return path
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Three towns and their countries. */
export async function makeTowns(db: Db): Promise<void> {
  await sql`insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search) values
    (1, 'Lyon', 'FR', 45.7484, 4.8467, 522250, 'Europe/Paris', '|lyon|lyons|'),
    (2, 'Monaco', 'MC', 43.7333, 7.4167, 32965, 'Europe/Monaco', '|monaco|'),
    (3, 'Zürich (Kreis 1)', 'CH', 47.3706, 8.5439, 6000, 'Europe/Zurich', '|zurich kreis 1|'),
    (4, 'Zurich', 'CH', 47.3667, 8.55, 341730, 'Europe/Zurich', '|zurich|zuerich|')`.execute(db)
}
