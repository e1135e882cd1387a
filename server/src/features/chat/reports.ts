/** What an operator reads and closes of reported conversations, with `npm run admin`; nobody else reads them. */
import { systemScope } from '#/platform/access.ts'
import type { Database } from '#/platform/database.ts'
import { closeReport, listOpenReports, type OpenReport } from './reports-store.ts'

const system = systemScope('npm run admin')

export const openChatReports = (db: Database): Promise<OpenReport[]> => listOpenReports(db, system)

/** False when no such report waits. */
export const closeChatReport = (db: Database, { id, now }: { id: string; now: number }): Promise<boolean> =>
  closeReport(db, system, { id, now: new Date(now) })
