/** When the last day of a gift card or a package is over, what is left of it is the institute's; once, however often this runs. */
import { minuteOf } from '@soigne/contract/time'
import { addDays } from '@soigne/scheduling/days'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { cardExpired, packageExpired, postFor } from '#/features/ledger/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { utcDayOf } from '#/platform/instants.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { cardsBefore, insertCardMove, lockGiftCards } from './gift-card-store.ts'
import { insertPackageMove, lockClientPackages, packagesBefore } from './package-store.ts'

const system = systemScope('end gift cards and packages')
const atOnce = 200

interface Over {
  id: string
  instituteId: string
}
const endCard = (context: AppContext, { id, instituteId }: Over): Promise<void> =>
  changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const [card] = await lockGiftCards(unit, [id])
    if (!card || card.left === 0) return unit.nothingChanged()
    const { saleId, currency, left } = card
    await insertCardMove(unit, { giftCardId: id, kind: 'expired', amount: -left, saleId })
    await postFor(unit, saleId, currency, cardExpired(left))
    unit.record('voucher.expired', saleId, { amount: left, currency })
  })

const endPackage = (context: AppContext, { id, instituteId }: Over): Promise<void> =>
  changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const [held] = await lockClientPackages(unit, [id])
    if (!held || held.left === 0) return unit.nothingChanged()
    const { saleId, currency, left, leftAmount: amount, leftVat: vat } = held
    await insertPackageMove(unit, {
      clientPackageId: id,
      kind: 'expired',
      sessions: -left,
      amount: -amount,
      vat: -vat,
      saleId,
      lineId: null,
    })
    await postFor(unit, saleId, currency, packageExpired(amount - vat))
    unit.record('voucher.expired', saleId, { amount, currency })
  })

export const voucherJobs = (context: AppContext): Jobs => ({
  async end_vouchers() {
    const now = context.clock.now()
    // It may be tomorrow there already.
    const asked = { day: addDays(utcDayOf(now), 1), limit: atOnce }
    for (const card of await cardsBefore(context.database.db, system, asked))
      if (card.validUntil < dayOf(card.timeZone, minuteOf(now))) await endCard(context, card)
    for (const held of await packagesBefore(context.database.db, system, asked))
      if (held.validUntil < dayOf(held.timeZone, minuteOf(now))) await endPackage(context, held)
  },
})
