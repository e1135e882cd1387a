/** Holding and confirming: each is one statement, and what is asked for at the same moment is one transaction. */
import type { Status } from '@soigne/contract/appointments'
import { sql } from 'kysely'
import { type Home, holdingWithHomes } from '#/features/at-home/service.ts'
import type { IndexPatch } from '#/features/summary/service.ts'
import type { SelfScope } from '#/platform/access.ts'
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
const withoutHome = ({ home: _home, ...hold }: NewHold): object => hold

const someHome: Home = { line: '1', postalCode: null, city: 'A', lat: 0, lon: 0 }
/** Whether it waits where somebody else has an institute or a client; without it, theirs are 'busy'. With addresses, of one institute. */
const holdStatement = statement(
  {
    name: 'booking.holdVisits',
    row: {
      n: known(c.int),
      at: known(c.int),
      outcome: known(c.oneOf([...holdOutcomes, 'busy'] as const)),
      body: orNull(c.json<object>()),
      until: orNull(c.instant),
    },
    tries: () =>
      [[], [{ id: nobody, home: someHome }]].map((holds) => ({
        asked: [{ instituteId: nobody, version: 1, holds: holds as unknown as NewHold[], patch: null, now: new Date(0) }],
        waits: true,
      })),
  },
  ({ asked, waits }: { asked: readonly HoldsAsked[]; waits: boolean }) => {
    const told = asked.map(({ instituteId, holds, ...one }, n) => ({ ...one, n, institute: instituteId, holds: holds.map(withoutHome) }))
    const call = sql`select h.n, h.at, h.outcome, h.body, h.until from hold_planned_visits(${JSON.stringify(told)}::jsonb, ${waits}) h`
    const homes = asked.flatMap(({ holds }) => holds.flatMap(({ id, home }) => (home ? [{ id, ...home }] : [])))
    return homes.length === 0 ? call : holdingWithHomes(call, asked[0]?.instituteId ?? nobody, homes)
  },
)
/** One batch after the other: what two would share costs twice. None of it waits for a lock, so that nobody stands behind somebody who does. */
const inTurn = { atOnce: 1, most: 16 }

/** Answers institute by institute. Null where somebody else has it, or a client, at this moment: whoever waited for them would keep the others waiting. */
async function holdAt(db: Db, asked: readonly HoldsAsked[], waits: boolean): Promise<(HoldAnswer[] | null)[]> {
  const rows = (await holdStatement.all(db, { asked, waits })).sort((a, b) => a.at - b.at)
  return asked.map((_, of) => {
    const own = rows.filter(({ n }) => n === of)
    const answers = own.flatMap(({ outcome, body, until }) => (outcome === 'busy' ? [] : [{ outcome, body, until }]))
    return answers.length < own.length ? null : answers
  })
}
const holdAtMany = togetherAt((db: Db, asked: readonly HoldsAsked[]) => holdAt(db, asked, false), inTurn)

/** One outcome for each hold, in order. All are made or none. */
export async function holdVisits(db: Db, asked: HoldsAsked): Promise<HoldAnswer[]> {
  // A transaction has locks of its own, and an address is written only beside holds of one institute.
  const isAlone = db.isTransaction || asked.holds.some(({ home }) => home)
  const answers = isAlone ? null : await holdAtMany(db, asked)
  return answers ?? (await holdAt(db, [asked], true))[0] ?? []
}

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
      } as ConfirmAsked,
    ],
  },
  (p: ConfirmAsked) =>
    sql`select h.outcome, h.body from confirm_unpaid_hold(${p.id}, ${p.userId}, ${p.status}, ${p.paymentMethod}, ${p.note}, ${p.key}, ${p.fingerprint}, ${JSON.stringify(p.body)}::jsonb, ${p.now}, ${p.needsAccount}) h`,
)
const confirmManyStatement = statement(
  {
    name: 'booking.confirmMany',
    row: { n: known(c.int), outcome: known(c.oneOf([...confirmOutcomes, 'alone'] as const)), body: orNull(c.json<object>()) },
    tries: [{ asked: [] as readonly ConfirmAsked[] }],
  },
  ({ asked }: { asked: readonly ConfirmAsked[] }) => {
    const told = asked.map((one, n) => ({ ...one, n, fingerprint: one.fingerprint?.toString('hex') }))
    return sql`select h.n, h.outcome, h.body from confirm_unpaid_holds(${JSON.stringify(told)}::jsonb) h`
  },
)
/** Null for one that has to be asked alone. */
async function confirmMany(db: Db, asked: readonly ConfirmAsked[]): Promise<(ConfirmAnswer | null)[]> {
  const rows = await confirmManyStatement.all(db, { asked })
  return asked.map((_, of) => {
    const { outcome = 'alone', body = null } = rows.find(({ n }) => n === of) ?? {}
    return outcome === 'alone' ? null : { outcome, body }
  })
}
const confirmAtOnce = togetherAt(confirmMany, inTurn)

/** What became of it: exactly one row. */
export async function confirmHold(db: Db, scope: SelfScope<true>, asked: Omit<ConfirmAsked, 'userId'>): Promise<ConfirmAnswer | null> {
  const one = { ...asked, userId: scope.userId }
  return (db.isTransaction ? null : await confirmAtOnce(db, one)) ?? confirmHoldStatement.one(db, one)
}
