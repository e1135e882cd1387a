/**
 * Accounts of institutes at the provider of payments: docs/decisions/104. What one can do is what the provider answers when it is asked, never what a word says.
 */
import type { PaymentAccountState } from '@soigne/contract/payment-accounts'
import { sitePath } from '@soigne/contract/site-routes'
import { hourMs } from '@soigne/contract/time'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { parseInstant } from '#/platform/instants.ts'
import type { PaymentAccounts } from '#/platform/payment-provider.ts'
import { RefusalError, refuse } from '#/platform/refuse.ts'
import {
  accountsDue,
  type AccountRow,
  beginAccount,
  countryOf,
  findAccount,
  findNamed,
  nameAccount,
  noteFacts,
  noteTried,
  removeAccount,
} from './store.ts'

const system = systemScope('read accounts of institutes')

function stateOf(row: AccountRow | null): PaymentAccountState {
  if (row?.accountId == null) return 'none'
  if (!row.takesPayments) return 'incomplete'
  return row.paysOut ? 'ready' : 'payouts_stopped'
}

/** As it was read last. */
export const accountStateOf = async (db: Db, scope: InstituteScope<'institute.change'>): Promise<PaymentAccountState> =>
  stateOf(await findAccount(db, scope))

/** @throws account_unavailable where institutes need none */
function accountsOf({ payments }: AppContext): PaymentAccounts {
  if (!payments?.accounts) throw refuse('account_unavailable')
  return payments.accounts
}

/** @throws account_unavailable also when the provider does not answer, or refuses */
async function ask<Answer>(context: AppContext, asking: (accounts: PaymentAccounts) => Promise<Answer>): Promise<Answer> {
  const accounts = accountsOf(context)
  try {
    return await asking(accounts)
  } catch (error) {
    context.log.warn({ err: error }, 'an account of an institute could not be asked about')
    throw refuse('account_unavailable')
  }
}

type Asked = Pick<AccountRow, 'instituteId'> & { accountId: string }
/** Asks what it can do now, and keeps the answer unless a later question was answered before. One that is gone is no account any more. */
async function readAgain(context: AppContext, { instituteId, accountId }: Asked): Promise<void> {
  const readAt = context.clock.now()
  const facts = await ask(context, (accounts) => accounts.read(accountId))
  await changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const before = await findNamed(unit.db, system, accountId)
    const isOld = before?.readAt != null && parseInstant(before.readAt) > readAt
    const isWritten = isOld
      ? false
      : facts === null
        ? await removeAccount(unit, accountId)
        : await noteFacts(unit, { accountId, ...facts, readAt: new Date(readAt) })
    const isSame = facts !== null && before?.takesPayments === facts.takesPayments && before.paysOut === facts.paysOut
    if (isWritten && !isSame) unit.record('institute.changed', null, { what: 'payment_account' })
    else unit.nothingChanged()
  })
}

/** Where its owner tells the provider what it has to know; its account is made where there is none. @throws account_unavailable */
export async function connectAccount(context: AppContext, scope: InstituteScope<'payments.connect'>): Promise<{ url: string }> {
  const { instituteId } = scope
  accountsOf(context)
  const countryCode = await countryOf(context.database.db, scope)
  const { id, accountId } = await changeInstitute(context, { instituteId, by: scope }, async (unit) => {
    // Nobody sees it before its provider has named it.
    unit.nothingChanged()
    return beginAccount(unit)
  })
  // Under its own id, so that it is one account, however often it is asked for; the next one after it is another.
  const named = accountId ?? (await ask(context, (accounts) => accounts.make({ instituteId, countryCode }, `account:${id}`)))
  if (accountId === null)
    await changeInstitute(context, { instituteId, by: scope }, async (unit) => {
      if (await nameAccount(unit, { id, accountId: named })) unit.record('institute.changed', null, { what: 'payment_account' })
      else unit.nothingChanged()
    })
  const back = new URL(sitePath('instituteSettingsPart', { part: 'payments' }), context.publicUrl())
  back.searchParams.set('account', 'asked')
  return { url: await ask(context, (accounts) => accounts.onboardingUrl(named, back.href)) }
}

/** What the account can do now, asked of its provider. @throws account_unavailable */
export async function readAccount(context: AppContext, scope: InstituteScope<'institute.change'>): Promise<{ state: PaymentAccountState }> {
  const { db } = context.database
  const row = await findAccount(db, scope)
  if (row?.accountId != null) await readAgain(context, { instituteId: row.instituteId, accountId: row.accountId })
  return { state: await accountStateOf(db, scope) }
}

/** A word says that something is different there. One that is of nobody here changes nothing. */
export async function accountHeard(context: AppContext, accountId: string): Promise<void> {
  const row = await findNamed(context.database.db, system, accountId)
  if (row) await readAgain(context, { instituteId: row.instituteId, accountId })
}

/** How long an answer is good without a word. */
const againMs = 12 * hourMs

/** Asks about each account that nobody asked about lately, since a word may be lost. One that does not answer keeps none of the others from it. */
export async function readAccounts(context: AppContext): Promise<void> {
  const { payments, database, clock } = context
  if (!payments?.accounts) return
  for (const { id, ...account } of await accountsDue(database.db, system, new Date(clock.now() - againMs))) {
    await noteTried(database.db, system, { id, now: new Date(clock.now()) })
    // Why not is in the log.
    await readAgain(context, account).catch((error: unknown) => {
      if (!(error instanceof RefusalError)) throw error
    })
  }
}

/** Whose account it is; null for one of nobody here. */
export const instituteOfAccount = async ({ database }: AppContext, accountId: string): Promise<string | null> =>
  (await findNamed(database.db, system, accountId))?.instituteId ?? null
