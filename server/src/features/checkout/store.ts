/** Checkouts, and what they do to the hold they are of. */
import { locales, paymentMethods } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** `charge`: of a fee, without its client; `fee`: the same on a page. */
export const checkoutKinds = ['hold', 'rest', 'charge', 'fee'] as const

const checkoutRow = {
  id: c.uuid,
  instituteId: c.uuid,
  /** The hold, and the visit that becomes of it. */
  visitId: c.uuid,
  userId: orNull(c.uuid),
  amount: c.int,
  currency: c.text,
  /** What the visit is once this is paid. */
  payment: c.oneOf(['none', 'deposit_paid', 'paid']),
  paymentMethod: c.oneOf(paymentMethods),
  note: orNull(c.text),
  state: c.oneOf(['open', 'paid', 'cancelled', 'failed', 'expired', 'refund_due']),
  /** Until when the hold waits. */
  until: c.instant,
  kind: c.oneOf(checkoutKinds),
  /** When the hold was made, the checkout begun, and until when the hold went before. */
  heldAt: c.instant,
  begunAt: c.instant,
  heldUntil: orNull(c.instant),
  /** Kept of it when its client cancels late. */
  depositAmount: c.int,
  /** What is agreed for who cancels late or does not come, and whether the card is kept for it. */
  lateFee: c.int,
  noShowFee: c.int,
  graceMinutes: c.int,
  keepsCard: c.bool,
  /** Of a fee. */
  feeId: orNull(c.uuid),
  /** On whose account of the provider; null: on that of the site. */
  accountId: orNull(c.text),
  locale: orNull(known(c.oneOf(locales))),
  returnTo: orNull(c.text),
  provider: orNull(c.text),
  pageId: orNull(c.text),
  url: orNull(c.text),
}
export type Checkout = RowOf<typeof checkoutRow>
const columns = sql`k.id, k.institute_id as "instituteId", k.appointment_id as "visitId", k.user_id as "userId", k.amount, k.currency, k.payment,
  k.payment_method as "paymentMethod", k.note, k.state, k.until, k.kind, k.held_at as "heldAt", k.begun_at as "begunAt", k.held_until as "heldUntil",
  k.deposit_amount as "depositAmount", k.late_fee_amount as "lateFee", k.no_show_fee_amount as "noShowFee", k.fee_grace_minutes as "graceMinutes",
  k.keeps_card as "keepsCard", k.fee_id as "feeId", k.account_id as "accountId", k.locale, k.return_to as "returnTo", k.provider, k.page_id as "pageId", k.url`

const ofVisit = statement(
  { name: 'checkout.ofVisit', row: checkoutRow, tries: [{ visitId: someId, userId: someId }] },
  ({ visitId, userId }: { visitId: string; userId: string }) =>
    sql`select ${columns} from checkouts k where k.appointment_id = ${visitId} and k.user_id = ${userId} order by k.begun_at desc, k.id desc limit 1`,
)
/** The last one of a hold or visit. */
export const findCheckoutOf = (db: Db, scope: SelfScope, visitId: string): Promise<Checkout | null> =>
  ofVisit.one(db, { visitId, userId: scope.userId })

const ofKey = statement(
  { name: 'checkout.ofKey', row: checkoutRow, tries: [{ userId: someId, key: 'k' }] },
  ({ userId, key }: { userId: string; key: string }) =>
    sql`select ${columns} from checkouts k where k.user_id = ${userId} and k.key = ${key} order by k.begun_at desc limit 1`,
)
/** The one that was opened under a key of its client. */
export const findCheckoutByKey = (db: Db, scope: SelfScope, key: string): Promise<Checkout | null> =>
  ofKey.one(db, { userId: scope.userId, key })

const byId = statement(
  { name: 'checkout.byId', row: checkoutRow, tries: [someId] },
  (id: string) => sql`select ${columns} from checkouts k where k.id = ${id}`,
)
export const findCheckout = (db: Db, _scope: SystemScope, id: string): Promise<Checkout | null> => byId.one(db, id)

