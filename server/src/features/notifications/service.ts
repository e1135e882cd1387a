/** The bell: what people were told, read and removed. */
import { dayMs } from '@soigne/contract/time'
import type { Notification } from '@soigne/contract/notifications'
import type { Locale } from '@soigne/contract/wire'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { countNotifications, deleteNotification, forgetNotifications, listNotifications, markAllRead, markRead } from './store.ts'
import { notificationForWire } from './words.ts'

export { factsOf as visitFacts, planReminders } from './reminders.ts'
export { insertNotifications as notify, type NewNotification } from './store.ts'

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

/** @throws not_found */
export async function readNotification({ database: { db }, clock }: AppContext, scope: SelfScope, id: string): Promise<void> {
  if (!(await markRead(db, scope, { id, now: new Date(clock.now()) }))) throw refuse('not_found')
}

export async function readAllNotifications({ database: { db }, clock }: AppContext, scope: SelfScope): Promise<void> {
  await markAllRead(db, scope, new Date(clock.now()))
}

/** @throws not_found */
export async function removeNotification({ database: { db } }: AppContext, scope: SelfScope, id: string): Promise<void> {
  if (!(await deleteNotification(db, scope, id))) throw refuse('not_found')
}

export const forgetOldNotifications = ({ database: { db }, clock }: AppContext): Promise<number> =>
  forgetNotifications(db, system, new Date(clock.now() - keptMs))
