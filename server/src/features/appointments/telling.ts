/** Telling of visits: the letters, the bells, and when to remind. */
import type { VisitSessions } from '@soigne/contract/vouchers'
import { instantText, parseInstant } from '#/platform/instants.ts'
import type { EventOf } from '#/event-kinds.ts'
import { homesToTell } from '#/features/at-home/service.ts'
import { findAllShown, isAtHome, recipientsOf, sessionsForWire, sessionsOfVisit, type ShownVisit } from '#/features/visits/service.ts'
import { postMails } from '#/features/mails/service.ts'
import { moneyOf } from '#/features/payments/service.ts'
import { type NewNotification, notify, planReminders, visitFacts, writeToTeam } from '#/features/notifications/service.ts'
import { type Actor, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { lettersAbout, performerLetters } from './letters.ts'

type Fact = Extract<EventOf, { kind: 'visit.booked' | 'visit.moved' | 'visit.shortened' | 'visit.readdressed' | 'visit.cancelled' }>
/** Something that happened to a visit and is told now. `key`: the same one is never told twice. */
export type Told = { key: string; subjectId: string; instituteId: string; actor: Actor } & {
  [K in Fact['kind']]: { kind: K; payload: Extract<Fact, { kind: K }>['payload'] }
}[Fact['kind']]
/** A visit, and what is told of it as it is now; null for nothing. */
export interface Telling {
  about: { appointmentId: string; instituteId: string } | undefined
  toldOf: (visit: ShownVisit) => Told | null
}
const facts = {
  'visit.booked': 'booked',
  'visit.moved': 'moved',
  'visit.shortened': 'shortened',
  'visit.readdressed': 'readdressed',
  'visit.cancelled': 'cancelled',
} as const

export const system = systemScope('write letters about visits')

/** The letter tells what was true when it happened, also when the visit was moved or cancelled a moment later. */
function asItWas({ kind, payload }: Told, row: ShownVisit['row']): ShownVisit['row'] {
  const instant = (text: string): string => instantText(parseInstant(text))
  const life = kind === 'visit.cancelled' ? 'cancelled' : 'booked'
  // Its end was the last change: what is told of before it has a lower number in calendars.
  const revision = life === row.life ? row.revision : row.revision - 1
  return { ...row, life, revision, startsAt: instant(payload.startsAt), endsAt: instant(payload.endsAt) }
}

const bells = {
  'visit.booked': { client: 'booked', institute: 'came' },
  'visit.moved': { client: 'moved', institute: 'changed' },
  'visit.shortened': { client: 'shortened', institute: 'shorter' },
  'visit.readdressed': { client: 'readdressed', institute: 'new_address' },
  'visit.cancelled': { client: 'cancelled', institute: 'went' },
} as const

/** Whoever did it needs no bell; what a client did is kept in theirs, like a receipt. */
function bellsAbout(told: Told, visit: ShownVisit, client: string, at: number): NewNotification[] {
  const { row, segments } = visit
  const facts = visitFacts({ row: asItWas(told, row), segments }, client)
  const one = {
    appointmentId: row.id,
    facts: told.kind === 'visit.moved' ? { ...facts, before: instantText(parseInstant(told.payload.before.startsAt)) } : facts,
    dedupeKey: told.key,
    at: new Date(at),
  }
  const memberIds = [...new Set(segments.map(({ memberId }) => memberId))]
  const exceptUserId = told.actor.kind === 'institute' ? told.actor.userId : null
  return [
    ...(row.userId === null ? [] : [{ ...one, to: { userId: row.userId }, kind: bells[told.kind].client }]),
    { ...one, to: { instituteId: row.instituteId, memberIds, exceptUserId }, kind: bells[told.kind].institute },
  ]
}

/** What was paid, of those of which anything was. */
async function moneyOfVisits(transaction: Db, telling: readonly { visit: ShownVisit }[]) {
  const money = new Map<string, Awaited<ReturnType<typeof moneyOf>>>()
  for (const {
    visit: { row },
  } of telling)
    if (['deposit_paid', 'paid', 'refunded'].includes(row.payment))
      money.set(row.id, await moneyOf(transaction, system, { instituteId: row.instituteId, saleId: row.id }))
  return money
}

/** What becomes of the sessions that paid for those of them that were cancelled; money beside them may be back already. */
async function sessionsOfVisits(transaction: Db, telling: readonly { visit: ShownVisit; told: Told }[]) {
  const sessions = new Map<string, VisitSessions>()
  for (const {
    visit: { row },
    told,
  } of telling)
    if (told.kind === 'visit.cancelled' && (row.payment === 'paid' || row.payment === 'refunded'))
      sessions.set(
        row.id,
        sessionsForWire(await sessionsOfVisit(transaction, system, { instituteId: row.instituteId, visitId: row.id }), row),
      )
  return sessions
}

export async function tellOfVisits(context: AppContext, transaction: Db, tellings: readonly Telling[]): Promise<void> {
  const about = tellings.flatMap(({ about, toldOf }) =>
    about === undefined ? [] : [{ id: about.appointmentId, scope: system.institute(about.instituteId), toldOf }],
  )
  const visits = await findAllShown(
    transaction,
    about.map(({ scope }) => scope),
    about.map(({ id }) => id),
  )
  const ofUsers = about.flatMap(({ id, scope }) => {
    const userId = visits.get(id)?.row.userId
    return userId ? [{ scope, userId }] : []
  })
  const recipients = await recipientsOf(
    transaction,
    ofUsers.map(({ scope }) => scope),
    ofUsers.map(({ userId }) => userId),
  )
  const now = context.clock.now()
  const telling = about.flatMap(({ id, toldOf }) => {
    const visit = visits.get(id)
    const told = visit && toldOf(visit)
    return visit && told ? [{ visit, told }] : []
  })
  const rung = telling.flatMap(({ visit, told }) => {
    const person = visit.row.userId && recipients(visit.row.userId, visit.row.instituteId)?.person
    const client = person ? `${person.firstName} ${person.lastName}`.trim() : (visit.row.customerName ?? '')
    return bellsAbout(told, visit, client, now)
  })
  const away = telling.flatMap(({ visit: { row } }) => (isAtHome(row) ? [row] : []))
  const homes = await homesToTell(
    transaction,
    away.map(({ instituteId }) => system.institute(instituteId)),
    away.map(({ id }) => id),
  )
  const money = await moneyOfVisits(transaction, telling)
  const sessions = await sessionsOfVisits(transaction, telling)
  const letters = telling.flatMap(({ visit, told }) => {
    const readers = visit.row.userId && recipients(visit.row.userId, visit.row.instituteId, visit.row)
    const home = homes.get(visit.row.id) ?? null
    const story = { row: asItWas(told, visit.row), segments: visit.segments, key: told.key, fact: facts[told.kind], home }
    // Who has no account is told by who booked for them; who goes to their home still has to read where that is.
    if (!readers) return performerLetters(context, story, visit.row.customerName || visit.row.reference)
    return lettersAbout(context, {
      ...story,
      before: told.kind === 'visit.moved' ? told.payload.before.startsAt : null,
      removed: told.kind === 'visit.shortened' ? told.payload : null,
      reason: told.kind === 'visit.cancelled' && told.payload.isReasonTold ? told.payload.reason : null,
      byClient: told.actor.kind === 'client',
      money: money.get(visit.row.id) ?? null,
      sessions: sessions.get(visit.row.id) ?? [],
      person: readers.person,
      institute: readers.institute,
    })
  })
  await postMails(transaction, letters)
  await notify(transaction, rung)
  await writeToTeam(context, transaction, rung)
  await planReminders(transaction, [...visits.values()], now)
}