const locked = statement(
  { name: 'checkout.lock', row: checkoutRow, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`select ${columns} from checkouts k where k.id = ${id} and k.institute_id = ${instituteId} for update`,
)
export const lockCheckout = (unit: Unit, id: string): Promise<Checkout | null> => locked.one(unit.db, { id, instituteId: unit.instituteId })

export interface NewCheckout {
  visitId: string
  amount: number
  payment: Checkout['payment']
  paymentMethod: Checkout['paymentMethod']
  note: string | null
  until: Date
  now: Date
  kind: Checkout['kind']
  heldAt: Date
  heldUntil: Date | null
  depositAmount: number
  lateFee?: number
  noShowFee?: number
  graceMinutes?: number
  keepsCard?: boolean
  feeId?: string | null
  key: string | null
  locale: Checkout['locale']
  returnTo: string | null
}
const someNew: NewCheckout & { instituteId: string } = {
  instituteId: someId,
  visitId: someId,
  amount: 1,
  payment: 'paid',
  paymentMethod: 'card',
  note: null,
  until: new Date(0),
  now: new Date(0),
  kind: 'hold',
  heldAt: new Date(0),
  heldUntil: null,
  depositAmount: 0,
  key: null,
  locale: null,
  returnTo: null,
}
const insert = statement(
  { name: 'checkout.insert', row: checkoutRow, tries: [someNew] },
  (k: NewCheckout & { instituteId: string }) => sql`
    insert into checkouts as k (institute_id, appointment_id, user_id, amount, currency, payment, payment_method, note, held_at, until, begun_at, kind, held_until, deposit_amount, late_fee_amount, no_show_fee_amount,
        fee_grace_minutes, keeps_card, fee_id, account_id, key, locale, return_to, taken)
      select a.institute_id, a.id, a.user_id, ${k.amount}, a.currency, ${k.payment}, ${k.paymentMethod}, ${k.note}, ${k.heldAt}, ${k.until}, ${k.now}, ${k.kind}, ${k.heldUntil},
        ${k.depositAmount}, ${k.lateFee ?? 0}, ${k.noShowFee ?? 0}, ${k.graceMinutes ?? 0}, ${k.keepsCard ?? false}, ${k.feeId ?? null},
        (select p.account_id from payment_accounts p where p.institute_id = a.institute_id), ${k.key}, ${k.locale}, ${k.returnTo},
        (select coalesce(jsonb_agg(jsonb_build_object('kind', o.subject_kind, 'subjectId', o.subject_id, 'from', lower(o.during), 'to', upper(o.during))), '[]')
          from occupations o where o.appointment_id = a.id)
      from appointments a where a.id = ${k.visitId} and a.institute_id = ${k.instituteId}
    returning ${columns}`,
)
/** Of a hold, with what it takes. */
export const insertCheckout = (unit: Unit, checkout: NewCheckout): Promise<Checkout | null> =>
  insert.one(unit.db, { ...checkout, instituteId: unit.instituteId })

const awaits = statement(
  { name: 'checkout.awaitPayment', row: { taken: known(c.count) }, tries: [{ id: someId, instituteId: someId, until: new Date(0) }] },
  ({ id, instituteId, until }: { id: string; instituteId: string; until: Date }) => sql`
    with times as (update occupations set expires_at = ${until} where appointment_id = ${id} and institute_id = ${instituteId} returning 1),
      seats as (update session_seats set expires_at = ${until} where appointment_id = ${id} and institute_id = ${instituteId} returning 1),
      visit as (update appointments set payment = 'awaiting', expires_at = ${until} where id = ${id} and institute_id = ${instituteId} returning 1)
    select count(*) as taken from (select from times union all select from seats) t`,
)
/** The hold keeps its time until then. False when its time was swept away meanwhile. */
export const awaitPayment = async (unit: Unit, id: string, until: Date): Promise<boolean> =>
  (await awaits.one(unit.db, { id, instituteId: unit.instituteId, until }))?.taken !== 0

const goes = statement(
  {
    name: 'checkout.holdGoesOn',
    row: { taken: known(c.count) },
    tries: [{ id: someId, instituteId: someId, until: new Date(0), now: new Date(0) }],
  },
  ({ id, instituteId, until, now }: { id: string; instituteId: string; until: Date; now: Date }) => sql`
    with visit as (update appointments set payment = 'failed', expires_at = ${until}
        where id = ${id} and institute_id = ${instituteId} and payment = 'awaiting' and expires_at > ${now} returning id),
      times as (update occupations o set expires_at = ${until} from visit v where o.appointment_id = v.id returning 1),
      seats as (update session_seats s set expires_at = ${until} from visit v where s.appointment_id = v.id returning 1)
    select count(*) as taken from (select from times union all select from seats) t`,
)
/** The hold goes on without a checkout until then. False when it has ended. */
export const goOn = async (unit: Unit, id: string, until: Date): Promise<boolean> =>
  (await goes.one(unit.db, { id, instituteId: unit.instituteId, until, now: new Date(unit.now) }))?.taken !== 0

const end = statement(
  {
    name: 'checkout.end',
    row: {},
    tries: [{ id: someId, instituteId: someId, state: 'paid', reference: 'r', now: new Date(0) }],
  },
  ({ id, instituteId, state, reference, now }: { id: string; instituteId: string; state: string; reference: string | null; now: Date }) =>
    sql`update checkouts set state = ${state}, reference = ${reference}, ended_at = ${now} where id = ${id} and institute_id = ${instituteId}`,
)
export const endCheckout = (unit: Unit, id: string, state: Exclude<Checkout['state'], 'open'>, reference: string | null = null) =>
  end.run(unit.db, { id, instituteId: unit.instituteId, state, reference, now: new Date(unit.now) })

const free = statement(
  { name: 'checkout.freeKey', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`update checkouts set key = null where id = ${id} and institute_id = ${instituteId}`,
)
/** Nothing came of what was asked under its key. */
export const freeKey = (unit: Unit, id: string): Promise<number> => free.run(unit.db, { id, instituteId: unit.instituteId })

const again = statement(
  { name: 'checkout.takeTimeAgain', row: { taken: known(c.bool) }, tries: [{ id: someId, until: new Date(0) }] },
  ({ id, until }: { id: string; until: Date }) => sql`select take_time_again(${id}, ${until}) as taken from checkouts where id = ${id}`,
)
/** For the visit of a checkout of the unit's institute; false when the time is not free any more. */
export const takeTimeAgain = async (unit: Unit, { id }: Checkout, until: Date): Promise<boolean> =>
  (await again.one(unit.db, { id, until }))?.taken === true

interface Marked {
  id: string
  instituteId: string
  payment: string
  /** What may be paid of it before. */
  from: readonly string[]
}
const pay = statement(
  { name: 'checkout.markPaid', row: {}, tries: [{ id: someId, instituteId: someId, payment: 'paid', from: ['none'] }] },
  ({ id, instituteId, payment, from }: Marked) => sql`
    update appointments set payment = ${payment}, revision = revision + 1 where id = ${id} and institute_id = ${instituteId} and life = 'booked' and payment = any(${from}::text[])`,
)
const nothing = ['none', 'awaiting', 'failed']
/** A visit that was booked before its payment arrived, or whose rest is paid. False when it is paid already. */
export const markPaid = async (unit: Unit, { visitId, payment, kind }: Checkout): Promise<boolean> =>
  (await pay.run(unit.db, {
    id: visitId,
    instituteId: unit.instituteId,
    payment,
    from: kind === 'rest' ? [...nothing, 'deposit_paid'] : nothing,
  })) > 0

const deposit = statement(
  { name: 'checkout.setDeposit', row: {}, tries: [{ id: someId, instituteId: someId, amount: 1 }] },
  ({ id, instituteId, amount }: { id: string; instituteId: string; amount: number }) =>
    sql`update appointments set deposit_amount = ${amount}, payment = case payment when 'awaiting' then 'none' else payment end where id = ${id} and institute_id = ${instituteId}`,
)
/** What of it is kept when its client cancels late; where only a card was kept, nothing is awaited any more. */
export const setDeposit = (unit: Unit, { visitId, depositAmount }: Checkout): Promise<number> =>
  deposit.run(unit.db, { id: visitId, instituteId: unit.instituteId, amount: depositAmount })

const confirm = statement(
  {
    name: 'checkout.confirm',
    row: { outcome: known(c.text) },
    tries: [{ visitId: someId, userId: someId, payment: 'paid', paymentMethod: 'card', note: null, now: new Date(0) }],
  },
  (k: { visitId: string; userId: string | null; payment: string; paymentMethod: string; note: string | null; now: Date }) => sql`
    select h.outcome from confirm_hold(${k.visitId}, ${k.userId}, status_of_visit('booked', ${k.payment}), ${k.paymentMethod}, ${k.note}, null, null, '{}'::jsonb, ${k.now}) h`,
)
/** Books the hold of a checkout. False when it has run out or its time is gone. */
export const confirmHeld = async (unit: Unit, { visitId, userId, payment, paymentMethod, note }: Checkout): Promise<boolean> =>
  (await confirm.one(unit.db, { visitId, userId, payment, paymentMethod, note, now: new Date(unit.now) }))?.outcome === 'confirmed'

const beingPaid = statement(
  { name: 'checkout.isBeingPaid', row: { open: known(c.bool) }, tries: [{ visitId: someId, instituteId: someId }] },
  ({ visitId, instituteId }: { visitId: string; instituteId: string }) =>
    sql`select exists (select from checkouts where appointment_id = ${visitId} and institute_id = ${instituteId} and state = 'open') as open`,
)
/** Whether a page is open on which something of a visit is paid. */
export const isBeingPaid = async (unit: Unit, visitId: string): Promise<boolean> =>
  (await beingPaid.one(unit.db, { visitId, instituteId: unit.instituteId }))?.open === true
