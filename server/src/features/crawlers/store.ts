import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { c, known, statement } from '#/platform/statement.ts'

const count = statement(
  { name: 'crawlers.countPublished', row: { total: known(c.count) } },
  () => sql`select count(*)::int as total from institutes where state = 'published'`,
)

export const countPublished = async (db: Db): Promise<number> => (await count.one(db))?.total ?? 0

/** Addresses of institutes in the order they were made, so that a page of the sitemap stays the same. */
export const publishedSlugs = statement(
  { name: 'crawlers.publishedSlugs', row: { slug: c.text, changedAt: known(c.instant) }, tries: [{ offset: 0, limit: 1 }] },
  ({ offset, limit }: { offset: number; limit: number }) =>
    sql`select slug, published_at as "changedAt" from institutes where state = 'published' order by id limit ${limit} offset ${offset}`,
)
