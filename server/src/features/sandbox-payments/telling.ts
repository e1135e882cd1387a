/** Tells the product what happened in the sandbox, over HTTP: each word at once and once more, and again while nobody listens, for a day. */
import { dayMs, hourMs, minuteMs } from '@soigne/contract/time'
import { paymentCalls } from '@soigne/contract/payments'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { parseInstant } from '#/platform/instants.ts'
import { addJob } from '#/platform/jobs.ts'
import { addWord, expirePages, nextDue, noteWord, type StoredWord, takeWords } from './store.ts'
import { bytesOf, keyOf, pageWord, signatureHeader, signatureOf, type Told } from './words.ts'

/** Every word is told so often. */
const times = 2
const againMs = 5000
/** Who tells a word and dies lets go of it then. */
const lettingGoMs = minuteMs
const answerMs = 10_000
/** Where words are to come late, those of pages wait so long: the client is back before, and a refund may be told before its payment. */
const lateMs = 8000
const longestPauseMs = hourMs
const longestMs = dayMs

type House = Pick<AppContext, 'database' | 'clock' | 'settings' | 'publicUrl' | 'log'>

/** Writes a word down within the transaction of what happened; it is told after the commit. */
export async function say(db: Db, { clock, settings }: Pick<House, 'clock' | 'settings'>, told: Told): Promise<void> {
  const now = clock.now()
  const waitMs = settings.sandboxWords === 'late' && told.kind !== 'refund' ? lateMs : 0
  await addWord(db, { body: told, now: new Date(now), dueAt: new Date(now + waitMs) })
  await addJob(db, 'keep_sandbox', {}, { key: 'keep_sandbox now' })
}

async function isHeard({ settings, clock, publicUrl }: House, word: StoredWord): Promise<boolean> {
  const bytes = bytesOf(word)
  try {
    const response = await fetch(publicUrl() + paymentCalls.sandboxWebhook.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [signatureHeader]: signatureOf(keyOf(settings.secret, 'words'), bytes, clock.now()) },
      body: new Uint8Array(bytes),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

async function tell(house: House, word: StoredWord): Promise<void> {
  const heard = await isHeard(house, word)
  const now = house.clock.now()
  const told = word.told + (heard ? 1 : 0)
  const isOver = told >= times || now - parseInstant(word.happenedAt) > longestMs
  const pauseMs = heard ? againMs : Math.min(againMs * 2 ** word.failed, longestPauseMs)
  if (isOver && !heard) house.log.warn({ word: word.id }, 'a word of the sandbox was never heard')
  await noteWord(house.database.db, { id: word.id, heard, dueAt: isOver ? null : new Date(now + pauseMs) })
}

/** Ends the pages on which nobody pressed anything in time, and tells what is due. */
export async function keepHouse(house: House): Promise<void> {
  const { db } = house.database
  const now = house.clock.now()
  await inTransaction(db, async (transaction) => {
    for (const page of await expirePages(transaction, new Date(now))) await say(transaction, house, pageWord(page, now))
  })
  for (const word of await takeWords(db, new Date(now), new Date(now + lettingGoMs))) await tell(house, word)
  const next = await nextDue(db)
  if (next !== null)
    await addJob(db, 'keep_sandbox', {}, { key: 'keep_sandbox later', afterMs: Math.max(0, parseInstant(next) - house.clock.now()) })
}
