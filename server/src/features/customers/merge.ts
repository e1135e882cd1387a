/** Two records that are one person: what looks like it, joining them, and taking them apart again within 30 days. */
import { isDeepStrictEqual } from 'node:util'
import { type Customer, type Duplicate, type mergeFields, mostAlert, undoDays } from '@soigne/contract/customers'
import { dayMs } from '@soigne/contract/time'
import { fileAddress } from '#/features/files/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import type { Writer } from './changes-store.ts'
import { readInstitute } from './list-store.ts'
import {
  findAlike,
  insertMerge,
  lockBoth,
  lockMerge,
  markDistinct,
  markUndone,
  moveParts,
  type PairRow,
  putStanding,
  readPairs,
  type Standing,
} from './merge-store.ts'
import { customerOf } from './record.ts'

const faceSize = 96

const forWire = (context: AppContext, { id: _id, imageKey, spend, ...row }: PairRow, currency: string): Duplicate['records'][number] => ({
  _id,
  name: `${row.firstName} ${row.lastName}`.trim(),
  ...row,
  imageUrl: imageKey === null ? null : fileAddress(context, imageKey, faceSize),
  spend: { amount: spend, currency },
})

/** Pairs with the fuller record first: whoever has an account, then more visits. @throws not_found for one that is not there */
export async function duplicatesOf(context: AppContext, scope: Writer, of: string | null): Promise<Duplicate[]> {
  const { db } = context.database
  if (of !== null && (await readPairs(db, scope, [of], new Date(context.clock.now()))).length === 0) throw refuse('not_found')
  const alike = await findAlike(db, scope, of)
  if (alike.length === 0) return []
  const [{ currency }, rows] = [
    await readInstitute(db, scope),
    await readPairs(db, scope, [...new Set(alike.flatMap(({ oneId, otherId }) => [oneId, otherId]))], new Date(context.clock.now())),
  ]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return alike.flatMap(({ oneId, otherId, byPhone, byEmail, byName }) => {
    const [one, other] = [byId.get(oneId), byId.get(otherId)]
    if (!one || !other) return []
    const records = [one, other].toSorted((a, b) => Number(b.hasAccount) - Number(a.hasAccount) || b.visits - a.visits)
    const reasons: Duplicate['reasons'] = []
    if (byPhone) reasons.push('phone')
    if (byEmail) reasons.push('email')
    if (byName) reasons.push('name')
    return [{ reasons, records: records.map((row) => forWire(context, row, currency)) }]
  })
}

/** @throws not_found unless both are of the institute */
export async function separate(
  { database }: AppContext,
  scope: Writer,
  { oneId, otherId }: { oneId: string; otherId: string },
): Promise<void> {
  if (!(await markDistinct(database.db, scope, oneId, otherId))) throw refuse('not_found')
}

type Take = Partial<Record<(typeof mergeFields)[number], 'keep' | 'merge' | undefined>>

const joined = (...texts: (string | null)[]): string => [...new Set(texts.filter(Boolean))].join('\n')
const healthTogether = (kept: Standing['health'], other: Standing['health']): Standing['health'] =>
  kept && other ? { allergies: joined(kept.allergies, other.allergies), formulas: joined(kept.formulas, other.formulas) } : (kept ?? other)

/** What is to be known of both, in one line where it is short enough; else that of the other goes to the notes. */
function alertsTogether(kept: Standing, other: Standing): { alert: string | null; rest: string | null } {
  const line = [...new Set([kept.alert, other.alert].filter(Boolean))].join(' · ')
  return line.length <= mostAlert ? { alert: line || null, rest: null } : { alert: kept.alert, rest: other.alert }
}

/** One record of two: of each field what was chosen, else what the kept one says, else what the other does. Nothing that was written is lost. */
export function together(kept: Standing, other: Standing, take: Take): Standing {
  const of = (field: (typeof mergeFields)[number]): [Standing, Standing] => (take[field] === 'merge' ? [other, kept] : [kept, other])
  const [name] = of('name')
  const { alert, rest } = alertsTogether(kept, other)
  const pick = <Key extends 'phone' | 'email' | 'birthday' | 'locale'>(field: Key): Standing[Key] => {
    const [first, second] = of(field)
    return take[field] === undefined ? (first[field] ?? second[field]) : first[field]
  }
  return {
    firstName: name.firstName,
    lastName: name.lastName,
    phone: pick('phone'),
    email: pick('email'),
    birthday: pick('birthday'),
    locale: pick('locale'),
    alert,
    notes: joined(kept.notes, other.notes, rest).slice(0, 4000),
    tags: [...new Set([...kept.tags, ...other.tags])].slice(0, 20),
    blockedAt: kept.blockedAt ?? other.blockedAt,
    createdAt: [kept.createdAt, other.createdAt].toSorted((a, b) => parseInstant(a) - parseInstant(b))[0] ?? kept.createdAt,
    userId: kept.userId ?? other.userId,
    paysFirst: kept.paysFirst ?? other.paysFirst ?? null,
    health: healthTogether(kept.health, other.health),
  }
}

