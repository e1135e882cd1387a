/** The owner is told when the bank of a client takes money back, and when it has decided. */
import { sitePath } from '@soigne/contract/site-routes'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMail } from '#/features/mails/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { longDayText, moneyText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'
import { toldOf } from './store.ts'

const system = systemScope('tell of disputes')

type About = EventOf<'dispute.opened'> | EventOf<'dispute.ended'>

async function tell(context: AppContext, transaction: Db, { payload, instituteId }: About): Promise<void> {
  if (instituteId === null) return
  const told = await toldOf(transaction, system, payload.disputeId)
  if (!told) return
  const { locale, saleId, institute, client, ownerId, email, firstName, amount, currency, answerBy, timeZone } = told
  const day = answerBy === null ? null : longDayText(answerBy, timeZone, locale)
  const words = { amount: moneyText({ amount, currency }, locale), institute, client: client ?? translate(locale, 'mails', 'aClient') }
  const what = 'state' in payload ? (payload.state === 'won' ? 'disputeWon' : 'disputeLost') : 'dispute'
  const next =
    what === 'dispute'
      ? [day === null ? translate(locale, 'mails', 'disputeAnswer') : translate(locale, 'mails', 'disputeAnswerBy', { day })]
      : []
  await postMail(transaction, {
    dedupeKey: `${what}:${payload.disputeId}`,
    kind: what === 'dispute' ? 'payment_disputed' : 'dispute_decided',
    to: email,
    userId: ownerId,
    instituteId,
    content: {
      locale,
      name: firstName,
      subject: translate(locale, 'mails', `${what}Subject`, words),
      paragraphs: [translate(locale, 'mails', `${what}Intro`, words), ...next],
      action: {
        label: translate(locale, 'mails', saleId === null ? 'openSalon' : 'viewSale'),
        url: context.publicUrl() + (saleId === null ? sitePath('mySalon') : sitePath('sale', { id: saleId })),
      },
    },
  })
}

export const disputeReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'dispute letters',
    kinds: ['dispute.opened', 'dispute.ended'],
    react: (context, transaction, event) => tell(context, transaction, event as About),
  },
]
