/** What an operator decides about reported and contested reviews, with `npm run operator`; nobody else takes one off a page. */
import { systemScope } from '#/platform/access.ts'
import { type Database, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { decideReview, listOpenReports, type OpenReport } from './store.ts'

const system = systemScope('npm run operator')

export const openReports = (db: Database): Promise<OpenReport[]> => listOpenReports(db, system)

/** Closes what was reported of a review. False when there is no such review. */
export const decideOnReview = (
  db: Database,
  { id, decision, now }: { id: string; decision: 'kept' | 'hidden'; now: number },
): Promise<boolean> =>
  inTransaction(db, async (transaction) => {
    const instituteId = await decideReview(transaction, system, { id, decision, now: new Date(now) })
    if (instituteId === null) return false
    const payload = { decision }
    await recordEvents(transaction, [
      { kind: 'review.decided', instituteId, subjectId: id, actor: system.actor, payload, at: instantText(now) },
    ])
    return true
  })
