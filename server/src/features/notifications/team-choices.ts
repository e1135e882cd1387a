/** Who of an institute is told of what, by bell and by mail: chosen in its settings for each login, beside what people choose for themselves. */
import { type Channel, type TeamKind, teamKinds, type TeamNotifications } from '@soigne/contract/notifications'
import type { Level } from '#/grants.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { postMails } from '#/features/mails/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { system } from './bell.ts'
import { type NewNotification, teamKindOf } from './store.ts'
import { listTeamPeople, type TeamAsked, teamReaders, writeTeamChoices } from './team-choices-store.ts'
import { notificationForWire } from './words.ts'

const everybody: readonly Level[] = ['owner', 'manager', 'reception', 'staff']
const atTheDesk: readonly Level[] = ['owner', 'manager', 'reception']
const both: readonly Channel[] = ['bell', 'mail']
/** What there is to choose, and for whom: staff are told of their own visits. A message rings no bell, because conversations count what is unread. */
const offered: Record<TeamKind, { levels: readonly Level[]; channels: readonly Channel[] }> = {
  booked: { levels: everybody, channels: both },
  moved: { levels: everybody, channels: both },
  cancelled: { levels: everybody, channels: both },
  messages: { levels: atTheDesk, channels: ['mail'] },
  reviews: { levels: atTheDesk, channels: both },
  leave: { levels: ['owner', 'manager'], channels: both },
}
const isUsual = (kind: TeamKind, channel: Channel): boolean => channel === 'bell' || kind === 'messages'

/** All that may be chosen, as it stands. */
export async function teamNotificationsOf(db: Db, scope: InstituteScope<'institute.change'>): Promise<TeamNotifications> {
  return (await listTeamPeople(db, scope)).map(({ chosen, ...person }) => ({
    ...person,
    choices: teamKinds
      .filter((kind) => offered[kind].levels.includes(person.level))
      .flatMap((kind) =>
        offered[kind].channels.map((channel) => {
          const own = chosen?.find((one) => one.kind === kind && one.channel === channel)
          return { kind, channel, isOn: own?.isOn ?? isUsual(kind, channel) }
        }),
      ),
  }))
}

export type TeamNotificationsAsked = readonly Pick<TeamNotifications[number], 'userId' | 'choices'>[]

/** Writes what differs; whether anything did. @throws not_found for who does not work there, bad_input for what is not theirs to be told */
export async function chooseForTeam(unit: Unit, before: TeamNotifications, asked: TeamNotificationsAsked): Promise<boolean> {
  const changed = asked.flatMap(({ userId, choices }, at) => {
    const person = before.find((one) => one.userId === userId)
    if (!person) throw refuse('not_found')
    return choices.flatMap((choice, place) => {
      const stands = person.choices.find(({ kind, channel }) => kind === choice.kind && channel === choice.channel)
      if (!stands) throw refuseField(`notifications.${at}.choices.${place}`, 'choice')
      return stands.isOn === choice.isOn ? [] : [{ userId, ...choice }]
    })
  })
  await writeTeamChoices(unit, changed)
  return changed.length > 0
}

const askedOf = ({ to, kind }: NewNotification, position: number): TeamAsked[] => {
  const teamKind = teamKindOf[kind]
  if (!('instituteId' in to) || teamKind === undefined) return []
  const { levels = offered[teamKind].levels, memberIds, instituteId, exceptUserId } = to
  return [{ position, instituteId, kind: teamKind, levels, memberIds, exceptUserId }]
}

/** The letters of those who want what the bell tells by mail as well; in the same words. */
export async function writeToTeam(context: AppContext, transaction: Db, told: readonly NewNotification[]): Promise<void> {
  const readers = await teamReaders(transaction, system, told.flatMap(askedOf))
  const letters = readers.flatMap(({ position, userId, email, firstName, locale }) => {
    const one = told[position]
    if (!one) return []
    const { kind, facts, appointmentId, dedupeKey, at, to } = one
    const row = { id: dedupeKey, kind, facts, appointmentId, createdAt: instantText(at.getTime()), isRead: false }
    const { title, message, path = '' } = notificationForWire(row, locale)
    return [
      {
        dedupeKey: `team:${dedupeKey}:${userId}`,
        kind: `team_${kind}`,
        to: email,
        userId,
        ...(appointmentId !== null && { appointmentId }),
        ...('instituteId' in to && { instituteId: to.instituteId }),
        content: {
          locale,
          name: firstName,
          subject: title,
          paragraphs: [message],
          action: { label: translate(locale, 'mails', 'teamOpen'), url: context.publicUrl() + path },
          notes: [translate(locale, 'mails', 'teamNote', { institute: facts.institute })],
        },
      },
    ]
  })
  await postMails(transaction, letters)
}