export interface AskedMerge {
  keepId: string
  mergeId: string
  take?: Take | undefined
}
/** @throws not_found, two_accounts */
export async function mergeCustomers(
  context: AppContext,
  scope: Writer,
  { keepId, mergeId, take = {} }: AskedMerge,
): Promise<{ mergeId: string; until: string; customer: Customer }> {
  const now = context.clock.now()
  if (keepId === mergeId) throw refuseField('mergeId', 'invalid')
  return inTransaction(context.database.db, async (transaction) => {
    const both = await lockBoth(transaction, scope, keepId, mergeId)
    const [kept, other] = [both.get(keepId), both.get(mergeId)]
    // One that was joined already is not known any more.
    if (!kept || !other || (await readPairs(transaction, scope, [keepId, mergeId], new Date(now))).length < 2) throw refuse('not_found')
    if (kept.userId !== null && other.userId !== null) throw refuse('two_accounts')
    const after = together(kept, other, take)
    const parts = await moveParts(transaction, scope, { from: mergeId, to: keepId, only: null, visitsOf: null })
    // The account first leaves the one: a record of it there is only one of.
    await putStanding(transaction, scope, mergeId, { ...other, userId: null, mergedInto: keepId, now: new Date(now) })
    await putStanding(transaction, scope, keepId, { ...after, mergedInto: null, now: new Date(now) })
    const moved = { ...parts, after }
    const id = await insertMerge(transaction, scope, { keptId: keepId, mergedId: mergeId, before: kept, moved, now: new Date(now) })
    await tell(transaction, 'customer.merged', scope, { id: keepId, mergeId: id, mergedId: mergeId, now })
    return { mergeId: id, until: instantText(now + undoDays * dayMs), customer: await customerOf(context, scope, keepId, transaction) }
  })
}

async function tell(
  transaction: Parameters<typeof recordEvents>[0],
  kind: 'customer.merged' | 'customer.parted',
  { instituteId, actor }: Writer,
  { id, mergeId, mergedId, now }: { id: string; mergeId: string; mergedId: string; now: number },
): Promise<void> {
  await recordEvents(transaction, [{ kind, instituteId, subjectId: id, actor, payload: { mergeId, mergedId }, at: instantText(now) }])
}

/** What was changed since the merge stays; what is as the merge made it becomes what it was. */
function apart(current: Standing, before: Standing, after: Standing): Standing {
  const same = (key: keyof Standing): boolean => isDeepStrictEqual(current[key], after[key])
  const changed = (Object.keys(current) as (keyof Standing)[]).filter((key) => !same(key))
  return { ...before, ...Object.fromEntries(changed.map((key) => [key, current[key]])) }
}

/** @throws not_found, too_late after 30 days, wrong_state when it was undone or something was joined after it */
export async function undoMerge(context: AppContext, scope: Writer, id: string): Promise<Customer> {
  const now = context.clock.now()
  return inTransaction(context.database.db, async (transaction) => {
    const merge = await lockMerge(transaction, scope, id)
    if (!merge) throw refuse('not_found')
    if (merge.isUndone || merge.isApart) throw refuse('wrong_state')
    if (parseInstant(merge.mergedAt) + undoDays * dayMs <= now) throw refuse('too_late')
    const { keptId, mergedId, before } = merge
    const { after, ...only } = merge.moved
    const both = await lockBoth(transaction, scope, keptId, mergedId)
    const [current, other] = [both.get(keptId), both.get(mergedId)]
    if (!current || !other) throw refuse('not_found')
    const { userId } = current
    // An account that came with the other goes back with it, unless it has ended meanwhile.
    const goesBack = userId !== null && before.userId === null && after.userId === userId
    await moveParts(transaction, scope, { from: keptId, to: mergedId, only, visitsOf: goesBack ? userId : null })
    await putStanding(transaction, scope, keptId, {
      ...apart(current, before, after),
      userId: goesBack ? null : userId,
      mergedInto: null,
      now: new Date(now),
    })
    await putStanding(transaction, scope, mergedId, { ...other, userId: goesBack ? userId : null, mergedInto: null, now: new Date(now) })
    await markUndone(transaction, scope, id, new Date(now))
    await tell(transaction, 'customer.parted', scope, { id: keptId, mergeId: id, mergedId, now })
    return customerOf(context, scope, keptId, transaction)
  })
}
