import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepAssets, slimRouteTable } from './build-web.ts'

const room = mkdtempSync(join(tmpdir(), 'soigne-builds-'))
afterAll(() => rmSync(room, { recursive: true }))

function builtWith(name: string, ...assets: string[]): string {
  const directory = join(room, name)
  mkdirSync(join(directory, 'client/assets'), { recursive: true })
  for (const asset of assets) writeFileSync(join(directory, 'client/assets', asset), `${asset} of ${name}`)
  return directory
}

test('a new build keeps the assets of the one before, and of no earlier one', () => {
  const first = builtWith('first', 'page-1.js', 'shared.js')
  keepAssets(join(room, 'none'), first)
  const second = builtWith('second', 'page-2.js', 'shared.js')
  keepAssets(first, second)
  expect(readdirSync(join(second, 'client/assets')).toSorted()).toEqual(['page-1.js', 'page-2.js', 'shared.js'])
  expect(readFileSync(join(second, 'client/assets/shared.js'), 'utf8')).toBe('shared.js of second')
  const third = builtWith('third', 'page-3.js', 'shared.js')
  keepAssets(second, third)
  expect(readdirSync(join(third, 'client/assets')).toSorted()).toEqual(['page-2.js', 'page-3.js', 'shared.js'])
})

test('the table of routes names no imports, and keeps all else', () => {
  const table =
    'window.__reactRouterManifest={"entry":{"module":"/a.js","imports":["/b.js","/c.js"],"css":[]},"routes":{"x":{"module":"/x.js","imports":[],"css":["/x.css"]}}};'
  expect(slimRouteTable(table)).toBe(
    'window.__reactRouterManifest={"entry":{"module":"/a.js","imports":[],"css":[]},"routes":{"x":{"module":"/x.js","imports":[],"css":["/x.css"]}}};',
  )
})
