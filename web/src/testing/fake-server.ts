// A server for component tests: one handler for each call of the contract, with the contract's answers.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { RefusalCode } from '@soigne/contract/refusals'
import { vi } from 'vitest'
import { callAddresses } from '#/contract/call-addresses.ts'
import { dashboardCallAddresses } from '#/contract/dashboard-call-addresses.ts'

/** What a handler sees of the request. */
export type FakeRequest = { params: Record<string, string>; query: URLSearchParams; headers: Headers; body: unknown }

type RefusedAnswer = { status: number; body: unknown }
type Handlers = { [K in keyof Calls]?: (request: FakeRequest) => Answer<Calls[K]> | Refused | Promise<Answer<Calls[K]> | Refused> }

class Refused {
  readonly refusal: RefusedAnswer
  constructor(refusal: RefusedAnswer) {
    this.refusal = refusal
  }
}

export function refused(
  status: number,
  body: { code: RefusalCode; message: string; details?: unknown; timeLeft?: number } | string,
): Refused {
  return new Refused({ status, body })
}

const addresses = { ...callAddresses, ...dashboardCallAddresses }
type CallName = keyof typeof addresses
type Match = { name: CallName; params: Record<string, string> }

/** A whole path goes before one with a place for an id, as on the server. */
function callNames(): CallName[] {
  const places = (name: CallName): number => addresses[name].split(':').length
  return (Object.keys(addresses) as CallName[]).toSorted((one, other) => places(one) - places(other))
}

function match(method: string, path: string): Match | null {
  for (const name of callNames()) {
    const [verb, pattern = ''] = addresses[name].split(' ')
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, one = '']) => one)
    const found = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path)
    if (verb === method && found)
      return { name, params: Object.fromEntries(names.map((one, index) => [one, decodeURIComponent(found[index + 1] ?? '')])) }
  }
  return null
}

function response(answer: unknown): Response {
  if (answer instanceof Refused) {
    const { status, body } = answer.refusal
    if (typeof body === 'string') return new Response(body, { status, headers: { 'content-type': 'text/plain' } })
    return Response.json(body, { status })
  }
  return answer instanceof Blob ? new Response(answer, { headers: { 'content-type': answer.type } }) : Response.json(answer)
}

export type SeenRequest = FakeRequest & { name: keyof Calls; url: string }

const zero = { amount: 0, currency: 'EUR' }
/** Of an institute that charges nobody who cancels late or does not come. */
export const noFees = { lateCancel: zero, noShow: zero, graceMinutes: 15 }

/** Asked beside what a test is about: by the header of whoever is signed in, and for every visit to come. */
const nothingTold: Handlers = {
  notifications: () => ({ items: [], page: 1, pageSize: 50, total: 0, unread: 0 }),
  chats: () => ({ items: [], page: 1, pageSize: 10, total: 0, unread: 0 }),
  reminders: () => ({ items: [] }),
  series: () => ({ everyWeeks: null, items: [] }),
  holdPayment: () => ({
    total: zero,
    deposit: zero,
    payAtSalon: true,
    canPayAll: true,
    methods: ['card'],
    fees: noFees,
    checkout: null,
    booked: false,
  }),
  appointmentPayments: () => ({
    total: zero,
    due: zero,
    payOnline: false,
    methods: [],
    ifCancelled: null,
    lateCancelling: null,
    feeTerms: null,
    fee: null,
    payments: [],
    documents: [],
  }),
  favouriteIds: () => ({ ids: [] }),
  savedCards: () => ({ items: [] }),
  openFees: () => ({ items: [] }),
  sessionsOfVisit: () => ({ offers: [], sessions: [] }),
  waitingEntries: () => ({ items: [], now: new Date().toISOString() }),
}

/** Answers `fetch` with the handlers; a call without one is the test's mistake. Returns what was asked, in order. */
export function fakeServer(handlers: Handlers): SeenRequest[] {
  const seen: SeenRequest[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const { pathname, searchParams } = new URL(url, 'http://soigne.test')
    const found = match(init.method ?? 'GET', pathname)
    const unasked = found && !handlers[found.name] ? nothingTold[found.name] : undefined
    if (unasked) return response(await unasked({ params: {}, query: searchParams, headers: new Headers(init.headers), body: undefined }))
    const handler = found && handlers[found.name]
    if (!found || !handler) throw new Error(`no handler for ${init.method} ${url}`)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
    const request = { params: found.params, query: searchParams, headers: new Headers(init.headers), body }
    seen.push({ ...request, name: found.name, url })
    return response(await handler(request))
  })
  return seen
}
