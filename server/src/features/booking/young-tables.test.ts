/** A salon brings along the visits of years, none of them by somebody with an account; bookings that follow are found all the same. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
  const { id } = await makeInstitute(t.db)
  await sql`with customer as (insert into customers (institute_id, first_name) values (${id}, 'Nour') returning id)
    insert into appointments (institute_id, customer_id, reference, life, payment, attendance, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, first_starts_at, confirmed_at)
    select ${id}, customer.id, 'BR' || substr('ABCDEFGHJK', n / 100 + 1, 1) || 'A-' || substr('ABCDEFGHJK', n / 10 % 10 + 1, 1) || substr('ABCDEFGHJK', n % 10 + 1, 1) || 'A', 'booked', 'none', 'done',
      now() - n * interval '1 hour', now() - n * interval '1 hour' + interval '30 minutes', 'Europe/Paris', '[]', 0, 'EUR',
      '{"cancelWindowMinutes":null,"rescheduleWindowMinutes":null,"freeUntil":null}', now() - n * interval '1 hour', now() from generate_series(0, 999) n, customer`.execute(
    t.db,
  )
  await sql`analyze appointments`.execute(t.db)
})
afterAll(() => t.close())

it.each([
  ['how many times somebody holds', `a.user_id = $1 and a.starts_at > $2`],
  [
    'what somebody has at the same time',
    `a.user_id = $1 and a.status not in ('held', 'cancelled') and a.starts_at < $2 and a.ends_at > $3`,
  ],
])('%s is found by the person, as plans are kept', async (_, asked) => {
  const { rows } = await sql<{
    'QUERY PLAN': string
  }>`explain (generic_plan) select a.status, a.expires_at from appointments a where ${sql.raw(asked)}`.execute(t.db)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan using appointments_of_user')
})
