/** One customer record: read with what hangs on it, and changed. What is restricted is opened apart, and each opening is noted. */
import {
  type Customer,
  type CustomerHealth,
  type CustomerVisit,
  mostCustomerFiles,
  type relationKinds,
  undoDays,
} from '@soigne/contract/customers'
import type { SentFile } from '@soigne/contract/define'
import { dayMs } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import type { EventPayloads } from '#/event-kinds.ts'
import { dropFile, fileAddress, removeDropped, takeFile, useFile } from '#/features/files/service.ts'
import { statusOf } from '#/features/visits/service.ts'
import { type InstituteScope, mayAlso, type SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import {
  deleteFile,
  deleteRelation,
  type Fields,
  findMatches,
  insertConsent,
  insertCustomer,
  insertFile,
  insertOpening,
  insertRelation,
  lockContacts,
  lockRecord,
  readBlocked,
  setBlocked,
  updateCustomer,
  withdrawConsent,
  writeHealth,
  type Writer,
} from './changes-store.ts'
import { readInstitute } from './list-store.ts'
import { findRecord, readHealth, type Reader, type RecordRow, visitsOfRecord } from './record-store.ts'

/** From this birthday on somebody answers for themselves. */
const fullAge = 18
const faceSize = 96
const monthsShown = 12
/** Characters of what several people may write into. */
const mostWritten = { notes: 4000, allergies: 2000, formulas: 4000 } as const

/** Whole years on a calendar date. */
export function ageOn(birthday: string, day: string): number {
  const { years } = Temporal.PlainDate.from(birthday).until(Temporal.PlainDate.from(day), { largestUnit: 'years' })
  return years
}
const momentOf = (text: string): string => instantText(parseInstant(text))
const whom = ({ by, at }: { by: string | null; at: string }) => ({ by, at: momentOf(at) })
/** The end of the time in which a merge can be undone. */
const untilOf = (at: string): string => instantText(parseInstant(at) + undoDays * dayMs)

/** Twelve months on the institute's calendar, the present one last. */
function monthsOf(spent: RecordRow['spent'], timeZone: string, now: number): Customer['months'] {
  const monthOf = (at: Temporal.Instant): Temporal.PlainYearMonth => at.toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth()
  const last = monthOf(Temporal.Instant.fromEpochMilliseconds(now))
  const sums = new Map<string, number>()
  for (const { at, amount } of spent) {
    const month = monthOf(Temporal.Instant.from(momentOf(at))).toString()
    sums.set(month, (sums.get(month) ?? 0) + amount)
  }
  return Array.from({ length: monthsShown }, (_, index) => {
    const month = last.subtract({ months: monthsShown - 1 - index }).toString()
    return { month, amount: sums.get(month) ?? 0 }
  })
}

interface Surroundings {
  timeZone: string
  currency: string
  now: number
  mayOpen: boolean
}
function recordForWire(context: AppContext, row: RecordRow, { timeZone, currency, now, mayOpen }: Surroundings): Customer {
  const { id, imageKey, spend, notedBy, notedAt, nextTotal, spent, relations, files, consents, merges, hasHealth, lastOpened, ...rest } =
    row
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const age = row.birthday === null ? null : ageOn(row.birthday, today)
  return {
    ...rest,
    _id: id,
    name: `${row.firstName} ${row.lastName}`.trim(),
    imageUrl: imageKey === null ? null : fileAddress(context, imageKey, faceSize),
    spend: { amount: spend, currency },
    age,
    isMinor: age !== null && age < fullAge,
    noted: notedAt === null ? null : { by: notedBy, at: notedAt },
    nextTotal: nextTotal === null ? null : { amount: nextTotal, currency },
    months: monthsOf(spent, timeZone, now),
    relations: relations.map(({ id: _id, birthday, ...one }) => ({ _id, ...one, age: birthday === null ? null : ageOn(birthday, today) })),
    files: files.map(({ id: _id, key, addedAt, ...one }) => ({ _id, ...one, addedAt: momentOf(addedAt), url: fileAddress(context, key) })),
    consents: consents.map(({ id: _id, signedAt, withdrawnAt, ...one }) => ({
      _id,
      ...one,
      signedAt: momentOf(signedAt),
      withdrawnAt: withdrawnAt === null ? null : momentOf(withdrawnAt),
    })),
    health: { isKept: hasHealth, mayOpen, lastOpened: lastOpened && whom(lastOpened) },
    merges: merges.map(({ id: _id, name, at }) => ({ _id, name, at: momentOf(at), until: untilOf(at) })),
    timeZone,
    now: instantText(now),
  }
}

/** @throws not_found */
export async function customerOf(context: AppContext, scope: Reader, id: string, db: Db = context.database.db): Promise<Customer> {
  const now = context.clock.now()
  const row = await findRecord(db, scope, { id, now: new Date(now), undoneAfter: new Date(now - undoDays * dayMs) })
  if (!row) throw refuse('not_found')
  return recordForWire(context, row, { ...(await readInstitute(db, scope)), now, mayOpen: mayAlso(scope, 'customers.health') })
}

/** @throws not_found */
export async function visitsOf(
  { database: { db } }: AppContext,
  scope: Reader,
  { id, page, pageSize }: { id: string; page: number; pageSize: number },
  locale: Locale,
): Promise<{ items: CustomerVisit[]; page: number; pageSize: number; total: number }> {
  const rows = await visitsOfRecord(db, scope, { id, offset: (page - 1) * pageSize, limit: pageSize })
  if (rows.length === 0 && !(await findRecord(db, scope, { id, now: new Date(0), undoneAfter: new Date(0) }))) throw refuse('not_found')
  const items = rows.map(({ life, payment, lines, totalAmount, currency, id: _id, total: _, ...row }): CustomerVisit => ({
    _id,
    ...row,
    status: statusOf({ life, payment }) ?? 'pending',
    services: lines.map(({ name }) => localised(name, locale) ?? ''),
    staff: [...new Set(lines.map(({ staff }) => staff))],
    total: { amount: totalAmount, currency },
  }))
  return { items, page, pageSize, total: rows[0]?.total ?? 0 }
}

type What = EventPayloads['customer.changed']['what']
export const tellOfRecord = async (
  transaction: Db,
  scope: InstituteScope<never>,
  subjectId: string,
  what: What,
  now: number,
): Promise<void> =>
  recordEvents(transaction, [
    { kind: 'customer.changed', instituteId: scope.instituteId, subjectId, actor: scope.actor, payload: { what }, at: instantText(now) },
  ])

/** Changes a record that is there, and tells of it. @throws not_found */
async function change(
  context: AppContext,
  scope: Writer,
  id: string,
  what: What,
  work: (transaction: Db, fields: Fields, now: Date) => Promise<void>,
): Promise<Customer> {
  const now = context.clock.now()
  return inTransaction(context.database.db, async (transaction) => {
    const fields = await lockRecord(transaction, scope, id)
    if (!fields) throw refuse('not_found')
    await work(transaction, fields, new Date(now))
    await tellOfRecord(transaction, scope, id, what, now)
    return customerOf(context, scope, id, transaction)
  })
}

type Asked = { [Key in keyof Fields]?: Fields[Key] | undefined }
const none: Fields = {
  firstName: '',
  lastName: '',
  phone: '',
  email: '',
  locale: null,
  birthday: null,
  alert: '',
  notes: '',
  tags: [],
  paysFirst: null,
}

/** What is asked over what is there. @throws bad_input for a birthday that has not been yet */
function fieldsOf(before: Fields, asked: Asked, now: number): Fields {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const fields: Fields = { ...before, ...given }
  if (fields.birthday !== null && fields.birthday > instantText(now).slice(0, 10)) throw refuseField('birthday', 'date')
  return { ...fields, tags: [...new Set(fields.tags)] }
}

/** What two wrote into one field at once: behind what was typed, what another added to what both had read, or wrote in its place. @throws bad_input where that is too long */
function ofBoth(name: keyof typeof mostWritten, { read, stored, typed }: { read: string; stored: string; typed: string }): string {
  if (stored === read || stored === typed) return typed
  if (typed === read) return stored
  const others = stored.startsWith(`${read}\n`) ? stored.slice(read.length + 1) : stored
  const both = [typed, others].filter((one) => one !== '').join('\n')
  const most = mostWritten[name]
  if (both.length > most) throw refuseField(name, `too_long:${most}`)
  return both
}

/** @throws customer_known when one has the same phone or email, unless it is said to be another person */
export async function addCustomer(
  context: AppContext,
  scope: Writer,
  { isAnother = false, ...asked }: Asked & { isAnother?: boolean | undefined },
): Promise<Customer> {
  const now = context.clock.now()
  const fields = fieldsOf(none, asked, now)
  return inTransaction(context.database.db, async (transaction) => {
    await lockContacts(transaction, scope)
    const known = isAnother ? [] : await findMatches(transaction, scope, { phone: fields.phone, email: fields.email, except: null })
    if (known.length > 0) throw refuse('customer_known', { customers: known.map(({ id: _id, name }) => ({ _id, name })) })
    const id = await insertCustomer(transaction, scope, fields, new Date(now))
    await tellOfRecord(transaction, scope, id, 'added', now)
    return customerOf(context, scope, id, transaction)
  })
}

export const changeCustomer = (
  context: AppContext,
  scope: Writer,
  id: string,
  { notesBefore, ...asked }: Asked & { notesBefore?: string | undefined },
): Promise<Customer> =>
  change(context, scope, id, 'fields', async (transaction, before, now) => {
    const notes =
      asked.notes === undefined || notesBefore === undefined
        ? asked.notes
        : ofBoth('notes', { read: notesBefore, stored: before.notes, typed: asked.notes })
    await updateCustomer(transaction, scope, id, fieldsOf(before, { ...asked, notes }, now.getTime()), now)
  })

export const blockCustomer = (context: AppContext, scope: Writer, id: string, isBlocked: boolean): Promise<Customer> =>
  change(context, scope, id, isBlocked ? 'blocked' : 'unblocked', async (transaction, _fields, now) =>
    setBlocked(transaction, scope, id, isBlocked ? now : null),
  )

type Doctor = InstituteScope<'customers.health'>
type HealthFields = Pick<CustomerHealth, 'allergies' | 'formulas'>
async function healthOf(transaction: Db, scope: Doctor, id: string): Promise<CustomerHealth> {
  const health = await readHealth(transaction, scope, id)
  if (!health) throw refuse('not_found')
  return { ...health, openings: health.openings.map(whom) }
}
/** What is kept, and the openings before this one; this one is noted with the reading of it, or nothing is told. @throws not_found */
export async function openHealth({ database, clock }: AppContext, scope: Doctor, id: string): Promise<CustomerHealth> {
  return inTransaction(database.db, async (transaction) => {
    const health = await healthOf(transaction, scope, id)
    await insertOpening(transaction, scope, id, new Date(clock.now()))
    return health
  })
}
/** @throws not_found */
export async function changeHealth(
  { database, clock }: AppContext,
  scope: Doctor,
  id: string,
  { before: read, ...typed }: HealthFields & { before?: HealthFields | undefined },
): Promise<CustomerHealth> {
  const now = clock.now()
  return inTransaction(database.db, async (transaction) => {
    if (!(await lockRecord(transaction, scope, id))) throw refuse('not_found')
    const stored = read && (await readHealth(transaction, scope, id))
    const both = (name: keyof HealthFields): string =>
      read && stored ? ofBoth(name, { read: read[name], stored: stored[name], typed: typed[name] }) : typed[name]
    const kept: HealthFields = { allergies: both('allergies'), formulas: both('formulas') }
    await writeHealth(transaction, scope, id, kept, new Date(now))
    // What another has written meanwhile is told with the answer.
    if (kept.allergies !== typed.allergies || kept.formulas !== typed.formulas) await insertOpening(transaction, scope, id, new Date(now))
    await tellOfRecord(transaction, scope, id, 'health', now)
    return healthOf(transaction, scope, id)
  })
}

/** What the first bytes say; the decoder decides. */
const isDocument = ({ bytes }: SentFile): boolean => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'

/** @throws not_found, wrong_type, too_many_files */
export async function addFile(
  context: AppContext,
  scope: Writer,
  id: string,
  { file, name }: { file: SentFile; name?: string | undefined },
): Promise<Customer> {
  if ((await customerOf(context, scope, id)).files.length >= mostCustomerFiles)
    throw refuse('too_many_files', { most: mostCustomerFiles }, { values: { count: mostCustomerFiles } })
  const kind = isDocument(file) ? 'document' : 'image'
  const taken = await takeFile(context, scope, kind === 'document' ? 'customer_document' : 'customer_picture', file)
  const called = (name || (file.name ?? ''))
    .replaceAll(/[\p{C}/\\]/gu, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed()
  return change(context, scope, id, 'files', async (transaction, _fields, now) => {
    await useFile(transaction, scope, taken)
    const one = { id, key: taken.key, kind, name: called || '–', most: mostCustomerFiles, now } as const
    if (!(await insertFile(transaction, scope, one)))
      throw refuse('too_many_files', { most: mostCustomerFiles }, { values: { count: mostCustomerFiles } })
  })
}

/** @throws not_found */
export async function removeFile(context: AppContext, scope: Writer, id: string, fileId: string): Promise<Customer> {
  const record = await change(context, scope, id, 'files', async (transaction) => {
    const key = await deleteFile(transaction, scope, id, fileId)
    if (key === null) throw refuse('not_found')
    await dropFile(transaction, scope, key)
  })
  await removeDropped(context)
  return record
}

export const addConsent = (
  context: AppContext,
  scope: Writer,
  id: string,
  asked: { title: string; text: string; signedBy: string },
): Promise<Customer> =>
  change(context, scope, id, 'consents', async (transaction, _fields, now) => insertConsent(transaction, scope, { id, ...asked, now }))

/** @throws not_found */
export const withdraw = (context: AppContext, scope: Writer, id: string, consentId: string): Promise<Customer> =>
  change(context, scope, id, 'consents', async (transaction, _fields, now) => {
    if (!(await withdrawConsent(transaction, scope, id, consentId, now))) throw refuse('not_found')
  })

/** @throws not_found for a record of another institute */
export const relate = (
  context: AppContext,
  scope: Writer,
  id: string,
  { relatedId, kind }: { relatedId: string; kind: (typeof relationKinds)[number] },
): Promise<Customer> =>
  change(context, scope, id, 'relations', async (transaction, _fields, now) => {
    if (relatedId === id) throw refuseField('relatedId', 'invalid')
    if (!(await insertRelation(transaction, scope, { id, relatedId, kind, now }))) throw refuse('not_found')
  })

/** @throws not_found when they are not related */
export const unrelate = (context: AppContext, scope: Writer, id: string, relatedId: string): Promise<Customer> =>
  change(context, scope, id, 'relations', async (transaction) => {
    if (!(await deleteRelation(transaction, scope, id, relatedId))) throw refuse('not_found')
  })

/** Whether an institute lets somebody book no more. What they read then says nothing of it. */
export const isBlockedAt = (db: Db, scope: SelfScope, instituteId: string): Promise<boolean> => readBlocked(db, scope, instituteId)
