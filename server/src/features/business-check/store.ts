/** Checks of businesses: at most one that was accepted and one that is open for each institute; the indexes say so too. */
import { businessCheckStates } from '@soigne/contract/business-check'
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export type CheckScope = InstituteScope<'payments.connect'>

const documentRows = z.array(z.object({ name: z.string(), kind: z.enum(['image', 'document']), key: z.string() }))
const checkRow = {
  id: c.uuid,
  instituteId: c.uuid,
  state: c.oneOf(businessCheckStates),
  countryCode: c.text,
  legalName: c.text,
  registrationNumber: c.text,
  vatNumber: orNull(c.text),
  sentAt: c.instant,
  decidedAt: orNull(c.instant),
  reason: orNull(c.text),
  documents: known(c.json(documentRows)),
}
export type CheckRow = RowOf<typeof checkRow>
const columns = sql`q.id, q.institute_id as "instituteId", q.state, q.country_code as "countryCode", q.legal_name as "legalName",
  q.registration_number as "registrationNumber", q.vat_number as "vatNumber", q.sent_at as "sentAt", q.decided_at as "decidedAt", q.reason,
  (select coalesce(json_agg(json_build_object('name', d.name, 'kind', d.kind, 'key', d.file_key) order by d.position), '[]')
    from business_check_documents d where d.check_id = q.id) as documents`

const ofInstitute = statement(
  { name: 'businessCheck.ofInstitute', row: checkRow, tries: [someId] },
  (instituteId: string) => sql`select ${columns} from business_checks q where q.institute_id = ${instituteId} order by q.sent_at, q.id`,
)
export const checksOf = (db: Db, scope: CheckScope): Promise<CheckRow[]> => ofInstitute.all(db, scope.instituteId)

const instituteRow = { countryCode: c.text, legalName: orNull(c.text), vatNumber: orNull(c.text) }
const institute = statement(
  { name: 'businessCheck.institute', row: instituteRow, tries: [someId] },
  (instituteId: string) =>
    sql`select country_code as "countryCode", legal_name as "legalName", vat_number as "vatNumber" from institutes where id = ${instituteId}`,
)
/** Where it is, and what stands on its invoices. */
export const instituteOf = (db: Db, scope: CheckScope): Promise<RowOf<typeof instituteRow> | null> => institute.one(db, scope.instituteId)

interface Removed {
  instituteId: string
  states: readonly string[]
}
const remove = statement(
  { name: 'businessCheck.remove', row: { id: c.uuid }, tries: [{ instituteId: someId, states: ['refused'] }] },
  ({ instituteId, states }: Removed) => sql`with gone as (
      delete from business_checks where institute_id = ${instituteId} and state = any(${states}::text[]) returning id),
    dropped as (update files set state = 'dropped'
      where key in (select d.file_key from business_check_documents d join gone on gone.id = d.check_id))
    select id from gone`,
)
/** With its documents; its id, or null where there was none in such a state. */
export const removeCheck = async (db: Db, scope: CheckScope, states: Removed['states']): Promise<string | null> =>
  (await remove.one(db, { instituteId: scope.instituteId, states }))?.id ?? null

export interface NewCheck {
  countryCode: string
  legalName: string
  registrationNumber: string
  vatNumber: string | null
  now: Date
}
const insert = statement(
  {
    name: 'businessCheck.insert',
    row: { id: c.uuid },
    tries: [
      {
        instituteId: someId,
        sentBy: null,
        countryCode: 'FR',
        legalName: 'a',
        registrationNumber: '1',
        vatNumber: null,
        now: new Date(0),
      },
    ],
  },
  (one: NewCheck & { instituteId: string; sentBy: string | null }) => sql`
    insert into business_checks (institute_id, sent_by, country_code, legal_name, registration_number, vat_number, sent_at)
    values (${one.instituteId}, ${one.sentBy}, ${one.countryCode}, ${one.legalName}, ${one.registrationNumber}, ${one.vatNumber}, ${one.now})
    on conflict (institute_id) where state <> 'accepted' do nothing returning id`,
)
/** Its id; null when another is open. */
export const insertCheck = async (db: Db, scope: CheckScope, one: NewCheck): Promise<string | null> => {
  const { instituteId, actor } = scope
  const sentBy = actor.kind === 'institute' ? actor.userId : null
  return (await insert.one(db, { instituteId, sentBy, ...one }))?.id ?? null
}

