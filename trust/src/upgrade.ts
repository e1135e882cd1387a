/** `upgrade`: the site is upgraded while it serves, with as many institutes as the largest goal; the test of the server does the work. Run when named only: it takes half an hour. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Trial } from './trial.ts'

const root = resolve(import.meta.dirname, '../..')
const from = process.env['UPGRADE_FROM'] ?? '8290eb4'
const institutes = process.env['UPGRADE_INSTITUTES'] ?? '100000'

export const upgrade: Trial = async ({ say }) => {
  const directory = mkdtempSync(join(tmpdir(), 'soigne-upgrade-'))
  const file = join(directory, 'figures.json')
  say(`${institutes} institutes are made by ${from}`)
  const child = spawn(join(root, 'node_modules/.bin/vitest'), ['run', '--root', 'server', 'src/upgrade.test.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, UPGRADE_FROM: from, UPGRADE_INSTITUTES: institutes, UPGRADE_FIGURES: file },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-20_000)))
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  try {
    const figures = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>) : {}
    const violations = code === 0 ? [] : said.split('\n').filter((line) => /Error|expected|failed/.test(line))
    if (Object.keys(figures).length === 0)
      violations.push('there are no figures: the release before is not in the history of this clone, or the upgrade failed')
    return { figures, violations }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
