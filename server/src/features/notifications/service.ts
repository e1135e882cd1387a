/** The bell: what people were told, read and removed. */
import { dayMs } from '@soigne/contract/time'
import { channels, choiceKinds, type Notification, type NotificationChoice } from '@soigne/contract/notifications'
import type { Locale } from '@soigne/contract/wire'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { ringBells } from './bell.ts'
import { choose, silencedBy } from './choices-store.ts'
import { countNotifications, deleteNotification, forgetNotifications, listNotifications, markAllRead, markRead } from './store.ts'
import { notificationForWire } from './words.ts'

export { factsOf as visitFacts, planReminders } from './reminders.ts'
export { notify, untell } from './bell.ts'
export { whoWantsLetters } from './choices-store.ts'
export type { NewNotification } from './store.ts'
export { chooseForTeam, type TeamNotificationsAsked, teamNotificationsOf, writeToTeam } from './team-choices.ts'

const system = systemScope('forget old notifications')
const keptMs = 180 * dayMs

export async function notificationsOf(
  { database: { db } }: AppContext,
  scope: SelfScope,
  { page, pageSize }: { page: number; pageSize: number },
  locale: Locale,
): Promise<{ items: Notification[]; page: number; pageSize: number; total: number; unread: number }> {
  const rows = await listNotifications(db, scope, { offset: (page - 1) * pageSize, limit: pageSize })
  return { items: rows.map((row) => notificationForWire(row, locale)), page, pageSize, ...(await countNotifications(db, scope)) }
}

/** What somebody did with their own bell is told to their other screens once it is kept. */
async function change(context: AppContext, scope: SelfScope, work: (transaction: Db, now: Date) => Promise<boolean>): Promise<void> {
  const now = new Date(context.clock.now())
  const isChanged = await inTransaction(context.database.db, async (transaction) => {
    const changed = await work(transaction, now)
    if (changed) await ringBells(transaction, [scope.userId], now)
    return changed
  })
  if (isChanged) context.live.wake()
}

/** @throws not_found */
export const readNotification = (context: AppContext, scope: SelfScope, id: string): Promise<void> =>
  change(context, scope, async (transaction, now) => {
    const isNew = await markRead(transaction, scope, { id, now })
    if (isNew === null) throw refuse('not_found')
    return isNew
  })

export const readAllNotifications = (context: AppContext, scope: SelfScope): Promise<void> =>
  change(context, scope, async (transaction, now) => (await markAllRead(transaction, scope, now)) > 0)

/** @throws not_found */
export const removeNotification = (context: AppContext, scope: SelfScope, id: string): Promise<void> =>
  change(context, scope, async (transaction) => {
    if (!(await deleteNotification(transaction, scope, id))) throw refuse('not_found')
    return true
  })

/** All that may be chosen, as it stands. */
export async function choicesOf({ database: { db } }: AppContext, scope: SelfScope): Promise<NotificationChoice[]> {
  const silenced = await silencedBy(db, scope)
  return choiceKinds.flatMap((kind) =>
    channels.map((channel) => ({ kind, channel, isOn: !silenced.some((one) => one.kind === kind && one.channel === channel) })),
  )
}

export const chooseNotifications = ({ database: { db }, clock }: AppContext, scope: SelfScope, choice: NotificationChoice): Promise<void> =>
  choose(db, scope, { ...choice, now: new Date(clock.now()) })

export const forgetOldNotifications = ({ database: { db }, clock }: AppContext): Promise<number> =>
  forgetNotifications(db, system, new Date(clock.now() - keptMs))
