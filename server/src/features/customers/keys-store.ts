/** What records of before are found by. */
import { sql } from 'kysely'
import type { Fill } from '#/platform/fills.ts'
import { c, known, orNull, someId, statement } from '#/platform/statement.ts'

const fillKeys = statement(
  { name: 'customers.fillKeys', row: { cursor: orNull(c.uuid), rows: known(c.count) }, tries: [{ after: someId, limit: 1 }] },
  ({
    after,
    limit,
  }: {
    after: string
    limit: number
  }) => sql`with next as (select id, words is null as is_old from customers where id > ${after} order by id limit ${limit}),
    filled as (update customers k set first_name = k.first_name from next n where k.id = n.id and n.is_old)
    select (select max(id::text)::uuid from next) as cursor, (select count(*) from next) as rows`,
)
/** Names and numbers of before are searched by as well: a trigger writes what they are searched by. */
export const keys: Fill = {
  name: '0115_customer_keys',
  async fill(transaction, after, limit) {
    const found = await fillKeys.one(transaction, { after: after ?? '00000000-0000-0000-0000-000000000000', limit })
    return found?.cursor ? { cursor: found.cursor, rows: found.rows } : null
  },
}
