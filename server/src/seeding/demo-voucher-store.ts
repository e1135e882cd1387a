/** Where the demo sells gift cards and packages, and to whom. */
import { sql } from 'kysely'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, statement } from '#/platform/statement.ts'

const placeRow = { id: c.uuid, locale: known(c.oneOf(['en', 'fr'])), customerId: c.uuid, serviceId: c.uuid, price: known(c.int) }
export type Place = RowOf<typeof placeRow>
const places = statement(
  { name: 'seeding.placesOfVouchers', row: placeRow, tries: [1] },
  (limit: number) => sql`
    select i.id, case i.country_code when 'GB' then 'en' else 'fr' end as locale, k.id as "customerId", s.id as "serviceId", s.price_amount as price from institutes i
      join lateral (select s.id, s.price_amount from services s where s.institute_id = i.id and s.archived_at is null and s.price_kind = 'fixed' and s.price_amount > 0
        order by s.position, s.id limit 1) s on true
      join lateral (select k.id from customers k where k.institute_id = i.id and k.merged_into is null order by (k.email is not null), k.id limit 1) k on true
      order by (i.slug <> 'atelier-nacre'), i.slug limit ${limit}`,
)
/** Institutes with a price for their first service, that of the mockups first, each with a client who gets no letters where there is one. */
export const placesOfDemo = (db: Db, _scope: SystemScope, limit: number): Promise<Place[]> => places.all(db, limit)
