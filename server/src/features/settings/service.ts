/** What people set about themselves, and where they are signed in. */
import type { Readable } from 'node:stream'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Device, OwnProfile } from '@soigne/contract/settings'
import type { Instant } from '@soigne/contract/time'
import { leaveCalendar } from '#/features/calendars/service.ts'
import { leaveCards } from '#/features/fees/service.ts'
import { endLinks } from '#/features/password/service.ts'
import { endOtherSessions, hashChosenPassword, proveOwner, replacePassword } from '#/features/session/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inSnapshot, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { zipStream } from '#/platform/zip.ts'
import { deviceOf } from './device-names.ts'
import { eraseAccount, lockForErasure } from './erase-store.ts'
import { listOwnFiles, readPersonalData } from './personal-store.ts'
import { changeProfile, deleteSessionOf, findOwnProfile, listSessions, type ProfileChange } from './store.ts'

export { deviceOf } from './device-names.ts'

export async function profileOf({ database: { db } }: AppContext, scope: SelfScope): Promise<OwnProfile> {
  const profile = await findOwnProfile(db, scope)
  if (!profile) throw refuse('unauthorized')
  return profile
}

export const updateProfile = ({ database: { db } }: AppContext, scope: SelfScope, change: ProfileChange): Promise<number> =>
  changeProfile(db, scope, change)

/** The bytes of a file; none where it went since the texts were read. */
async function* bytesOf({ files }: AppContext, key: string): AsyncGenerator<Uint8Array> {
  const found = await files.get(key)
  if (found) yield* found.body as AsyncIterable<Uint8Array>
}

const exported = (now: Instant, data: Record<string, unknown[]>): Answer<Calls['exportOwnData']> => ({
  format: 'soigne-account',
  version: 1,
  exportedAt: instantText(now),
  data,
})

/** As it is at one moment: what is written while it is read is not half in it. */
export const exportOf = async (context: AppContext, scope: SelfScope): Promise<Answer<Calls['exportOwnData']>> =>
  exported(context.clock.now(), await inSnapshot(context.database.db, (moment) => readPersonalData(moment, scope)))

/** The texts as they are at one moment, and the files that belong to them, which follow while the answer is on its way. */
export async function exportWithFiles(context: AppContext, scope: SelfScope): Promise<Readable> {
  const [data, files] = await inSnapshot(context.database.db, async (moment) => [
    await readPersonalData(moment, scope),
    await listOwnFiles(moment, scope),
  ])
  const now = context.clock.now()
  async function* texts(): AsyncGenerator<string> {
    yield JSON.stringify(exported(now, data), null, 2)
  }
  const ofFiles = files.map(({ key, place }) => ({ name: place, isPacked: true, pieces: () => bytesOf(context, key) }))
  return zipStream([{ name: 'data.json', pieces: texts }, ...ofFiles], new Date(now))
}

/** In one transaction: an account is there as a whole or gone as a whole. @throws visits_ahead, last_owner */
export async function eraseOwnAccount(context: AppContext, scope: SelfScope, given: { password: string; address: string }): Promise<void> {
  await proveOwner(context, scope, { field: 'password', ...given })
  await inTransaction(context.database.db, async (transaction) => {
    const now = context.clock.now()
    const standing = await lockForErasure(transaction, scope, new Date(now))
    if (!standing) throw refuse('unauthorized')
    if (standing.isOwner) throw refuse('last_owner')
    if (standing.hasVisitsAhead) throw refuse('visits_ahead')
    await leaveCalendar(transaction, scope)
    await leaveCards(transaction, scope)
    await eraseAccount(transaction, scope, standing.email)
    const { actor, userId } = scope
    await recordEvents(transaction, [
      { kind: 'account.erased', instituteId: null, subjectId: userId, actor, payload: {}, at: instantText(now) },
    ])
  })
}

/** The one who changes it stays; everybody else has to know the new one. @throws password_common */
export async function changeOwnPassword(
  context: AppContext,
  scope: SelfScope,
  given: { currentPassword: string; newPassword: string; address: string },
): Promise<void> {
  const { address } = given
  const { email } = await proveOwner(context, scope, { field: 'currentPassword', password: given.currentPassword, address })
  const passwordHash = await hashChosenPassword(given.newPassword, email, address)
  await inTransaction(context.database.db, async (transaction) => {
    await replacePassword(context, transaction, scope, passwordHash)
    await endLinks(transaction, scope, new Date(context.clock.now()))
  })
}

export async function devicesOf({ database: { db }, clock }: AppContext, scope: SelfScope): Promise<Device[]> {
  const sessions = await listSessions(db, scope, new Date(clock.now()))
  return sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
    _id: id,
    ...deviceOf(userAgent),
    signedInAt: createdAt,
    lastSeenAt,
    isCurrent: id === scope.sessionId,
  }))
}

/** @throws not_found */
export async function endDevice({ database: { db } }: AppContext, scope: SelfScope, id: string): Promise<void> {
  if (!(await deleteSessionOf(db, scope, id))) throw refuse('not_found')
}

export const endOtherDevices = ({ database: { db } }: AppContext, scope: SelfScope): Promise<number> => endOtherSessions(db, scope)
