/** Asks providers what became of open pages: a word may be lost, and a server killed. */
import { minuteMs } from '@soigne/contract/time'
import { tellOfWaiver, type Waiver } from '#/features/fees/service.ts'
import { sendRefunds } from '#/features/payments/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { chargeFees } from './charging.ts'
import { pagesToAsk, type PageToAsk } from './page-store.ts'
import { settlePage } from './settling.ts'

const system = systemScope('ask what became of pages')

/** A word has this long to come by itself, unless the page was opened before this process began: then whoever was to hear it may have been killed. */
const patienceMs = minuteMs / 2
const atOnce = 200

/** A page whose time is over, or for which nobody waits any more, is closed. */
async function ask(context: AppContext, page: PageToAsk): Promise<void> {
  const { id, instituteId, accountId, provider, pageId, isOver, isLate } = page
  const payer = context.payments
  const last = isLate ? ('expired' as const) : ('cancelled' as const)
  if (pageId === null) {
    // It was never opened; whoever opens it is told that it is over.
    if (isOver) await changeInstitute(context, { instituteId, by: system }, (unit) => settlePage(unit, id, { state: last }))
    return
  }
  if (payer?.name !== provider) throw new Error(`nobody here asks ${provider}`)
  const became = await (isOver ? payer.closePage(pageId, accountId) : payer.pageState(pageId, accountId))
  const said = isOver && became.state !== 'paid' ? { state: last } : became
  if (said.state !== 'open') await changeInstitute(context, { instituteId, by: system }, (unit) => settlePage(unit, id, said))
}

export const checkoutJobs = (context: AppContext, beganAt = context.clock.now()): Jobs => ({
  async settle_checkouts() {
    const now = context.clock.now()
    const asked = { now: new Date(now), before: new Date(Math.max(now - patienceMs, beganAt - 1)), limit: atOnce }
    for (const page of await pagesToAsk(context.database.db, system, asked))
      await ask(context, page).catch((error: unknown) =>
        context.log.warn({ err: error, checkout: page.id }, 'a page could not be asked about'),
      )
  },
  send_refunds: () => sendRefunds(context),
  charge_fees: () => chargeFees(context),
  tell_of_waivers: (payload) => tellOfWaiver(context, payload as Waiver),
})
