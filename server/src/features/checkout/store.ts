/** Checkouts, and what they do to the hold they are of. */
import { paymentMethods } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const checkoutRow = {
  id: c.uuid,
  instituteId: c.uuid,
  /** The hold, and the visit that becomes of it. */
  visitId: c.uuid,
  userId: orNull(c.uuid),
  amount: c.int,
  currency: c.text,
  /** What the visit is once this is paid. */
  payment: c.oneOf(['deposit_paid', 'paid']),
  paymentMethod: c.oneOf(paymentMethods),
  note: orNull(c.text),
  state: c.oneOf(['open', 'paid', 'cancelled', 'failed', 'expired', 'refund_due']),
  /** Until when the hold waits. */
  until: c.instant,
}
export type Checkout = RowOf<typeof checkoutRow>
const columns = sql`k.id, k.institute_id as "instituteId", k.appointment_id as "visitId", k.user_id as "userId", k.amount, k.currency, k.payment,
  k.payment_method as "paymentMethod", k.note, k.state, k.until`

const ofVisit = statement(
  { name: 'checkout.ofVisit', row: checkoutRow, tries: [{ visitId: someId, userId: someId }] },
  ({ visitId, userId }: { visitId: string; userId: string }) =>
    sql`select ${columns} from checkouts k where k.appointment_id = ${visitId} and k.user_id = ${userId}`,
)
export const findCheckoutOf = (db: Db, scope: SelfScope, visitId: string): Promise<Checkout | null> =>
  ofVisit.one(db, { visitId, userId: scope.userId })

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
}
const insert = statement(
  { name: 'checkout.insert', row: checkoutRow, tries: [someNew] },
  (k: NewCheckout & { instituteId: string }) => sql`
    insert into checkouts as k (institute_id, appointment_id, user_id, amount, currency, payment, payment_method, note, held_at, until, begun_at, taken)
      select a.institute_id, a.id, a.user_id, ${k.amount}, a.currency, ${k.payment}, ${k.paymentMethod}, ${k.note}, a.created_at, ${k.until}, ${k.now},
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

const again = statement(
  { name: 'checkout.takeTimeAgain', row: { taken: known(c.bool) }, tries: [{ id: someId, until: new Date(0) }] },
  ({ id, until }: { id: string; until: Date }) => sql`select take_time_again(${id}, ${until}) as taken from checkouts where id = ${id}`,
)
/** For the visit of a checkout of the unit's institute; false when the time is not free any more. */
export const takeTimeAgain = async (unit: Unit, { id }: Checkout, until: Date): Promise<boolean> =>
  (await again.one(unit.db, { id, until }))?.taken === true

const pay = statement(
  { name: 'checkout.markPaid', row: {}, tries: [{ id: someId, instituteId: someId, payment: 'paid' }] },
  ({ id, instituteId, payment }: { id: string; instituteId: string; payment: string }) => sql`
    update appointments set payment = ${payment} where id = ${id} and institute_id = ${instituteId} and life = 'booked' and payment in ('none', 'awaiting', 'failed')`,
)
/** A visit that was booked before its payment arrived. False when it is paid already. */
export const markPaid = async (unit: Unit, { visitId, payment }: Checkout): Promise<boolean> =>
  (await pay.run(unit.db, { id: visitId, instituteId: unit.instituteId, payment })) > 0

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