export interface NewDocument {
  key: string
  kind: 'image' | 'document'
  name: string
}
interface Documents {
  checkId: string
  instituteId: string
  documents: readonly NewDocument[]
}
const putDocuments = statement(
  { name: 'businessCheck.putDocuments', row: {}, tries: [{ checkId: someId, instituteId: someId, documents: [] }] },
  ({ checkId, instituteId, documents }: Documents) => sql`
    insert into business_check_documents (check_id, position, institute_id, file_key, kind, name)
    select ${checkId}, d.position, ${instituteId}, d.key, d.kind, d.name
    from json_to_recordset(${JSON.stringify(documents.map((one, position) => ({ ...one, position })))}::json) as d(position int, key text, kind text, name text)`,
)
export const insertDocuments = async (db: Db, scope: CheckScope, checkId: string, documents: readonly NewDocument[]): Promise<void> =>
  void (await putDocuments.run(db, { checkId, instituteId: scope.instituteId, documents }))

const waitingRow = { ...checkRow, institute: c.text, slug: c.text, address: known(c.text), owner: known(c.text), email: known(c.text) }
export type WaitingCheck = RowOf<typeof waitingRow>
const waitingColumns = sql`${columns}, i.name as institute, i.slug, i.address_line || ', ' || i.city as address,
  o.first_name || ' ' || o.last_name as owner, o.email::text as email`
const waiting = statement(
  { name: 'businessCheck.waiting', row: waitingRow, tries: [null, someId] },
  (id: string | null) => sql`select ${waitingColumns} from business_checks q join institutes i on i.id = q.institute_id
      left join users o on o.id = i.owner_id
    where q.state = 'waiting' and (${id}::uuid is null or q.id = ${id}) order by q.sent_at, q.id`,
)
/** What waits, the longest first; or the one that is named. */
export const checksThatWait = (db: Db, _system: SystemScope, id: string | null = null): Promise<WaitingCheck[]> => waiting.all(db, id)

interface Decided {
  id: string
  reason: string | null
  now: Date
}
const lock = statement(
  { name: 'businessCheck.lock', row: { instituteId: c.uuid }, tries: [someId] },
  (id: string) => sql`select institute_id as "instituteId" from business_checks where id = ${id} and state = 'waiting' for update`,
)
/** Its institute; null when no such check waits. Who takes it back meanwhile waits. */
export const lockWaiting = async (db: Db, _system: SystemScope, id: string): Promise<string | null> =>
  (await lock.one(db, id))?.instituteId ?? null

const decide = statement(
  { name: 'businessCheck.decide', row: {}, tries: [{ id: someId, reason: null, now: new Date(0) }] },
  ({ id, reason, now }: Decided) => sql`update business_checks
    set state = case when ${reason}::text is null then 'accepted' else 'refused' end, reason = ${reason}, decided_at = ${now} where id = ${id}`,
)
/** Accepted where nothing speaks against it. */
export const decideCheck = async (db: Db, _system: SystemScope, decided: Decided): Promise<void> => void (await decide.run(db, decided))

/** What was accepted before goes with its documents. */
export const removeAccepted = async (db: Db, _system: SystemScope, instituteId: string): Promise<void> =>
  void (await remove.run(db, { instituteId, states: ['accepted'] }))

const toldRow = {
  state: c.oneOf(businessCheckStates),
  legalName: c.text,
  reason: orNull(c.text),
  institute: c.text,
  timeZone: c.text,
  ownerId: c.uuid,
  email: known(c.text),
  firstName: c.text,
  locale: c.oneOf(locales),
}
const told = statement(
  { name: 'businessCheck.told', row: toldRow, tries: [someId] },
  (id: string) => sql`select q.state, q.legal_name as "legalName", q.reason, i.name as institute, i.time_zone as "timeZone",
      o.id as "ownerId", o.email::text as email, o.first_name as "firstName", o.locale
    from business_checks q join institutes i on i.id = q.institute_id join users o on o.id = i.owner_id where q.id = ${id}`,
)
/** What its owner is told; null where it is gone. */
export const toldOf = (db: Db, _scope: SystemScope, id: string): Promise<RowOf<typeof toldRow> | null> => told.one(db, id)
