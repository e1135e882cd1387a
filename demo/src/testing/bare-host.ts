/** A host without a search index, for tests of rows alone; the server's tests bring the real one. */
import type { DemoHost } from '#/host.ts'

export const demoHost: DemoHost = {
  module: import.meta.url,
  currencyOf: () => 'EUR',
  languagesOf: () => ['English'],
  foldText: (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase(),
  booksOf: () => [],
  startsFound: (_institute, _visits, searches) => searches.map(() => 0),
  indexOf: () => ({ words: '', vocabulary: [], tables: [] }),
}
