/** Holding and confirming: each is one statement, and what is asked for at the same moment is one for all. */
import type { Status } from '@soigne/contract/appointments'
import { sql } from 'kysely'
import { type Home, holdingWithHomes } from '#/features/at-home/service.ts'
import type { IndexPatch } from '#/features/summary/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { SessionProof } from '#/platform/session-proof.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, someId as nobody, statement } from '#/platform/statement.ts'
import { togetherAt } from '#/platform/together.ts'
import type { HoldFacts, NewPlan } from './store.ts'

/** One hold as `hold_planned_visits` takes it; `body` is the answer that is kept under the key. */
export interface NewHold extends HoldFacts, NewPlan {
  /** Of live holds a person may have. */
  most: number
  key: string | null
  /** Hexadecimal. */
  fingerprint: string | null
  body: object
  /** Where it is, at home. */
  home?: Home
  /** Of a session that is only remembered. */
  proof: SessionProof | null
}

const holdOutcomes = ['held', 'stale', 'answered', 'other_request', 'blocked', 'too_many', 'again'] as const
type HoldOutcome = (typeof holdOutcomes)[number]

/** Holds of one institute, planned on one version of its diary. */
interface HoldsAsked {
  instituteId: string
  version: number
  holds: readonly NewHold[]
  patch: IndexPatch | null
  now: Date
}
interface HoldAnswer {
  outcome: HoldOutcome
  body: object | null
  until: string | null
}
const toldHolds = ({ instituteId, holds, ...one }: HoldsAsked, n: number): object => ({
  ...one,
  n,
  institute: instituteId,
  holds: holds.map(({ home: _home, proof: _proof, ...hold }) => hold),
})

const someHome: Home = { line: '1', postalCode: null, city: 'A', lat: 0, lon: 0 }
/** Holds of one institute with their addresses, which waits where somebody else has it or a client. */
const holdStatement = statement(
  {
    name: 'booking.holdVisits',
    row: { at: known(c.int), outcome: known(c.oneOf(holdOutcomes)), body: orNull(c.json<object>()), until: orNull(c.instant) },
    tries: () =>
      [[], [{ id: nobody, home: someHome }]].map((holds) => ({
        instituteId: nobody,
        version: 1,
        holds: holds as unknown as NewHold[],
        patch: null,
        now: new Date(0),
      })),
  },
  (asked: HoldsAsked) => {
    const call = sql`select h.at, h.outcome, h.body, h.until from hold_planned_visits(${JSON.stringify([toldHolds(asked, 0)])}::jsonb, true) h`
    const homes = asked.holds.flatMap(({ id, home }) => (home ? [{ id, ...home }] : []))
    return homes.length === 0 ? call : holdingWithHomes(call, asked.instituteId, homes)
  },
)

const confirmOutcomes = ['confirmed', 'answered', 'other_request', 'not_found', 'wrong_state', 'hold_expired', 'payment_needed'] as const
export type ConfirmOutcome = (typeof confirmOutcomes)[number]

interface ConfirmAsked {
  id: string
  userId: string
  status: Status
  paymentMethod: string | null
  note: string | null
  key: string | null
  fingerprint: Buffer | null
  body: object
  now: Date
  /** Institutes are paid online on an account of their own alone. */
  needsAccount: boolean | null
  proof: SessionProof | null
}

interface ConfirmAnswer {
  outcome: ConfirmOutcome
  body: object | null
}
const confirmHoldStatement = statement(
  {
    name: 'booking.confirmHold',
    row: { outcome: known(c.oneOf(confirmOutcomes)), body: orNull(c.json<object>()) },
    tries: [
      {
        id: nobody,
        userId: nobody,
        status: 'pending',
        paymentMethod: null,
        note: null,
        key: null,
        fingerprint: null,
        body: {},
        now: new Date(0),
        needsAccount: true,
        proof: null,
      } as ConfirmAsked,
    ],
  },
  (p: ConfirmAsked) =>
    sql`select h.outcome, h.body from confirm_unpaid_hold(${p.id}, ${p.userId}, ${p.status}, ${p.paymentMethod}, ${p.note}, ${p.key}, ${p.fingerprint}, ${JSON.stringify(p.body)}::jsonb, ${p.now}, ${p.needsAccount}) h`,
)

/** Either of the two. */
interface Asked {
  hold?: HoldsAsked
  confirm?: ConfirmAsked
}
/** What has to be seen open before anything is done for it. */
const unproven = ({ hold, confirm }: Asked): SessionProof[] =>
  [...(hold?.holds ?? []), ...(confirm ? [confirm] : [])].flatMap(({ proof }) => (proof && !proof.isGiven ? [proof] : []))
