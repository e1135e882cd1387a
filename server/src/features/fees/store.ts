/** Fees, and what was agreed of them. */
import { feeKinds, feeStates } from '@soigne/contract/fees'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { isReached, type PartyScope, type Reach, reachedBy } from '#/features/visits/service.ts'
import type { InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const feeRow = {
  id: c.uuid,
  instituteId: c.uuid,
  visitId: c.uuid,
  kind: c.oneOf(feeKinds),
  amount: c.int,
  currency: c.text,
  state: c.oneOf(feeStates),
  dueAt: c.instant,
  /** What it becomes instead of being charged, decided while that was under way. */
  calledOff: orNull(c.oneOf(['waived', 'withdrawn'])),
  reason: orNull(c.text),
  /** By which it was paid. */
  checkoutId: orNull(c.uuid),
}
export type Fee = RowOf<typeof feeRow>
const columns = sql`f.id, f.institute_id as "instituteId", f.appointment_id as "visitId", f.kind, f.amount, f.currency, f.state, f.due_at as "dueAt", f.called_off as "calledOff",
  f.reason, f.checkout_id as "checkoutId"`

export interface AgreedFees {
  late: number
  noShow: number
  graceMinutes: number
  cardId: string | null
}
const agree = statement(
  {
    name: 'fees.agree',
    row: {},
    tries: [{ visitId: someId, instituteId: someId, late: 1, noShow: 1, graceMinutes: 1, cardId: null }],
  },
  ({ visitId, instituteId, late, noShow, graceMinutes, cardId }: AgreedFees & { visitId: string; instituteId: string }) => sql`
    insert into fee_terms (appointment_id, institute_id, late_amount, no_show_amount, grace_minutes, card_id)
    values (${visitId}, ${instituteId}, ${late}, ${noShow}, ${graceMinutes}, ${cardId}) on conflict do nothing`,
)
/** What its client accepted with a visit; the first time counts. */
export const agreeFees = async (unit: Unit, visitId: string, agreed: AgreedFees): Promise<void> =>
  void (await agree.run(unit.db, { ...agreed, visitId, instituteId: unit.instituteId }))

interface NewFee {
  visitId: string
  userId: string | null
  kind: Fee['kind']
  amount: number
  currency: string
  dueAt: Date
}
const insert = statement(
  {
    name: 'fees.insert',
    row: { id: c.uuid },
    tries: [
      {
        visitId: someId,
        userId: null,
        kind: 'no_show',
        amount: 1,
        currency: 'EUR',
        dueAt: new Date(0),
        now: new Date(0),
        instituteId: someId,
      },
    ],
  },
  (f: NewFee & { now: Date; instituteId: string }) => sql`
    insert into fees (institute_id, appointment_id, user_id, kind, amount, currency, made_at, due_at)
    values (${f.instituteId}, ${f.visitId}, ${f.userId}, ${f.kind}, ${f.amount}, ${f.currency}, ${f.now}, ${f.dueAt})
    on conflict (appointment_id) where state <> 'withdrawn' do nothing returning id`,
)
/** Null where the visit has one already. */
export const insertFee = async (unit: Unit, fee: NewFee): Promise<string | null> =>
  (await insert.one(unit.db, { ...fee, now: new Date(unit.now), instituteId: unit.instituteId }))?.id ?? null

const lock = statement(
  { name: 'fees.lock', row: feeRow, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`select ${columns} from fees f where f.id = ${id} and f.institute_id = ${instituteId} for update`,
)
export const lockFee = (unit: Unit, id: string): Promise<Fee | null> => lock.one(unit.db, { id, instituteId: unit.instituteId })

const ofVisit = statement(
  { name: 'fees.ofVisit', row: feeRow, tries: [{ visitId: someId, instituteId: someId, userId: null }] },
  (asked: { visitId: string; instituteId: string } & Reach) => sql`select ${columns} from fees f
    where f.appointment_id = ${asked.visitId} and f.institute_id = ${asked.instituteId} and f.state <> 'withdrawn' and ${isReached(asked.visitId, asked)}`,
)
/** The one that counts. */
export const feeOfVisit = (db: Db, scope: PartyScope, asked: { visitId: string; instituteId: string }): Promise<Fee | null> =>
  ofVisit.one(db, reachedBy(scope, asked))

interface Change {
  id: string
  state: Fee['state']
  calledOff: Fee['calledOff']
  reason: string | null
  decidedBy: object | null
  checkoutId: string | null
}
const set = statement(
  {
    name: 'fees.set',
    row: {},
    tries: [
      {
        id: someId,
        state: 'waived',
        calledOff: null,
        reason: null,
        decidedBy: null,
        checkoutId: null,
        now: new Date(0),
        instituteId: someId,
      },
    ],
  },
  (
    f: Change & { now: Date; instituteId: string },
  ) => sql`update fees set state = ${f.state}, called_off = ${f.calledOff}, reason = coalesce(${f.reason}, reason),
      decided_by = coalesce(${f.decidedBy === null ? null : JSON.stringify(f.decidedBy)}::jsonb, decided_by), checkout_id = coalesce(${f.checkoutId}::uuid, checkout_id),
      ended_at = case when ${f.state} in ('due', 'charging', 'asked', 'unpaid') then null else ${f.now}::timestamptz end
    where id = ${f.id} and institute_id = ${f.instituteId}`,
)
export const setFee = async (
  unit: Unit,
  { id, state, calledOff = null, reason = null, decidedBy = null, checkoutId = null }: Partial<Change> & Pick<Change, 'id' | 'state'>,
): Promise<void> =>
  void (await set.run(unit.db, {
    id,
    state,
    calledOff,
    reason,
    decidedBy,
    checkoutId,
    now: new Date(unit.now),
    instituteId: unit.instituteId,
  }))

const resume = statement(
  { name: 'fees.unwaive', row: {}, tries: [{ id: someId, instituteId: someId, since: new Date(0) }] },
  ({ id, instituteId, since }: { id: string; instituteId: string; since: Date }) => sql`
    update fees set state = 'due', reason = null, decided_by = null, ended_at = null
    where id = ${id} and institute_id = ${instituteId} and state = 'waived' and ended_at < due_at and ended_at >= ${since}`,
)
/** False for what is not waived, was waived longer ago, or once it was due. */
export const unwaive = async (unit: Unit, id: string, withinMs: number): Promise<boolean> =>
  (await resume.run(unit.db, { id, instituteId: unit.instituteId, since: new Date(unit.now - withinMs) })) > 0

const agreedRow = { late: c.int, noShow: c.int, graceMinutes: c.int, brand: orNull(known(c.text)), lastFour: orNull(known(c.text)) }
const agreed = statement(
  { name: 'fees.agreed', row: agreedRow, tries: [{ visitId: someId, userId: someId }] },
  ({
    visitId,
    userId,
  }: {
    visitId: string
    userId: string
  }) => sql`select t.late_amount as late, t.no_show_amount as "noShow", t.grace_minutes as "graceMinutes",
      k.brand, k.last_four as "lastFour"
    from fee_terms t join appointments a on a.id = t.appointment_id left join saved_cards k on k.id = t.card_id where t.appointment_id = ${visitId} and a.user_id = ${userId}`,
)
/** What was agreed for a visit of one's own, and the card that is kept for it. */
export const agreedFees = (db: Db, scope: SelfScope, visitId: string): Promise<RowOf<typeof agreedRow> | null> =>
  agreed.one(db, { visitId, userId: scope.userId })

const openRow = {
  id: c.uuid,
  visitId: c.uuid,
  kind: c.oneOf(feeKinds),
  amount: c.int,
  currency: c.text,
  state: c.oneOf(feeStates),
  dueAt: c.instant,
  client: known(c.text),
  startsAt: c.instant,
  held: known(c.count),
  brand: orNull(known(c.text)),
  lastFour: orNull(known(c.text)),
}
const open = statement(
  { name: 'fees.open', row: openRow, tries: [{ instituteId: someId }] },
  ({
    instituteId,
  }: {
    instituteId: string
  }) => sql`select f.id, f.appointment_id as "visitId", f.kind, f.amount, f.currency, f.state, f.due_at as "dueAt",
      coalesce(trim(k.first_name || ' ' || k.last_name), '') as client, a.starts_at as "startsAt", b.brand, b.last_four as "lastFour",
      (select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0)::int8 from payments p
        where p.sale_id = f.appointment_id and p.institute_id = f.institute_id) as held
    from fees f join appointments a on a.id = f.appointment_id left join customers k on k.id = a.customer_id
      left join fee_terms t on t.appointment_id = a.id left join saved_cards b on b.id = t.card_id
    where f.institute_id = ${instituteId} and f.state in ('due', 'charging', 'asked', 'unpaid') order by f.due_at, f.id limit 200`,
)
/** Those that are not settled, the next to be charged first. */
export const openFees = (db: Db, scope: InstituteScope<'sales.read'>): Promise<RowOf<typeof openRow>[]> =>
  open.all(db, { instituteId: scope.instituteId })

const dueRow = { id: c.uuid, instituteId: c.uuid }
const due = statement(
  { name: 'fees.due', row: dueRow, tries: [{ now: new Date(0), limit: 1 }] },
  ({ now, limit }: { now: Date; limit: number }) => sql`select f.id, f.institute_id as "instituteId" from fees f
    where f.state = 'due' and f.due_at <= ${now} and not exists (select from fee_terms t join saved_cards k on k.id = t.card_id
        join payment_accounts p on p.account_id = k.account_id where t.appointment_id = f.appointment_id and not p.takes_payments)
    order by f.due_at, f.id limit ${limit}`,
)
/** Those whose time to be waived is over; those of an account that takes nothing at the moment wait. */
export const dueFees = (db: Db, _scope: SystemScope, asked: { now: Date; limit: number }): Promise<RowOf<typeof dueRow>[]> =>
  due.all(db, asked)

const chargeableRow = { state: c.oneOf(feeStates), hasCard: known(c.bool), takesPayments: known(c.bool) }
const chargeable = statement(
  { name: 'fees.chargeable', row: chargeableRow, tries: [{ id: someId, instituteId: someId }] },
  ({
    id,
    instituteId,
  }: {
    id: string
    instituteId: string
  }) => sql`select f.state, k.id is not null as "hasCard", coalesce(p.takes_payments, true) as "takesPayments"
    from fees f left join fee_terms t on t.appointment_id = f.appointment_id left join saved_cards k on k.id = t.card_id and k.removed_at is null
      left join payment_accounts p on p.account_id = k.account_id where f.id = ${id} and f.institute_id = ${instituteId}`,
)
/** How far a fee is, whether a card is kept for it, and whether the account of that takes anything at the moment. */
export const chargeableFee = (db: Db, scope: InstituteScope<'sales.refund'>, id: string): Promise<RowOf<typeof chargeableRow> | null> =>
  chargeable.one(db, { id, instituteId: scope.instituteId })

const letterRow = {
  kind: c.oneOf(feeKinds),
  amount: c.int,
  currency: c.text,
  dueAt: c.instant,
  reason: orNull(c.text),
  visitId: c.uuid,
  userId: known(c.uuid),
  institute: c.text,
  timeZone: c.text,
  startsAt: c.instant,
  brand: orNull(known(c.text)),
  lastFour: orNull(known(c.text)),
  /** Of which a session pays for the visit. */
  packages: known(c.list(c.text)),
}
const letter = statement(
  { name: 'fees.letter', row: letterRow, tries: [someId] },
  (
    id: string,
  ) => sql`select f.kind, f.amount, f.currency, f.due_at as "dueAt", f.reason, f.appointment_id as "visitId", f.user_id as "userId", i.name as institute,
      a.time_zone as "timeZone", a.starts_at as "startsAt", k.brand, k.last_four as "lastFour",
      array(select distinct p.name from client_package_moves u join client_packages p on p.id = u.client_package_id where u.sale_id = f.appointment_id and u.kind = 'used'
        and not exists (select from client_package_moves b where b.line_id = u.line_id and b.kind = 'undone') order by 1) as packages
    from fees f join institutes i on i.id = f.institute_id join appointments a on a.id = f.appointment_id
      left join fee_terms t on t.appointment_id = a.id left join saved_cards k on k.id = t.card_id
    where f.id = ${id} and f.user_id is not null`,
)
export type FeeOfLetter = RowOf<typeof letterRow>
export const feeOfLetter = (db: Db, _scope: SystemScope, id: string): Promise<FeeOfLetter | null> => letter.one(db, id)
