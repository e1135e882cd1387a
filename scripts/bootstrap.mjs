// Runs on any Node >= 20 without dependencies: brings node_modules up to date when the lock file changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
const mark = 'node_modules/.lock-hash'
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
  process.stdout.write('Bringing dependencies (once, about a minute) …\n')
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(mark, wanted)
}
