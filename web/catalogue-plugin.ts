import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { completeCatalogue, type Texts } from './src/platform/complete-catalogue.ts'

/** Catalogues of other languages than English are read with what they lack filled up. */
export const cataloguePlugin: Plugin = {
  name: 'complete-catalogues',
  enforce: 'pre',
  load(id) {
    const [path = ''] = id.split('?', 1)
    if (!/\/locales\/(?!en\/)[a-z]+\/[a-z-]+\.json$/.test(path)) return undefined
    const english = join(dirname(path), '../en', basename(path))
    this.addWatchFile(english)
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Texts
    return JSON.stringify(completeCatalogue(read(path), read(english)))
  },
}
