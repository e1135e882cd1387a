/** Clients that book over HTTP: people with a session, their connections, and so many at a time. */
import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { HttpConnections } from './http-connections.ts'

export const clients = 16

/** What somebody books. */
export interface Booking {
  instituteId: string
  /** Anyone where no member is named. */
  services: { serviceId: string; staffId?: string }[]
  startsAt: string
  token: string
  birthday?: string
}

/** People with a session, written as rows; their tokens. */
export async function makePeople(db: pg.Pool, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  await db.query(
    `with given as (select * from unnest($1::text[], $2::bytea[]) with ordinality as g(email, hash, n)),
     made as (insert into users (email, role, first_name, last_name, locale, email_verified_at, terms_accepted_at)
       select email, 'isClient', 'Nour', 'Benali', 'en', now(), now() from given returning id, email)
     insert into sessions (user_id, token_hash, expires_at) select made.id, given.hash, '2099-01-01' from made join given on given.email = made.email::text`,
    [tokens.map((token) => `${token.slice(0, 12)}@bench.test`), tokens.map((token) => createHash('sha256').update(token).digest())],
  )
  return tokens
}

const connections = new Map<string, HttpConnections>()
const connectionsTo = (url: string): HttpConnections => {
  const open = connections.get(url) ?? new HttpConnections(url, clients)
  connections.set(url, open)
  return open
}

async function post(url: string, { token }: Booking, { at, body }: { at: string; body: unknown }): Promise<{ _id: string }> {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomBytes(12).toString('hex') }
  const { status, text } = await connectionsTo(url).ask({ method: 'POST', path: at, headers, body: JSON.stringify(body) })
  if (status !== 201) throw new Error(`${status} ${text}`)
  return JSON.parse(text) as { _id: string }
}

const path = '/api/v1/secure/appointments'

export async function hold(url: string, booking: Booking): Promise<string> {
  const { instituteId, services, startsAt, birthday } = booking
  return (await post(url, booking, { at: `${path}/holds`, body: { instituteId, services, startsAt, birthday } }))._id
}

export async function giveBack(url: string, { token }: Booking, held: string): Promise<void> {
  await fetch(`${url}${path}/holds/${held}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
}

export async function book(url: string, booking: Booking): Promise<void> {
  await post(url, booking, { at: path, body: { holdId: await hold(url, booking) } })
}

export function hangUp(): void {
  for (const open of connections.values()) open.close()
  connections.clear()
}

/** The work of each item by so many at a time; items per second. */
export async function rate<T>(items: readonly T[], work: (item: T, lane: number) => Promise<void>): Promise<number> {
  const queue = [...items].reverse()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async (_, lane) => {
      for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item, lane)
    }),
  )
  return items.length / ((performance.now() - began) / 1000)
}
