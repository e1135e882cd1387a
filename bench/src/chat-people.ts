/** People with a conversation and a session each, and sockets that listen for them. */
import { createHash, randomBytes } from 'node:crypto'
import { type ChatMessage, chatNamespace } from '@soigne/contract/chat'
import type pg from 'pg'
import { io, type Socket } from 'socket.io-client'

export interface Chatting {
  userId: string
  chatId: string
  /** Of a session of the person. */
  token: string
}

/** So many people who write with an institute, written as rows, each with so many messages there. */
export async function makeChats(
  db: pg.Pool,
  { instituteId, name, people, messages }: { instituteId: string; name: string; people: number; messages: number },
): Promise<Chatting[]> {
  const tokens = Array.from({ length: people }, () => randomBytes(32).toString('base64url'))
  const { rows } = await db.query<{ userId: string; chatId: string; n: string }>(
    `with given as (select * from unnest($1::text[], $2::bytea[]) with ordinality as g(email, hash, n)),
     made as (insert into users (email, role, first_name, last_name, locale, email_verified_at, terms_accepted_at)
       select email, 'isClient', 'Nour', 'Benali ' || n, 'en', now(), now() from given returning id, email::text),
     signed as (insert into sessions (user_id, token_hash, expires_at) select made.id, given.hash, '2099-01-01' from made join given using (email)),
     chat as (insert into chats (user_id, institute_id, created_at, updated_at, last_seq)
       select id, $3, now(), now() - make_interval(secs => n), $4 from made join given using (email) returning id, user_id),
     said as (insert into messages (chat_id, seq, side, sender_id, client_id, text, created_at)
       select chat.id, seq, 'client', chat.user_id, 'bench-' || seq, 'What was written as number ' || seq, now() - make_interval(mins => $4::int - seq)
       from chat, generate_series(1, $4::int) seq)
     select made.id as "userId", chat.id as "chatId", given.n::text as n from chat join made on made.id = chat.user_id join given using (email) order by given.n`,
    [
      tokens.map((token) => `${name}-${token.slice(0, 12)}@bench.test`),
      tokens.map((token) => createHash('sha256').update(token).digest()),
      instituteId,
      messages,
    ],
  )
  return rows.map(({ userId, chatId, n }) => ({ userId, chatId, token: tokens[Number(n) - 1] ?? '' }))
}

/** Somebody's screen: the messages it was told of, and those who wait for one. */
export class Listener {
  readonly socket: Socket
  readonly heard = new Map<string, number>()
  readonly #waiting = new Map<string, (at: number) => void>()

  constructor(url: string, token: string) {
    this.socket = io(`${url}${chatNamespace}`, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      // As browsers do.
      reconnectionDelay: 500,
      reconnectionDelayMax: 5000,
    })
    this.socket.on('newMessage', ({ clientId }: ChatMessage) => {
      const at = performance.now()
      this.heard.set(clientId, at)
      this.#waiting.get(clientId)?.(at)
      this.#waiting.delete(clientId)
    })
  }

  /** When a message arrived or arrives. */
  async arrival(clientId: string): Promise<number> {
    return this.heard.get(clientId) ?? new Promise((done) => this.#waiting.set(clientId, done))
  }
}

/** Opens them a hundred at a time, and waits until all are connected. */
export async function openListeners(url: string, tokens: readonly string[]): Promise<Listener[]> {
  const all: Listener[] = []
  for (let at = 0; at < tokens.length; at += 100) {
    const some = tokens.slice(at, at + 100).map((token) => new Listener(url, token))
    await Promise.all(
      some.map(({ socket }) => new Promise<void>((done, fail) => void socket.once('connect', done).once('connect_error', fail))),
    )
    all.push(...some)
  }
  return all
}
