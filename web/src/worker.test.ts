// @vitest-environment node
// The worker's decisions: what is kept, for whom, and what is left to the browser. It is run as it is served.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'

const source = readFileSync(new URL('../public/sw.js', import.meta.url), 'utf8')
const visit = '019b0000-0000-7000-8000-000000000001'

type Handler = (event: object) => void
type Kept = Map<string, Map<string, Response>>

/** The worker in a world of its own: caches are maps, the network is what a test says. */
function openWorker() {
  const handlers = new Map<string, Handler>()
  const kept: Kept = new Map()
  const told: unknown[] = []
  const network = { answer: (): Response => new Response('fresh'), isDown: false, asked: 0 }
  const keyOf = (request: Request | string): string => (typeof request === 'string' ? request : request.url)
  const open = async (name: string) => {
    const entries = kept.get(name) ?? new Map<string, Response>()
    kept.set(name, entries)
    return {
      put: async (key: Request | string, answer: Response) => void entries.set(keyOf(key), answer),
      match: async (key: Request | string) => entries.get(keyOf(key))?.clone(),
      keys: async () => [...entries.keys()],
      delete: async (key: string) => entries.delete(key),
      addAll: async (paths: string[]) => {
        for (const path of paths) entries.set(path, new Response(path))
      },
    }
  }
  const caches = {
    open,
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (key: Request | string, { cacheName }: { cacheName?: string } = {}) => {
      for (const [name, entries] of kept)
        if ((cacheName === undefined || cacheName === name) && entries.has(keyOf(key))) return entries.get(keyOf(key))?.clone()
      return undefined
    },
  }
  const self = {
    location: { href: 'https://soigne.test/sw.js?language=fr', origin: 'https://soigne.test' },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    skipWaiting: async () => {},
    clients: { claim: async () => {}, get: async () => ({ postMessage: (message: unknown) => told.push(message) }) },
  }
  const fetch = async (): Promise<Response> => {
    network.asked += 1
    if (network.isDown) throw new TypeError('no connection')
    return network.answer()
  }
  runInNewContext(source, { self, caches, fetch, URL, Headers, Response, TextEncoder, crypto })
  async function run(name: string, event: object): Promise<Response | undefined> {
    const waits: Promise<unknown>[] = []
    let answer: Promise<Response> | undefined
    handlers.get(name)?.({
      ...event,
      clientId: 'page',
      waitUntil: (promise: Promise<unknown>) => waits.push(promise),
      respondWith: (promise: Promise<Response>) => (answer = promise),
    })
    const given = await answer
    await Promise.all(waits)
    return given
  }
  const ask = (path: string, { token = '', mode = 'cors', method = 'GET' } = {}) =>
    run('fetch', {
      request: {
        url: new URL(path, 'https://soigne.test').href,
        method,
        mode,
        headers: new Headers(token ? { authorization: token } : {}),
      },
    })
  return { run, ask, kept, told, network }
}

let worker: ReturnType<typeof openWorker>
beforeEach(async () => {
  worker = openWorker()
  await worker.run('install', {})
})

describe('what the worker leaves to the browser', () => {
  it.each([
    ['/api/v1/client/institutes', {}],
    ['/api/v1/secure/appointments/holds', { token: 'a' }],
    ['/api/v1/secure/chats', { token: 'a' }],
    [`/api/v1/secure/appointments/${visit}/plan?startsAt=x`, { token: 'a' }],
    ['/api/v1/secure/appointments', {}],
    [`/api/v1/secure/appointments/${visit}/cancel`, { token: 'a', method: 'PUT' }],
    ['https://tiles.example/1.png', {}],
    ['/icon.svg', {}],
  ])('%s', async (path, part) => {
    expect(await worker.ask(path, part)).toBeUndefined()
    expect(worker.network.asked).toBe(0)
  })
})

describe('visits without a connection', () => {
  const path = `/api/v1/secure/appointments/${visit}`

  it('are answered as they were, and the page is told from when', async () => {
    await worker.ask(path, { token: 'Bearer a' })
    worker.network.isDown = true
    expect(await (await worker.ask(path, { token: 'Bearer a' }))?.text()).toBe('fresh')
    expect(worker.told.at(-1)).toEqual({ keptAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })
  })

  it('once the server answers again the page is told so: a browser that kept its line has no event for it', async () => {
    await worker.ask(path, { token: 'Bearer a' })
    worker.network.isDown = true
    await worker.ask(path, { token: 'Bearer a' })
    worker.network.isDown = false
    await worker.ask(path, { token: 'Bearer a' })
    expect(worker.told.at(-1)).toEqual({ keptAt: null })
  })

  it('are those of the same session alone', async () => {
    await worker.ask(path, { token: 'Bearer a' })
    worker.network.isDown = true
    await expect(worker.ask(path, { token: 'Bearer b' })).rejects.toThrow('no connection')
  })

  it('come from the network whenever there is one, and a refusal is not kept', async () => {
    await worker.ask(path, { token: 'Bearer a' })
    worker.network.answer = () => new Response('gone', { status: 404 })
    expect((await worker.ask(path, { token: 'Bearer a' }))?.status).toBe(404)
    expect(worker.told).toEqual([{ keptAt: null }, { keptAt: null }])
  })

  it('are forgotten when somebody signs out, and when the session has ended elsewhere', async () => {
    await worker.ask(path, { token: 'Bearer a' })
    expect(worker.kept.has('own-1')).toBe(true)
    await worker.run('message', { data: 'forget' })
    expect(worker.kept.has('own-1')).toBe(false)
    await worker.ask(path, { token: 'Bearer a' })
    worker.network.answer = () => new Response('', { status: 401 })
    await worker.ask(path, { token: 'Bearer a' })
    expect(worker.kept.has('own-1')).toBe(false)
  })
})

describe('pages and files', () => {
  it('hashed files are left to the browser, which keeps them and what a page preloaded', async () => {
    expect(await worker.ask('/assets/start-abc.js')).toBeUndefined()
    expect(worker.network.asked).toBe(0)
  })

  it('the page of a visit is there again, any other says in its language that there is no connection', async () => {
    await worker.ask(`/appointment/${visit}`, { mode: 'navigate' })
    await worker.ask('/institutes', { mode: 'navigate' })
    worker.network.isDown = true
    expect(await (await worker.ask(`/appointment/${visit}`, { mode: 'navigate' }))?.text()).toBe('fresh')
    expect(await (await worker.ask('/institutes', { mode: 'navigate' }))?.text()).toBe('/offline.fr.html')
  })

  it('the calendar is there again too, also for whoever came to it from another page', async () => {
    const path = '/mysalon/appointments/calendar'
    await worker.run('message', { data: { page: path } })
    await worker.run('message', { data: { page: '/mysalon' } })
    worker.network.isDown = true
    expect(await (await worker.ask(`${path}?day=2026-11-26`, { mode: 'navigate' }))?.text()).toBe('fresh')
    expect(await (await worker.ask('/mysalon', { mode: 'navigate' }))?.text()).toBe('/offline.fr.html')
  })

  it('what waits at the desk outlives a new worker and the end of a session', async () => {
    worker.kept.set('desk-1', new Map())
    await worker.run('activate', {})
    await worker.run('message', { data: 'forget' })
    expect([...worker.kept.keys()]).toContain('desk-1')
  })

  it('what an older worker kept goes when a new one begins', async () => {
    worker.kept.set('pages-0', new Map())
    await worker.run('activate', {})
    expect([...worker.kept.keys()]).not.toContain('pages-0')
    expect([...worker.kept.keys()]).toContain('offline-1')
  })
})
