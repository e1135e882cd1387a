// What works without a connection: visits seen last, and a page that says so. Everything else is the network's alone.
// Hashed files are the browser's own memory's for a year: Chromium would throw away what a page preloaded if a worker answered for it.
// Private answers are kept apart for the token they were given to, and go with it (docs/decisions/066).
const caching = { pages: 'pages-1', own: 'own-1' }
const most = { pages: 30, own: 60 }
const language = new URL(self.location.href).searchParams.get('language') ?? 'en'
const offlinePages = ['en', 'fr', 'ar'].map((one) => `/offline.${one}.html`)

const visitPage = /^\/(?:appointment\/(?:list|[0-9a-f-]{36})|mysalon\/appointments\/calendar)$/
const visitCall = /^\/api\/v1\/secure\/(?:appointments(?:\/[0-9a-f-]{36}(?:\/(?:series|reminders))?)?|client\/profile\/me)$/

/** How a request is answered; null leaves it to the browser. */
function kindOf({ method, mode, url, headers }) {
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== self.location.origin) return null
  if (visitCall.test(pathname)) return headers.get('authorization') ? 'own' : null
  if (mode !== 'navigate') return null
  return visitPage.test(pathname) ? 'visit' : 'page'
}

async function keep(name, key, answer) {
  const cache = await caches.open(caching[name])
  await cache.put(key, answer)
  const keys = await cache.keys()
  for (const old of keys.slice(0, Math.max(0, keys.length - most[name]))) await cache.delete(old)
}

/** A sign-out meanwhile: what is still on its way is not kept. */
let signOuts = 0
async function forget() {
  signOuts += 1
  await caches.delete(caching.own)
}

async function ownKey({ url, headers }) {
  const whose = `${headers.get('authorization')} ${headers.get('accept-language')}`
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(whose))
  const key = new URL(url)
  key.searchParams.set('for', Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''))
  return key.href
}

async function stamped(answer) {
  const headers = new Headers(answer.headers)
  headers.set('x-kept-at', new Date().toISOString())
  return new Response(await answer.arrayBuffer(), { status: answer.status, headers })
}

async function own(event) {
  const { request, clientId } = event
  const key = await ownKey(request)
  const before = signOuts
  const tell = async (keptAt) => (await self.clients.get(clientId))?.postMessage({ keptAt })
  try {
    const answer = await fetch(request)
    // The server may have been away without the browser having lost its line, and nobody else says that it is back.
    if (answer.status < 500) event.waitUntil(tell(null))
    if (answer.status === 401) event.waitUntil(forget())
    if (answer.status === 200) {
      const copy = answer.clone()
      event.waitUntil(stamped(copy).then((kept) => (before === signOuts ? keep('own', key, kept) : undefined)))
    }
    return answer
  } catch (error) {
    const kept = await (await caches.open(caching.own)).match(key)
    if (!kept) throw error
    await tell(kept.headers.get('x-kept-at'))
    return kept
  }
}

/** Documents are the same for everybody; those of visits are kept, without what was asked. */
async function page(event, isVisit) {
  const { request } = event
  const path = new URL(request.url).pathname
  try {
    const answer = await fetch(request)
    if (isVisit && answer.status === 200 && !answer.redirected) {
      const copy = answer.clone()
      event.waitUntil(keep('pages', `${path}?language=${language}`, copy))
    }
    return answer
  } catch {
    const kept = isVisit && (await caches.match(`${path}?language=${language}`, { cacheName: caching.pages }))
    return kept || (await caches.match(`/offline.${language}.html`)) || Response.error()
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open('offline-1').then((cache) => cache.addAll(offlinePages)))
  void self.skipWaiting()
})
self.addEventListener('activate', (event) => {
  // What waits at the desk, and files that wait in a conversation, are put there by their pages (docs/decisions/097).
  const known = [...Object.values(caching), 'offline-1', 'desk-1', 'outbox-1']
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => !known.includes(name)).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})
/** A page reached without its document being asked for. */
async function keepPage(path) {
  const answer = await fetch(path)
  if (answer.status === 200 && !answer.redirected) await keep('pages', `${path}?language=${language}`, answer)
}
self.addEventListener('message', (event) => {
  const { data } = event
  if (data === 'forget') event.waitUntil(forget())
  if (visitPage.test(data?.page ?? '')) event.waitUntil(keepPage(data.page).catch(() => {}))
})
self.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request)
  if (kind === 'own') event.respondWith(own(event))
  if (kind === 'visit' || kind === 'page') event.respondWith(page(event, kind === 'visit'))
})
