/** Checkouts as tests open them, pay them and give them up. */
import { abandonCheckout, type Checkout, openCheckout, type Settled, settleCheckout } from '#/features/checkout/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { authoriser, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'

type Process = { context: AppContext }
const by = systemScope('test')

/** Who pays, as a request with a confirmed email has it. */
export async function payerOf(userId: string) {
  const authorise = authoriser({ levels: {}, operators: [] }, { institutesOf: async () => [], isOperator: async () => false })
  const scope = await authorise({ of: 'self', verified: true }, { userId, sessionId: userId, emailVerified: true }, null)
  if (scope.kind !== 'self' || !scope.verified) throw new Error('not the scope of a user')
  return scope as typeof scope & { verified: true }
}

export const openedCheckout = async ({ context }: Process, user: { id: string }, holdId: string, amount: number): Promise<Checkout> =>
  openCheckout(
    context,
    { scope: await payerOf(user.id), locale: 'en', idempotencyKey: null },
    { holdId, amount, paymentMethod: 'card', note: 'Paid online' },
  )

export const settledCheckout = ({ context }: Process, { id, instituteId }: Checkout, reference = 'pay_1'): Promise<Settled> =>
  changeInstitute(context, { instituteId, by }, (unit) => settleCheckout(unit, id, { reference }))

export const abandonedCheckout = (
  { context }: Process,
  { id, instituteId }: Checkout,
  why: 'cancelled' | 'failed' | 'expired' = 'cancelled',
): Promise<void> => changeInstitute(context, { instituteId, by }, (unit) => abandonCheckout(unit, id, why))
