/** `processes`: two server processes on one database, asked at the same moment by crowds that want what overlaps. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterwards, deadlocks } from './invariants.ts'
import type { Random } from '@soigne/demo/random'
import { minuteMs } from '@soigne/contract/time'
import { swapRounds } from './rings.ts'
import { waitingRounds } from './waiting-list.ts'
import { judgeRound } from './slot.ts'
import { openStage, type Stage } from './stage.ts'
import { percentile, type Trial } from './trial.ts'
import { type Answer, type Client, holdsPath, type HttpRequest, openClient, visitsPath } from './wire.ts'
import { dayAhead, holdBody, makePeople, makeInstitute, type Institute, type InstituteOptions } from './world.ts'
import { bringEndForward } from './front-desk.ts'
import { Diary, takenOf } from './model.ts'
import type { VisitRequest } from './steps.ts'

const day = dayAhead(14)
const tenMinute = 600

/** Two servers, a crowd, and ways to ask either. */
export interface Ground {
  stage: Stage
  crowd: Client[]
  random: Random
  institute(options: InstituteOptions): Promise<Institute>
  /** Asks one of the two by turns. */
  hold(n: number, institute: Institute, request: VisitRequest, key?: string): Promise<Answer>
  book(n: number, holdId: string, key?: string): Promise<Answer>
  move(n: number, id: string, startsAt: string, turn?: number): Promise<Answer>
  cancel(n: number, id: string, turn?: number): Promise<Answer>
  /** Anything else; `turn` says which of the two is asked. */
  ask(n: number, turn: number, request: HttpRequest): Promise<Answer>
}

function groundOf(stage: Stage, crowd: Client[], random: Random): Ground {
  const ask: Ground['ask'] = (n, turn, request) =>
    (crowd[n % crowd.length] as Client).send(stage.servers[turn % stage.servers.length]?.url ?? '', request)
  return {
    stage,
    crowd,
    random,
    ask,
    institute: (options) => makeInstitute(stage.db, options),
    hold: (n, institute, request, key = random.uuid(Date.now())) =>
      ask(n, n, {
        method: 'POST',
        path: holdsPath,
        body: holdBody(institute, new Date(request.startsAt).toISOString(), request.lines),
        key,
      }),
    book: (n, holdId, key = random.uuid(Date.now())) => ask(n, n + 1, { method: 'POST', path: visitsPath, body: { holdId }, key }),
    move: (n, id, startsAt, turn = n) =>
      ask(n, turn, { method: 'PUT', path: `${visitsPath}/${id}/reschedule`, body: { startsAt }, key: random.uuid(Date.now()) }),
    cancel: (n, id, turn = n) =>
      ask(n, turn, { method: 'PUT', path: `${visitsPath}/${id}/cancel`, body: {}, key: random.uuid(Date.now()) }),
  }
}

