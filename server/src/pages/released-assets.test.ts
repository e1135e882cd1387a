/** A rolling deploy with two builds: a document of either works whichever of the two servers its assets are asked from. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '#/app.ts'
import { openS3Files } from '#/platform/s3-files.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { openS3Server, type S3Server } from '#/testing/s3-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { mountPages } from './mount-pages.ts'
import type { PageThreads } from './page-threads.ts'
import { publishAssets } from './released-assets.ts'

const day = 86_400_000
const room = mkdtempSync(join(tmpdir(), 'soigne-releases-'))
let t: TestApp
let s3: S3Server
let files: AppContext['files']
beforeAll(async () => {
  t = await openTestApp()
  s3 = await openS3Server()
  files = openS3Files(s3.url)
})
afterAll(async () => {
  files.close()
  await s3.close()
  await t.close()
  rmSync(room, { recursive: true })
})

interface Release {
  app: FastifyInstance
  build: string
  close(): Promise<void>
}

/** A build whose document names a script, a sheet and a font of its own, as another machine has it on its disk. */
function buildOf(name: string): string {
  const build = join(room, name)
  mkdirSync(join(build, 'client/assets'), { recursive: true })
  const contents: Record<string, string> = {
    [`entry-${name}.js`]: `console.log('${name}')`.repeat(200),
    [`sheet-${name}.css`]: `.${name} { color: red }`,
    [`font_${name}.woff2`]: `\u0000${name}`,
  }
  for (const [file, text] of Object.entries(contents)) writeFileSync(join(build, 'client/assets', file), text)
  writeFileSync(join(build, `client/assets/entry-${name}.js.br`), brotliCompressSync(contents[`entry-${name}.js`] ?? ''))
  return build
}

async function start(name: string): Promise<Release> {
  const build = buildOf(name)
  const context = { ...t.context, files }
  const document = `<link href="/assets/sheet-${name}.css"><link href="/assets/font_${name}.woff2"><script src="/assets/entry-${name}.js"></script>`
  const threads: PageThreads = {
    make: async () => ({ status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(document), brotli: null }),
    close: async () => {},
  }
  await publishAssets(context, build)
  const { app, served } = await buildApp(context)
  await mountPages(app, context, served, threads, build)
  return { app, build, close: () => app.close() }
}

const assetsOf = async ({ app }: Release): Promise<string[]> =>
  [...(await app.inject('/contact')).body.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path)

it('a document loads its assets from a server of the build before and of the build after', async () => {
  const before = await start('before')
  const after = await start('after')
  for (const [of, at] of [
    [before, after],
    [after, before],
    [before, before],
  ] as const) {
    const paths = await assetsOf(of)
    expect(paths).toHaveLength(3)
    for (const path of paths) {
      const answer = await at.app.inject(path)
      expect([path, answer.statusCode]).toEqual([path, 200])
      expect(answer.rawPayload.equals(readFileSync(join(of.build, 'client', path))), path).toBe(true)
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    }
  }
  const script = await after.app.inject({ url: '/assets/entry-before.js', headers: { 'accept-encoding': 'gzip, br' } })
  expect(script.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
  expect(brotliDecompressSync(script.rawPayload).toString()).toContain("console.log('before')")
  const head = await after.app.inject({ method: 'HEAD', url: '/assets/entry-before.js' })
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
  for (const path of [
    '/assets/entry-never.js',
    '/assets/index.json',
    '/assets/constructor.js',
    '/assets/..%2f.assets',
    '/assets/entry-before',
  ])
    expect([path, (await after.app.inject(path)).statusCode]).toEqual([path, 404])
  await before.close()
  await after.close()
})

it('assets stay for thirty days after another release took over, and no longer', async () => {
  const first = await start('first')
  const paths = await assetsOf(first)
  await first.close()
  const statusAt = async ({ app }: Release): Promise<number> => (await app.inject(paths[0] ?? '')).statusCode
  t.clock.advance(400 * day)
  const second = await start('second')
  t.clock.advance(29 * day)
  const third = await start('third')
  expect(await statusAt(third)).toBe(200)
  t.clock.advance(2 * day)
  const fourth = await start('fourth')
  expect(await statusAt(fourth)).toBe(404)
  expect((await fourth.app.inject('/assets/entry-second.js')).statusCode).toBe(200)
  for (const release of [second, third, fourth]) await release.close()
})

it('a store that is away keeps nobody from starting', async () => {
  const broken = { ...files, get: () => Promise.reject(new Error('away')) }
  await publishAssets({ ...t.context, files: broken }, buildOf('alone'))
})
