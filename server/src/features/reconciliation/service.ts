/** Compares each night what a provider moved with what stands here, puts right what it can, and keeps the rest with its reason. */
import { hourMs, dayMs } from '@soigne/contract/time'
import { findCheckout, settlePage } from '#/features/checkout/service.ts'
import { type PaymentProvider, type ProviderMove, refundHeard } from '#/features/payments/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inTransaction } from '#/platform/database.ts'
import { instantText } from '#/platform/instants.ts'
import { compare, type Compared, type Difference } from './comparing.ts'
import {
  accountsDue,
  endDifferences,
  noteLook,
  type OpenDifference,
  openDifferences,
  ourPayments,
  ourRefunds,
  putDifferences,
  type Stretch,
} from './store.ts'

const system = systemScope('compare with what providers moved')

/** So far back a night looks: what a provider did late is found by the next. */
const lookBackMs = 3 * dayMs
/** What was asked for since may still be on its way. */
const restMs = 2 * hourMs
/** Hours of the day, in UTC, from which on a night is looked at. */
const nightHour = 3

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const namesOf = (moves: readonly ProviderMove[]) => ({
  references: [...new Set(moves.flatMap(({ reference, paymentReference }) => [reference, paymentReference]))],
  ids: moves.flatMap(({ ownId }) => (ownId !== null && uuid.test(ownId) ? [ownId] : [])),
})

async function compareWith({ database }: AppContext, stretch: Stretch, moves: readonly ProviderMove[]): Promise<Compared> {
  const asked = { ...stretch, ...namesOf(moves) }
  return compare(moves, await ourPayments(database.db, system, asked), await ourRefunds(database.db, system, asked))
}

/** What a provider did and this site was not told, or was and lost it: as if its word came now. */
async function heal(context: AppContext, provider: PaymentProvider, { accountId }: Stretch, difference: Difference): Promise<void> {
  const { kind, checkoutId, refundId, instituteId, reference, theirs: amount, currency } = difference
  if (kind === 'unheard_refund' && refundId !== null) {
    await changeInstitute(context, { instituteId, by: system }, async (unit) => {
      if (!(await refundHeard(unit, { refundId, state: 'done', reference }))) unit.nothingChanged()
    })
    return
  }
  const checkout = await findCheckout(context.database.db, system, checkoutId)
  if (!checkout) return
  const { pageId } = checkout
  // A page knows which card was kept.
  const page = pageId === null ? ({ state: 'paid', reference, amount, currency } as const) : await provider.pageState(pageId, accountId)
  await changeInstitute(context, { instituteId, by: system }, (unit) => settlePage(unit, checkoutId, page))
}

const isUnheard = ({ kind }: Difference): boolean => kind === 'unheard_payment' || kind === 'unheard_refund'

/** One account. What is unheard is put right and then compared again: what is left is what it is. */
async function reconcile(context: AppContext, provider: PaymentProvider, stretch: Stretch): Promise<Compared> {
  const { accountId, from, until } = stretch
  const { log, database, clock } = context
  // What was asked for at the end is paid after it.
  const moves = await provider.moves(accountId, from.getTime(), until.getTime() + restMs)
  const first = await compareWith(context, stretch, moves)
  const unheard = first.differences.filter(isUnheard)
  for (const one of unheard)
    await heal(context, provider, stretch, one).catch((error: unknown) =>
      log.error({ err: error, checkout: one.checkoutId }, 'money that was not heard of could not be put right'),
    )
  const now = unheard.length === 0 ? first : await compareWith(context, stretch, moves)
  await inTransaction(database.db, async (transaction) => {
    const found = {
      ...stretch,
      differences: now.differences,
      healed: unheard.map(({ reference }) => reference),
      now: new Date(clock.now()),
    }
    // Those that are healed stand there too, so that it is known that they were.
    await putDifferences(transaction, system, { ...found, differences: unheard })
    await putDifferences(transaction, system, found)
    await endDifferences(transaction, system, found)
  })
  return now
}

/** Every account on which something was asked for, once a day; what failed for one is looked at again the next night. */
export async function reconcileNight(context: AppContext): Promise<void> {
  const { payments: provider, clock, log, database } = context
  const now = clock.now()
  if (!provider || new Date(now).getUTCHours() < nightHour) return
  const day = instantText(now).slice(0, 10)
  const [from, until] = [new Date(now - lookBackMs), new Date(now - restMs)]
  for (const accountId of await accountsDue(database.db, system, { provider: provider.name, day, from })) {
    const stretch = { provider: provider.name, accountId, from, until }
    const nothing = { payments: 0, refunds: 0, foreign: 0, differences: [] }
    let failed: string | null = null
    const found = await reconcile(context, provider, stretch).catch((error: unknown) => {
      log.error({ err: error, account: accountId }, 'money could not be compared with its provider')
      failed = String(error).slice(0, 300)
      return nothing
    })
    const { differences, ...counts } = found
    if (differences.length > 0) log.warn({ account: accountId, differences }, 'a provider moved other money than stands here')
    await noteLook(database.db, system, { ...stretch, ...counts, differences: differences.length, day, failed, now: new Date(now) })
  }
}

export type { OpenDifference }
export const differencesLeft = ({ database }: Pick<AppContext, 'database'>, limit: number): Promise<OpenDifference[]> =>
  openDifferences(database.db, system, limit)
