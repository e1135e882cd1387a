/** What an operator reads and decides of reported conversations, with `npm run admin`; nobody else reads them. */
import { noteAtShell } from '#/features/security/service.ts'
import { systemScope } from '#/platform/access.ts'
import { type Database, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { closeReport, decideChat, listOpenReports, type OpenReport } from './reports-store.ts'

const system = systemScope('npm run admin')

export const openChatReports = (db: Database): Promise<OpenReport[]> => listOpenReports(db, system)

/** False when no such report waits. */
export const closeChatReport = (db: Database, { id, now }: { id: string; now: number }): Promise<boolean> =>
  closeReport(db, system, { id, now: new Date(now) })

/** Nobody writes in a conversation any more, or they may again; both sides see it at once. False when there is none, or it is so already. */
export const decideOnChat = (
  db: Database,
  { id, decision, now }: { id: string; decision: 'stopped' | 'allowed'; now: number },
): Promise<boolean> =>
  inTransaction(db, async (transaction) => {
    const decided = await decideChat(transaction, system, { id, stoppedAt: decision === 'stopped' ? new Date(now) : null })
    if (!decided) return false
    const { instituteId, userId } = decided
    const at = instantText(now)
    const payload = { userId, decision }
    await noteAtShell(transaction, system, { kind: `chat.${decision}`, userId, at, details: { subject: id, institute: instituteId } })
    await recordEvents(transaction, [{ kind: 'chat.decided', instituteId, subjectId: id, actor: system.actor, payload, at }])
    return true
  })
