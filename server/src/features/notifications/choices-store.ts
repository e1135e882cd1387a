/** What people do not want to be told: a row for each kind and channel they silenced. */
import { type Channel, channels, type ChoiceKind, choiceKinds } from '@soigne/contract/notifications'
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, type RowOf, someId, statement } from '#/platform/statement.ts'

const row = { kind: c.oneOf(choiceKinds), channel: c.oneOf(channels) }
export type Silenced = RowOf<typeof row>
const list = statement(
  { name: 'notifications.silenced', row, tries: [someId] },
  (userId: string) => sql`select kind, channel from notification_choices where user_id = ${userId}`,
)
export const silencedBy = (db: Db, scope: SelfScope): Promise<Silenced[]> => list.all(db, scope.userId)

interface Choice {
  kind: ChoiceKind
  channel: Channel
}
const someChoice = { userId: someId, kind: 'offers', channel: 'mail' } as const
const silence = statement(
  { name: 'notifications.silence', row: {}, tries: [{ ...someChoice, now: new Date(0) }] },
  ({ userId, kind, channel, now }: Choice & { userId: string; now: Date }) => sql`
    insert into notification_choices (user_id, kind, channel, silenced_at) values (${userId}, ${kind}, ${channel}, ${now}) on conflict do nothing`,
)
const hear = statement(
  { name: 'notifications.hear', row: {}, tries: [someChoice] },
  ({ userId, kind, channel }: Choice & { userId: string }) =>
    sql`delete from notification_choices where user_id = ${userId} and kind = ${kind} and channel = ${channel}`,
)
export async function choose(db: Db, scope: SelfScope, { isOn, now, ...choice }: Choice & { isOn: boolean; now: Date }): Promise<void> {
  const { userId } = scope
  await (isOn ? hear.run(db, { userId, ...choice }) : silence.run(db, { userId, ...choice, now }))
}

const quiet = statement(
  { name: 'notifications.quiet', row: { userId: c.uuid }, tries: [{ userIds: [someId], kind: 'offers' }] },
  ({ userIds, kind }: { userIds: readonly string[]; kind: ChoiceKind }) => sql`select user_id as "userId" from notification_choices
    where user_id = any(${userIds}::uuid[]) and kind = ${kind} and channel = 'mail'`,
)
/** Of these people, those who want letters of a kind. */
export async function whoWantsLetters(
  db: Db,
  _scope: SystemScope,
  { userIds, kind }: { userIds: readonly string[]; kind: ChoiceKind },
): Promise<Set<string>> {
  const wanted = new Set(userIds)
  if (wanted.size > 0) for (const { userId } of await quiet.all(db, { userIds: [...wanted], kind })) wanted.delete(userId)
  return wanted
}
