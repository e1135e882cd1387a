/** Visits as rows, where how they were booked does not matter: any number at one time, without a diary. */
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'
const someReference = (): string => {
  const one = Array.from({ length: 7 }, () => letters[randomInt(letters.length)]).join('')
  return `${one.slice(0, 4)}-${one.slice(4)}`
}

export interface KeptVisit {
  userId: string
  instituteId: string
  /** When it begins; it takes an hour. */
  startsAt: string
  attendance?: 'expected' | 'done' | 'no_show'
}

export async function makeVisit(db: Db, { userId, instituteId, startsAt, attendance = 'expected' }: KeptVisit): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with known as (select id from customers where institute_id = ${instituteId} and user_id = ${userId}),
      made as (insert into customers (institute_id, user_id, first_name) select ${instituteId}, ${userId}, 'Nour' where not exists (select from known) returning id)
    insert into appointments (institute_id, user_id, customer_id, reference, life, payment, attendance, starts_at, ends_at, time_zone, cart, total_amount,
      currency, terms, first_starts_at, confirmed_at)
    select ${instituteId}, ${userId}, c.id, ${someReference()}, 'booked', 'none', ${attendance}, ${startsAt}::timestamptz, ${startsAt}::timestamptz + interval '1 hour',
      'Europe/Paris', '[]', 0, 'EUR', '{"cancelWindowMinutes":null,"rescheduleWindowMinutes":null,"freeUntil":null}', ${startsAt}::timestamptz, now()
    from (select id from known union all select id from made) c returning id`.execute(db)
  return rows[0]?.id ?? ''
}
