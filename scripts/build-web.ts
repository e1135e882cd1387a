/** Builds the web when its sources have changed since the last build, and stores the assets compressed beside themselves. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = resolve(import.meta.dirname, '..')
const web = join(root, 'web')
const mark = join(web, 'build/.sources')

function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else yield path
  }
}

function digestOfSources(): string {
  const digest = createHash('sha256')
  const singles = ['package-lock.json', 'web/package.json', 'web/vite.config.ts', 'web/react-router.config.ts'].map((file) =>
    join(root, file),
  )
  for (const file of [...singles, ...filesBelow(join(web, 'src')), ...filesBelow(join(root, 'contract/src'))]) {
    if (/\.test\.tsx?$/.test(file)) continue
    digest.update(file.slice(root.length)).update(readFileSync(file))
  }
  return digest.digest('hex')
}

function compressAssets(): void {
  for (const file of filesBelow(join(web, 'build/client'))) {
    if (!/\.(?:js|mjs|css|svg|json|txt|webmanifest)$/.test(file) || statSync(file).size < 500) continue
    const bytes = readFileSync(file)
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    )
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** Builds if needed; true when a build was made. */
export function buildWeb(options: { force?: boolean } = {}): boolean {
  const digest = digestOfSources()
  if (!options.force && existsSync(mark) && readFileSync(mark, 'utf8') === digest) return false
  process.stdout.write('Building the pages …\n')
  rmSync(join(web, 'build'), { recursive: true, force: true })
  const built = spawnSync(process.execPath, [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'], {
    cwd: web,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}\n${built.stderr}`)
  compressAssets()
  mkdirSync(join(web, 'build'), { recursive: true })
  writeFileSync(mark, digest)
  return true
}
