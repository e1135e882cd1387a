/** Reminders by mail and bell: a week and a day before a visit, one for all visits of a day, none for what was booked later than that. */
import type { Reminder } from '@soigne/contract/notifications'
import { dayMs } from '@soigne/contract/time'
import type { SelfScope } from '#/platform/access.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { findAllShown, findVisit, type Recipients, recipientsOf, type ShownVisit } from '#/features/visits/service.ts'
import { postMails, type Posting } from '#/features/mails/service.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { reminderLetter } from './reminder-letter.ts'
import {
  type ComingVisit,
  comingVisits,
  dropReminders,
  dueReminders,
  markReminded,
  putReminders,
  type ReminderKind,
  reminderKinds,
  remindersOfVisit,
  takeTurnOfReminders,
} from './reminder-store.ts'
import { notify } from './bell.ts'
import { whoWantsLetters } from './choices-store.ts'
import type { NewNotification, NotificationFacts } from './store.ts'

const system = systemScope('remind of visits')
const beforeMs: Readonly<Record<ReminderKind, number>> = { week: 7 * dayMs, day: dayMs }
/** Due ones of one transaction. */
const atOnce = 50

/** What has to be remembered of visits as they are now; called whenever one was booked, moved or cancelled. */
export async function planReminders(transaction: Db, visits: readonly Pick<ShownVisit, 'row'>[], now: number): Promise<void> {
  const planned = visits.flatMap(({ row: { id, userId, startsAt, life } }) =>
    userId === null || life !== 'booked'
      ? []
      : reminderKinds.flatMap((kind) => {
          const dueAt = parseInstant(startsAt) - beforeMs[kind]
          return dueAt > now ? [{ appointmentId: id, kind, userId, startsAt, dueAt: instantText(dueAt) }] : []
        }),
  )
  await putReminders(
    transaction,
    system,
    visits.map(({ row }) => row.id),
    planned,
  )
}

export const factsOf = ({ row, segments }: Pick<ShownVisit, 'row' | 'segments'>, client: string): NotificationFacts => ({
  institute: row.instituteName,
  client,
  services: segments.map(({ snapshot, memberName }) => ({ name: snapshot.name, member: memberName })),
  startsAt: row.startsAt,
  timeZone: row.timeZone,
})

const dayOf = ({ startsAt, timeZone }: Pick<ComingVisit, 'startsAt' | 'timeZone'>): string =>
  Temporal.Instant.from(startsAt).toZonedDateTimeISO(timeZone).toPlainDate().toString()

interface Group {
  kind: ReminderKind
  userId: string
  visits: ComingVisit[]
}

/** Whoever comes twice on a day is reminded of both at once; not again of what they were told, nor of what was booked too late to be told. */
async function groupsOf(transaction: Db, due: Awaited<ReturnType<typeof dueReminders>>, now: number): Promise<Group[]> {
  const starts = due.map(({ startsAt }) => parseInstant(startsAt))
  const others = await comingVisits(transaction, system, {
    userIds: [...new Set(due.map(({ userId }) => userId))],
    from: new Date(Math.max(now, Math.min(...starts) - 2 * dayMs)),
    until: new Date(Math.max(...starts) + 2 * dayMs),
  })
  const groups = new Map<string, Group>()
  for (const { kind, userId, ...visit } of due) {
    const key = `${kind} ${userId} ${dayOf(visit)}`
    if (groups.has(key)) continue
    groups.set(key, {
      kind,
      userId,
      visits: others.filter((one) => one.kind === kind && one.userId === userId && dayOf(one) === dayOf(visit)),
    })
  }
  return [...groups.values()]
}

const bellOf = ({ row, segments }: ShownVisit, { kind, userId }: Group, person: Recipients['person'], now: number): NewNotification => ({
  to: { userId },
  kind: 'reminder',
  appointmentId: row.id,
  facts: factsOf({ row, segments }, `${person.firstName} ${person.lastName}`.trim()),
  dedupeKey: `reminder:${kind}:${row.id}:${row.startsAt}`,
  at: new Date(now),
})

/** Writes what is due now. False when nothing is left, or somebody else is at it. */
async function remindSome(context: AppContext): Promise<boolean> {
  const now = context.clock.now()
  return inTransaction(context.database.db, async (transaction) => {
    if (!(await takeTurnOfReminders(transaction))) return false
    const found = await dueReminders(transaction, system, { now: new Date(now), most: atOnce })
    const due = found.filter(({ isComing }) => isComing)
    const gone = found.filter(({ isComing }) => !isComing).map(({ appointmentId }) => appointmentId)
    await dropReminders(transaction, system, { appointmentIds: gone, now: new Date(now) })
    if (due.length > 0) await write(context, transaction, await groupsOf(transaction, due, now), now)
    return found.length === atOnce
  })
}

async function write(context: AppContext, transaction: Db, groups: readonly Group[], now: number): Promise<void> {
  const all = groups.flatMap(({ visits }) => visits)
  const scopes = all.map(({ instituteId }) => system.institute(instituteId))
  const shown = await findAllShown(
    transaction,
    scopes,
    all.map(({ appointmentId }) => appointmentId),
  )
  const recipients = await recipientsOf(
    transaction,
    scopes,
    all.map(({ userId }) => userId),
  )
  const userIds = groups.map(({ userId }) => userId)
  const wanted = await whoWantsLetters(transaction, system, { userIds, kind: 'reminders' })
  const letters: Posting[] = []
  const bells: NewNotification[] = []
  for (const group of groups) {
    const visits = group.visits.flatMap(({ appointmentId }) => shown.get(appointmentId) ?? [])
    const first = visits[0]
    const person = first && recipients(group.userId, first.row.instituteId, first.row)?.person
    if (first && person) {
      if (wanted.has(group.userId))
        letters.push(reminderLetter(context, { kind: group.kind, person, visits: [first, ...visits.slice(1)], now }))
      bells.push(...visits.map((visit) => bellOf(visit, group, person, now)))
    }
    await markReminded(transaction, system, { kind: group.kind, visits: group.visits, now: new Date(now) })
  }
  await notify(transaction, bells)
  await postMails(transaction, letters)
}

/** Sends all that is due. */
export async function sendReminders(context: AppContext): Promise<void> {
  while (await remindSome(context));
}

/** @throws not_found */
export async function remindersOf({ database: { db } }: AppContext, scope: SelfScope, id: string): Promise<Reminder[]> {
  if (!(await findVisit(db, scope, { id }))) throw refuse('not_found')
  return remindersOfVisit(db, scope, id)
}
