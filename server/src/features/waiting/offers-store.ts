/** What the product reads and writes when it goes through a waiting list. */
import { partsOfDay } from '@soigne/contract/institutes'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Home } from '#/features/at-home/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { cart } from './store.ts'

/** Where a list is read or gone through, and when. */
export type AtInstitute = Pick<Unit, 'db' | 'instituteId' | 'now'>

interface Opening {
  instituteId: string
  /** Instants, ISO. */
  startsAt: string
  endsAt: string
}
const noteStatement = statement(
  {
    name: 'waiting.noteOpening',
    row: { id: c.uuid },
    tries: [{ instituteId: someId, startsAt: '2026-01-01T10:00:00Z', endsAt: '2026-01-01T11:00:00Z', now: new Date(0) }],
  },
  (o: Opening & { now: Date }) => sql`insert into waiting_openings (institute_id, starts_at, ends_at)
    select i.id, ${o.startsAt}::timestamptz - way.minutes, ${o.endsAt}::timestamptz + way.minutes from institutes i,
      lateral (select make_interval(mins => case when i.at_home then i.home_travel_minutes else 0 end)) as way(minutes)
    where i.id = ${o.instituteId} and ${o.endsAt}::timestamptz > ${o.now} and exists (select from waiting_entries e where e.institute_id = ${o.instituteId} and e.state = 'waiting' and e.ends_at > ${o.now}) returning id`,
)
/** Notes time that fell free where somebody waits, and the way there and back where it may have been at somebody's home. False when nobody does. */
export const noteOpening = async (
  db: Db,
  scope: InstituteScope<never>,
  opening: Omit<Opening, 'instituteId'> & { now: Date },
): Promise<boolean> => (await noteStatement.one(db, { ...opening, instituteId: scope.instituteId })) !== null

const openStatement = statement(
  { name: 'waiting.institutesWithOpenings', row: { instituteId: c.uuid, timeZone: c.text }, tries: [{ instituteId: null }] },
  ({ instituteId }: { instituteId: string | null }) => sql`select i.id as "instituteId", i.time_zone as "timeZone" from institutes i
    where (${instituteId}::uuid is null or i.id = ${instituteId}::uuid) and i.id in (select institute_id from waiting_openings) order by i.id limit 1000`,
)
/** Where time fell free that nobody was asked about yet. */
export const institutesWithOpenings = (db: Db, _scope: SystemScope, asked: { instituteId: string | null }) => openStatement.all(db, asked)

const takeStatement = statement(
  { name: 'waiting.takeOpenings', row: { startsAt: c.instant, endsAt: c.instant }, tries: [someId] },
  (instituteId: string) =>
    sql`with gone as (delete from waiting_openings where id in (select id from waiting_openings where institute_id = ${instituteId}
        order by starts_at, ends_at, id limit 500) returning starts_at, ends_at)
      select starts_at as "startsAt", ends_at as "endsAt" from gone order by starts_at, ends_at`,
)
/** The list is gone through for these now; what is left over comes with the next turn. */
export const takeOpenings = (unit: Unit) => takeStatement.all(unit.db, unit.instituteId)

const spans = z.array(z.object({ from: z.string(), to: z.string() }))
const candidateRow = {
  id: c.uuid,
  userId: c.uuid,
  cart: c.json(cart),
  fromDay: c.day,
  toDay: c.day,
  part: orNull(c.oneOf(partsOfDay)),
  opensAt: orNull(c.int),
  closesAt: orNull(c.int),
  createdAt: c.instant,
  visitId: orNull(c.uuid),
  visitStartsAt: orNull(c.instant),
  firstName: c.text,
  lastName: c.text,
  apart: known(c.json(spans)),
}
export type CandidateRow = RowOf<typeof candidateRow>

const candidatesStatement = statement(
  { name: 'waiting.candidates', row: candidateRow, tries: [{ instituteId: someId, now: new Date(0) }] },
  ({ instituteId, now }: { instituteId: string; now: Date }) => sql`
    select e.id, e.user_id as "userId", e.cart, e.from_day as "fromDay", e.to_day as "toDay", e.part, e.opens_at as "opensAt", e.closes_at as "closesAt", e.created_at as "createdAt",
      e.visit_id as "visitId", v.starts_at as "visitStartsAt",
      u.first_name as "firstName", u.last_name as "lastName",
      (select coalesce(json_agg(json_build_object('from', busy.starts_at, 'to', busy.ends_at)), '[]') from busy_of_waiting(e.id, ${now}) busy) as apart
    from waiting_entries e join users u on u.id = e.user_id left join appointments v on v.id = e.visit_id
    where e.institute_id = ${instituteId} and e.state = 'waiting' and e.ends_at > ${now} and u.email_verified_at is not null
      and (e.visit_id is null or (coalesce(v.life, v.status) not in ('held', 'cancelled') and v.starts_at > ${now}))
      and not exists (select from chats k where k.institute_id = e.institute_id and k.user_id = e.user_id and k.institute_blocked)
      and not exists (select from customers k where k.institute_id = e.institute_id and k.blocked_at is not null and k.merged_into is null and (k.user_id = e.user_id or k.email = u.email))
      and not exists (select from waiting_offers o join appointments h on h.id = o.appointment_id
        where o.user_id = e.user_id and o.institute_id = e.institute_id and o.state = 'open' and h.expires_at > ${now})
    order by e.created_at, e.id limit 500`,
)
/**
 * Who may be offered something now, in the order they asked, with what their visit must not touch: what they do then, and what they were offered before.
 * Without those the institute has blocked, and those who have something held for them already.
 */
