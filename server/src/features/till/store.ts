/** What a till reads of the menu, the team and the client, and what it notes on a visit. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { lives, payments } from '#/features/visits/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

interface OfUnit {
  instituteId: string
  id: string
}
const some: OfUnit = { instituteId: someId, id: someId }

const visitRow = {
  id: c.uuid,
  customerId: orNull(c.uuid),
  client: orNull(c.text),
  life: known(c.oneOf(lives)),
  payment: known(c.oneOf(payments)),
  total: c.int,
}
const visit = statement(
  { name: 'till.lockVisit', row: visitRow, tries: [some] },
  ({ instituteId, id }: OfUnit) => sql`select a.id, a.customer_id as "customerId",
      (select nullif(concat_ws(' ', k.first_name, nullif(k.last_name, '')), '') from customers k where k.id = a.customer_id) as client,
      coalesce(a.life, life_of_status(a.status)) as life, coalesce(a.payment, payment_of_status(a.status, null)) as payment, a.total_amount as total
    from appointments a where a.id = ${id} and a.institute_id = ${instituteId} for update`,
)
export const lockVisit = (unit: Unit, id: string): Promise<RowOf<typeof visitRow> | null> =>
  visit.one(unit.db, { instituteId: unit.instituteId, id })

const paid = statement(
  { name: 'till.markPaid', row: {}, tries: [{ ...some, payment: 'paid' }] },
  ({ instituteId, id, payment }: OfUnit & { payment: string }) =>
    sql`update appointments set payment = ${payment}, revision = revision + 1 where id = ${id} and institute_id = ${instituteId}`,
)
export const markVisitPaid = async (unit: Unit, id: string): Promise<void> =>
  void (await paid.run(unit.db, { instituteId: unit.instituteId, id, payment: 'paid' }))

const named = z.partialRecord(z.enum(locales), z.string())
const serviceRow = { id: c.uuid, name: c.json(named), priceAmount: orNull(c.int) }
export type MenuService = RowOf<typeof serviceRow>
const services = statement(
  { name: 'till.services', row: serviceRow, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) =>
    sql`select id, name, price_amount as "priceAmount" from services where institute_id = ${instituteId} and id = any(${ids}::uuid[])`,
)
export const servicesById = (unit: Unit, ids: readonly string[]): Promise<MenuService[]> =>
  services.all(unit.db, { instituteId: unit.instituteId, ids })

const memberRow = { id: c.uuid, name: c.text }
const members = statement(
  { name: 'till.members', row: memberRow, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) =>
    sql`select id, name from team_members where institute_id = ${instituteId} and id = any(${ids}::uuid[])`,
)
export const membersById = (unit: Unit, ids: readonly string[]): Promise<RowOf<typeof memberRow>[]> =>
  members.all(unit.db, { instituteId: unit.instituteId, ids })

const client = statement(
  { name: 'till.client', row: { name: known(c.text) }, tries: [some] },
  ({ instituteId, id }: OfUnit) =>
    sql`select concat_ws(' ', first_name, nullif(last_name, '')) as name from customers where id = ${id} and institute_id = ${instituteId} and merged_into is null`,
)
export const clientName = async (unit: Unit, id: string): Promise<string | null> =>
  (await client.one(unit.db, { instituteId: unit.instituteId, id }))?.name ?? null

const invoiceRow = { id: c.uuid, customerId: orNull(c.uuid), appointmentId: orNull(c.uuid), client: orNull(c.text) }
const invoice = statement(
  { name: 'till.lockInvoice', row: invoiceRow, tries: [some] },
  ({
    instituteId,
    id,
  }: OfUnit) => sql`select d.id, s.customer_id as "customerId", s.appointment_id as "appointmentId", d.parties ->> 'client' as client
    from sales s join documents d on d.sale_id = s.id and d.kind = 'invoice' where s.id = ${id} and s.institute_id = ${instituteId} for update of s`,
)
/** Of a sale, which waits for whoever else gives back something of it. */
export const lockInvoice = (unit: Unit, id: string): Promise<RowOf<typeof invoiceRow> | null> =>
  invoice.one(unit.db, { instituteId: unit.instituteId, id })
