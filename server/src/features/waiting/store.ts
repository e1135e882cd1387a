/** Entries of waiting lists as they are stored, and what is held for them. */
import { type PartOfDay, partsOfDay } from '@soigne/contract/institutes'
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Home } from '#/features/at-home/service.ts'
import type { CartEntry } from '#/features/visits/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const cart: z.ZodMiniType<CartEntry[]> = z.array(
  z.object({ serviceId: z.string(), staffId: z.exactOptional(z.string()), atHome: z.exactOptional(z.boolean()) }),
)

export interface NewEntry {
  instituteId: string
  cart: readonly CartEntry[]
  fromDay: string
  toDay: string
  part: PartOfDay | null
  opensAt: number | null
  closesAt: number | null
  visitId: string | null
  /** Where a visit at home would be; null where that is known of the visit that is given back. */
  home: Home | null
  endsAt: Date
  now: Date
}
const someEntry: NewEntry & { userId: string } = {
  userId: someId,
  instituteId: someId,
  cart: [],
  fromDay: '2026-11-24',
  toDay: '2026-11-24',
  part: 'morning',
  opensAt: 600,
  closesAt: 700,
  visitId: null,
  home: { line: 'l', postalCode: null, city: 'c', lat: 0, lon: 0 },
  endsAt: new Date(0),
  now: new Date(0),
}

/** Still waited for: not over, and the visit that would be given back is still to come. */
const isLive = (now: Date) => sql`e.state = 'waiting' and e.ends_at > ${now}
  and (e.visit_id is null or exists (select from appointments v where v.id = e.visit_id and coalesce(v.life, v.status) not in ('held', 'cancelled') and v.starts_at > ${now}))`

const sameEntry = statement(
  { name: 'waiting.same', row: { id: c.uuid }, tries: [someEntry] },
  (
    e: NewEntry & { userId: string },
  ) => sql`select e.id from waiting_entries e where e.user_id = ${e.userId} and e.institute_id = ${e.instituteId} and ${isLive(e.now)}
    and e.cart = ${JSON.stringify(e.cart)}::jsonb and e.from_day = ${e.fromDay}::date and e.to_day = ${e.toDay}::date and e.part is not distinct from ${e.part}::text
    and e.opens_at is not distinct from ${e.opensAt}::smallint and e.closes_at is not distinct from ${e.closesAt}::smallint and e.visit_id is not distinct from ${e.visitId}::uuid limit 1`,
)
/** The live entry that asks for the very same. */
export const findSame = async (db: Db, scope: SelfScope, entry: NewEntry): Promise<string | null> =>
  (await sameEntry.one(db, { ...entry, userId: scope.userId }))?.id ?? null

const countLive = statement(
  { name: 'waiting.count', row: { count: known(c.int) }, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) =>
    sql`select count(*)::int as count from waiting_entries e where e.user_id = ${userId} and ${isLive(now)}`,
)
export const countEntries = async (db: Db, scope: SelfScope, now: Date): Promise<number> =>
  (await countLive.one(db, { userId: scope.userId, now }))?.count ?? 0

const jsonOf = (home: Home | null): string | null => home && JSON.stringify(home)

const insertEntryStatement = statement(
  { name: 'waiting.insert', row: { id: c.uuid }, tries: [someEntry] },
  (
    e: NewEntry & { userId: string },
  ) => sql`insert into waiting_entries (user_id, institute_id, cart, from_day, to_day, part, opens_at, closes_at, visit_id, home, ends_at, created_at)
    values (${e.userId}, ${e.instituteId}, ${JSON.stringify(e.cart)}::jsonb, ${e.fromDay}::date, ${e.toDay}::date, ${e.part}, ${e.opensAt}, ${e.closesAt}, ${e.visitId}::uuid, ${jsonOf(e.home)}::jsonb, ${e.endsAt}, ${e.now}) returning id`,
)
export async function insertEntry(db: Db, scope: SelfScope, entry: NewEntry): Promise<string> {
  const made = await insertEntryStatement.one(db, { ...entry, userId: scope.userId })
  if (!made) throw new Error('an entry was not made')
  return made.id
}

const readdress = statement(
  { name: 'waiting.readdress', row: {}, tries: [{ id: someId, userId: someId, home: someEntry.home }] },
  ({ id, userId, home }: { id: string; userId: string; home: Home | null }) =>
    sql`update waiting_entries set home = ${jsonOf(home)}::jsonb where id = ${id} and user_id = ${userId}`,
)
/** Who asks for the very same again may do so from another address. */
export const readdressEntry = async (db: Db, scope: SelfScope, id: string, home: Home | null): Promise<void> =>
  void (await readdress.run(db, { id, userId: scope.userId, home }))

