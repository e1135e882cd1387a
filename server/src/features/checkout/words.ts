/** The words of providers: each is heard once, in the transaction of what it changes, in whatever order they come. */
import { disputeHeard, findPayment } from '#/features/disputes/service.ts'
import { accountHeard, instituteOfAccount } from '#/features/payment-accounts/service.ts'
import { instituteOfRefund, type PageState, type ProviderWord, refundHeard } from '#/features/payments/service.ts'
import { payoutHeard } from '#/features/payouts/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { keepWord } from './page-store.ts'
import { settleCharge, settlePage } from './settling.ts'
import { type Checkout, findCheckout } from './store.ts'

const system = systemScope('hear what providers say')

/** Some words say that it was paid and not with which card: that is asked for. */
async function withCard({ payments }: AppContext, page: PageState, checkout: Checkout | null): Promise<PageState> {
  const pageId = checkout?.keepsCard && checkout.state === 'open' && page.state === 'paid' && !page.card ? checkout.pageId : null
  return pageId === null || !payments ? page : payments.pageState(pageId, checkout?.accountId ?? null)
}

/** One about a payment of somebody else is kept, and changes nothing: an institute uses its account for other things too. */
async function hearDispute(
  context: AppContext,
  provider: string,
  word: Extract<ProviderWord, { kind: 'dispute' }>,
  heard: Parameters<typeof keepWord>[1],
): Promise<void> {
  const { reference, accountId } = word
  const payment = await findPayment(context.database.db, system, { provider, reference, accountId })
  if (!payment) return void (await keepWord(context.database.db, heard))
  await changeInstitute(context, { instituteId: payment.instituteId, by: system }, async (unit) => {
    if (await keepWord(unit.db, { ...heard, subjectId: payment.checkoutId })) await disputeHeard(unit, provider, payment, word)
    else unit.nothingChanged()
  })
}

/** What it is now is asked for, so such a word may come twice and late; one about an account of nobody here changes nothing. */
async function hearAsking(context: AppContext, word: Extract<ProviderWord, { kind: 'account' | 'payout' | 'other' }>): Promise<void> {
  if (word.kind === 'account') await accountHeard(context, word.accountId)
  if (word.kind !== 'payout') return
  const { accountId } = word
  const instituteId = await instituteOfAccount(context, accountId)
  if (instituteId !== null) await payoutHeard(context, { instituteId, accountId })
}

/** @throws bad_input for a word about something that is not here */
export async function hearWord(context: AppContext, provider: string, word: ProviderWord): Promise<void> {
  const { db } = context.database
  const subjectId = word.kind === 'page' || word.kind === 'charge' ? word.checkoutId : word.kind === 'refund' ? word.refundId : null
  const heard = { provider, subjectId, word, now: new Date(context.clock.now()) }
  if (word.kind === 'other' || word.kind === 'account' || word.kind === 'payout') {
    await hearAsking(context, word)
    return void (await keepWord(db, heard))
  }
  if (word.kind === 'dispute') return hearDispute(context, provider, word, heard)
  const checkout = word.kind === 'refund' ? null : await findCheckout(db, system, word.checkoutId)
  const instituteId = word.kind === 'refund' ? await instituteOfRefund(context, word.refundId) : checkout?.instituteId
  if (!instituteId) throw refuse('bad_input')
  const page = word.kind === 'page' ? await withCard(context, word.page, checkout) : null
  await changeInstitute(context, { instituteId, by: system }, async (unit) => {
    if (!(await keepWord(unit.db, heard))) return unit.nothingChanged()
    if (word.kind === 'page') await settlePage(unit, word.checkoutId, page ?? word.page)
    else if (word.kind === 'charge') await settleCharge(unit, word.checkoutId, word.charge)
    else await refundHeard(unit, word)
  })
}

/** A word as it came. @throws bad_input when it is forged, stale, foreign or nothing it could be */
export async function hearBytes(
  context: AppContext,
  name: string,
  { bytes, headers }: { bytes: Uint8Array; headers: Readonly<Record<string, string | string[] | undefined>> },
): Promise<void> {
  const provider = context.payments
  if (provider?.name !== name) throw refuse('bad_input')
  let word: ProviderWord
  try {
    word = provider.readWord(bytes, headers, context.clock.now())
  } catch {
    throw refuse('bad_input')
  }
  await hearWord(context, name, word)
}
