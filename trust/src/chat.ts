/** `chat`: fifty clients and five institutes write with one another at two servers, which are killed by turns; nothing acknowledged is lost, doubled or out of order, on either side. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@soigne/demo/random'
import type pg from 'pg'
import { judgeChat, type Told } from './chat-judge.ts'
import { Screen } from './chat-screen.ts'
import { openStage, type Server, type Stage } from './stage.ts'
import { largest, type Trial } from './trial.ts'
import { makeInstitute, makePeople } from './world.ts'

const clients = 50
const institutes = 5
/** All screens show everything so soon after the last word. */
const settledMs = 30_000

interface Chat {
  id: string
  client: Screen
  owner: Screen
}

async function openChats(stage: Stage, urls: () => string[]): Promise<Chat[]> {
  const people = await makePeople(stage.db, clients)
  const owners = await makePeople(stage.db, institutes, 'isPro')
  const made = await Promise.all(owners.map(({ id }) => makeInstitute(stage.db, { ownerId: id, members: 1, services: [{ active: 30 }] })))
  const { rows } = await stage.db.query<{ id: string }>(
    `insert into chats (user_id, institute_id, created_at, updated_at) select user_id, institute_id, now(), now()
     from unnest($1::uuid[], $2::uuid[]) with ordinality as g(user_id, institute_id, n) order by n returning id`,
    [people.map(({ id }) => id), people.map((_, n) => made[n % institutes]?.id)],
  )
  const ids = rows.map(({ id }) => id)
  const screen = (name: string, at: number, token: string, chats: readonly string[]): Screen =>
    new Screen(name, { token, chats, urls, socketUrl: urls()[at % 2] ?? '', transport: at % 4 < 2 ? 'websocket' : 'polling' })
  const theirs = owners.map(({ token }, n) =>
    screen(
      `institute ${n}`,
      n,
      token,
      ids.filter((_, at) => at % institutes === n),
    ),
  )
  return people.map(({ token }, n) => ({
    id: ids[n] ?? '',
    client: screen(`client ${n}`, n, token, [ids[n] ?? '']),
    owner: theirs[n % institutes] as Screen,
  }))
}

/** Both write, one after the other or at once, until it is over. */
async function talk({ id, client, owner }: Chat, random: Random, isOver: () => boolean): Promise<void> {
  const side = async (screen: Screen, name: string): Promise<void> => {
    const own = random.fork(`${id} ${name}`)
    for (let n = 0; !isOver(); n++) {
      await screen.write(id, `${name}-${String(n).padStart(8, '0')}`)
      await sleep(own.whole(250))
    }
  }
  await Promise.all([side(client, 'client'), side(owner, 'institute')])
}

async function killByTurns(
  stage: Stage,
  { kills, random, say }: { kills: number; random: Random; say: (words: string) => void },
): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    await sleep(100 + random.whole(700))
    const at = kill % 2
    const server = stage.servers[at] as Server
    await server.kill()
    const started = await stage.start({ PORT: new URL(server.url).port })
    // `start` adds it at the end.
    stage.servers.splice(stage.servers.indexOf(started), 1)
    stage.servers[at] = started
    if (kill % 10 === 0) say(`${kill} kills`)
  }
}

const storedOf = async (db: pg.Pool, chatId: string): Promise<Told[]> =>
  (await db.query<Told>('select seq, client_id as "clientId" from messages where chat_id = $1 order by seq', [chatId])).rows

/** Until every screen shows what is stored; milliseconds. */
async function settle(db: pg.Pool, chats: readonly Chat[]): Promise<number> {
  const began = performance.now()
  const { rows } = await db.query<{ id: string; seq: number }>('select id, last_seq as seq from chats')
  const lengths = new Map(rows.map(({ id, seq }) => [id, seq]))
  const isBehind = ({ id, client, owner }: Chat): boolean => [client, owner].some((one) => one.knownOf(id) < (lengths.get(id) ?? 0))
  while (performance.now() - began < settledMs && chats.some(isBehind)) await sleep(50)
  return Math.round(performance.now() - began)
}

export const chat: Trial = async ({ random, kills, say }) => {
  const stage = await openStage({ servers: 2 })
  const urls = (): string[] => stage.servers.slice(0, 2).map(({ url }) => url)
  const chats = await openChats(stage, urls)
  const screens = [...new Set(chats.flatMap(({ client, owner }) => [client, owner]))]
  try {
    let over = false
    const talking = Promise.all(chats.map((one) => talk(one, random, () => over)))
    await killByTurns(stage, { kills, random: random.fork('kills'), say })
    await sleep(1000)
    over = true
    await talking
    const settled = await settle(stage.db, chats)
    const violations = screens.flatMap(({ odd }) => odd)
    let messages = 0
    for (const { id, client, owner } of chats) {
      const stored = await storedOf(stage.db, id)
      messages += stored.length
      violations.push(...judgeChat(id, stored, [client.sideOf(id), owner.sideOf(id)]))
    }
    if (screens.some(({ isConnected }) => !isConnected)) violations.push('a screen did not connect again')
    return {
      figures: {
        kills,
        messages,
        'asked again': screens.reduce((sum, { retries }) => sum + retries, 0),
        'connections of a screen, most': largest(screens.map(({ connections }) => connections)),
        'all screens complete after ms': settled,
      },
      violations,
    }
  } finally {
    for (const screen of screens) screen.close()
    await stage.close()
  }
}
