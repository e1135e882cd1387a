/**
 * The front desk of institutes as a process of its own: does to their diaries what has no call yet, by the commands of the product. Told by lines of JSON, and
 * answers likewise. For trials, which begin it as `node desk-process.ts URL`.
 */
import { createInterface } from 'node:readline'
import { cancelVisit } from '#/features/appointments/changes.ts'
import {
  blockTime,
  type ExternalTime,
  type LeaveAsked,
  type OverbookAsked,
  overbookVisit,
  removeLeave,
  setLeave,
  syncExternal,
  type TimeToBlock,
  unblockTime,
} from '#/features/diary-entries/service.ts'
import { cancelSession, openSession, type SessionAsked } from '#/features/group-sessions/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { systemClock } from '#/platform/clock.ts'
import { openDatabase } from '#/platform/database.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { reactions } from '#/reactions.ts'

/** One line in: what to do, and with what. */
export interface DeskCommands {
  block: TimeToBlock
  unblock: { id: string }
  leave: LeaveAsked
  return: { id: string }
  overbook: OverbookAsked
  cancel: { id: string }
  sync: ExternalTime
  open: SessionAsked
  close: { id: string }
}
export type DeskCommand = keyof DeskCommands

const [url] = process.argv.slice(2)
if (url === undefined) throw new Error('desk-process.ts needs the address of a database')
const database = openDatabase(url, { size: 6, onError: () => {} })
// What these commands need of the product, and nothing else.
const context = { database, clock: systemClock, reactions } as unknown as AppContext
const system = systemScope('front desk of a trial')

type Commands = { [Name in DeskCommand]: (instituteId: string, asked: DeskCommands[Name]) => Promise<unknown> }
const commands: Commands = {
  block: (instituteId, asked) => blockTime(context, system.institute(instituteId), asked),
  unblock: (instituteId, { id }) => unblockTime(context, system.institute(instituteId), id),
  leave: (instituteId, asked) => setLeave(context, system.institute(instituteId), asked),
  return: (instituteId, { id }) => removeLeave(context, system.institute(instituteId), id),
  overbook: (instituteId, asked) => overbookVisit(context, system.institute(instituteId), asked),
  cancel: (instituteId, { id }) =>
    cancelVisit(context, { scope: system.institute(instituteId), locale: 'en', idempotencyKey: null }, { id, reason: null }, () => null),
  sync: (instituteId, asked) => syncExternal(context, system.institute(instituteId), asked),
  open: (instituteId, asked) => openSession(context, system.institute(instituteId), asked),
  close: (instituteId, { id }) => cancelSession(context, system.institute(instituteId), id, null),
}

async function answer(line: string): Promise<void> {
  const { n, instituteId, command, asked } = JSON.parse(line) as { n: number; instituteId: string; command: DeskCommand; asked: never }
  const told = await commands[command](instituteId, asked).then(
    (done) => ({ n, done: done ?? null }),
    (error: unknown) =>
      error instanceof RefusalError
        ? { n, refused: error.code, details: error.details ?? null }
        : { n, failed: String((error as Error).stack) },
  )
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => void answer(line))
lines.once('close', () => void database.close().then(() => process.exit(0)))
process.stdout.write('ready\n')
