/**
 * Scripts, sheets and fonts of the releases before and beside this one. Every process puts those of its build where files are kept, before it
 * listens; whoever is asked for one that is not its own finds it there. So a document works whichever process made it and whichever is asked next.
 */
import { dayMs } from '@soigne/contract/time'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { withAdvisoryLock } from '#/platform/database.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { FileStore } from '#/platform/file-store.ts'
import { refuse } from '#/platform/refuse.ts'
import { takesBrotli } from './page-compression.ts'

/** A page may stay open this long after another release took over. */
const keptForMs = 30 * dayMs
/** What is asked for and unknown is looked for again after this long. */
const lookAgainMs = 5_000
const indexKey = 'releases/index.json'
const publishing = 727005

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}

/** One file holds all assets of a build, one behind the other; the index says which bytes are whose. */
interface Release {
  key: string
  /** When it was started last as the newest one, in milliseconds since the Unix epoch. */
  since: number
  /** By name: the first byte and the one behind the last. Compressed ones end in `.br`. */
  assets: Record<string, [from: number, to: number]>
}

async function readIndex(files: FileStore): Promise<Release[]> {
  const found = await files.get(indexKey)
  return found ? (JSON.parse(await text(found.body)) as Release[]) : []
}

/** The assets of this build alone, without those it has kept from the one before. */
function packAssets(build: string): { bytes: Buffer; assets: Release['assets'] } {
  const directory = join(build, 'client/assets')
  const list = join(build, '.assets')
  const names = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : readdirSync(directory)
  const assets: Release['assets'] = {}
  const parts: Buffer[] = []
  let from = 0
  for (const name of names.filter((one) => one !== '' && !one.endsWith('.gz')).toSorted()) {
    const part = readFileSync(join(directory, name))
    parts.push(part)
    assets[name] = [from, (from += part.length)]
  }
  return { bytes: Buffer.concat(parts), assets }
}

/** Makes the assets of a build known to all processes, and forgets those of releases that were replaced long ago. */
export async function publishAssets({ files, database, clock, log }: AppContext, build: string): Promise<void> {
  const { bytes, assets } = packAssets(build)
  const key = `releases/${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.pack`
  const publish = async (): Promise<void> => {
    const known = await readIndex(files)
    if (known.at(-1)?.key === key && (await files.stat(key))) return
    await files.put(key, bytes, 'application/octet-stream')
    const now = clock.now()
    const releases = [...known.filter((release) => release.key !== key), { key, since: now, assets }]
    const isKept = (_: Release, at: number): boolean => (releases[at + 1]?.since ?? now) + keptForMs > now
    await files.put(indexKey, Buffer.from(JSON.stringify(releases.filter(isKept))), 'application/json')
    for (const { key: gone } of releases.filter((release, at) => !isKept(release, at))) await files.remove(gone)
  }
  // Only who starts waits for this lock.
  await withAdvisoryLock(database.db, publishing, publish).catch((error: unknown) =>
    log.warn({ err: error }, 'the assets of this build are not known to other processes'),
  )
}

/** Answers for assets that are none of this build's. */
export function mountReleasedAssets(app: FastifyInstance, { files }: AppContext, now = (): number => performance.now()): void {
  let index: Release[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  const find = (name: string): { key: string; bytes: [number, number] } | null => {
    for (const { key, assets } of index) {
      const bytes = Object.hasOwn(assets, name) ? assets[name] : undefined
      if (bytes) return { key, bytes }
    }
    return null
  }
  const lookAgain = async (): Promise<void> => {
    if (now() - readAt < lookAgainMs) return
    reading ??= readIndex(files)
      .then((read) => {
        index = read
        readAt = now()
      })
      .finally(() => (reading = null))
    await reading
  }
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    async handler({ params: { name }, headers, method }, reply) {
      const type = types[extname(name)]
      if (type === undefined) throw refuse('not_found')
      if (!find(name)) await lookAgain()
      const compressed = takesBrotli(headers['accept-encoding']) ? find(`${name}.br`) : null
      const found = compressed ?? find(name)
      if (!found) throw refuse('not_found')
      const [from, to] = found.bytes
      const file = method === 'HEAD' ? null : await files.get(found.key, { from, to: to - 1 })
      if (method === 'GET' && !file) throw refuse('not_found')
      if (compressed) reply.header('content-encoding', 'br')
      return reply
        .headers({
          'content-type': type,
          'content-length': to - from,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
        })
        .send(file?.body)
    },
  })
}
