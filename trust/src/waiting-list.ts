/** Time that falls free while some wait for it and others just take it: cancelled, offered, accepted, declined and run out at two servers at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs } from '@soigne/contract/time'
import { bringEndForward } from './front-desk.ts'
import type { Ground } from './processes.ts'
import { type Answer, holdsPath } from './wire.ts'
import type { Institute } from './world.ts'

const waitingPath = '/api/v1/secure/waiting'
const waiters = [1, 2, 3, 4, 5, 6]
const strangers = Array.from({ length: 20 }, (_, n) => 10 + n)
/** What has run out is looked for once a minute. */
const patienceMs = 100_000

/** Ten o'clock of a day on which nobody has anything yet. Nobody is written to at night, so it is early afternoon there. */
function placeAt(now: number, round: number): { timeZone: string; startsAt: number; day: string } {
  const ahead = 13 - new Date(now).getUTCHours()
  const midnight = Math.floor((now + ahead * hourMs) / dayMs) * dayMs + (20 + round) * dayMs
  return {
    // The names of these zones count the other way.
    timeZone: `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`,
    startsAt: midnight - ahead * hourMs + 600 * minuteMs,
    day: new Date(midnight).toISOString().slice(0, 10),
  }
}

/** Who has the time, as it is stored. */
export interface Owner {
  id: string
  userId: string
  isOffer: boolean
  isHeld: boolean
}
interface Place {
  institute: Institute
  startsAt: number
  /** Entries of the list, in the order in which they asked. */
  entries: { n: number; id: string; userId: string }[]
}

async function ownersOf({ stage }: Ground, { institute, startsAt }: Place): Promise<Owner[]> {
  const { rows } = await stage.db.query<Owner>(
    `select id, user_id as "userId", is_offer as "isOffer", status = 'held' as "isHeld" from appointments
      where institute_id = $1 and starts_at = $2 and status <> 'cancelled' and (expires_at is null or expires_at > now())`,
    [institute.id, new Date(startsAt)],
  )
  return rows
}

/** As soon as somebody has it who is not among `others`; null when nobody does for long. */
async function nextOwner(ground: Ground, place: Place, others: readonly string[] = []): Promise<Owner | null> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(50)) {
    const owner = (await ownersOf(ground, place)).find(({ id }) => !others.includes(id))
    if (owner) return owner
  }
  return null
}

/** At most one was given it, and whoever was not was told that it is taken. */
export function judgeStrangers(answers: readonly Answer[], most: number): string[] {
  const won = answers.filter(({ status }) => status === 201).length
  return [
    ...(won > most ? [`${won} strangers were given a time for ${most}`] : []),
    ...answers
      .filter(({ status, body }) => status !== 201 && (status !== 409 || body.code !== 'slot_taken'))
      .map(({ status, body }) => `a stranger was answered ${status} ${body.code ?? ''}`),
  ]
}

/** Whoever waits is offered in the order in which they asked, the same time never twice. */
export function judgeOffers(order: readonly string[], offered: readonly string[]): string[] {
  const expected = order.slice(0, offered.length)
  return offered.every((userId, n) => userId === expected[n])
    ? []
    : [`offers went to the places ${offered.map((userId) => order.indexOf(userId) + 1).join(', ')} of the list`]
}

async function waitFor(ground: Ground, round: number): Promise<Place> {
  const { timeZone, startsAt, day } = placeAt(Date.now(), round)
  const institute = await ground.institute({ members: 1, services: [{ active: 30 }], timeZone })
  const entries: Place['entries'] = []
  for (const n of waiters) {
    const services = [{ serviceId: institute.services[0]?.id, staffId: institute.members[0] }]
    const body = { instituteId: institute.id, services, fromDay: day, toDay: day, hours: { from: '10:00', to: '10:30' } }
    const { status, body: entry } = await ground.ask(n, n, { method: 'POST', path: waitingPath, body })
    if (status !== 201) throw new Error(`joining the list was answered ${status} ${entry.code ?? ''}`)
    const { rows } = await ground.stage.db.query<{ userId: string }>('select user_id as "userId" from waiting_entries where id = $1', [
      entry._id,
    ])
    entries.push({ n, id: entry._id ?? '', userId: rows[0]?.userId ?? '' })
  }
  return { institute, startsAt, entries }
}

const strangersAsk = (ground: Ground, { institute, startsAt }: Place): Promise<Answer[]> =>
  Promise.all(strangers.map((n) => ground.hold(n, institute, { startsAt, lines: [[0, 0]] })))

/** A visit is cancelled while strangers ask for its time: the first of the list has it, or a stranger who was quicker, and the first once that one lets it go. */
async function fallsFree(ground: Ground, place: Place): Promise<{ found: string[]; offer: Owner | null }> {
  const { institute, startsAt, entries } = place
  const held = await ground.hold(0, institute, { startsAt, lines: [[0, 0]] })
  const booked = await ground.book(0, held.body._id ?? '')
  if (booked.status !== 201) return { found: [`the visit was answered ${booked.status}`], offer: null }
  const [cancelled, answers] = await Promise.all([ground.cancel(0, booked.body._id ?? ''), strangersAsk(ground, place)])
  const found = judgeStrangers(answers, 1)
  if (cancelled.status !== 200) found.push(`cancelling was answered ${cancelled.status} ${cancelled.body.code ?? ''}`)
  const quicker = answers.findIndex(({ status }) => status === 201)
  if (quicker >= 0) {
    const id = answers[quicker]?.body._id ?? ''
    if ((await ownersOf(ground, place)).some((owner) => owner.id !== id)) found.push('a time was offered that a stranger has')
    await ground.ask(strangers[quicker] ?? 0, 0, { method: 'DELETE', path: `${holdsPath}/${id}` })
  }
  const offer = await nextOwner(ground, place)
  if (!offer?.isOffer || offer.userId !== entries[0]?.userId) found.push(`the first who waits was not offered it: ${JSON.stringify(offer)}`)
  return { found, offer }
}

