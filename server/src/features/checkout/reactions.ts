/**
 * Whoever paid too late is told by one letter that all of it goes back. What a cancelled visit gives back stands in the letter of that. Where a provider
 * refuses to give money back, the owner is told, once.
 */
import { sitePath } from '@soigne/contract/site-routes'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMail } from '#/features/mails/service.ts'
import { recipientsOf } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { moneyText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'
import { payerOfRefund, refusedRefundOf } from './page-store.ts'

const system = systemScope('tell whose payment goes back')

async function tellOfReturn(context: AppContext, transaction: Db, { payload, instituteId }: EventOf<'refund.made'>): Promise<void> {
  if (instituteId === null || payload.reason !== 'late_payment') return
  const payer = await payerOfRefund(transaction, system, payload.refundId)
  const person =
    payer && (await recipientsOf(transaction, [system.institute(instituteId)], [payer.userId]))(payer.userId, instituteId)?.person
  if (!person) return
  const { locale } = person
  const words = { amount: moneyText(payload, locale), institute: payer.institute }
  await postMail(transaction, {
    dedupeKey: `refund:${payload.refundId}`,
    kind: 'payment_returned',
    to: person.email,
    userId: person.id,
    instituteId,
    content: {
      locale,
      name: person.firstName,
      subject: translate(locale, 'mails', 'paymentReturnedSubject', words),
      paragraphs: [translate(locale, 'mails', 'paymentReturnedIntro', words)],
      facts: [],
      action: { label: translate(locale, 'mails', 'viewVisits'), url: context.publicUrl() + sitePath('appointments') },
      notes: [translate(locale, 'mails', 'paymentReturnedNote')],
    },
  })
}

async function tellOfRefusal(context: AppContext, transaction: Db, { payload, instituteId }: EventOf<'refund.ended'>): Promise<void> {
  if (instituteId === null || payload.state !== 'failed') return
  const refused = await refusedRefundOf(transaction, system, payload.refundId)
  if (!refused) return
  const { locale, saleId, institute, client, ownerId, email, firstName, amount, currency, why } = refused
  const words = { amount: moneyText({ amount, currency }, locale), institute, client: client ?? translate(locale, 'mails', 'aClient') }
  await postMail(transaction, {
    dedupeKey: `refund_refused:${payload.refundId}`,
    kind: 'refund_refused',
    to: email,
    userId: ownerId,
    instituteId,
    content: {
      locale,
      name: firstName,
      subject: translate(locale, 'mails', 'refundRefusedSubject', words),
      paragraphs: [
        translate(locale, 'mails', 'refundRefusedIntro', words),
        translate(locale, 'mails', why === 'disconnected' ? 'refundDisconnectedNext' : 'refundRefusedNext'),
      ],
      action: {
        label: translate(locale, 'mails', saleId === null ? 'openSalon' : 'viewSale'),
        url: context.publicUrl() + (saleId === null ? sitePath('mySalon') : sitePath('sale', { id: saleId })),
      },
    },
  })
}

export const checkoutReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'payment letters',
    kinds: ['refund.made'],
    react: (context, transaction, event) => tellOfReturn(context, transaction, event as EventOf<'refund.made'>),
  },
  {
    name: 'refused refund letters',
    kinds: ['refund.ended'],
    react: (context, transaction, event) => tellOfRefusal(context, transaction, event as EventOf<'refund.ended'>),
  },
]
