/** Members as they are written, with what they perform and the weeks they work. Whoever writes them does so in a unit of work of the institute. */
import type { MemberChange, MemberInput, RotaInput } from '@soigne/contract/team'
import { minutesOfShift } from '@soigne/contract/team'
import { weekdays } from '@soigne/contract/wire'
import { dayNumber, dayOfNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, someId, statement } from '#/platform/statement.ts'

interface OfUnit {
  instituteId: string
  id: string
}
const some: OfUnit = { instituteId: someId, id: someId }

/** Words of which there are any. */
const filled = (words: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).flatMap(([locale, word]) => (word ? [[locale, word]] : [])))

interface Facts {
  name: string
  title: object
  bio: object
  languages: readonly string[]
  bookableOnline: boolean
}
const someFacts: Facts = { name: 'A', title: {}, bio: {}, languages: [], bookableOnline: true }

const insert = statement(
  { name: 'team.insert', row: { id: c.uuid }, tries: [{ ...someFacts, instituteId: someId }] },
  ({
    instituteId,
    name,
    title,
    bio,
    languages,
    bookableOnline,
  }: Facts & { instituteId: string }) => sql`with made as (select uuidv7() as id)
    insert into team_members (id, institute_id, position, name, title, bio, languages, image_url, bookable_online)
    select made.id, ${instituteId}, coalesce((select max(position) + 1 from team_members where institute_id = ${instituteId}), 0), ${name},
      ${JSON.stringify(title)}::jsonb, ${JSON.stringify(bio)}::jsonb, ${languages}::text[], '/art/face/' || made.id || '.svg', ${bookableOnline} from made
    returning id`,
)
/** Puts somebody at the end of the team; their id. */
export async function insertMember(unit: Unit, member: MemberInput): Promise<string> {
  const { name, title, bio, languages, bookableOnline } = member
  const facts = { name, title: filled(title), bio: filled(bio), languages, bookableOnline }
  const made = await insert.one(unit.db, { ...facts, instituteId: unit.instituteId })
  if (!made) throw new Error('a member was not stored')
  return made.id
}

interface Update extends Partial<Facts>, OfUnit {}
const update = statement(
  { name: 'team.update', row: {}, tries: [{ ...some, ...someFacts }] },
  ({ instituteId, id, name, title, bio, languages, bookableOnline }: Update) => sql`update team_members set
      name = coalesce(${name ?? null}, name), title = coalesce(${title ? JSON.stringify(title) : null}::jsonb, title),
      bio = coalesce(${bio ? JSON.stringify(bio) : null}::jsonb, bio), languages = coalesce(${languages ?? null}::text[], languages),
      bookable_online = coalesce(${bookableOnline ?? null}, bookable_online)
    where id = ${id} and institute_id = ${instituteId}`,
)
export async function updateMember(
  unit: Unit,
  id: string,
  { title, bio, ...facts }: Omit<MemberChange, 'services' | 'rota' | 'lastDay'>,
): Promise<void> {
  const words = { ...(title && { title: filled(title) }), ...(bio && { bio: filled(bio) }) }
  const { name, languages, bookableOnline } = facts
  await update.run(unit.db, {
    instituteId: unit.instituteId,
    id,
    ...words,
    ...(name !== undefined && { name }),
    ...(languages && { languages }),
    ...(bookableOnline !== undefined && { bookableOnline }),
  })
}

const lockMember = statement(
  { name: 'team.lock', row: { name: c.text, imageUrl: c.text, lastDay: orNull(c.day) }, tries: [some] },
  ({ id, instituteId }: OfUnit) =>
    sql`select name, image_url as "imageUrl", last_day as "lastDay" from team_members where id = ${id} and institute_id = ${instituteId} and active for update`,
)
/** A member who works here; null when there is none with this id. */
export const findMember = (unit: Unit, id: string): Promise<{ name: string; imageUrl: string; lastDay: string | null } | null> =>
  lockMember.one(unit.db, { id, instituteId: unit.instituteId })

const countMembers = statement(
  { name: 'team.count', row: { count: known(c.count) }, tries: [someId] },
  (instituteId: string) => sql`select count(*) as count from team_members where institute_id = ${instituteId} and active`,
)
export const memberCount = async ({ db, instituteId }: Unit): Promise<number> => (await countMembers.one(db, instituteId))?.count ?? 0

