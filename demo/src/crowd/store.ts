// Reads what a crowd has to know of the database.
import type pg from 'pg'
import type { DemoHost } from '#/host.ts'
import { crowdIds } from './ids.ts'
import { slugOf } from '#/content/invented-names.ts'
import type { Town } from './towns.ts'

interface TownRow extends Omit<Town, 'slug' | 'currency' | 'languages'> {}

/** Every town that has people, in an order that stays; nobody lives in a part of a town twice. */
export async function readTowns(client: pg.ClientBase, host: DemoHost): Promise<Town[]> {
  const { rows } = await client.query<TownRow>(
    `select geoname_id as "geonameId", name, name_ar as "nameAr", country_code as "countryCode", lat, lon, population, time_zone as "timeZone"
     from places where population > 0 and name not like '%(%' order by country_code, geoname_id`,
  )
  return rows.map((row) => ({
    ...row,
    slug: slugOf(host.foldText(row.name)),
    currency: host.currencyOf(row.countryCode),
    languages: host.languagesOf(row.countryCode),
  }))
}

/** References of visits that are not the crowd's and begin with its letter. */
export async function readReferences(client: pg.ClientBase, letter: string): Promise<string[]> {
  const { rows } = await client.query<{ reference: string }>(
    `select reference from appointments where reference like $1 and not (institute_id between $2 and $3)`,
    [`${letter}%`, ...crowdIds],
  )
  return rows.map(({ reference }) => reference)
}

export async function countCrowd(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*) from institutes where id between $1 and $2', [...crowdIds])
  return rows[0]?.count ?? 0
}
