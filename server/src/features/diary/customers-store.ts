/** The customer record a visit is for: one that is there, or a new one. */
import { prerequisiteHolds } from '@soigne/scheduling/prerequisites'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { DiaryReaderScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { minuteOfText } from '#/platform/instants.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const customerRow = { id: c.uuid, userId: orNull(c.uuid), birthday: orNull(c.day) }
export type CustomerRow = RowOf<typeof customerRow>

const customer = statement(
  { name: 'diary.customer', row: customerRow, tries: [{ instituteId: someId, id: someId }] },
  ({
    instituteId,
    id,
  }: {
    instituteId: string
    id: string
  }) => sql`select c.id, c.user_id as "userId", coalesce(u.birthday, c.birthday) as birthday
    from customers asked join customers c on c.id = coalesce(asked.merged_into, asked.id) left join users u on u.id = c.user_id
    where asked.id = ${id} and asked.institute_id = ${instituteId} and c.institute_id = ${instituteId}`,
)
/** Of one that was joined with another that other. */
export const findCustomer = (unit: Unit, id: string): Promise<CustomerRow | null> =>
  customer.one(unit.db, { instituteId: unit.instituteId, id })

interface Reach {
  email: string | null
  phone: string | null
  name: string
}
/** `words`: the name of the record, `asked`: the one that is looked for; both as names are compared. */
const likelyRow = { ...customerRow, hasEmail: known(c.bool), words: known(c.text), asked: known(c.text) }
const likely = statement(
  { name: 'diary.likelyCustomers', row: likelyRow, tries: [{ instituteId: someId, email: null, phone: null, name: '' }] },
  ({ instituteId, email, phone, name }: Reach & { instituteId: string }) => sql`
    select c.id, c.user_id as "userId", coalesce(u.birthday, c.birthday) as birthday, coalesce(c.email = ${email}::citext, false) as "hasEmail",
      coalesce(c.words, '') as words, fold_name(${name}) as asked
    from customers c join institutes i on i.id = c.institute_id left join users u on u.id = c.user_id
    where c.institute_id = ${instituteId} and c.merged_into is null and (c.email = ${email}::citext or c.phone_key = phone_key(${phone}, i.country_code))
    order by c.created_at, c.id limit 50`,
)
/** Records with this email or this telephone, the oldest first; none that was joined with another. */
export const likelyCustomers = (unit: Unit, asked: Reach): Promise<RowOf<typeof likelyRow>[]> =>
  likely.all(unit.db, { instituteId: unit.instituteId, ...asked })

interface NewCustomer {
  firstName: string
  lastName: string
  email: string | null
  phone: string | null
}
const insert = statement(
  {
    name: 'diary.insertCustomer',
    row: customerRow,
    tries: [{ instituteId: someId, firstName: 'A', lastName: '', email: null, phone: null, now: new Date(0) }],
  },
  ({ instituteId, firstName, lastName, email, phone, now }: NewCustomer & { instituteId: string; now: Date }) => sql`
    insert into customers (institute_id, first_name, last_name, email, phone, created_at)
      values (${instituteId}, ${firstName}, ${lastName}, ${email}, ${phone}, ${now}) returning id, user_id as "userId", birthday`,
)
export async function insertCustomer(unit: Unit, made: NewCustomer): Promise<CustomerRow> {
  const row = await insert.one(unit.db, { ...made, instituteId: unit.instituteId, now: new Date(unit.now) })
  if (!row) throw new Error('a customer was not stored')
  return row
}

const bookedRow = { serviceId: c.uuid, endsAt: c.instant }
const booked = statement(
  { name: 'diary.servicesBooked', row: bookedRow, tries: [{ instituteId: someId, customerId: someId }] },
  ({ instituteId, customerId }: { instituteId: string; customerId: string }) => sql`
    select s.service_id as "serviceId", s.ends_at as "endsAt" from appointments a join segments s on s.appointment_id = a.id
    where a.customer_id = ${customerId} and a.institute_id = ${instituteId} and coalesce(a.life, a.status) not in ('held', 'cancelled') and a.attendance <> 'no_show'`,
)
/** Services a customer had or has booked ahead, with when each ends. */
export const servicesBooked = (unit: Unit, customerId: string): Promise<RowOf<typeof bookedRow>[]> =>
  booked.all(unit.db, { instituteId: unit.instituteId, customerId })

const names = c.json<Partial<Record<string, string>>>(z.partialRecord(z.string(), z.string()))
const askedRow = {
  serviceName: names,
  testName: names,
  testId: c.uuid,
  minHours: c.int,
  maxMonths: c.int,
  startsAt: c.instant,
  timeZone: c.text,
  /** Ends of the tests of its client. */
  ends: known(c.json<string[]>(z.array(z.string()))),
}
const asked = statement(
  { name: 'diary.testsAsked', row: askedRow, tries: [{ instituteId: someId, id: someId, now: new Date(0) }] },
  ({ instituteId, id, now }: { instituteId: string; id: string; now: Date }) => sql`
    select w.name as "serviceName", q.name as "testName", q.id as "testId", p.min_hours as "minHours", p.max_months as "maxMonths", b.starts_at as "startsAt", b.time_zone as "timeZone",
      coalesce((select json_agg(s.ends_at) from segments s join appointments a on a.id = s.appointment_id where s.service_id = p.required_service_id
        and a.institute_id = b.institute_id and a.id <> b.id and (a.user_id = b.user_id or a.customer_id = b.customer_id)
        and coalesce(a.life, a.status) not in ('held', 'cancelled') and a.attendance <> 'no_show'), '[]') as ends
    from appointments b join segments n on n.appointment_id = b.id
      join service_prerequisites p on p.service_id = n.service_id join services w on w.id = p.service_id join services q on q.id = p.required_service_id
    where b.id = ${id} and b.institute_id = ${instituteId} and coalesce(b.life, b.status) not in ('held', 'cancelled') and b.ends_at > ${now}
    order by n.position, q.position`,
)
/** What the services of a visit need first and its client has not: it was overlooked, or the test was cancelled, missed or moved since. */
export async function missingTests(db: Db, scope: DiaryReaderScope, id: string, now: Date): Promise<RowOf<typeof askedRow>[]> {
  const rows = await asked.all(db, { instituteId: scope.instituteId, id, now })
  return rows.filter(({ testId: serviceId, minHours, maxMonths, startsAt, timeZone, ends }) => {
    const visits = ends.map((end) => ({ serviceId, endsAt: minuteOfText(end) }))
    return !prerequisiteHolds(timeZone, { kind: 'prior_service', serviceId, minHours, maxMonths }, { visits }, minuteOfText(startsAt))
  })
}
