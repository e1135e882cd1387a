/** What operators do with checks of businesses, at a shell (`npm run admin`): no call decides. */
import { systemScope } from '#/platform/access.ts'
import { type Database, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { checksThatWait, decideCheck, lockWaiting, removeAccepted, type WaitingCheck } from './store.ts'

const system = systemScope('npm run admin')

/** The longest waiting first. */
export const waitingChecks = (db: Database): Promise<WaitingCheck[]> => checksThatWait(db, system)

export const checkThatWaits = async (db: Database, id: string): Promise<WaitingCheck | null> =>
  (await checksThatWait(db, system, id))[0] ?? null

/** Most letters of a reason. */
export const longestReason = 600

/** False when no such check waits. A reason refuses it; without one it is accepted, in the place of what was accepted before. */
export const decideOnCheck = (db: Database, { id, reason, now }: { id: string; reason: string | null; now: number }): Promise<boolean> =>
  inTransaction(db, async (transaction) => {
    const instituteId = await lockWaiting(transaction, system, id)
    if (instituteId === null) return false
    if (reason === null) await removeAccepted(transaction, system, instituteId)
    await decideCheck(transaction, system, { id, reason, now: new Date(now) })
    const payload = { decision: reason === null ? 'accepted' : 'refused' } as const
    await recordEvents(transaction, [
      { kind: 'business_check.decided', instituteId, subjectId: id, actor: system.actor, payload, at: instantText(now) },
    ])
    return true
  })
