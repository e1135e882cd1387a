/**
 * Builds the web when its sources have changed since the last build, and stores the assets compressed beside themselves.
 * A server that runs meanwhile, and a page somebody has open, still find the assets of the build before.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = resolve(import.meta.dirname, '..')
const web = join(root, 'web')
const build = join(web, 'build')
const next = join(web, 'build-next')
const mark = join(build, '.sources')
/** In a build: the names of its own assets, without those kept from the build before. */
const ownAssets = '.assets'

function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else yield path
  }
}

function digestOfSources(): string {
  const digest = createHash('sha256')
  const singles = [
    'package-lock.json',
    'web/package.json',
    'web/vite.config.ts',
    'web/dashboard-sheet.ts',
    'web/lean-router.ts',
    'web/catalogue-plugin.ts',
    'web/react-router.config.ts',
  ].map((file) => join(root, file))
  for (const file of [...singles, ...filesBelow(join(web, 'src')), ...filesBelow(join(root, 'contract/src'))]) {
    if (/\.test\.tsx?$/.test(file)) continue
    digest.update(file.slice(root.length)).update(readFileSync(file))
  }
  return digest.digest('hex')
}

function compressAssets(directory: string): void {
  for (const file of filesBelow(join(directory, 'client'))) {
    if (!/\.(?:js|mjs|css|svg|json|txt|webmanifest)$/.test(file) || statSync(file).size < 500) continue
    const bytes = readFileSync(file)
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    )
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** The names of assets carry the hash of what is in them, so those of two builds lie side by side. */
export function keepAssets(from: string, to: string): void {
  const own = readdirSync(join(to, 'client/assets'))
  writeFileSync(join(to, ownAssets), own.join('\n'))
  const list = join(from, ownAssets)
  const former = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  for (const name of former) if (!own.includes(name)) copyFileSync(join(from, 'client/assets', name), join(to, 'client/assets', name))
}

/**
 * The table of routes comes with every first visit, and half of it names what each route imports. Only a rendered document asks for that
 * (the server has a table of its own), or a link that fetches ahead, of which there are none.
 */
export function slimRouteTable(code: string): string {
  return code.replaceAll(/"imports":\[[^\]]*\]/g, '"imports":[]')
}

function slimRouteTables(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!/^manifest-[\da-f]+\.js$/.test(name)) continue
    const file = join(directory, name)
    writeFileSync(file, slimRouteTable(readFileSync(file, 'utf8')))
  }
}

/** Builds if needed; true when a build was made. */
export function buildWeb(options: { force?: boolean } = {}): boolean {
  const digest = digestOfSources()
  if (!options.force && existsSync(mark) && readFileSync(mark, 'utf8') === digest) return false
  process.stdout.write('Building the pages …\n')
  rmSync(next, { recursive: true, force: true })
  const built = spawnSync(process.execPath, [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'], {
    cwd: web,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', BUILD_DIRECTORY: 'build-next' },
  })
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}\n${built.stderr}`)
  slimRouteTables(join(next, 'client/assets'))
  compressAssets(next)
  keepAssets(build, next)
  rmSync(build, { recursive: true, force: true })
  renameSync(next, build)
  writeFileSync(mark, digest)
  return true
}
