/**
 * Two whole servers on one database, killed in the middle of what follows an event while people book, move and cancel. In the end every event has its letters
 * once and in order. As a program (`node killed-reactions.ts --kills 50 --seed 7`) it runs long and prints what it found; `npm run trust -- reactions` calls it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Random, randomFrom } from '@soigne/demo/random'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { holdBody, holdsPath, visitsPath } from './booking.ts'
import { type Effect, type Happened, judgeEffects } from './effects-judge.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePlace, makeUser } from './factories.ts'
import { type KillPoint, killPoints, openKiller, unguardedPoint } from './kill-points.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { cloneTemplate, prepareTemplate } from './test-database.ts'

export interface Course {
  databaseUrl: string
  kills: number
  random: Random
  /** The first kill catches a reaction without a guard, which the judge must see. */
  withUnguarded?: boolean
  /** Ends the course early. */
  signal?: AbortSignal
  say?: (words: string) => void
}
export interface Outcome {
  figures: Record<string, number>
  violations: string[]
  /** What the judge says of the reaction without a guard. */
  unguarded: string[]
}

const people = 4
/** Long enough for a process that is alive, short enough to wait for the jobs of one that is not. */
const leaseMs = 1500
/** From nine to six: the last one starts twenty minutes before the institute closes. */
const slotsADay = 27
const minuteMs = 60_000

/** Monday to Saturday from two weeks ahead, from nine in a zone without clock changes; the same again after fifty days. */
export function slot(n: number): string {
  const days = Math.floor(n / slotsADay) % 50
  const monday = Math.floor(Date.now() / 86_400_000 / 7) * 7 + 4 + 14
  const day = monday + Math.floor(days / 6) * 7 + (days % 6)
  return new Date(day * 86_400_000 + (540 + (n % slotsADay) * 20) * minuteMs).toISOString()
}

interface Writing {
  servers: readonly ServerProcess[]
  odd: string[]
  asked: number
  isDone: boolean
  signal: AbortSignal
}