const strangers = statement(
  { name: 'team.strangeServices', row: { id: known(c.uuid) }, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) =>
    sql`select asked.id from unnest(${ids}::uuid[]) as asked (id) where not exists (select from services s where s.id = asked.id and s.institute_id = ${instituteId})`,
)
/** Which of these are no services of the institute. */
export const servicesOfOthers = async ({ db, instituteId }: Unit, ids: readonly string[]): Promise<string[]> =>
  ids.length === 0 ? [] : (await strangers.all(db, { instituteId, ids })).map(({ id }) => id)

const perform = statement(
  { name: 'team.perform', row: {}, tries: [{ ...some, services: [] }] },
  ({ instituteId, id, services }: OfUnit & { services: MemberInput['services'] }) => sql`with asked as (
      select "serviceId", minutes, "priceAmount" from jsonb_to_recordset(${JSON.stringify(services)}::jsonb) as s("serviceId" uuid, minutes jsonb, "priceAmount" integer)),
    gone as (delete from member_services where member_id = ${id} and institute_id = ${instituteId} and service_id not in (select "serviceId" from asked))
    insert into member_services (member_id, service_id, institute_id, active_minutes, idle_minutes, active_after_minutes, price_amount)
    select ${id}, "serviceId", ${instituteId}, (minutes ->> 'activeMinutes')::smallint, (minutes ->> 'idleMinutes')::smallint, (minutes ->> 'activeAfterMinutes')::smallint, "priceAmount" from asked
    on conflict (member_id, service_id) do update set active_minutes = excluded.active_minutes, idle_minutes = excluded.idle_minutes,
      active_after_minutes = excluded.active_after_minutes, price_amount = excluded.price_amount
    where (member_services.active_minutes, member_services.idle_minutes, member_services.active_after_minutes, member_services.price_amount)
      is distinct from (excluded.active_minutes, excluded.idle_minutes, excluded.active_after_minutes, excluded.price_amount)`,
)
/** What a member performs from now on, and nothing else. */
export const performServices = async (unit: Unit, id: string, services: MemberInput['services']): Promise<void> =>
  void (await perform.run(unit.db, { instituteId: unit.instituteId, id, services }))

const cutRotas = statement(
  { name: 'team.cutRotas', row: {}, tries: [{ ...some, fromDay: '2026-01-01' }] },
  ({ instituteId, id, fromDay }: OfUnit & { fromDay: string }) => sql`with gone as (
      delete from rotas where member_id = ${id} and institute_id = ${instituteId} and valid_from >= ${fromDay}::date)
    update rotas set valid_to = ${fromDay}::date - 1
    where member_id = ${id} and institute_id = ${instituteId} and (valid_from is null or valid_from < ${fromDay}::date)
      and (valid_to is null or valid_to >= ${fromDay}::date)`,
)
/** Weeks hold no longer from a day on. */
export const endRotas = async (unit: Unit, id: string, fromDay: string): Promise<void> =>
  void (await cutRotas.run(unit.db, { instituteId: unit.instituteId, id, fromDay }))

const makeRoom = statement(
  { name: 'team.makeRoom', row: {}, tries: [{ ...some, fromDay: null }] },
  ({ instituteId, id, fromDay }: OfUnit & { fromDay: string | null }) => sql`with gone as (
      delete from rotas where member_id = ${id} and institute_id = ${instituteId} and (${fromDay}::date is null or valid_from = ${fromDay}::date))
    update rotas set valid_to = ${fromDay}::date - 1
    where member_id = ${id} and institute_id = ${instituteId} and ${fromDay}::date is not null and (valid_from is null or valid_from < ${fromDay}::date)
      and (valid_to is null or valid_to >= ${fromDay}::date)`,
)

interface ShiftRow {
  week: number
  weekday: number
  opensAt: number
  closesAt: number
  breaks: readonly { opensAt: number; closesAt: number }[]
}
const insertRota = statement(
  { name: 'team.insertRota', row: {}, tries: [{ ...some, weeks: 1, anchorDay: '2026-01-05', fromDay: null, shifts: [] }] },
  ({
    instituteId,
    id,
    weeks,
    anchorDay,
    fromDay,
    shifts,
  }: OfUnit & { weeks: number; anchorDay: string; fromDay: string | null; shifts: readonly ShiftRow[] }) => sql`with made as (
      insert into rotas (institute_id, member_id, weeks, anchor_day, valid_from, valid_to)
      select ${instituteId}, m.id, ${weeks}, ${anchorDay}::date, ${fromDay}::date,
        least(m.last_day, (select min(r.valid_from) - 1 from rotas r where r.member_id = m.id and r.valid_from > ${fromDay}::date))
      from team_members m where m.id = ${id} and m.institute_id = ${instituteId} returning id)
    insert into rota_shifts (rota_id, institute_id, week, weekday, opens_at, closes_at, breaks)
    select made.id, ${instituteId}, week, weekday, "opensAt", "closesAt", breaks from made,
      jsonb_to_recordset(${JSON.stringify(shifts)}::jsonb) as s(week smallint, weekday smallint, "opensAt" smallint, "closesAt" smallint, breaks jsonb)`,
)
const mondayOf = (day: string): string => dayOfNumber(dayNumber(day) - (weekdayOfNumber(dayNumber(day)) - 1))

