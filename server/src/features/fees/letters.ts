/** What the client is told of a fee: that it will be charged and when, that it was, what to do where it could not be, and that nothing is charged after all. */
import { undoSeconds } from '@soigne/contract/diary'
import { sitePath } from '@soigne/contract/site-routes'
import type { Locale } from '@soigne/contract/wire'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMail } from '#/features/mails/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { recipientsOf } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { addJob } from '#/platform/jobs.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { listText, longDayText, moneyText, timeText } from '#/texts/formats.ts'
import { type SentenceKey, translate } from '#/texts/translate.ts'
import { type FeeOfLetter, feeOfLetter, lockFee } from './store.ts'

const system = systemScope('write letters about fees')

type Mail = SentenceKey<'mails'>
type Story = 'late_cancel' | 'no_show' | 'by_session' | EventOf<'fee.ended'>['payload']['state']
const sentences: Record<Story, { kind: string; subject: Mail; intro: Mail; note: Mail | null; action: Mail }> = {
  late_cancel: { kind: 'fee_due', subject: 'feeDueSubject', intro: 'feeDueLateIntro', note: 'feeDueNote', action: 'viewVisit' },
  no_show: { kind: 'fee_due', subject: 'feeDueSubject', intro: 'feeDueMissedIntro', note: 'feeDueNote', action: 'viewVisit' },
  charged: { kind: 'fee_charged', subject: 'feeChargedSubject', intro: 'feeChargedIntro', note: null, action: 'viewVisit' },
  asked: { kind: 'fee_asked', subject: 'feeAskedSubject', intro: 'feeAskedIntro', note: null, action: 'feePay' },
  unpaid: { kind: 'fee_unpaid', subject: 'feeUnpaidSubject', intro: 'feeUnpaidIntro', note: null, action: 'feePay' },
  waived: { kind: 'fee_waived', subject: 'feeWaivedSubject', intro: 'feeWaivedIntro', note: null, action: 'viewVisit' },
  by_session: { kind: 'fee_waived', subject: 'feeWaivedSubject', intro: 'feeBySessionIntro', note: null, action: 'viewVisit' },
  withdrawn: { kind: 'fee_waived', subject: 'feeWaivedSubject', intro: 'feeWaivedIntro', note: null, action: 'viewVisit' },
  given_back: {
    kind: 'fee_given_back',
    subject: 'feeBackSubject',
    intro: 'feeBackIntro',
    note: 'paymentReturnedNote',
    action: 'viewVisit',
  },
}

const momentText = (instant: string, timeZone: string, locale: Locale): string =>
  translate(locale, 'mails', 'dayAndTime', { day: longDayText(instant, timeZone, locale), time: timeText(instant, timeZone) })

const wordsOf = (fee: FeeOfLetter, locale: Locale): Record<string, string> => ({
  amount: moneyText(fee, locale),
  institute: fee.institute,
  when: momentText(fee.startsAt, fee.timeZone, locale),
  due: momentText(fee.dueAt, fee.timeZone, locale),
  card: fee.brand === null ? '' : `${fee.brand} ••${fee.lastFour}`,
  package: listText(fee.packages, locale),
})

/** A fee that is made beside a session ends at once: one letter says that the session is gone and the fee is not charged, whichever of both is told first. */
const storyBesides = (story: Story, { packages }: FeeOfLetter): Story =>
  packages.length > 0 && (story === 'late_cancel' || story === 'no_show' || story === 'withdrawn') ? 'by_session' : story

/** A waiver can be taken back for so long; its client is told after it. */
export const undoMs = undoSeconds * 1000

export interface Waiver {
  feeId: string
  instituteId: string
}
async function tell(context: AppContext, transaction: Db, event: EventOf<'fee.made'> | EventOf<'fee.ended'>): Promise<void> {
  const { payload, instituteId, kind } = event
  if (instituteId === null) return
  const of = { feeId: payload.feeId, instituteId }
  if (kind === 'fee.ended' && event.payload.state === 'waived')
    return addJob(transaction, 'tell_of_waivers', of, { key: `tell_of_waivers:${payload.feeId}`, afterMs: undoMs + 100 })
  await write(context, transaction, { ...of, story: kind === 'fee.made' ? event.payload.kind : event.payload.state })
}

/** Nothing of a waiver that was taken back. */
export const tellOfWaiver = (context: AppContext, of: Waiver): Promise<void> =>
  changeInstitute(context, { instituteId: of.instituteId, by: system }, async (unit) => {
    unit.nothingChanged()
    const fee = await lockFee(unit, of.feeId)
    if (fee?.state === 'waived') await write(context, unit.db, { ...of, story: 'waived' })
  })

async function write(context: AppContext, transaction: Db, { feeId, instituteId, story }: Waiver & { story: Story }): Promise<void> {
  const fee = await feeOfLetter(transaction, system, feeId)
  if (!fee) return
  const recipients = await recipientsOf(transaction, [system.institute(instituteId)], [fee.userId])
  const person = recipients(fee.userId, instituteId, fee)?.person
  if (!person) return
  const { kind: mail, subject, intro, note, action } = sentences[storyBesides(story, fee)]
  const { locale } = person
  const words = wordsOf(fee, locale)
  await postMail(transaction, {
    dedupeKey: `fee:${feeId}:${mail}`,
    kind: mail,
    to: person.email,
    userId: person.id,
    appointmentId: fee.visitId,
    instituteId,
    content: {
      locale,
      name: person.firstName,
      subject: translate(locale, 'mails', subject, words),
      paragraphs: [translate(locale, 'mails', intro, words)],
      facts: [],
      action: {
        label: translate(locale, 'mails', action, words),
        url: context.publicUrl() + sitePath('appointment', { id: fee.visitId }),
      },
      notes: note === null ? [] : [translate(locale, 'mails', note, words)],
    },
  })
}

export const feeReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'fee letters',
    kinds: ['fee.made', 'fee.ended'],
    react: (context, transaction, event) => tell(context, transaction, event as EventOf<'fee.made'> | EventOf<'fee.ended'>),
  },
]
