/** Which institutes search engines are told of. */
import type { Db } from '#/platform/database.ts'
import { countPublished, publishedSlugs } from './store.ts'

const perMap = 20_000

/** How many maps of institutes there are. */
export const mapCount = async (db: Db): Promise<number> => Math.ceil((await countPublished(db)) / perMap)

/** The institutes of one map, pages from 1; empty past the end. */
export const institutesOfMap = (db: Db, page: number): Promise<{ slug: string; changedAt: string }[]> =>
  publishedSlugs.all(db, { offset: (page - 1) * perMap, limit: perMap })
