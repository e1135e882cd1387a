/** Accounts of institutes at the provider of payments, with what was last read of them there. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { AccountFacts } from '#/platform/payment-provider.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const accountRow = {
  id: c.uuid,
  instituteId: c.uuid,
  accountId: orNull(c.text),
  takesPayments: c.bool,
  paysOut: c.bool,
  readAt: orNull(c.instant),
}
export type AccountRow = RowOf<typeof accountRow>
const columns = sql`a.id, a.institute_id as "instituteId", a.account_id as "accountId", a.takes_payments as "takesPayments", a.pays_out as "paysOut", a.read_at as "readAt"`

const ofInstitute = statement(
  { name: 'paymentAccounts.ofInstitute', row: accountRow, tries: [someId] },
  (instituteId: string) => sql`select ${columns} from payment_accounts a where a.institute_id = ${instituteId}`,
)
export const findAccount = (db: Db, scope: InstituteScope<'institute.change'>): Promise<AccountRow | null> =>
  ofInstitute.one(db, scope.instituteId)

const named = statement(
  { name: 'paymentAccounts.named', row: accountRow, tries: ['acct_1'] },
  (accountId: string) => sql`select ${columns} from payment_accounts a where a.account_id = ${accountId}`,
)
/** By how its provider calls it. */
export const findNamed = (db: Db, _scope: SystemScope, accountId: string): Promise<AccountRow | null> => named.one(db, accountId)

const due = statement(
  { name: 'paymentAccounts.due', row: { id: c.uuid, instituteId: c.uuid, accountId: known(c.text) }, tries: [new Date(0)] },
  (askedBefore: Date) => sql`select a.id, a.institute_id as "instituteId", a.account_id as "accountId" from payment_accounts a
    where a.account_id is not null and greatest(a.made_at, a.read_at, a.tried_at) <= ${askedBefore} order by a.id limit 100`,
)
/** Some of those that nobody has asked about lately. */
export const accountsDue = (db: Db, _scope: SystemScope, askedBefore: Date): ReturnType<typeof due.all> => due.all(db, askedBefore)

const tried = statement(
  { name: 'paymentAccounts.tried', row: {}, tries: [{ id: someId, now: new Date(0) }] },
  ({ id, now }: { id: string; now: Date }) => sql`update payment_accounts set tried_at = ${now} where id = ${id}`,
)
/** It is asked about now, whatever the answer. */
export const noteTried = async (db: Db, _scope: SystemScope, asked: { id: string; now: Date }): Promise<void> =>
  void (await tried.run(db, asked))

const begin = statement(
  { name: 'paymentAccounts.begin', row: accountRow, tries: [{ instituteId: someId, now: new Date(0) }] },
  ({
    instituteId,
    now,
  }: {
    instituteId: string
    now: Date
  }) => sql`insert into payment_accounts as a (institute_id, made_at) values (${instituteId}, ${now})
    on conflict (institute_id) do update set made_at = a.made_at returning ${columns}`,
)
/** The one it has, or one that its provider does not know yet. */
export async function beginAccount(unit: Unit): Promise<AccountRow> {
  const row = await begin.one(unit.db, { instituteId: unit.instituteId, now: new Date(unit.now) })
  if (!row) throw new Error('an account was not begun')
  return row
}

const country = statement(
  { name: 'paymentAccounts.country', row: { code: c.text }, tries: [someId] },
  (instituteId: string) => sql`select country_code as code from institutes where id = ${instituteId}`,
)
/** Of the institute: accounts are of one country for good. */
export async function countryOf(db: Db, scope: InstituteScope<'payments.connect'>): Promise<string> {
  const row = await country.one(db, scope.instituteId)
  if (!row) throw new Error(`no institute ${scope.instituteId}`)
  return row.code
}

const name = statement(
  { name: 'paymentAccounts.setName', row: {}, tries: [{ id: someId, instituteId: someId, accountId: 'acct_1' }] },
  ({ id, instituteId, accountId }: { id: string; instituteId: string; accountId: string }) =>
    sql`update payment_accounts set account_id = ${accountId} where id = ${id} and institute_id = ${instituteId} and account_id is null`,
)
/** False where it has one already. */
export const nameAccount = async (unit: Unit, asked: { id: string; accountId: string }): Promise<boolean> =>
  (await name.run(unit.db, { ...asked, instituteId: unit.instituteId })) > 0

interface Read extends AccountFacts {
  accountId: string
  /** When the reading was begun: what a later one said stays. */
  readAt: Date
}
const note = statement(
  {
    name: 'paymentAccounts.note',
    row: {},
    tries: [{ instituteId: someId, accountId: 'acct_1', takesPayments: true, paysOut: true, readAt: new Date(0) }],
  },
  ({ instituteId, accountId, takesPayments, paysOut, readAt }: Read & { instituteId: string }) => sql`
    update payment_accounts set takes_payments = ${takesPayments}, pays_out = ${paysOut}, read_at = ${readAt}
    where institute_id = ${instituteId} and account_id = ${accountId} and (read_at is null or read_at <= ${readAt})`,
)
export const noteFacts = async (unit: Unit, read: Read): Promise<boolean> =>
  (await note.run(unit.db, { ...read, instituteId: unit.instituteId })) > 0

const remove = statement(
  { name: 'paymentAccounts.remove', row: {}, tries: [{ instituteId: someId, accountId: 'acct_1' }] },
  ({ instituteId, accountId }: { instituteId: string; accountId: string }) =>
    sql`delete from payment_accounts where institute_id = ${instituteId} and account_id = ${accountId}`,
)
export const removeAccount = async (unit: Unit, accountId: string): Promise<boolean> =>
  (await remove.run(unit.db, { accountId, instituteId: unit.instituteId })) > 0
