/** An institute with an owner who is signed in, for what is measured of the dashboard. */
import { createHash, randomBytes } from 'node:crypto'
import { hourMs } from '@soigne/contract/time'
import { type InstituteRows, noVisits, type TableRows, tablesOfInstitute, tablesOfVisits, type VisitRows } from '@soigne/demo/rows/tables'
import { copyRows, inBulk } from '@soigne/demo/storage/bulk'
import { copyTextOf } from '@soigne/demo/storage/rows-by-table'
import type pg from 'pg'
import { addCustomer, instituteRows } from './full-institute.ts'

export interface DeskInstitute {
  id: string
  /** Of the session of its owner. */
  token: string
  rows: InstituteRows
  customerId: string
}

/** Somebody who works at institutes, signed in. */
export async function makePro(db: pg.Pool, name: string): Promise<{ id: string; token: string }> {
  const token = randomBytes(32).toString('base64url')
  const { rows } = await db.query<{ id: string }>(
    `with made as (insert into users (email, role, first_name, last_name, locale, email_verified_at, terms_accepted_at)
       values ($1, 'isPro', 'Aya', 'Rahal', 'en', now(), now()) returning id)
     insert into sessions (user_id, token_hash, expires_at) select id, $2, '2099-01-01' from made returning user_id as id`,
    [`${name}@bench.test`, createHash('sha256').update(token).digest()],
  )
  return { id: rows[0]?.id ?? '', token }
}

async function copy(db: pg.Pool, tables: readonly TableRows[]): Promise<void> {
  await inBulk(db, async (client) => {
    for (const table of copyTextOf([], tables).tables) await copyRows(client, table)
  })
}

export const copyVisits = (db: pg.Pool, visits: VisitRows): Promise<void> => copy(db, tablesOfVisits(visits))

/** Twenty members and no visits yet. */
export async function makeDeskInstitute(db: pg.Pool, name: string): Promise<DeskInstitute> {
  const owner = await makePro(db, name)
  const rows = instituteRows(name, Math.floor(Date.now() / hourMs) * hourMs, owner.id)
  await copy(db, tablesOfInstitute(rows))
  const visits = noVisits()
  const customerId = addCustomer(visits, rows)
  await copyVisits(db, visits)
  return { id: rows.institute.id, token: owner.token, rows, customerId }
}
