/** Gift cards, and what came onto them and went. Moves are added and never changed; what is left on a card is their sum. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const cardRow = {
  id: c.uuid,
  saleId: c.uuid,
  code: c.text,
  currency: c.text,
  validUntil: c.day,
  amount: known(c.count),
  left: known(c.count),
  customerId: orNull(c.uuid),
  client: orNull(known(c.text)),
}
export type StoredCard = RowOf<typeof cardRow>
const columns = sql`g.id, g.sale_id as "saleId", g.code, g.currency, g.valid_until as "validUntil",
  (select coalesce(sum(m.amount) filter (where m.kind = 'sold'), 0)::int8 from gift_card_moves m where m.gift_card_id = g.id) as amount,
  (select coalesce(sum(m.amount), 0)::int8 from gift_card_moves m where m.gift_card_id = g.id) as left,
  k.id as "customerId", nullif(concat_ws(' ', k.first_name, nullif(k.last_name, '')), '') as client`
const from = sql`gift_cards g join sales s on s.id = g.sale_id left join customers b on b.id = s.customer_id
  left join customers k on k.id = coalesce(b.merged_into, b.id)`

interface Wanted {
  instituteId: string
  code: string | null
  customerId: string | null
}
const list = statement(
  { name: 'vouchers.giftCards', row: cardRow, tries: [{ instituteId: someId, code: null, customerId: null }] },
  ({ instituteId, code, customerId }: Wanted) => sql`select ${columns} from ${from}
    where g.institute_id = ${instituteId} and (g.code = ${code} or k.id = ${customerId}::uuid) order by g.sold_at desc, g.id limit 100`,
)
/** By its code, or those that a client bought. */
export const giftCardsOf = (db: Db, scope: InstituteScope<'sales.take'>, wanted: Omit<Wanted, 'instituteId'>): Promise<StoredCard[]> =>
  list.all(db, { instituteId: scope.instituteId, ...wanted })

const client = statement(
  { name: 'vouchers.isClient', row: { id: c.uuid }, tries: [{ instituteId: someId, id: someId }] },
  ({ instituteId, id }: { instituteId: string; id: string }) =>
    sql`select id from customers where id = ${id} and institute_id = ${instituteId}`,
)
export const isClient = async (db: Db, scope: InstituteScope<'sales.take'>, id: string): Promise<boolean> =>
  (await client.one(db, { instituteId: scope.instituteId, id })) !== null

interface OfUnit {
  instituteId: string
  ids: readonly string[]
}
const one = statement(
  { name: 'vouchers.giftCard', row: cardRow, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: OfUnit) =>
    sql`select ${columns} from ${from} where g.institute_id = ${instituteId} and g.id = any(${ids}::uuid[]) order by g.id`,
)
export const findGiftCard = (db: Db, scope: InstituteScope<'sales.take'>, id: string): Promise<StoredCard | null> =>
  one.one(db, { instituteId: scope.instituteId, ids: [id] })

const lock = statement(
  { name: 'vouchers.lockGiftCards', row: { id: c.uuid }, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: OfUnit) =>
    sql`select id from gift_cards where institute_id = ${instituteId} and id = any(${ids}::uuid[]) order by id for update`,
)
/** Whoever else moves something of them waits; what is left is read after that. */
export async function lockGiftCards({ db, instituteId }: Unit, ids: readonly string[]): Promise<StoredCard[]> {
  await lock.all(db, { instituteId, ids })
  return one.all(db, { instituteId, ids })
}

export interface NewCard {
  id: string
  saleId: string
  lineId: string
  code: string
  currency: string
  validUntil: string
}
const someCard = { id: someId, saleId: someId, lineId: someId, code: '0000000000000000', currency: 'EUR', validUntil: '2026-01-01' }
const insert = statement(
  { name: 'vouchers.insertGiftCard', row: {}, tries: [{ ...someCard, instituteId: someId, now: new Date(0) }] },
  (g: NewCard & { instituteId: string; now: Date }) => sql`
    insert into gift_cards (id, institute_id, sale_id, line_id, code, currency, valid_until, sold_at)
    values (${g.id}, ${g.instituteId}, ${g.saleId}, ${g.lineId}, ${g.code}, ${g.currency}, ${g.validUntil}, ${g.now})`,
)
export const insertGiftCard = async (unit: Unit, card: NewCard): Promise<void> =>
  void (await insert.run(unit.db, { ...card, instituteId: unit.instituteId, now: new Date(unit.now) }))

