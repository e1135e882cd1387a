/** What the gap rule chose from when clients booked: counted once for each booking, off its path. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

const cart = z.array(z.object({ serviceId: z.string(), staffId: z.exactOptional(z.string()), atHome: z.exactOptional(z.boolean()) }))
const chosenRow = { id: c.uuid, cart: c.json(cart) }
const chosen = statement(
  { name: 'gaps.chosen', row: chosenRow, tries: [{ ids: [someId], instituteIds: [someId] }] },
  ({
    ids,
    instituteIds,
  }: {
    ids: readonly string[]
    instituteIds: readonly string[]
  }) => sql`select a.id, a.cart from unnest(${ids}::uuid[], ${instituteIds}::uuid[]) b(id, institute_id)
    join institutes i on i.id = b.institute_id and i.gap_policy = 'hide' join appointments a on a.id = b.id and a.institute_id = b.institute_id and not a.is_offer`,
)
/** Of visits, each with its institute: those whose start their client chose where starts that leave gaps are hidden. */
export const findChosen = (db: Db, scopes: readonly InstituteScope<never>[], ids: readonly string[]): Promise<RowOf<typeof chosenRow>[]> =>
  chosen.all(db, { ids, instituteIds: scopes.map(({ instituteId }) => instituteId) })

interface Hidden {
  appointmentId: string
  /** ISO. */
  bookedAt: string
  starts: number
  strandedMinutes: number
}
const insert = statement(
  {
    name: 'gaps.insertHidden',
    row: {},
    tries: [{ appointmentId: someId, instituteId: someId, bookedAt: '2026-01-01T10:00:00Z', starts: 5, strandedMinutes: 40 }],
  },
  (h: Hidden & { instituteId: string }) => sql`insert into hidden_starts (appointment_id, institute_id, booked_at, starts, stranded_minutes)
    select a.id, a.institute_id, ${h.bookedAt}::timestamptz, ${h.starts}, ${h.strandedMinutes} from appointments a
    where a.id = ${h.appointmentId} and a.institute_id = ${h.instituteId} on conflict do nothing`,
)
/** Once for each visit. */
export const insertHidden = (db: Db, scope: InstituteScope<never>, hidden: Hidden): Promise<number> =>
  insert.run(db, { ...hidden, instituteId: scope.instituteId })

const keptRow = { minutes: known(c.float), bookings: known(c.count) }
const kept = statement(
  { name: 'gaps.kept', row: keptRow, tries: [{ instituteId: someId, from: new Date(0) }] },
  ({
    instituteId,
    from,
  }: {
    instituteId: string
    from: Date
  }) => sql`select coalesce(sum(h.stranded_minutes::float8 / h.starts), 0) as minutes,
      count(*) as bookings from hidden_starts h join appointments a on a.id = h.appointment_id
    where h.institute_id = ${instituteId} and h.booked_at >= ${from} and coalesce(a.life, life_of_status(a.status)) = 'booked'`,
)
/** Of bookings since then that stand. */
export const keptSince = async (db: Db, scope: InstituteScope<'diary.read'>, from: Date): Promise<RowOf<typeof keptRow>> =>
  (await kept.one(db, { instituteId: scope.instituteId, from })) ?? { minutes: 0, bookings: 0 }
