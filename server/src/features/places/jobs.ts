import type { Fill } from '#/platform/fills.ts'
import { type GazetteerPlace, readGazetteer } from './gazetteer.ts'
import { knowsCyrillic, updateNames } from './store.ts'

/** Names in Cyrillic, for gazetteers loaded before they were kept. The cursor counts lines of the gazetteer. */
const cyrillicNames: Fill = {
  name: '0033_cyrillic_names',
  rowsAtOnce: 20_000,
  async fill(transaction, after, rows) {
    // A gazetteer of now was loaded with them.
    if (after === null && (await knowsCyrillic.one(transaction))?.known === true) return null
    const from = Number(after ?? 0)
    const batch: GazetteerPlace[] = []
    let at = 0
    for await (const place of readGazetteer()) {
      if (++at <= from) continue
      batch.push(place)
      if (batch.length === rows) break
    }
    if (batch.length === 0) return null
    await updateNames.run(transaction, batch)
    return { cursor: String(from + batch.length), rows: batch.length }
  },
}

export const placeFills: readonly Fill[] = [cyrillicNames]
