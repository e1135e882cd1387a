/** Prices that are dated ahead, as their day comes. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

const dueRow = { instituteId: c.uuid, timeZone: c.text, fromDay: known(c.day) }
const due = statement(
  { name: 'services.institutesWithPrices', row: dueRow, tries: ['2026-01-01'] },
  (day: string) => sql`select p.institute_id as "instituteId", i.time_zone as "timeZone", min(p.from_day) as "fromDay"
    from service_prices p join institutes i on i.id = p.institute_id where p.from_day <= ${day}::date group by 1, 2`,
)
/** Institutes with a price from this day or an earlier one on, with the earliest day of each. */
export const institutesWithPrices = (db: Db, _scope: SystemScope, day: string): Promise<RowOf<typeof dueRow>[]> => due.all(db, day)

const apply = statement(
  { name: 'services.applyPrices', row: {}, tries: [{ instituteId: someId, day: '2026-01-01' }] },
  ({ instituteId, day }: { instituteId: string; day: string }) => sql`with due as (
      delete from service_prices where institute_id = ${instituteId} and from_day <= ${day}::date returning service_id, from_day, price_kind, price_amount),
    latest as (select distinct on (service_id) service_id, price_kind, price_amount from due order by service_id, from_day desc)
    update services s set price_kind = l.price_kind, price_amount = l.price_amount from latest l
      where s.id = l.service_id and s.price_kind <> 'on_request'`,
)
/** How many services have the price of this day now. */
export const applyPrices = ({ db, instituteId }: Unit, day: string): Promise<number> => apply.run(db, { instituteId, day })