/** Asks until there is an answer, with the same key each time, of either server. */
async function insist(
  writing: Writing,
  user: MadeUser,
  method: string,
  path: string,
  body: unknown,
  key: string,
): Promise<{ _id: string }> {
  for (let n = 0; ; n++) {
    writing.asked++
    try {
      const server = writing.servers[(user.id.charCodeAt(35) + n) % writing.servers.length]
      const response = await fetch(`${server?.url}${path}`, {
        method,
        signal: writing.signal,
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as { _id: string }
      if (response.ok) return answer
      if (response.status !== 503) {
        writing.odd.push(`${method} ${path} was answered ${response.status} ${JSON.stringify(answer).slice(0, 200)}`)
        return answer
      }
    } catch {
      // Killed while asking: whether it happened is unknown.
    }
    await sleep(20, undefined, { signal: writing.signal })
  }
}

/** Books, moves there and back, and cancels, one visit after the other. */
async function write(writing: Writing, user: MadeUser, institute: MadeInstitute, member: number): Promise<void> {
  for (let n = 0; !writing.isDone; n++) {
    const [here, there] = [slot(2 * n), slot(2 * n + 1)]
    const key = (step: string): string => `${step}-${member}-${n}`
    const held = await insist(writing, user, 'POST', holdsPath, holdBody(institute, { startsAt: here, lines: [[0, member]] }), key('hold'))
    await insist(writing, user, 'POST', visitsPath, { holdId: held._id }, key('book'))
    const visit = `${visitsPath}/${held._id}`
    await insist(writing, user, 'PUT', `${visit}/reschedule`, { startsAt: there }, key('there'))
    await insist(writing, user, 'PUT', `${visit}/reschedule`, { startsAt: here }, key('back'))
    await insist(writing, user, 'PUT', `${visit}/cancel`, {}, key('cancel'))
    await sleep(40, undefined, { signal: writing.signal })
  }
}

/** Waits until every event was answered and no job is left. */
async function settled({ pool }: OpenDatabase, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{
      left: number
    }>(`select (select count(*) from graphile_worker.jobs where task_identifier in ('react', 'react_together'))
      + (select count(*) from events e where e.kind in ('visit.booked', 'visit.moved', 'visit.cancelled')
        and not exists (select from reactions_done d where d.event_id = e.id and d.reaction = 'visit letters')) as left`)
    if (rows[0]?.left === 0) return
    await sleep(50, undefined, { signal })
  }
}

async function verdict({
  pool,
}: OpenDatabase): Promise<{ events: Happened[]; violations: string[]; unguarded: string[]; letters: number }> {
  const events = await pool.query<Happened>(`select id, kind, subject_id as "subjectId" from events where kind like 'visit.%' order by id`)
  const tries = await pool.query<Effect>(
    `select split_part(key, ':', 2)::bigint as event, split_part(key, ':', 3) as what from letter_tries where key like 'event:%' order by n`,
  )
  // What was tried was also written, and the letter to the client has the visit's calendar file.
  const stored = await pool.query<{ key: string; files: number }>(
    `select dedupe_key as key, jsonb_array_length(attachments) as files from mails where dedupe_key like 'event:%'`,
  )
  const guarded = tries.rows.filter(({ what }) => what !== 'unguarded')
  const isGuarded = guarded.length === tries.rows.length
  const violations = judgeEffects(events.rows, guarded)
  if (stored.rows.length !== new Set(guarded.map(({ event, what }) => `${event} ${what}`)).size) violations.push('a letter is not stored')
  for (const { key, files } of stored.rows)
    if (files !== (key.endsWith(':client') ? 1 : 0)) violations.push(`letter ${key} has ${files} calendar files`)
  return {
    events: events.rows,
    violations,
    unguarded: isGuarded ? [] : judgeEffects(events.rows, tries.rows, ['unguarded']),
    letters: stored.rows.length,
  }
}

/** Each point once, in an order of its own, then any moment; again and again. */
function pointsInTurn(random: Random): () => KillPoint | 'any moment' {
  let left: KillPoint[] = [...killPoints]
  return () => {
    const [point] = left.splice(random.whole(left.length), 1)
    if (point === undefined) left = [...killPoints]
    return point ?? 'any moment'
  }
}

export async function killReactions(course: Course): Promise<Outcome> {
  const { databaseUrl, kills, random, say = () => {} } = course
  const database = openDatabase(databaseUrl, { size: 4, onError: () => {} })
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-reactions-'))
  const killer = await openKiller(databaseUrl)
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, ...(course.signal ? [course.signal] : [])])
  const start = (): Promise<ServerProcess> =>
    startServerProcess(
      {
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        LIMIT_HOLDS: '1000',
        LEASE_MS: String(leaseMs),
        UNGUARDED: course.withUnguarded ? '1' : '0',
      },
      { isWhole: true },
    )
  const servers: ServerProcess[] = []
  try {
    await makePlace(database.db)
    const owner = await makeUser(database.db, { role: 'isPro' })
    const wish = { ownerId: owner.id, timeZone: 'Africa/Abidjan', members: people, services: [{ active: 20 }] }
    const institute = await makeInstitute(database.db, wish)
    const clients = await Promise.all(Array.from({ length: people }, () => makeUser(database.db)))
    servers.push(...(await Promise.all([start(), start()])))
    const writing: Writing = { servers, odd: [], asked: 0, isDone: false, signal }
    const written = Promise.all(clients.map((user, member) => write(writing, user, institute, member)))
    // Where it fails is told at its end.
    written.catch(() => ending.abort())

    const killed: Record<string, number> = {}
    const next = pointsInTurn(random)
    for (let n = 0; n < kills; n++) {
      const point = course.withUnguarded && n === 0 ? unguardedPoint : next()
      const chosen =
        point === 'any moment'
          ? await sleep(20 + random.whole(300), servers[random.whole(servers.length)]?.pid ?? 0, { signal })
          : await killer.meet(point, () => servers.map(({ pid }) => pid), signal)
      const at = servers.findIndex(({ pid }) => pid === chosen)
      await servers[at]?.kill()
      if (point !== 'any moment') await killer.open(chosen)
      killed[point] = (killed[point] ?? 0) + 1
      servers[at] = await start()
      if ((n + 1) % 10 === 0) say(`${n + 1} kills`)
    }
    writing.isDone = true
    await written
    await settled(database, signal)
    const { events, violations, unguarded, letters } = await verdict(database)
    const figures = { kills, ...killed, events: events.length, letters, asked: writing.asked }
    return { figures, violations: [...writing.odd, ...violations], unguarded }
  } finally {
    ending.abort()
    await Promise.all(servers.map((server) => server.kill()))
    await killer.close()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function runAsProgram(): Promise<void> {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } } })
  const { url, leave } = await prepareTemplate()
  const clone = await cloneTemplate(url)
  try {
    const outcome = await killReactions({
      databaseUrl: clone.url,
      kills: Number(values.kills),
      random: randomFrom(`reactions ${values.seed}`),
      say: (words) => void process.stderr.write(`${words}\n`),
    })
    process.stdout.write(`${JSON.stringify(outcome)}\n`)
  } finally {
    await clone.drop()
    await leave()
  }
}

if (process.argv[1] === import.meta.filename) await runAsProgram()
