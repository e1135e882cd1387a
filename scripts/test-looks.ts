/** npm run test:looks: what journeys look at in every language, scheme and width; `npm test` takes one direction of writing of most pages, wide by day and narrow by night. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { buildWeb } from './build-web.ts'

const root = resolve(import.meta.dirname, '..')
buildWeb()
const { status } = spawnSync(
  join(root, 'node_modules/.bin/playwright'),
  ['test', '--config', 'e2e/playwright.config.ts', 'accessibility', 'kit', 'weight', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, EVERY_LOOK: '1' } },
)
process.exit(status ?? 1)
