/** A few institutes of the demo have sold a gift card and a package, and one session of it was used: by the steps of the till, so that their books know it. */
import type { ServicePackage } from '@soigne/contract/vouchers'
import { sellOverCounter } from '#/features/till/service.ts'
import { addPackage, packagesOf } from '#/features/vouchers/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Place, placesOfDemo } from './demo-voucher-store.ts'

const system = systemScope('sell vouchers of the demo')
const institutes = 4
const packageNames = { en: 'Five visits', fr: 'Cinq visites' }

async function sellAt(context: AppContext, place: Place): Promise<void> {
  const { id, locale, customerId, serviceId, price } = place
  const scope = system.institute(id)
  const who = { scope, locale, idempotencyKey: null }
  const amount = price * 2
  const at = { tips: [], customerId }
  await sellOverCounter(context, who, {
    ...at,
    lines: [{ giftCard: true, quantity: 1, amount }],
    payments: [{ method: 'terminal', amount }],
  })
  // Five for the price of four.
  const made: ServicePackage = await addPackage(
    context,
    scope,
    { name: packageNames[locale], sessions: 5, months: 12, price: price * 4, serviceIds: [serviceId] },
    locale,
  )
  const payments = [{ method: 'terminal' as const, amount: price * 4 }]
  await sellOverCounter(context, who, { ...at, lines: [{ packageId: made._id, quantity: 1 }], payments })
  const [held] = (await packagesOf(context, scope, customerId, locale)).items
  if (held) await sellOverCounter(context, who, { ...at, lines: [{ serviceId, fromPackage: held._id, quantity: 1 }], payments: [] })
}

export async function sellDemoVouchers(context: AppContext): Promise<void> {
  for (const place of await placesOfDemo(context.database.db, system, institutes)) await sellAt(context, place)
}
