/** What stands around a visit: what happened to it and by whom, what needs it, and the zone of its calendar. */
import type { NeededBy } from '@soigne/contract/needed'
import type { Locale } from '@soigne/contract/wire'
import { prerequisiteHolds, spanForTest } from '@soigne/scheduling/prerequisites'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { SelfScope } from '#/platform/access.ts'
import type { DiaryReaderScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { minuteOfText, minuteText } from '#/platform/instants.ts'
import { c, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { localised } from '#/texts/translate.ts'

const happened = {
  kind: c.text,
  actorKind: orNull(c.text),
  name: orNull(c.text),
  at: c.instant,
  payload: c.json<{ startsAt?: string; attendance?: string }>(z.looseObject({})),
}
export type Happened = RowOf<typeof happened>

interface Asked {
  id: string
  instituteId: string
  limit: number
}
const columns: RawBuilder<unknown> = sql`e.kind, e.actor ->> 'kind' as "actorKind", nullif(trim(u.first_name || ' ' || u.last_name), '') as name, e.at, e.payload`
const history = statement(
  { name: 'appointments.history', row: happened, tries: [{ id: someId, instituteId: someId, limit: 1 }] },
  ({ id, instituteId, limit }: Asked) => sql`select ${columns} from events e left join users u on u.id = (e.actor ->> 'userId')::uuid
    where e.subject_id = ${id} and e.institute_id = ${instituteId} order by e.id desc limit ${limit}`,
)
/** Newest first. The visit was found by the same scope. */
export const historyOf = (db: Db, scope: DiaryReaderScope, id: string, limit = 100): Promise<Happened[]> =>
  history.all(db, { id, instituteId: scope.instituteId, limit })

const zone = statement(
  { name: 'appointments.zone', row: { timeZone: c.text }, tries: [{ instituteId: someId }] },
  ({ instituteId }: { instituteId: string }) => sql`select time_zone as "timeZone" from institutes where id = ${instituteId}`,
)
/** The zone of an institute's calendar. */
export const zoneOf = async (db: Db, scope: DiaryReaderScope): Promise<string> =>
  (await zone.one(db, { instituteId: scope.instituteId }))?.timeZone ?? 'UTC'

const needing = {
  id: c.uuid,
  startsAt: c.instant,
  timeZone: c.text,
  testId: c.uuid,
  minHours: c.int,
  maxMonths: c.int,
  snapshot: c.json<{ name: Partial<Record<string, string>> }>(z.looseObject({ name: z.partialRecord(z.string(), z.string()) })),
}
/** A visit to come, and a service it needs first. */
export type Needing = RowOf<typeof needing>
interface OfClient {
  id: string
  /** Whose visit it is; null where the institute looks, which knows its clients by their records as well. */
  userId: string | null
  instituteId: string | null
}
const triesOf = [
  { id: someId, userId: someId, instituteId: null },
  { id: someId, userId: null, instituteId: someId },
] as const
/** The visit itself is `a`, another that stands of the same client is `b`. */
const ofClient = ({ id, userId, instituteId }: OfClient): RawBuilder<unknown> =>
  sql`a.id = ${id} and (${userId}::uuid is null or a.user_id = ${userId}::uuid) and (${instituteId}::uuid is null or a.institute_id = ${instituteId}::uuid)
      and b.institute_id = a.institute_id and (b.user_id = a.user_id or (${userId}::uuid is null and b.customer_id = a.customer_id) or b.id = a.id)
      and coalesce(b.life, b.status) not in ('held', 'cancelled') and b.attendance <> 'no_show'`
const needingIt = statement(
  {
    name: 'appointments.needingIt',
    row: needing,
    tries: [
      { ...triesOf[0], now: new Date(0) },
      { ...triesOf[1], now: new Date(0) },
    ],
  },
  ({ now, ...visit }: OfClient & { now: Date }) => sql`
    select distinct on (b.starts_at, b.id, p.service_id, p.required_service_id) b.id, b.starts_at as "startsAt", b.time_zone as "timeZone",
      p.required_service_id as "testId", p.min_hours as "minHours", p.max_months as "maxMonths", n.snapshot
    from appointments a join segments s on s.appointment_id = a.id join service_prerequisites p on p.required_service_id = s.service_id
      join segments n on n.service_id = p.service_id join appointments b on b.id = n.appointment_id
    where ${ofClient(visit)} and b.id <> a.id and b.starts_at > ${now}
    order by b.starts_at, b.id, p.service_id, p.required_service_id, n.position`,
)
const testsOf = statement(
  { name: 'appointments.testsOf', row: { visitId: c.uuid, serviceId: c.uuid, endsAt: c.instant }, tries: triesOf },
  (visit: OfClient) => sql`
    select b.id as "visitId", o.service_id as "serviceId", o.ends_at as "endsAt" from appointments a, appointments b join segments o on o.appointment_id = b.id
    where ${ofClient(visit)} and o.service_id in (select service_id from segments where appointment_id = ${visit.id})`,
)

type Done = { serviceId: string; endsAt: string }
/** Whether one of these is a test in time for a visit. */
export function isTestFor({ startsAt, timeZone, testId, minHours, maxMonths }: Needing, done: readonly Done[]): boolean {
  const visits = done.map(({ serviceId, endsAt }) => ({ serviceId, endsAt: minuteOfText(endsAt) }))
  return prerequisiteHolds(timeZone, { kind: 'prior_service', serviceId: testId, minHours, maxMonths }, { visits }, minuteOfText(startsAt))
}

/** Visits to come of the same person that would miss this one, as no other test holds for them. */
export async function visitsNeeding(db: Db, scope: SelfScope | DiaryReaderScope, id: string, now: Date): Promise<Needing[]> {
  const isSelf = scope.kind === 'self'
  const visit = { id, userId: isSelf ? scope.userId : null, instituteId: isSelf ? null : scope.instituteId }
  const needed = await needingIt.all(db, { ...visit, now })
  if (needed.length === 0) return []
  const done = await testsOf.all(db, visit)
  const own = done.filter(({ visitId }) => visitId === id)
  return needed.filter((one) => {
    const others = done.filter(({ visitId }) => visitId !== id && visitId !== one.id)
    return isTestFor(one, own) && !isTestFor(one, others)
  })
}

export const needingForWire = (rows: readonly Needing[], locale: Locale): NeededBy =>
  rows.map(({ id: _id, startsAt, timeZone, testId, snapshot, ...rule }) => {
    const { from, by } = spanForTest(timeZone, rule, minuteOfText(startsAt))
    return { _id, startsAt, testId, from: minuteText(from), by: minuteText(by), serviceName: localised(snapshot.name, locale) ?? '' }
  })
