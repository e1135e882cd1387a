/** Whoever an invoice or a credit note was issued for is sent it as a PDF, by one letter, where an address of theirs is known. */
import { sitePath } from '@soigne/contract/site-routes'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { numberText } from '#/features/ledger/service.ts'
import { postMail } from '#/features/mails/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { moneyText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'
import { print } from './printing.ts'
import { receiptOf } from './receipt-store.ts'

const system = systemScope('send invoices')

async function sendDocument(context: AppContext, transaction: Db, event: EventOf<'document.issued'>): Promise<void> {
  const { instituteId, subjectId: id, payload } = event
  if (instituteId === null || id === null) return
  const scope = system.institute(instituteId)
  const receipt = await receiptOf(transaction, scope, id)
  if (!receipt || receipt.email === null) return
  const { locale, kind, saleId, visitId, userId, firstName, institute } = receipt
  const number = numberText(receipt)
  const words = { number, institute, amount: moneyText({ ...payload, amount: Math.abs(payload.amount) }, locale) }
  const pdf = await print(transaction, { scope, instituteId }, { id: saleId, document: id }, locale)
  await postMail(transaction, {
    dedupeKey: `document:${id}`,
    kind,
    to: receipt.email,
    userId,
    instituteId,
    content: {
      locale,
      name: firstName,
      subject: translate(locale, 'mails', kind === 'invoice' ? 'invoiceSubject' : 'creditNoteSubject', words),
      paragraphs: [translate(locale, 'mails', kind === 'invoice' ? 'invoiceIntro' : 'creditNoteIntro', words)],
      ...(visitId !== null &&
        userId !== null && {
          action: {
            label: translate(locale, 'mails', 'viewVisit'),
            url: context.publicUrl() + sitePath('appointment', { id: visitId }),
          },
        }),
    },
    attachments: [
      { filename: `${number}.pdf`, contentType: 'application/pdf', content: Buffer.from(pdf).toString('base64'), encoding: 'base64' },
    ],
  })
}

export const saleReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'document letters',
    kinds: ['document.issued'],
    react: (context, transaction, event) => sendDocument(context, transaction, event as EventOf<'document.issued'>),
  },
]
