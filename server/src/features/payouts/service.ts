/** What the provider of payments sends to the bank of an institute: read there, kept here, and shown with what it kept. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { mostPayoutMoves, type Payout, type PayoutFees, type PayoutMove } from '@soigne/contract/payouts'
import { dayMs, hourMs, type Instant } from '@soigne/contract/time'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import type { Money } from '@soigne/contract/wire'
import { instantText } from '#/platform/instants.ts'
import type { PaidOut, PaymentProvider } from '#/platform/payment-provider.ts'
import { refuse } from '#/platform/refuse.ts'
import {
  findPayout,
  headOf,
  keepParts,
  listPayouts,
  movesOfPayout,
  noteRead,
  type PayoutMoveRow,
  type PayoutRow,
  type PayoutScope,
  payoutsDue,
  putPayouts,
} from './store.ts'

const system = systemScope('read payouts of institutes')

/** Nobody is paid out for money that came longer ago. */
const paidSinceMs = 120 * dayMs
/** A bank may refuse a payout days after it was sent. */
const lookBackMs = 30 * dayMs
/** So long one reading is good for, unless a word says that something has changed. */
const againMs = 12 * hourMs

/** Their owner is told of each once. */
const recordRefused = (
  context: AppContext,
  transaction: Db,
  instituteId: string,
  rows: Awaited<ReturnType<typeof putPayouts>>,
): Promise<void> =>
  recordEvents(
    transaction,
    rows
      .filter(({ isRefusedSince }) => isRefusedSince)
      .map(({ id, amount, currency }) => ({
        kind: 'payout.refused',
        instituteId,
        subjectId: id,
        actor: { kind: 'system', job: 'read_payouts' },
        payload: { amount, currency },
        at: instantText(context.clock.now()),
      })),
  )

/** Reads what one institute was sent. What the parts of a payout are does not change once it is made. */
async function readOne(context: AppContext, provider: PaymentProvider, of: PaidOut, from: Instant): Promise<void> {
  const { database } = context
  const { instituteId, accountId } = of
  const written = { instituteId, provider: provider.name }
  const found = await provider.payouts(of, from)
  const rows = await inTransaction(database.db, async (transaction) => {
    const put = await putPayouts(transaction, system, { ...written, payouts: found })
    await recordRefused(context, transaction, instituteId, put)
    return put
  })
  for (const { id: payoutId, reference, isUnread } of rows) {
    if (!isUnread) continue
    const moves = await provider.payoutMoves(of, reference)
    await inTransaction(database.db, (transaction) => keepParts(transaction, system, { ...written, accountId, payoutId, moves }))
  }
}

/** Null where the provider does not say what waits there: what it said before stays, and payouts are no less read. */
const waitingAt = (context: AppContext, provider: PaymentProvider, of: PaidOut): Promise<Money[] | null> =>
  provider.waiting(of).catch((error: unknown) => {
    context.log.warn({ err: error, account: of.accountId }, 'what waits at the provider could not be read')
    return null
  })

/** @returns whether it could be read; that it could not is noted, and tried again later */
async function read(context: AppContext, provider: PaymentProvider, of: PaidOut): Promise<boolean> {
  const { clock, database, log } = context
  const now = clock.now()
  let failed: string | null = null
  await readOne(context, provider, of, now - lookBackMs).catch((error: unknown) => {
    log.warn({ err: error, account: of.accountId }, 'payouts could not be read')
    failed = String(error).slice(0, 300)
  })
  // After the payouts: what has just gone into one is not counted twice.
  const waiting = failed === null ? await waitingAt(context, provider, of) : null
  await noteRead(database.db, system, { instituteId: of.instituteId, provider: provider.name, now: new Date(now), failed, waiting })
  return failed === null
}

/** Those of every institute that was paid online, twice a day. */
export async function readPayouts(context: AppContext): Promise<void> {
  const { payments: provider, clock, database } = context
  if (!provider) return
  const now = clock.now()
  const asked = { provider: provider.name, paidSince: new Date(now - paidSinceMs), triedBefore: new Date(now - againMs) }
  for (const of of await payoutsDue(database.db, system, asked)) await read(context, provider, of)
}

/** A word says that a payout is made, there or refused. @throws where the provider does not answer, so that the word comes again */
export async function payoutHeard(context: AppContext, of: PaidOut): Promise<void> {
  const { payments: provider } = context
  if (provider && !(await read(context, provider, of))) throw new Error('payouts could not be read')
}

const feesOf = ({ providerFee, siteFee, tax }: Pick<PayoutRow, 'providerFee' | 'siteFee' | 'tax'>): PayoutFees => ({
  provider: providerFee,
  site: siteFee,
  tax,
})
function forWire(row: PayoutRow): Payout {
  const {
    id: _id,
    provider,
    amount,
    currency,
    state,
    problem,
    madeAt,
    arrivesOn,
    reference,
    parts,
    payments,
    refunds,
    disputes,
    other,
  } = row
  const sums = { payments, refunds, disputes, other }
  return { _id, provider, amount: { amount, currency }, state, problem, madeAt, arrivesOn, reference, parts, sums, fees: feesOf(row) }
}
const moveForWire = ({ kind, amount, at, said, saleId, client, ...fees }: PayoutMoveRow): PayoutMove => ({
  kind,
  amount,
  fees: feesOf(fees),
  at,
  said,
  saleId,
  client,
})

export async function payoutsOf(
  { database: { db }, payments }: AppContext,
  scope: PayoutScope,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<Answer<Calls['payouts']>> {
  const provider = payments?.name ?? null
  const { rows, total } = await listPayouts(db, scope, { limit: pageSize, offset: (page - 1) * pageSize })
  const { waiting, ...head } = await headOf(db, scope, provider)
  return { items: rows.map(forWire), page, pageSize, total, provider, ...head, waiting: waiting ?? [] }
}

/** @throws not_found for one of another institute */
async function payoutOf({ database: { db } }: AppContext, scope: PayoutScope, id: string): Promise<PayoutRow> {
  const row = await findPayout(db, scope, id)
  if (!row) throw refuse('not_found')
  return row
}

/** @throws not_found for one of another institute */
export async function readPayout(context: AppContext, scope: PayoutScope, id: string): Promise<Answer<Calls['payout']>> {
  const { db } = context.database
  const row = await payoutOf(context, scope, id)
  const { timeZone } = await headOf(db, scope, null)
  return { ...forWire(row), timeZone, moves: (await movesOfPayout(db, scope, id, mostPayoutMoves)).map(moveForWire) }
}

/** A payout with all its parts. @throws not_found for one of another institute */
export async function wholePayout(
  context: AppContext,
  scope: PayoutScope,
  id: string,
): Promise<{ payout: PayoutRow; moves: PayoutMoveRow[] }> {
  return { payout: await payoutOf(context, scope, id), moves: await movesOfPayout(context.database.db, scope, id, null) }
}