const shiftRows = (weeks: RotaInput['weeks']): ShiftRow[] =>
  weeks.flatMap((week, at) =>
    weekdays.flatMap((weekday, index) => week[weekday].map((shift) => ({ week: at + 1, weekday: index + 1, ...minutesOfShift(shift) }))),
  )

/** The weeks a member works from a day on, until others begin that are written ahead, or they leave; those of before hold until the day before. */
export async function replaceRota(unit: Unit, id: string, { weeks, anchorDay, fromDay }: RotaInput): Promise<void> {
  await makeRoom.run(unit.db, { instituteId: unit.instituteId, id, fromDay })
  const rota = { weeks: weeks.length, anchorDay: mondayOf(anchorDay), fromDay, shifts: shiftRows(weeks) }
  await insertRota.run(unit.db, { ...rota, instituteId: unit.instituteId, id })
}

const order = statement(
  { name: 'team.order', row: {}, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) => sql`update team_members m set position = asked.place - 1
    from unnest(${ids}::uuid[]) with ordinality as asked (id, place)
    where m.id = asked.id and m.institute_id = ${instituteId} and m.active`,
)
/** How many of them are members here; each has its place then. */
export const orderMembers = (unit: Unit, ids: readonly string[]): Promise<number> =>
  order.run(unit.db, { instituteId: unit.instituteId, ids })

const picture = statement(
  { name: 'team.picture', row: {}, tries: [{ ...some, imageUrl: '/files/a' }] },
  ({ id, instituteId, imageUrl }: OfUnit & { imageUrl: string }) =>
    sql`update team_members set image_url = ${imageUrl} where id = ${id} and institute_id = ${instituteId}`,
)
export const setPicture = async (unit: Unit, id: string, imageUrl: string): Promise<void> =>
  void (await picture.run(unit.db, { instituteId: unit.instituteId, id, imageUrl }))

const goOn = statement(
  { name: 'team.goOn', row: {}, tries: [{ ...some, before: '2026-01-01', lastDay: null }] },
  ({ instituteId, id, before, lastDay }: OfUnit & { before: string; lastDay: string | null }) => sql`with member as (
      update team_members set last_day = ${lastDay}::date where id = ${id} and institute_id = ${instituteId})
    update rotas set valid_to = ${lastDay}::date where member_id = ${id} and institute_id = ${instituteId} and valid_to = ${before}::date`,
)
/** Weeks that ended with a last day end with a later one, or hold on. */
export const workOn = async (unit: Unit, id: string, days: { before: string; lastDay: string | null }): Promise<void> =>
  void (await goOn.run(unit.db, { instituteId: unit.instituteId, id, ...days }))

const leave = statement(
  { name: 'team.leave', row: {}, tries: [{ ...some, lastDay: '2026-01-01', isOver: false }] },
  ({ id, instituteId, lastDay, isOver }: OfUnit & { lastDay: string; isOver: boolean }) => sql`with days as (
      delete from shift_overrides where member_id = ${id} and institute_id = ${instituteId} and day > ${lastDay}::date)
    update team_members set last_day = ${lastDay}::date, active = active and not ${isOver} where id = ${id} and institute_id = ${instituteId}`,
)
/** Notes the last day of somebody; over, they are in the team no more. */
export const leaveAfter = async (unit: Unit, id: string, last: { lastDay: string; isOver: boolean }): Promise<void> =>
  void (await leave.run(unit.db, { instituteId: unit.instituteId, id, ...last }))

const gone = statement(
  { name: 'team.gone', row: { id: c.uuid, instituteId: c.uuid, lastDay: known(c.day), timeZone: c.text }, tries: ['2026-01-01'] },
  (day: string) => sql`select m.id, m.institute_id as "instituteId", m.last_day as "lastDay", i.time_zone as "timeZone"
    from team_members m join institutes i on i.id = m.institute_id where m.active and m.last_day <= ${day}::date order by m.institute_id, m.id limit 500`,
)
/** Whose last day has come. */
export const listGone = (db: Db, _scope: SystemScope, day: string) => gone.all(db, day)
