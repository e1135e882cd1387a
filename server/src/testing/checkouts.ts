/** Checkouts as tests open them, pay them and give them up. */
import { abandonCheckout, type Checkout, openCheckout, type Settled, settleCheckout } from '#/features/checkout/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { payerOf } from './paying-process.ts'

type Process = { context: AppContext }
const by = systemScope('test')

export const openedCheckout = async ({ context }: Process, user: { id: string }, holdId: string, amount: number): Promise<Checkout> =>
  openCheckout(
    context,
    { scope: await payerOf(user.id), locale: 'en', idempotencyKey: null },
    { holdId, amount, paymentMethod: 'card', note: 'Paid online' },
  )

export const settledCheckout = ({ context }: Process, { id, instituteId }: Checkout, reference = 'pay_1'): Promise<Settled> =>
  changeInstitute(context, { instituteId, by }, (unit) => settleCheckout(unit, id, reference))

export const abandonedCheckout = ({ context }: Process, { id, instituteId }: Checkout): Promise<void> =>
  changeInstitute(context, { instituteId, by }, (unit) => abandonCheckout(unit, id, 'cancelled'))