const sessionsOf = (asked: Asked): string[] => unproven(asked).map(({ sessionId }) => sessionId)

/**
 * Confirmations first: the record of a new client may be waited for, and nothing that others want is locked by then. Nothing is done, and no row given, for
 * what was asked with a session that is open no more.
 */
const togetherStatement = statement(
  {
    name: 'booking.together',
    row: {
      n: known(c.int),
      at: known(c.int),
      outcome: known(c.oneOf([...holdOutcomes, 'busy', ...confirmOutcomes, 'alone'] as const)),
      body: orNull(c.json<object>()),
      until: orNull(c.instant),
    },
    tries: [{ all: [] as readonly Asked[] }],
  },
  ({ all }: { all: readonly Asked[] }) => {
    const holds = all.flatMap(({ hold }, n) => (hold ? [toldHolds(hold, n)] : []))
    const confirms = all.flatMap(({ confirm }, n) => {
      if (!confirm) return []
      const { proof: _proof, ...one } = confirm
      return [{ ...one, n, fingerprint: one.fingerprint?.toString('hex') }]
    })
    const sessions = all.flatMap((one, n) => sessionsOf(one).map((id) => ({ n, id })))
    const now = new Date(Math.max(0, ...all.map(({ hold, confirm }) => Number(hold?.now ?? confirm?.now))))
    return sql`with closed as materialized (select asked_with_closed_session(${sessions.map(({ n }) => n)}::int[], ${sessions.map(({ id }) => id)}::uuid[], ${now}) as ns)
      select h.n, 0 as at, h.outcome, h.body, null::timestamptz as until
        from closed, confirm_unpaid_holds(asked_without(${JSON.stringify(confirms)}::jsonb, closed.ns)) h
      union all select h.n, h.at, h.outcome, h.body, h.until
        from closed, hold_planned_visits(asked_without(${JSON.stringify(holds)}::jsonb, closed.ns), false) h`
  },
)
const isOfHold = (outcome: string): outcome is HoldOutcome => holdOutcomes.some((one) => one === outcome)
const isOfConfirmation = (outcome: string): outcome is ConfirmOutcome => confirmOutcomes.some((one) => one === outcome)

interface Answers {
  held: HoldAnswer[] | null
  confirmed: ConfirmAnswer | null
}
/**
 * What is held and what is confirmed at the same moment is one transaction, one batch after the other: what two would share costs twice. None of it waits for a
 * lock, so that nobody stands behind somebody who does: null where another transaction is in the way of one, which is asked for alone.
 */
const bookTogether = togetherAt(
  async (db: Db, all: readonly Asked[]): Promise<Answers[]> => {
    const rows = (await togetherStatement.all(db, { all })).sort((a, b) => a.at - b.at)
    return all.map((_, of) => {
      const own = rows.filter(({ n }) => n === of)
      if (own.length > 0) for (const proof of unproven(all[of] as Asked)) proof.give()
      const held = own.flatMap(({ outcome, body, until }) => (isOfHold(outcome) ? [{ outcome, body, until }] : []))
      const confirmed = own.flatMap(({ outcome, body }) => (isOfConfirmation(outcome) ? [{ outcome, body }] : []))
      return { held: held.length === 0 || held.length < own.length ? null : held, confirmed: confirmed[0] ?? null }
    })
  },
  { atOnce: 1, most: 32 },
)

/** One outcome for each hold, in order. All are made or none. */
export async function holdVisits(db: Db, asked: HoldsAsked): Promise<HoldAnswer[]> {
  // A transaction has locks of its own, and an address is written only beside holds of one institute.
  const isAlone = db.isTransaction || asked.holds.some(({ home }) => home)
  const answers = isAlone ? null : (await bookTogether(db, { hold: asked })).held
  if (answers) return answers
  const isOpen = await Promise.allSettled(unproven({ hold: asked }).map((proof) => proof.ask()))
  // Whose session it is hears of it; the others are planned again without them.
  if (isOpen.some(({ status }) => status === 'rejected')) return asked.holds.map(() => ({ outcome: 'again', body: null, until: null }))
  return (await holdStatement.all(db, asked)).sort((a, b) => a.at - b.at)
}

/** What became of it: exactly one row. */
export async function confirmHold(
  db: Db,
  scope: SelfScope<true>,
  asked: Omit<ConfirmAsked, 'userId' | 'proof'>,
): Promise<ConfirmAnswer | null> {
  const one = { ...asked, userId: scope.userId, proof: scope.proof }
  const answer = db.isTransaction ? null : (await bookTogether(db, { confirm: one })).confirmed
  if (answer) return answer
  await scope.proof?.ask()
  return confirmHoldStatement.one(db, one)
}