const winners = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 201)
const everybody = (ground: Ground, ask: (n: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(ground.crowd.map((_, n) => ask(n)))

/** Winners do not touch each other, and whoever lost could not have what they wanted beside them: nothing was refused in vain, nothing sold twice. */
export function judgeCrowd(institute: Institute, requests: readonly VisitRequest[], answers: readonly Answer[]): string[] {
  const found: string[] = []
  const diary = new Diary(institute)
  for (const [n, { status, body }] of answers.entries()) {
    if (status !== 201) continue
    const taken = takenOf(institute, body.segments ?? [])
    if (!diary.take({ kind: 'hold', visit: body._id ?? '', taken, startsAt: requests[n]?.startsAt ?? 0 }))
      found.push(`client ${n} has what another has too`)
  }
  for (const [n, { status, body }] of answers.entries()) {
    if (status === 201) continue
    if (status !== 409 || body.code !== 'slot_taken') found.push(`client ${n} was answered ${status} ${body.code ?? ''}`)
    else if (!diary.take({ kind: 'no time', request: requests[n] as VisitRequest })) found.push(`client ${n} was refused a time nobody has`)
  }
  return found
}

const at = (minute: number): number => day + minute * minuteMs

async function crowdWants(
  ground: Ground,
  institute: Institute,
  requestOf: (n: number) => VisitRequest,
): Promise<{ found: string[]; won: number }> {
  const requests = ground.crowd.map((_, n) => requestOf(n))
  const answers = await everybody(ground, (n) => ground.hold(n, institute, requests[n] as VisitRequest))
  return { found: judgeCrowd(institute, requests, answers), won: winners(answers).length }
}

type Race = (ground: Ground) => Promise<{ figures: Record<string, number>; violations: string[] }>

const exactly =
  (options: InstituteOptions, requestOf: (n: number) => VisitRequest, count: number, rounds: number, what: string): Race =>
  async (ground) => {
    const violations: string[] = []
    const lasted: number[] = []
    for (let round = 0; round < rounds; round++) {
      const institute = await ground.institute(options)
      const began = performance.now()
      const answers = await everybody(ground, (n) => ground.hold(n, institute, requestOf(n)))
      lasted.push(performance.now() - began)
      violations.push(...judgeRound(answers, new Date(requestOf(0).startsAt).toISOString(), count).map((words) => `${what}: ${words}`))
    }
    return { figures: { [`${what} rounds`]: rounds, [`${what} p50 ms`]: percentile(lasted, 0.5) }, violations }
  }

const overlapping: Race = async (ground) => {
  const violations: string[] = []
  let won = 0
  for (let round = 0; round < 8; round++) {
    const institute = await ground.institute({ members: 1, services: [{ active: 30, bufferAfter: 5 }] })
    const shift = ground.random.whole(12)
    const result = await crowdWants(ground, institute, (n) => ({ startsAt: at(tenMinute + 5 * ((n * 7 + shift) % 48)), lines: [[0, 0]] }))
    violations.push(...result.found.map((words) => `overlapping starts: ${words}`))
    won += result.won
  }
  return { figures: { 'overlapping rounds': 8, 'overlapping winners': won }, violations }
}

const carts: Race = async (ground) => {
  const violations: string[] = []
  const choices: VisitRequest['lines'][] = [
    [
      [0, 0],
      [1, 1],
    ],
    [
      [1, 1],
      [0, 0],
    ],
    [
      [0, 'any'],
      [1, 'any'],
      [2, 'any'],
    ],
    [
      [0, 2],
      [1, 'any'],
    ],
    [
      [1, 2],
      [2, 0],
    ],
    [[2, 'any']],
  ]
  let won = 0
  for (let round = 0; round < 8; round++) {
    const services = [{ active: 20 }, { active: 40, bufferAfter: 10 }, { active: 20, idle: 30, after: 20, resource: 'chair' }]
    const institute = await ground.institute({ members: 3, services, resources: [{ type: 'chair', count: 1 }] })
    const result = await crowdWants(ground, institute, (n) => ({
      startsAt: at(tenMinute + 10 * ((n + round) % 12)),
      lines: choices[(n * 5 + round) % choices.length] as VisitRequest['lines'],
    }))
    violations.push(...result.found.map((words) => `carts: ${words}`))
    won += result.won
  }
  return { figures: { 'cart rounds': 8, 'cart winners': won }, violations }
}

/** A hold ends somewhere around the moment its holder confirms it and others ask for its time. */
const runningOut: Race = async (ground) => {
  const violations: string[] = []
  const tally = { confirmed: 0, 'went to another': 0, neither: 0 }
  for (let round = 0; round < 40; round++) {
    const institute = await ground.institute({ members: 1, services: [{ active: 30 }] })
    const request: VisitRequest = { startsAt: at(tenMinute), lines: [[0, 0]] }
    const id = (await ground.hold(0, institute, request)).body._id ?? ''
    await bringEndForward(ground.stage.db, id, new Date(Date.now() + ground.random.whole(60) - 10))
    const [confirmed, ...others] = await Promise.all([ground.book(0, id), ...[1, 2, 3, 4].map((n) => ground.hold(n, institute, request))])
    const has = winners([confirmed as Answer, ...others]).length
    if (has > 1) violations.push(`running out: ${has} have one time`)
    if (confirmed?.status === 201) tally.confirmed++
    else if (has === 1) tally['went to another']++
    else {
      tally.neither++
      // It was over, so it must be there for the next who asks.
      const next = await ground.hold(5, institute, request)
      if (next.status !== 201) violations.push(`running out: a time nobody has was refused with ${next.status} ${next.body.code ?? ''}`)
    }
    for (const { status, body } of [confirmed as Answer, ...others])
      if (status !== 201 && status !== 409) violations.push(`running out: answered ${status} ${body.code ?? ''}`)
  }
  return { figures: Object.fromEntries(Object.entries(tally).map(([what, n]) => [`run out ${what}`, n])), violations }
}

/** Once a letter is there, or half a minute later: it is written by a job after the answer. */
async function storedOf(
  { stage }: Ground,
  institute: Institute,
  holdId?: string,
): Promise<{ letters: number; visits: number } | undefined> {
  for (const until = Date.now() + 30_000; ; await sleep(50)) {
    const { rows } = await stage.db.query<{ letters: number; visits: number }>(
      `select (select count(*)::int from appointments where institute_id = $1) as visits, (select count(*)::int from mails where institute_id = $1 or appointment_id = $2) as letters`,
      [institute.id, holdId],
    )
    if ((rows[0]?.letters ?? 0) > 0 || Date.now() > until) return rows[0]
  }
}

/** One key at both servers at the same moment is one hold, one visit, one letter; another request under it is refused. */
const oneKey: Race = async (ground) => {
  const violations: string[] = []
  const rounds = 20
  for (let round = 0; round < rounds; round++) {
    const institute = await ground.institute({ members: 2, services: [{ active: 30 }] })
    const request: VisitRequest = { startsAt: at(tenMinute), lines: [[0, 'any']] }
    const client = ground.crowd[round % ground.crowd.length] as Client
    const [one, two] = ground.stage.servers
    const body = holdBody(institute, new Date(request.startsAt).toISOString(), request.lines)
    const key = ground.random.uuid(Date.now())
    const post = (url: string | undefined, path: string, what: unknown, under: string): Promise<Answer> =>
      openedFor(client, (own) => own.send(url ?? '', { method: 'POST', path, body: what, key: under }))
    const held = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => post(n % 2 ? one?.url : two?.url, holdsPath, body, key)))
    const ids = new Set(held.map((answer) => `${answer.status} ${answer.body._id}`))
    if (ids.size !== 1 || held[0]?.status !== 201) violations.push(`one key: holds were answered ${[...ids].join(' and ')}`)
    const holdId = held[0]?.body._id
    const bookKey = ground.random.uuid(Date.now())
    const booked = await Promise.all([0, 1, 2, 3].map((n) => post(n % 2 ? one?.url : two?.url, visitsPath, { holdId }, bookKey)))
    const visits = new Set(booked.map((answer) => `${answer.status} ${answer.body._id}`))
    if (visits.size !== 1 || booked[0]?.status !== 201) violations.push(`one key: visits were answered ${[...visits].join(' and ')}`)
    const other = await post(one?.url, visitsPath, { holdId, note: 'something else' }, bookKey)
    if (other.status !== 409 || other.body.code !== 'idempotency_conflict')
      violations.push(`one key: another request under it was answered ${other.status} ${other.body.code ?? ''}`)
    const stored = await storedOf(ground, institute, holdId)
    if (stored?.visits !== 1 || stored.letters !== 1) violations.push(`one key: stored are ${JSON.stringify(stored)}`)
  }
  return { figures: { 'one key rounds': rounds }, violations }
}