export const candidates = ({ db, instituteId, now }: AtInstitute): Promise<CandidateRow[]> =>
  candidatesStatement.all(db, { instituteId, now: new Date(now) })

const home = z.object({ line: z.string(), postalCode: z.nullable(z.string()), city: z.string(), lat: z.number(), lon: z.number() })
const homeStatement = statement(
  { name: 'waiting.home', row: { home: orNull(c.json(home)) }, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`select e.home from waiting_entries e where e.id = ${id} and e.institute_id = ${instituteId}`,
)
/** Where somebody waits for a visit at home. It is in no other reading of the list: nobody of the institute sees it before the visit is theirs. */
export const homeOfEntry = async ({ db, instituteId }: AtInstitute, id: string): Promise<Home | null> =>
  (await homeStatement.one(db, { id, instituteId }))?.home ?? null

interface NewOffer {
  id: string
  entryId: string
  userId: string
  holdId: string
  startsAt: Date
  endsAt: Date
  until: Date
  now: Date
}
const insertStatement = statement(
  {
    name: 'waiting.insertOffer',
    row: {},
    tries: [
      {
        id: someId,
        entryId: someId,
        userId: someId,
        holdId: someId,
        instituteId: someId,
        startsAt: new Date(0),
        endsAt: new Date(1),
        until: new Date(1),
        now: new Date(0),
      },
    ],
  },
  (
    o: NewOffer & { instituteId: string },
  ) => sql`insert into waiting_offers (id, entry_id, user_id, institute_id, appointment_id, starts_at, ends_at, offered_at, until)
    values (${o.id}, ${o.entryId}, ${o.userId}, ${o.instituteId}, ${o.holdId}, ${o.startsAt}, ${o.endsAt}, ${o.now}, ${o.until})`,
)
export const insertOffer = (unit: Unit, offer: NewOffer): Promise<number> =>
  insertStatement.run(unit.db, { ...offer, instituteId: unit.instituteId })

const bookedStatement = statement(
  { name: 'waiting.offerBooked', row: {}, tries: [{ instituteIds: [someId], appointmentIds: [someId] }] },
  ({ instituteIds, appointmentIds }: { instituteIds: readonly string[]; appointmentIds: readonly string[] }) => sql`
    with taken as (update waiting_offers o set state = 'taken' from unnest(${appointmentIds}::uuid[], ${instituteIds}::uuid[]) b(id, institute_id)
      where o.appointment_id = b.id and o.institute_id = b.institute_id and o.state = 'open' returning o.entry_id)
    update waiting_entries e set state = 'taken', home = null from taken t where e.id = t.entry_id and e.state = 'waiting'`,
)
/** Of visits that were booked, each with its institute: what was offered has been booked like any other time. */
export const noteBooked = (db: Db, scopes: readonly InstituteScope<never>[], appointmentIds: readonly string[]): Promise<number> =>
  bookedStatement.run(db, { instituteIds: scopes.map(({ instituteId }) => instituteId), appointmentIds })

const forgetStatement = statement(
  { name: 'waiting.forget', row: {}, tries: [new Date(0)] },
  (before: Date) => sql`delete from waiting_entries where id in (select id from waiting_entries where ends_at < ${before} limit 1000)`,
)
/** Entries whose window was over before; a thousand at a time. */
export const forgetEntries = (db: Db, _scope: SystemScope, before: Date): Promise<number> => forgetStatement.run(db, before)

const forgetHomesStatement = statement(
  { name: 'waiting.forgetHomes', row: {}, tries: [new Date(0)] },
  (now: Date) => sql`update waiting_entries set home = null where id in (
      select id from waiting_entries where home is not null and ends_at <= ${now} limit 1000)`,
)
/** Nobody is visited any more where a window is over; a thousand at a time. */
export const forgetHomes = (db: Db, _scope: SystemScope, now: Date): Promise<number> => forgetHomesStatement.run(db, now)
