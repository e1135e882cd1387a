/** What is left out of the router is there to be left out, and gives what the rest of the router asks of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leanFiles, leanRouter } from '../web/lean-router.ts'
import config from '../web/react-router.config.ts'

const library = join(import.meta.dirname, '../node_modules/react-router/dist/production/lib')
/** Names at the end of the library's files stand in one list, each under its own name. */
const given = (code: string): string[] =>
  [...code.matchAll(/^export (?:const (\w+)|\{([^}]*)\})/gm)].flatMap(
    ([, one, many]) => one ?? (many ?? '').split(',').map((name) => name.trim()),
  )

test.each(Object.keys(leanFiles))('%s is a file of the router, and gives the same names', (file) => {
  const original = readFileSync(join(library, file), 'utf8')
  expect(given(leanFiles[file] ?? '').toSorted()).toEqual(given(original).toSorted())
  expect(given(original).length).toBeGreaterThan(4)
})

test('routes are not found one by one, which is what is left out', () => {
  expect(config.routeDiscovery).toEqual({ mode: 'initial' })
})

test('files of others stay as they are', () => {
  const load = leanRouter.load as (id: string) => string | undefined
  const [file = ''] = Object.keys(leanFiles)
  expect(load(`/site/node_modules/react-router/dist/production/lib/${file}`)).toBe(leanFiles[file])
  expect(load(`C:\\site\\node_modules\\react-router\\dist\\production\\lib\\${file.replaceAll('/', '\\')}`)).toBe(leanFiles[file])
  expect(load(`/site/node_modules/react-router/dist/development/lib/${file}`)).toBeUndefined()
  expect(load(`/site/src/${file}`)).toBeUndefined()
})
