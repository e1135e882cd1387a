/** The page of a checkout, opened at its provider: work beyond the database, so that it is one page however often it is asked for and whoever is killed. */
import type { Appointment } from '@soigne/contract/appointments'
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import type { Requester } from '#/features/booking/service.ts'
import type { PageOrder } from '#/features/payments/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { appointmentForWire, findShown } from '#/features/visits/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { doBeyond, type WorkBeyond } from '#/platform/claimed-keys.ts'
import { parseInstant } from '#/platform/instants.ts'
import { RefusalError, refuse } from '#/platform/refuse.ts'
import { longDayText, timeText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'
import { type PageFacts, pageFacts, setPage } from './page-store.ts'
import { abandonCheckout } from './settling.ts'
import { type Checkout, freeKey, lockCheckout } from './store.ts'

/** Pages are opened for whoever asked, and also when their request was broken off. */
const system = systemScope('open pages to pay on')

/** Where it leads back: a path of this site, with which checkout it was. */
function returnUrl(context: AppContext, { id, returnTo, kind, visitId }: PageFacts): string {
  const back = kind === 'hold' ? sitePath('appointments') : sitePath('appointment', { id: visitId })
  const url = new URL(returnTo ?? back, context.publicUrl())
  url.searchParams.set('payment', id)
  return url.href
}

/** What a page says that it is paid for. */
export function describedVisit(
  { institute, startsAt, timeZone }: Pick<PageFacts, 'institute' | 'startsAt' | 'timeZone'>,
  locale: Locale,
): string {
  const when =
    startsAt &&
    translate(locale, 'mails', 'dayAndTime', { day: longDayText(startsAt, timeZone, locale), time: timeText(startsAt, timeZone) })
  return [institute, ...(when ? [when] : [])].join(' · ')
}

function orderOf(context: AppContext, facts: PageFacts): PageOrder {
  const { id, instituteId, accountId, amount, currency, method, email, until, keepsCard } = facts
  const locale = facts.locale ?? 'en'
  return {
    checkoutId: id,
    instituteId,
    accountId,
    amount,
    currency,
    method,
    description: describedVisit(facts, locale),
    email,
    locale,
    returnUrl: returnUrl(context, facts),
    until: parseInstant(until),
    keepsCard,
  }
}

interface Request {
  checkoutId: string
}
interface Opened {
  url: string
  /** As it is answered; null of a visit whose rest or fee is paid. */
  appointment: Appointment | null
}
type Found = { provider: string; pageId: string; url: string }

/** The page of a checkout under its id: who asked, or the job, finishes it, and it is one page. */
export const openingPages = (context: AppContext): WorkBeyond<Request, Found, Opened | null> => ({
  kind: 'payment_page',
  async beyond({ checkoutId }, key) {
    const facts = await pageFacts(context.database.db, system, checkoutId)
    const provider = context.payments
    if (!provider || facts?.state !== 'open') throw refuse('payment_unavailable')
    try {
      return { provider: provider.name, ...(await provider.openPage(orderOf(context, facts), key)) }
    } catch (error) {
      context.log.warn({ err: error, checkout: checkoutId }, 'a page to pay on could not be opened')
      throw refuse('payment_unavailable')
    }
  },
  async effect(transaction, { checkoutId }, found) {
    await setPage(transaction, system, { id: checkoutId, ...found })
    const { url } = found
    const facts = await pageFacts(transaction, system, checkoutId)
    if (facts?.userId === undefined || facts.userId === null) return null
    if (facts.kind !== 'hold') return { url, appointment: null }
    const shown = await findShown(transaction, system.user(facts.userId), facts.visitId)
    if (!shown) return null
    const row = { ...shown.row, life: 'booked' as const, payment: 'none' as const, expiresAt: null, paymentMethod: facts.method }
    const appointment = appointmentForWire(row, shown.segments, facts.locale ?? 'en', context.clock.now())
    return { url, appointment: { ...appointment, payAtSalon: false, payment: { url } } }
  },
})

/** Nothing was opened: the hold goes on as it was. */
const undo = (context: AppContext, { id, instituteId }: Checkout): Promise<void> =>
  changeInstitute(context, { instituteId, by: system }, async (unit) => {
    const checkout = await lockCheckout(unit, id)
    if (checkout?.state !== 'open' || checkout.pageId !== null) return unit.nothingChanged()
    await freeKey(unit, id)
    await abandonCheckout(unit, id, 'failed')
  })

/** @throws payment_unavailable when the provider does not answer; nothing was taken, and the hold goes on */
export async function openPage(context: AppContext, { scope }: Requester<SelfScope<true>>, checkout: Checkout): Promise<Opened> {
  const asked = { userId: scope.userId, key: `checkout:${checkout.id}`, request: { checkoutId: checkout.id } }
  try {
    const opened = await doBeyond(context.database.db, openingPages(context), asked, context.patienceMs)
    if (!opened) throw refuse('payment_unavailable')
    return opened
  } catch (error) {
    if (error instanceof RefusalError && error.code === 'payment_unavailable') await undo(context, checkout)
    throw error
  }
}
