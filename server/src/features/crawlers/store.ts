import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'

export async function countPublished(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from institutes where state = 'published'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Addresses of institutes in the order they were made, so that a page of the sitemap stays the same. */
export async function publishedSlugs(db: Db, offset: number, limit: number): Promise<{ slug: string; changedAt: string }[]> {
  const { rows } = await sql<{
    slug: string
    changedAt: string
  }>`select slug, published_at as "changedAt" from institutes where state = 'published' order by id limit ${limit} offset ${offset}`.execute(
    db,
  )
  return rows
}
