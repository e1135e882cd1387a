import { createContext, type RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { makePage, type Said, type Web } from './page-maker.ts'

interface Calls {
  now: number
  call(name: string, input: object): Promise<unknown>
}
const serverContext = createContext<Calls>()
class ApiError extends Error {}

/** A web of one page, which reads one call and shows its answer, or that something failed. */
const web = {
  build: { entry: { module: { serverContext, ApiError } } },
  handle: async (_: Request, context: RouterContextProvider): Promise<Response> => {
    const headers = { 'content-type': 'text/html' }
    try {
      return new Response(`<p>${JSON.stringify(await context.get(serverContext).call('institute', {}))}</p>`, { headers })
    } catch {
      return new Response('<p>failed</p>', { status: 500, headers })
    }
  },
} as unknown as Web

const site = { publicUrl: 'http://127.0.0.1', map: { styleUrl: null, googleKey: null }, signIn: null, development: false }
const pageOf = async (said: Said): Promise<[number, string | undefined, string]> => {
  const asked = { url: 'http://127.0.0.1/', headers: [], locale: 'en', brotli: false, site, now: 5, zones: '' } as const
  const { status, headers, body } = await makePage(web, { ...asked, headers: [] }, async () => said)
  return [status, headers.find(([name]) => name === 'retry-after')?.[1], Buffer.from(body).toString()]
}

test('a page whose data is away says that this passes', async () => {
  expect(await pageOf({ refused: { status: 503, body: {} } })).toEqual([503, '2', '<p>failed</p>'])
})

test('a page whose data a crowd keeps away says so too', async () => {
  expect(await pageOf({ refused: { status: 429, body: {} } })).toEqual([429, '2', '<p>failed</p>'])
})

test('a page that fails by itself, or is refused for another reason, stays a failure', async () => {
  expect(await pageOf({ failed: 'a bug' })).toEqual([500, undefined, '<p>failed</p>'])
  expect(await pageOf({ refused: { status: 409, body: {} } })).toEqual([500, undefined, '<p>failed</p>'])
})

test('a page is given the time of the server, which a trial may have moved on', async () => {
  let given: number | undefined
  const handle: Web['handle'] = async (_, context) => {
    given = (context as RouterContextProvider).get(serverContext).now
    return new Response('<p></p>')
  }
  await makePage(
    { ...web, handle },
    { url: 'http://127.0.0.1/', headers: [], locale: 'en', brotli: false, site, now: 5, zones: '' },
    async () => ({
      failed: 'nothing is read',
    }),
  )
  expect(given).toBe(5)
})

test('a page with its data is served as it is', async () => {
  expect(await pageOf({ json: '{"name":"Nacre"}' })).toEqual([200, undefined, '<p>{"name":"Nacre"}</p>'])
})