/** The same person by a connection of their own, as a second tab has. */
async function openedFor(client: Client, ask: (own: Client) => Promise<Answer>): Promise<Answer> {
  const own = openClient(client.token)
  try {
    return await ask(own)
  } finally {
    own.close()
  }
}

const slots: VisitRequest = { startsAt: at(tenMinute), lines: [[0, 0]] }
const races: Record<string, Race> = {
  'one slot': exactly({ members: 1, services: [{ active: 30 }] }, () => slots, 1, 10, 'one slot'),
  'any of three': exactly({ members: 3, services: [{ active: 30 }] }, () => ({ ...slots, lines: [[0, 'any']] }), 3, 10, 'any of three'),
  'two machines': exactly(
    { members: 5, services: [{ active: 30, resource: 'laser' }], resources: [{ type: 'laser', count: 2 }] },
    (n) => ({ ...slots, lines: [[0, n % 2 ? 'any' : n % 5]] }),
    2,
    10,
    'two machines',
  ),
  overlapping,
  carts,
  'running out': runningOut,
  'one key': oneKey,
  swaps: swapRounds,
  'waiting list': waitingRounds,
}

export const processes: Trial = async ({ random, say }) => {
  const stage = await openStage({ servers: 2 })
  const crowd: Client[] = []
  try {
    crowd.push(...(await makePeople(stage.db, 200)).map(({ token }) => openClient(token)))
    const ground = groundOf(stage, crowd, random)
    const before = await deadlocks(stage.db)
    const figures: Record<string, number | string> = { clients: crowd.length, servers: 2 }
    const violations: string[] = []
    for (const [name, race] of Object.entries(races)) {
      const result = await race(ground)
      Object.assign(figures, result.figures)
      violations.push(...result.violations)
      say(`${name} ${result.violations.length === 0 ? 'good' : `broken: ${result.violations[0]}`}`)
    }
    const { violations: more, summary } = await afterwards(stage, before)
    return { figures: { ...figures, summary }, violations: [...violations, ...more] }
  } finally {
    for (const client of crowd) client.close()
    await stage.close()
  }
}
