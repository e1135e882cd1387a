/** The check of a business: sent by its owner, taken back, read. An operator decides (`deciding.ts`); docs/decisions/129. */
import type { BusinessCheck, SentCheck } from '@soigne/contract/business-check'
import type { SentFile } from '@soigne/contract/define'
import { keptRegistration, registrationKindOf, registrationProblem } from '@soigne/contract/registration-numbers'
import { type TakenFile, fileAddress, removeDropped, takeFile, useFile } from '#/features/files/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import {
  type CheckRow,
  type CheckScope,
  checksOf,
  insertCheck,
  insertDocuments,
  instituteOf,
  type NewCheck,
  type NewDocument,
  removeCheck,
} from './store.ts'

export type { WaitingCheck } from './store.ts'
export { checkThatWaits, decideOnCheck, longestReason, waitingChecks } from './deciding.ts'

const checkForWire = (context: AppContext, { id, instituteId: _institute, documents, ...row }: CheckRow): SentCheck => ({
  _id: id,
  ...row,
  documents: documents.map(({ key, ...one }) => ({ ...one, url: fileAddress(context, key) })),
})

/** @throws not_found */
export async function businessCheckOf(context: AppContext, scope: CheckScope, db: Db = context.database.db): Promise<BusinessCheck> {
  const institute = await instituteOf(db, scope)
  if (!institute) throw refuse('not_found')
  const { countryCode, ...onInvoices } = institute
  const rows = await checksOf(db, scope)
  const one = (isWanted: (state: CheckRow['state']) => boolean): SentCheck | null => {
    const row = rows.find(({ state }) => isWanted(state))
    return row ? checkForWire(context, row) : null
  }
  return { countryCode, onInvoices, accepted: one((state) => state === 'accepted'), open: one((state) => state !== 'accepted') }
}

interface Asked {
  legalName: string
  registrationNumber: string
  vatNumber: string
}

/** What is kept of what was typed. @throws bad_input where the number cannot be one of that country */
function checked(countryCode: string, { legalName, registrationNumber, vatNumber }: Asked): Omit<NewCheck, 'now'> {
  const kind = registrationKindOf(countryCode)
  const problem = registrationProblem(kind, registrationNumber)
  if (problem !== null) throw refuseField('registrationNumber', problem.includes(':') ? problem : wordOf[problem as keyof typeof wordOf])
  return { countryCode, legalName, registrationNumber: keptRegistration(kind, registrationNumber), vatNumber: vatNumber || null }
}
const wordOf = {
  required: 'required',
  siret: 'registration_siret',
  ice: 'registration_ice',
  uid: 'registration_uid',
  bce: 'registration_bce',
  digits: 'registration_digits',
} as const

const isPdf = ({ bytes }: SentFile): boolean => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'

const nameOf = ({ name }: SentFile): string =>
  (name ?? '')
    .replaceAll(/[\p{C}/\\]/gu, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed() || '–'

type Taken = NewDocument & { file: TakenFile }
/** One after the other: each is opened in a process of its own. @throws wrong_type naming the file */
async function takeDocuments(context: AppContext, scope: CheckScope, files: readonly SentFile[]): Promise<Taken[]> {
  const taken: Taken[] = []
  for (const sent of files) {
    const kind = isPdf(sent) ? 'document' : 'image'
    const file = await takeFile(context, scope, kind === 'document' ? 'business_document' : 'business_picture', sent)
    taken.push({ file, key: file.key, kind, name: nameOf(sent) })
  }
  return taken
}

const isWaiting = (rows: readonly CheckRow[]): boolean => rows.some(({ state }) => state === 'waiting')

/** @throws bad_input, check_waiting, wrong_type */
export async function sendCheck(
  context: AppContext,
  scope: CheckScope,
  { body, documents }: { body: Asked; documents: readonly SentFile[] },
): Promise<BusinessCheck> {
  const { database, clock } = context
  const now = clock.now()
  const institute = await instituteOf(database.db, scope)
  if (!institute) throw refuse('not_found')
  const one = checked(institute.countryCode, body)
  // Said before files are opened, and again by the database.
  if (isWaiting(await checksOf(database.db, scope))) throw refuse('check_waiting')
  const taken = await takeDocuments(context, scope, documents)
  const answer = await inTransaction(database.db, async (transaction) => {
    await removeCheck(transaction, scope, ['refused'])
    const id = await insertCheck(transaction, scope, { ...one, now: new Date(now) })
    if (id === null) throw refuse('check_waiting')
    for (const { file } of taken) await useFile(transaction, scope, file)
    await insertDocuments(
      transaction,
      scope,
      id,
      taken.map(({ key, kind, name }) => ({ key, kind, name })),
    )
    const { instituteId, actor } = scope
    await recordEvents(transaction, [{ kind: 'business_check.sent', instituteId, subjectId: id, actor, payload: {}, at: instantText(now) }])
    return businessCheckOf(context, scope, transaction)
  })
  await removeDropped(context)
  return answer
}

/** Does nothing where nothing is open. */
export async function withdrawCheck(context: AppContext, scope: CheckScope): Promise<BusinessCheck> {
  const { database, clock } = context
  const answer = await inTransaction(database.db, async (transaction) => {
    const id = await removeCheck(transaction, scope, ['waiting', 'refused'])
    const { instituteId, actor } = scope
    if (id !== null)
      await recordEvents(transaction, [
        { kind: 'business_check.withdrawn', instituteId, subjectId: id, actor, payload: {}, at: instantText(clock.now()) },
      ])
    return businessCheckOf(context, scope, transaction)
  })
  await removeDropped(context)
  return answer
}
