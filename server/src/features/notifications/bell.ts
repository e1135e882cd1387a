/** Telling people something in the bell: a row each, and an event that brings the count to their screens. */
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { deleteOfKind, insertNotifications, type NewNotification, type NotificationKind } from './store.ts'

export const system = systemScope('ring bells')

/** The bells of these people show something else once the transaction is committed. */
export async function ringBells(transaction: Db, userIds: readonly string[], at: Date): Promise<void> {
  if (userIds.length === 0) return
  const payload = { userIds: [...new Set(userIds)] }
  await recordEvents(transaction, [
    { kind: 'bell.changed', instituteId: null, subjectId: null, actor: system.actor, payload, at: instantText(at.getTime()) },
  ])
}

export async function notify(transaction: Db, told: readonly NewNotification[]): Promise<void> {
  const [first] = told
  if (first) await ringBells(transaction, await insertNotifications(transaction, told), first.at)
}

/** What is true no more is taken out of somebody's bell. */
export async function untell(transaction: Db, scope: SelfScope, kind: NotificationKind, at: Date): Promise<void> {
  if ((await deleteOfKind(transaction, scope, kind)) > 0) await ringBells(transaction, [scope.userId], at)
}
