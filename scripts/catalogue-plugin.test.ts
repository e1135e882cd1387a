/** A build fills up the catalogue of a language with English. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { build } from 'vite'
import { cataloguePlugin } from '../web/catalogue-plugin.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function site(files: Record<string, unknown>): string {
  const root = mkdtempSync(join(tmpdir(), 'soigne-catalogues-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), typeof text === 'string' ? text : JSON.stringify(text))
  }
  return root
}

test('what French lacks is English in the built file, and English stays as it is', async () => {
  const root = site({
    'src/locales/en/booking.json': { title: 'Book', count_one: '{{count}} hour', count_other: '{{count}} hours' },
    'src/locales/fr/booking.json': { title: 'Réserver' },
    'src/entry.js':
      "import en from './locales/en/booking.json'\nimport fr from './locales/fr/booking.json'\nexport const said = { en, fr }\n",
  })
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [cataloguePlugin],
    build: { lib: { entry: join(root, 'src/entry.js'), formats: ['es'], fileName: 'said' }, outDir: join(root, 'out') },
  })
  const [file = ''] = readdirSync(join(root, 'out'))
  const code = readFileSync(join(root, 'out', file), 'utf8')
  const { said } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { said: unknown }
  const counted = { count_one: '{{count}} hour', count_other: '{{count}} hours' }
  expect(said).toEqual({ en: { title: 'Book', ...counted }, fr: { title: 'Réserver', ...counted } })
})