export interface CardMove {
  giftCardId: string
  kind: 'sold' | 'used' | 'returned' | 'taken_back' | 'expired'
  /** Above zero onto the card. */
  amount: number
  saleId: string
}
const someMove: CardMove = { giftCardId: someId, kind: 'sold', amount: 1, saleId: someId }
const move = statement(
  { name: 'vouchers.moveOfGiftCard', row: {}, tries: [{ ...someMove, instituteId: someId, now: new Date(0) }] },
  (m: CardMove & { instituteId: string; now: Date }) => sql`
    insert into gift_card_moves (institute_id, gift_card_id, kind, amount, sale_id, at)
    values (${m.instituteId}, ${m.giftCardId}, ${m.kind}, ${m.amount}, ${m.saleId}, ${m.now})`,
)
export const insertCardMove = async (unit: Unit, one: CardMove): Promise<void> =>
  void (await move.run(unit.db, { ...one, instituteId: unit.instituteId, now: new Date(unit.now) }))

const usedRow = { id: c.uuid, validUntil: c.day, used: known(c.count) }
const used = statement(
  { name: 'vouchers.cardsUsedBy', row: usedRow, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: { instituteId: string; saleId: string }) => sql`
    select g.id, g.valid_until as "validUntil", -sum(m.amount)::int8 as used from gift_card_moves m join gift_cards g on g.id = m.gift_card_id
    where m.sale_id = ${saleId} and m.institute_id = ${instituteId} and m.kind in ('used', 'returned') group by g.id having sum(m.amount) < 0
    order by max(m.at) desc, g.id`,
)
/** What a sale was paid with gift cards and did not go back, the last first. */
export const cardsUsedBy = ({ db, instituteId }: Unit, saleId: string): Promise<RowOf<typeof usedRow>[]> =>
  used.all(db, { instituteId, saleId })

const soldBy = statement(
  { name: 'vouchers.cardsSoldBy', row: { id: c.uuid, lineId: c.uuid }, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: { instituteId: string; saleId: string }) =>
    sql`select id, line_id as "lineId" from gift_cards where sale_id = ${saleId} and institute_id = ${instituteId} order by id for update`,
)
/** The cards that a sale sold; whoever else moves something of them waits. */
export const lockCardsSoldBy = ({ db, instituteId }: Unit, saleId: string): Promise<{ id: string; lineId: string }[]> =>
  soldBy.all(db, { instituteId, saleId })

const overRow = { id: c.uuid, instituteId: c.uuid, timeZone: c.text, validUntil: c.day }
const over = statement(
  { name: 'vouchers.cardsPastTheirDay', row: overRow, tries: [{ day: '2026-01-01', limit: 1 }] },
  ({ day, limit }: { day: string; limit: number }) => sql`
    select g.id, g.institute_id as "instituteId", i.time_zone as "timeZone", g.valid_until as "validUntil" from gift_cards g join institutes i on i.id = g.institute_id
    where g.valid_until < ${day}::date and (select sum(m.amount) from gift_card_moves m where m.gift_card_id = g.id) > 0
    order by g.valid_until, g.id limit ${limit}`,
)
/** Cards with something left whose last day is before this one. */
export const cardsBefore = (db: Db, _scope: SystemScope, asked: { day: string; limit: number }): Promise<RowOf<typeof overRow>[]> =>
  over.all(db, asked)

const giverRow = { name: c.text, address: known(c.text), phone: orNull(known(c.text)), email: orNull(known(c.text)) }
const giver = statement(
  { name: 'vouchers.giver', row: giverRow, tries: [someId] },
  (
    id: string,
  ) => sql`select i.name, concat_ws(', ', nullif(i.address_line, ''), nullif(concat_ws(' ', i.postal_code, i.city), '')) as address,
      nullif(i.phone, '') as phone, nullif(i.email::text, '') as email from institutes i where i.id = ${id}`,
)
/** Where a card can be used, as it stands on it. */
export async function giverOf(db: Db, scope: InstituteScope<'sales.take'>): Promise<RowOf<typeof giverRow>> {
  const row = await giver.one(db, scope.instituteId)
  if (!row) throw new Error('an institute is gone')
  return row
}

const rule = statement(
  { name: 'vouchers.giftCardYears', row: { years: c.int }, tries: [someId] },
  (id: string) => sql`select gift_card_years as years from institutes where id = ${id}`,
)
export async function giftCardYears(db: Db, scope: InstituteScope<'sales.take'>): Promise<number> {
  const row = await rule.one(db, scope.instituteId)
  if (!row) throw new Error('an institute is gone')
  return row.years
}

/** The same while a card is sold. */
export const yearsOf = async ({ db, instituteId }: Unit): Promise<number> => (await rule.one(db, instituteId))?.years ?? 1

const setRule = statement(
  { name: 'vouchers.setGiftCardYears', row: {}, tries: [{ instituteId: someId, years: 5 }] },
  ({ instituteId, years }: { instituteId: string; years: number }) =>
    sql`update institutes set gift_card_years = ${years} where id = ${instituteId}`,
)
export const setGiftCardYears = async (unit: Unit, years: number): Promise<void> =>
  void (await setRule.run(unit.db, { instituteId: unit.instituteId, years }))
