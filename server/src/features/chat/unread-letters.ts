/** One letter about what stays unread in a conversation: not one for each message, and none at night. */
import { sitePath } from '@soigne/contract/site-routes'
import { dayMs, minuteMs } from '@soigne/contract/time'
import { postMails, type Posting } from '#/features/mails/service.ts'
import { grants, type Level } from '#/grants.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inTransaction } from '#/platform/database.ts'
import { isDay } from '#/platform/instants.ts'
import { translate } from '#/texts/translate.ts'
import { longUnread, type UnreadChat, unreadKey } from './unread-store.ts'

const system = systemScope('write of unread messages')
const afterMs = 15 * minuteMs
/** A night is over long before; what is older was written of, or could not be. */
const untilMs = 2 * dayMs
const atOnce = 50
/** Before every conversation. */
const none = '00000000-0000-0000-0000-000000000000'
const levels = (Object.keys(grants.levels) as Level[]).filter((level) =>
  (grants.levels[level] as readonly string[]).includes('messages.answer'),
)

/** What was said stays in the conversation. */
function letter(context: AppContext, unread: UnreadChat): Posting {
  const { chatId, side, userId, email, firstName, locale, from, instituteId } = unread
  const path = side === 'client' ? sitePath('chat', { id: chatId }) : sitePath('instituteChat', { id: chatId })
  return {
    dedupeKey: unreadKey(unread),
    kind: 'unread_message',
    to: email,
    userId,
    instituteId,
    content: {
      locale,
      name: firstName,
      subject: translate(locale, 'mails', 'unreadSubject', { from }),
      paragraphs: [translate(locale, 'mails', 'unreadIntro', { from })],
      action: { label: translate(locale, 'mails', 'unreadButton'), url: context.publicUrl() + path },
      notes: [translate(locale, 'mails', 'choiceNote')],
    },
  }
}

/** Of one page of conversations; gives the last of the page, null at the end. */
const writeSome = (context: AppContext, past: string): Promise<string | null> =>
  inTransaction(context.database.db, async (transaction) => {
    const now = context.clock.now()
    const asked = { before: new Date(now - afterMs), after: new Date(now - untilMs), past, levels, most: atOnce }
    const found = await longUnread(transaction, system, asked)
    const letters = found.filter(({ timeZone }) => isDay(now, timeZone)).map((one) => letter(context, one))
    await postMails(transaction, letters)
    return found.length === atOnce ? (found.at(-1)?.chatId ?? null) : null
  })

export async function writeOfUnread(context: AppContext): Promise<void> {
  for (let past: string | null = none; past !== null;) past = await writeSome(context, past)
}
