/** A letter after a visit that asks how it was: one for a person and an institute in a month, by day, and none once it was reviewed. */
import { sitePath } from '@soigne/contract/site-routes'
import { dayMs, hourMs } from '@soigne/contract/time'
import { postMails, type Posting } from '#/features/mails/service.ts'
import { findAllShown, type Recipients, recipientsOf, type ShownVisit } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inTransaction } from '#/platform/database.ts'
import { isDay } from '#/platform/instants.ts'
import { dayText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'
import { askKey, visitsToAskOf } from './ask-store.ts'

const system = systemScope('ask for reviews')
const afterMs = 2 * hourMs
/** What was not asked by then is asked no more. */
const untilMs = 3 * dayMs
const atOnce = 50
/** Before everybody. */
const nobody = '00000000-0000-0000-0000-000000000000'

function letter(context: AppContext, { row }: ShownVisit, { id, email, firstName, locale }: Recipients['person']): Posting {
  const words = { institute: row.instituteName, day: dayText(row.startsAt, row.timeZone, locale) }
  return {
    dedupeKey: askKey(row.id),
    kind: 'review_request',
    to: email,
    userId: id,
    appointmentId: row.id,
    instituteId: row.instituteId,
    content: {
      locale,
      name: firstName,
      subject: translate(locale, 'mails', 'reviewRequestSubject', words),
      paragraphs: [translate(locale, 'mails', 'reviewRequestIntro', words)],
      action: {
        label: translate(locale, 'mails', 'reviewRequestButton'),
        url: context.publicUrl() + sitePath('appointment', { id: row.id }),
      },
      notes: [translate(locale, 'mails', 'choiceNote')],
    },
  }
}

/** Those of one page of people who are awake; gives the last of the page, null at the end. */
async function askSome(context: AppContext, after: string): Promise<string | null> {
  const now = context.clock.now()
  return inTransaction(context.database.db, async (transaction) => {
    const over = { from: new Date(now - untilMs), until: new Date(now - afterMs), after, most: atOnce }
    const found = await visitsToAskOf(transaction, system, over)
    const awake = found.filter(({ timeZone }) => isDay(now, timeZone))
    const scopes = awake.map(({ instituteId }) => system.institute(instituteId))
    const ids = awake.map(({ appointmentId }) => appointmentId)
    const userIds = awake.map(({ userId }) => userId)
    const shown = await findAllShown(transaction, scopes, ids)
    const recipients = await recipientsOf(transaction, scopes, userIds)
    const letters = awake.flatMap(({ appointmentId, userId, instituteId }) => {
      const visit = shown.get(appointmentId)
      const person = recipients(userId, instituteId)?.person
      return visit && person ? [letter(context, visit, person)] : []
    })
    await postMails(transaction, letters)
    return found.length === atOnce ? (found.at(-1)?.userId ?? null) : null
  })
}

export async function askForReviews(context: AppContext): Promise<void> {
  for (let after: string | null = nobody; after !== null;) after = await askSome(context, after)
}
