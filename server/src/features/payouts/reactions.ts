/** The owner is told when their bank has refused a payout: the money waits at the provider until its details are right. */
import { sitePath } from '@soigne/contract/site-routes'
import type { EventKind } from '#/event-kinds.ts'
import { postMail } from '#/features/mails/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { SpineEvent } from '#/platform/events.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { moneyText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'
import { toldOf } from './store.ts'

const system = systemScope('tell of refused payouts')

async function tell(context: AppContext, transaction: Db, { subjectId, instituteId }: SpineEvent): Promise<void> {
  if (instituteId === null || subjectId === null) return
  const told = await toldOf(transaction, system, subjectId)
  // Sent anew by the provider before anybody was told.
  if (!told || told.state !== 'failed') return
  const { locale, institute, ownerId, email, firstName, amount, currency, problem, provider } = told
  const words = { amount: moneyText({ amount, currency }, locale), institute }
  const say = (key: 'payoutRefusedSubject' | 'payoutRefusedIntro' | 'payoutKept' | 'payoutPutRight' | 'payoutPutRightStripe'): string =>
    translate(locale, 'mails', key, words)
  await postMail(transaction, {
    dedupeKey: `payout_refused:${subjectId}`,
    kind: 'payout_refused',
    to: email,
    userId: ownerId,
    instituteId,
    content: {
      locale,
      name: firstName,
      subject: say('payoutRefusedSubject'),
      paragraphs: [
        `${say('payoutRefusedIntro')} ${translate(locale, 'mails', `payoutProblem_${problem ?? 'unknown'}`)}`,
        say('payoutKept'),
        say(provider === 'stripe' ? 'payoutPutRightStripe' : 'payoutPutRight'),
      ],
      action: { label: translate(locale, 'mails', 'viewPayout'), url: `${context.publicUrl()}${sitePath('payouts')}?payout=${subjectId}` },
    },
  })
}

export const payoutReactions: AfterCommit<AppContext, EventKind>[] = [{ name: 'payout letters', kinds: ['payout.refused'], react: tell }]
