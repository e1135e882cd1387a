/** Cards that are kept for fees. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { KeptCard } from '#/features/payments/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

interface NewCard extends KeptCard {
  userId: string
  provider: string
  /** On which account it is kept; null: on that of the site. */
  accountId: string | null
}
const put = statement(
  {
    name: 'fees.putCard',
    row: { id: c.uuid },
    tries: [{ userId: someId, provider: 'sandbox', accountId: null, token: 't', brand: 'Visa', lastFour: '4242', now: new Date(0) }],
  },
  ({ userId, provider, accountId, token, brand, lastFour, now }: NewCard & { now: Date }) => sql`
    insert into saved_cards (user_id, provider, account_id, token, brand, last_four, kept_at) values (${userId}, ${provider}, ${accountId}, ${token}, ${brand}, ${lastFour}, ${now})
    on conflict (user_id, provider, token) do update set removed_at = null returning id`,
)
export async function putCard(unit: Unit, card: NewCard): Promise<string> {
  const row = await put.one(unit.db, { ...card, now: new Date(unit.now) })
  if (!row) throw new Error('a card was not kept')
  return row.id
}

const cardRow = {
  id: c.uuid,
  brand: c.text,
  lastFour: c.text,
  keptAt: c.instant,
  /** A visit ahead or a fee that is not settled may be charged to it. */
  isNeeded: known(c.bool),
}
const isNeeded = sql`exists (select from fee_terms t join appointments a on a.id = t.appointment_id where t.card_id = k.id
    and (coalesce(a.life, life_of_status(a.status)) = 'booked' and a.ends_at > now_of.at
      or exists (select from fees f where f.appointment_id = a.id and f.state in ('due', 'charging', 'asked', 'unpaid'))))`
const own = statement(
  { name: 'fees.ownCards', row: cardRow, tries: [{ userId: someId, now: new Date(0) }] },
  ({
    userId,
    now,
  }: {
    userId: string
    now: Date
  }) => sql`select k.id, k.brand, k.last_four as "lastFour", k.kept_at as "keptAt", ${isNeeded} as "isNeeded"
    from saved_cards k cross join (select ${now}::timestamptz as at) now_of where k.user_id = ${userId} and k.removed_at is null order by k.kept_at desc, k.id`,
)
export const ownCards = (db: Db, scope: SelfScope, now: Date): Promise<RowOf<typeof cardRow>[]> =>
  own.all(db, { userId: scope.userId, now })

const removedRow = { token: c.text, provider: c.text, accountId: orNull(c.text) }
/** What a provider calls a card, and which one. */
export type CardAtProvider = RowOf<typeof removedRow>
const remove = statement(
  { name: 'fees.removeCard', row: removedRow, tries: [{ userId: someId, id: someId, now: new Date(0) }] },
  ({ userId, id, now }: { userId: string; id: string; now: Date }) => sql`update saved_cards k set removed_at = now_of.at
    from (select ${now}::timestamptz as at) now_of where k.id = ${id} and k.user_id = ${userId} and k.removed_at is null and not ${isNeeded} returning k.token, k.provider, k.account_id as "accountId"`,
)
const ofOwner = statement(
  { name: 'fees.cardsOfOwner', row: removedRow, tries: [someId] },
  (userId: string) =>
    sql`select token, provider, account_id as "accountId" from saved_cards where user_id = ${userId} order by kept_at, id`,
)
/** Those that were removed too: their provider may not know it yet. */
export const cardsOfOwner = (db: Db, scope: SelfScope): Promise<CardAtProvider[]> => ofOwner.all(db, scope.userId)

/** Null where it is not there, or needed. */
export const removeCard = (db: Db, scope: SelfScope<true>, asked: { id: string; now: Date }): Promise<CardAtProvider | null> =>
  remove.one(db, { userId: scope.userId, ...asked })