const name = z.partialRecord(z.enum(locales), z.string())
const entryRow = {
  id: c.uuid,
  instituteId: c.uuid,
  instituteSlug: c.text,
  instituteName: c.text,
  timeZone: c.text,
  cart: c.json(cart),
  services: known(
    c.json(
      z.array(
        z.object({ serviceId: z.string(), name: z.nullable(name), staffId: z.nullable(z.string()), staffName: z.nullable(z.string()) }),
      ),
    ),
  ),
  fromDay: c.day,
  toDay: c.day,
  part: orNull(c.oneOf(partsOfDay)),
  opensAt: orNull(c.int),
  closesAt: orNull(c.int),
  visitId: orNull(c.uuid),
  visitStartsAt: orNull(c.instant),
  home: orNull(c.json(z.object({ line: z.string(), postalCode: z.nullable(z.string()), city: z.string() }))),
  createdAt: c.instant,
  /** Of what is held now. */
  offerId: orNull(c.uuid),
  holdId: orNull(c.uuid),
}
export type EntryRow = RowOf<typeof entryRow>

interface EntriesAsked {
  userId: string
  now: Date
  id: string | null
}
const entries = statement(
  { name: 'waiting.entries', row: entryRow, tries: [{ userId: someId, now: new Date(0), id: null }] },
  ({
    userId,
    now,
    id,
  }: EntriesAsked) => sql`select e.id, e.institute_id as "instituteId", i.slug as "instituteSlug", i.name as "instituteName", i.time_zone as "timeZone", e.cart,
      (select json_agg(json_build_object('serviceId', l.line ->> 'serviceId', 'name', s.name, 'staffId', m.id, 'staffName', m.name) order by l.n)
        from jsonb_array_elements(e.cart) with ordinality l(line, n) left join services s on s.id = (l.line ->> 'serviceId')::uuid
          left join team_members m on m.id::text = l.line ->> 'staffId') as services,
      e.from_day as "fromDay", e.to_day as "toDay", e.part, e.opens_at as "opensAt", e.closes_at as "closesAt", e.visit_id as "visitId", v.starts_at as "visitStartsAt", e.home - 'lat' - 'lon' as home,
      e.created_at as "createdAt", o.id as "offerId", o.appointment_id as "holdId"
    from waiting_entries e join institutes i on i.id = e.institute_id left join appointments v on v.id = e.visit_id
      left join lateral (select o.id, o.appointment_id from waiting_offers o join appointments a on a.id = o.appointment_id
        where o.entry_id = e.id and o.state = 'open' and a.expires_at > ${now} order by o.offered_at desc limit 1) o on true
    where e.user_id = ${userId} and ${isLive(now)} and (${id}::uuid is null or e.id = ${id}::uuid)
    order by o.id is null, e.created_at, e.id`,
)
/** What somebody waits for: what is held for them first, then in the order they asked. */
export const listEntries = (db: Db, scope: SelfScope, now: Date): Promise<EntryRow[]> =>
  entries.all(db, { userId: scope.userId, now, id: null })
export const findEntry = (db: Db, scope: SelfScope, asked: { id: string; now: Date }): Promise<EntryRow | null> =>
  entries.one(db, { userId: scope.userId, ...asked })

const instituteOfStatement = statement(
  { name: 'waiting.instituteOf', row: { instituteId: c.uuid }, tries: [{ id: someId, userId: someId }] },
  ({ id, userId }: { id: string; userId: string }) =>
    sql`select institute_id as "instituteId" from waiting_entries where id = ${id} and user_id = ${userId}`,
)
/** Also of an entry that has ended. */
export const instituteOfEntry = async (db: Db, scope: SelfScope, id: string): Promise<string | null> =>
  (await instituteOfStatement.one(db, { id, userId: scope.userId }))?.instituteId ?? null

const endEntryStatement = statement(
  {
    name: 'waiting.end',
    row: {},
    tries: [{ id: someId, userId: someId, state: 'taken' }],
  },
  ({ id, userId, state }: { id: string; userId: string; state: 'taken' | 'removed' }) =>
    sql`update waiting_entries set state = ${state}, home = null where id = ${id} and user_id = ${userId} and state = 'waiting'`,
)
/** How it ended: by a visit, or because its person waits no more. False when it had ended before. */
export const endEntry = async (db: Db, scope: SelfScope, asked: { id: string; state: 'taken' | 'removed' }): Promise<boolean> =>
  (await endEntryStatement.run(db, { ...asked, userId: scope.userId })) > 0

const endOfferStatement = statement(
  { name: 'waiting.endOffer', row: {}, tries: [{ id: someId, instituteId: someId, state: 'taken' }] },
  ({ id, instituteId, state }: { id: string; instituteId: string; state: 'taken' | 'declined' }) =>
    sql`update waiting_offers set state = ${state} where id = ${id} and institute_id = ${instituteId}`,
)
/** What became of an offer that was answered. */
export const endOffer = (unit: Unit, asked: { id: string; state: 'taken' | 'declined' }): Promise<number> =>
  endOfferStatement.run(unit.db, { ...asked, instituteId: unit.instituteId })
