/** Sends money back: asked of the provider under the id of the refund, so that it goes once, however often it is asked. */
import type { RefundRefusal } from '@soigne/contract/wire'
import { minuteMs } from '@soigne/contract/time'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { claimRefunds, findRefund, noteRefund, type RefundToSend } from './refund-store.ts'

const system = systemScope('send money back')

/** Longer than a provider can take with all its time-outs. */
const leaseMs = minuteMs
const atOnce = 20

interface Said {
  id: string
  visitId: string
  state: 'waiting' | 'done' | 'failed'
  reference: string | null
  why?: RefundRefusal | null
}
/** What a provider says of a refund, as often and as late as it likes. */
async function note(unit: Unit, { id, visitId, state, reference, why = null }: Said): Promise<void> {
  if (await noteRefund(unit, { id, state, reference, why })) unit.record('refund.ended', visitId, { refundId: id, state })
  else unit.nothingChanged()
}

/** By a word of its provider. False for a refund nobody knows. */
export async function refundHeard(
  unit: Unit,
  word: { refundId: string; state: 'done' | 'failed'; reference?: string; why?: RefundRefusal | null },
): Promise<boolean> {
  const { refundId: id, state, reference = null, why = null } = word
  const refund = await findRefund(unit.db, system, id)
  if (refund?.instituteId !== unit.instituteId) return false
  await note(unit, { id, visitId: refund.visitId, state, reference, why })
  return true
}
export const instituteOfRefund = async ({ database }: AppContext, id: string): Promise<string | null> =>
  (await findRefund(database.db, system, id))?.instituteId ?? null

async function sendOne(context: AppContext, refund: RefundToSend): Promise<void> {
  const { id, instituteId, accountId, amount, currency, provider, reference, refusals } = refund
  const payer = context.payments
  if (payer?.name !== provider || reference === null) throw new Error(`nobody here gives back what ${provider} took`)
  // Under the key of a try that was refused it would be refused again, unasked.
  const key = refusals === 0 ? id : `${id} ${refusals}`
  const answer = await payer.refund({ refundId: id, accountId, reference, amount, currency }, key)
  await changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const found = await findRefund(unit.db, system, id)
    await note(unit, { id, visitId: found?.visitId ?? id, ...answer })
  })
}

/** Sends all that waits. What fails is tried again by the next run, under the same key. */
export async function sendRefunds(context: AppContext): Promise<void> {
  for (;;) {
    const claimed = await claimRefunds(context.database.db, system, { leaseMs, limit: atOnce })
    for (const refund of claimed)
      await sendOne(context, refund).catch((error: unknown) =>
        context.log.error({ err: error, refund: refund.id }, 'money could not be sent back'),
      )
    if (claimed.length < atOnce) return
  }
}
