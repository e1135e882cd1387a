/** The words of providers: each is heard once, in the transaction of what it changes, in whatever order they come. */
import { instituteOfRefund, type ProviderWord, refundHeard } from '#/features/payments/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { keepWord } from './page-store.ts'
import { settlePage } from './settling.ts'
import { findCheckout } from './store.ts'

const system = systemScope('hear what providers say')

/** @throws bad_input for a word about something that is not here */
export async function hearWord(context: AppContext, provider: string, word: ProviderWord): Promise<void> {
  const { db } = context.database
  const subjectId = word.kind === 'page' ? word.checkoutId : word.kind === 'refund' ? word.refundId : null
  const heard = { provider, subjectId, word, now: new Date(context.clock.now()) }
  if (word.kind === 'other') return void (await keepWord(db, heard))
  const instituteId =
    word.kind === 'page' ? (await findCheckout(db, system, word.checkoutId))?.instituteId : await instituteOfRefund(context, word.refundId)
  if (!instituteId) throw refuse('bad_input')
  await changeInstitute(context, { instituteId, by: system }, async (unit) => {
    if (!(await keepWord(unit.db, heard))) return unit.nothingChanged()
    if (word.kind === 'page') await settlePage(unit, word.checkoutId, word.page)
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
