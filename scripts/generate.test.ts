/** What the browser keeps of the contract is what the contract says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { generated, outdated } from './generate.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function written(change: (path: string, text: string) => string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'soigne-generated-'))
  made.push(folder)
  for (const [path, text] of Object.entries(generated())) {
    const changed = change(path, text)
    if (changed === null) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), changed)
  }
  return folder
}

test('the committed copies are current', () => {
  expect(outdated(resolve(import.meta.dirname, '..'))).toEqual([])
})

test('a copy changed by hand, or missing, is seen', () => {
  expect(outdated(written((_, text) => text))).toEqual([])
  const otherHold = (path: string, text: string): string =>
    path.endsWith('limits.ts') ? text.replace('holdMinutes = 10', 'holdMinutes = 15') : text
  expect(outdated(written(otherHold))).toEqual(['web/src/contract/limits.ts'])
  expect(outdated(written((path, text) => (path.endsWith('closed-lists.ts') ? null : text)))).toEqual(['web/src/contract/closed-lists.ts'])
})
