/** npm run dev: the product with hot reload of the pages on the same port, and the server restarted when its sources change. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { whenParentEnds } from './with-parent.ts'

const root = resolve(import.meta.dirname, '..')
const watched = ['server/src', 'contract/src', 'scheduling/src'].flatMap((path) => ['--watch-path', resolve(root, path)])
const child = spawn(process.execPath, [...watched, '--watch-preserve-output', resolve(root, 'server/src/main.ts'), '--dev'], {
  stdio: 'inherit',
  cwd: root,
  env: { ...process.env, NODE_ENV: 'development' },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
if (process.env['npm_lifecycle_event']) whenParentEnds(() => child.kill('SIGTERM'))
child.on('exit', (code) => process.exit(code ?? 0))