const put = (ground: Ground, turn: number, { n, id }: Place['entries'][number], what: 'accept' | 'decline', key: string): Promise<Answer> =>
  ground.ask(n, turn, { method: 'PUT', path: `${waitingPath}/${id}/${what}`, body: {}, key })

const soft = new Set(['hold_expired', 'wrong_state', 'not_found'])
const isSoft = ({ status, body }: Answer): boolean => status === 200 || soft.has(body.code ?? '')

/** Accepted twice, under one key and another, while strangers ask. */
async function acceptedTwice(ground: Ground, place: Place, offer: Owner): Promise<string[]> {
  const [first] = place.entries
  if (!first) return []
  const key = ground.random.uuid(Date.now())
  const [one, again, other, answers] = await Promise.all([
    put(ground, 0, first, 'accept', key),
    put(ground, 1, first, 'accept', key),
    put(ground, 1, first, 'accept', ground.random.uuid(Date.now())),
    strangersAsk(ground, place),
  ])
  const found = judgeStrangers(answers, 0)
  if (one.status !== again.status || one.body._id !== again.body._id) found.push(`one key was answered ${one.status} and ${again.status}`)
  if (![one, other].some(({ status }) => status === 200)) found.push(`accepting was answered ${one.status} and ${other.status}`)
  if (![one, other].every(isSoft)) found.push(`accepting was answered ${one.body.code ?? ''} and ${other.body.code ?? ''}`)
  const owners = await ownersOf(ground, place)
  if (owners.length !== 1 || owners[0]?.id !== offer.id || owners[0].isHeld) found.push(`accepted, and stored is ${JSON.stringify(owners)}`)
  return found
}

/** Accepted and declined at once: one of the two is what happened, and what was declined goes to the second of the list. */
async function acceptedAndDeclined(ground: Ground, place: Place, offer: Owner): Promise<string[]> {
  const [first, second] = place.entries
  if (!first || !second) return []
  const [accepted, declined] = await Promise.all([
    // The quicker call has this much to make up for.
    sleep(ground.random.whole(20)).then(() => put(ground, 0, first, 'accept', ground.random.uuid(Date.now()))),
    put(ground, 1, first, 'decline', ground.random.uuid(Date.now())),
  ])
  const found: string[] = []
  if ((accepted.status === 200) === (declined.status === 200) || !isSoft(accepted) || !isSoft(declined))
    found.push(
      `accepted and declined were answered ${accepted.status} ${accepted.body.code ?? ''} and ${declined.status} ${declined.body.code ?? ''}`,
    )
  const isTaken = accepted.status === 200
  const owner = await nextOwner(ground, place, isTaken ? [] : [offer.id])
  const should = isTaken ? first : second
  if (owner?.userId !== should.userId || owner.isHeld === isTaken)
    found.push(`${isTaken ? 'accepted' : 'declined'}, and stored is ${JSON.stringify(owner)}`)
  return found
}

/** The offer ends around the moment it is accepted, while strangers ask: one of them all has the time, or the second of the list. */
async function runsOut(ground: Ground, place: Place, offer: Owner): Promise<string[]> {
  const [first, second] = place.entries
  if (!first || !second) return []
  await bringEndForward(ground.stage.db, offer.id, new Date(Date.now() + ground.random.whole(60) - 10))
  const [accepted, answers] = await Promise.all([
    put(ground, 0, first, 'accept', ground.random.uuid(Date.now())),
    strangersAsk(ground, place),
  ])
  const found = judgeStrangers(answers, accepted.status === 200 ? 0 : 1)
  if (!isSoft(accepted)) found.push(`accepting was answered ${accepted.status} ${accepted.body.code ?? ''}`)
  const stranger = answers.find(({ status }) => status === 201)
  const owner = await nextOwner(ground, place)
  const isRight =
    accepted.status === 200
      ? owner?.id === offer.id
      : stranger
        ? owner?.id === stranger.body._id
        : owner?.userId === second.userId && owner.isOffer
  if (!isRight)
    found.push(
      `run out: accepting was answered ${accepted.status}, a stranger ${stranger?.status ?? 'nothing'}, stored is ${JSON.stringify(owner)}`,
    )
  return found
}

const ends = [acceptedTwice, acceptedAndDeclined, runsOut]

export async function waitingRounds(ground: Ground): Promise<{ figures: Record<string, number>; violations: string[] }> {
  const violations: string[] = []
  const rounds = 18
  let offers = 0
  for (let round = 0; round < rounds; round++) {
    const place = await waitFor(ground, round)
    const { found, offer } = await fallsFree(ground, place)
    const end = ends[round % ends.length]
    if (offer && end) found.push(...(await end(ground, place, offer)))
    const { rows } = await ground.stage.db.query<{ userId: string }>(
      'select user_id as "userId" from waiting_offers where institute_id = $1 order by offered_at, id',
      [place.institute.id],
    )
    offers += rows.length
    found.push(
      ...judgeOffers(
        place.entries.map(({ userId }) => userId),
        rows.map(({ userId }) => userId),
      ),
    )
    violations.push(...found.map((words) => `waiting list: ${words}`))
    for (const { n, id } of place.entries) await ground.ask(n, n, { method: 'DELETE', path: `${waitingPath}/${id}` })
  }
  return { figures: { 'waiting rounds': rounds, 'waiting offers': offers }, violations }
}
