/** A visit that ends sooner than planned, as it is written, and what its invoice has of a service. */
import { paymentMethods } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { isReached, type Reach, reachedBy, type VisitScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

interface OfVisit {
  id: string
  instituteId: string
}
const some: OfVisit = { id: someId, instituteId: someId }

/** Of each member and room what the segments take: the hands before and after an idle part, and clean-up. */
const needed = ({ id, instituteId }: OfVisit) => sql`needed as (
    select subject, range_agg(during) as during from (
      select s.member_id as subject, case when p.is_idle then tstzrange(s.starts_at - b.before, s.starts_at + p.active)
          else tstzrange(s.starts_at - b.before, s.ends_at + b.after) end as during
        from segments s join services v on v.id = s.service_id, ${buffers}, ${parts} where s.appointment_id = ${id} and s.institute_id = ${instituteId}
      union all select s.member_id, tstzrange(s.starts_at + p.active + p.idle, s.ends_at + b.after)
        from segments s join services v on v.id = s.service_id, ${buffers}, ${parts}
        where s.appointment_id = ${id} and s.institute_id = ${instituteId} and p.is_idle
      union all select s.resource_id, tstzrange(s.starts_at - b.before, s.ends_at + b.after)
        from segments s join services v on v.id = s.service_id, ${buffers}
        where s.appointment_id = ${id} and s.institute_id = ${instituteId} and s.resource_id is not null) n group by subject)`
const buffers = sql`lateral (select make_interval(mins => v.buffer_before_minutes) as before, make_interval(mins => v.buffer_after_minutes) as after) b`
const parts = sql`lateral (select make_interval(mins => coalesce((s.snapshot ->> 'activeMinutes')::int, 0)) as active,
    make_interval(mins => coalesce((s.snapshot ->> 'idleMinutes')::int, 0)) as idle,
    coalesce((s.snapshot ->> 'idleMinutes')::int, 0) > 0 and coalesce((s.snapshot ->> 'activeAfterMinutes')::int, 0) > 0 as is_idle) p`

const dropSegments = statement(
  { name: 'removedServices.dropSegments', row: {}, tries: [{ ...some, positions: [1] }] },
  ({ id, instituteId, positions }: OfVisit & { positions: readonly number[] }) =>
    sql`delete from segments where appointment_id = ${id} and institute_id = ${instituteId} and position = any(${positions}::int[])`,
)
const placeSegment = statement(
  { name: 'removedServices.placeSegment', row: {}, tries: [{ ...some, from: 1, to: 0, line: 0 }] },
  ({ id, instituteId, from, to, line }: OfVisit & { from: number; to: number; line: number }) =>
    sql`update segments set position = ${to}, snapshot = snapshot || jsonb_build_object('line', ${line}::int)
      where appointment_id = ${id} and institute_id = ${instituteId} and position = ${from}`,
)
const keepNeeded = statement(
  { name: 'removedServices.keepNeeded', row: {}, tries: [some] },
  (visit: OfVisit) => sql`with ${needed(visit)},
    gone as (delete from occupations where appointment_id = ${visit.id} and institute_id = ${visit.instituteId} returning *)
    insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during)
      select g.institute_id, g.appointment_id, g.subject_kind, g.subject_id, unnest(tstzmultirange(g.during) * n.during)
      from gone g join needed n on n.subject = g.subject_id`,
)
const keepNeededBeside = statement(
  { name: 'removedServices.keepNeededBeside', row: {}, tries: [some] },
  (visit: OfVisit) => sql`with ${needed(visit)},
    gone as (delete from soft_occupations where appointment_id = ${visit.id} and institute_id = ${visit.instituteId} returning *)
    insert into soft_occupations (institute_id, kind, appointment_id, subject_kind, subject_id, during, reason, actor, created_at)
      select g.institute_id, g.kind, g.appointment_id, g.subject_kind, g.subject_id, unnest(tstzmultirange(g.during) * n.during), g.reason, g.actor, g.created_at
      from gone g join needed n on n.subject = g.subject_id`,
)

/** Segments go, and with them the time that no other takes; those that stay, in their order, keep theirs to the minute. */
export async function dropRest(
  unit: Unit,
  id: string,
  { gone, kept }: { gone: readonly number[]; kept: readonly { position: number; line: number }[] },
): Promise<void> {
  const visit = { id, instituteId: unit.instituteId }
  await dropSegments.run(unit.db, { ...visit, positions: gone })
  for (const [to, { position: from, line }] of kept.entries()) await placeSegment.run(unit.db, { ...visit, from, to, line })
  await keepNeeded.run(unit.db, visit)
  await keepNeededBeside.run(unit.db, visit)
}

const method = statement(
  { name: 'removedServices.onlineMethods', row: { method: c.oneOf(paymentMethods), left: known(c.count) }, tries: [some] },
  ({
    id,
    instituteId,
  }: OfVisit) => sql`select k.payment_method as method, sum(case p.kind when 'refund' then -p.amount else p.amount end)::int8 as left
    from payments p join checkouts k on k.id = p.checkout_id where p.sale_id = ${id} and p.institute_id = ${instituteId}
    group by k.payment_method having sum(case p.kind when 'refund' then -p.amount else p.amount end) > 0 order by min(p.at) desc, k.payment_method`,
)
/** By which ways a visit was paid online, the last first, and what of it is left. */
export const waysOfVisit = (unit: Unit, id: string) => method.all(unit.db, { id, instituteId: unit.instituteId })

const invoiceRow = {
  id: c.uuid,
  client: orNull(c.text),
  lines: known(
    c.json(
      z.array(
        z.object({
          id: z.string(),
          name: z.unknown(),
          serviceId: z.string(),
          memberId: z.nullable(z.string()),
          memberName: z.nullable(z.string()),
          quantity: z.int(),
          amount: z.int(),
          vatBasisPoints: z.int(),
          vat: z.int(),
        }),
      ),
    ),
  ),
}
export type InvoiceOfVisit = RowOf<typeof invoiceRow>
const invoice = statement(
  { name: 'removedServices.invoice', row: invoiceRow, tries: [{ ...some, userId: null }] },
  ({ id, instituteId, userId }: OfVisit & Reach) => sql`select d.id, d.parties ->> 'client' as client,
      (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'serviceId', l.service_id, 'memberId', l.member_id, 'memberName', l.member_name,
          'quantity', l.quantity, 'amount', l.amount, 'vatBasisPoints', l.vat_basis_points, 'vat', l.vat) order by l.position), '[]')
        from document_lines l where l.document_id = d.id and l.kind = 'service' and l.service_id is not null
          and not exists (select from document_lines r where r.corrects = l.id)) as lines
    from documents d where d.sale_id = ${id} and d.institute_id = ${instituteId} and d.kind = 'invoice' and ${isReached(id, { userId })}
      and not exists (select from document_lines l where l.document_id = d.id and l.kind = 'discount')`,
)
/** The invoice of a visit with its services of which nothing went back; null where there is none, or it has a discount, which the desk has to share out. */
export const invoiceOfVisit = (db: Db, scope: VisitScope, visit: OfVisit): Promise<InvoiceOfVisit | null> =>
  invoice.one(db, reachedBy(scope, visit))
