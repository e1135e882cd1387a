import type { SetupDraft } from '@soigne/contract/setup'
import { type Locale, locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { PublicScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

/** What is kept of a claim until it is decided. */
export interface ClaimedDraft {
  draft: SetupDraft
  locale: Locale
}

const claimable = statement(
  { name: 'setup.claimable', row: { id: c.uuid }, tries: [someId] },
  (instituteId: string) =>
    sql`select id from institutes where id = ${instituteId} and not claimed and owner_id is null and state = 'published'`,
)
/** Of what everybody finds. */
export const isClaimable = async (db: Db, _scope: PublicScope, instituteId: string): Promise<boolean> =>
  (await claimable.one(db, instituteId)) !== null

const put = statement(
  { name: 'setup.putClaim', row: { id: c.uuid }, tries: [{ userId: someId, instituteId: someId, draft: '{}', now: new Date(0) }] },
  ({ userId, instituteId, draft, now }: { userId: string; instituteId: string; draft: string; now: Date }) => sql`
    insert into institute_claims (institute_id, user_id, draft, created_at) values (${instituteId}, ${userId}, ${draft}::jsonb, ${now})
    on conflict (user_id) where state <> 'accepted' do update
      set institute_id = excluded.institute_id, draft = excluded.draft, created_at = excluded.created_at, state = 'waiting', decided_at = null
      where institute_claims.state = 'refused' returning id`,
)
/** The id of a waiting claim, instead of one that was refused; null when one waits already. */
export const putClaim = async (
  db: Db,
  scope: SelfScope,
  { instituteId, draft, now }: { instituteId: string; draft: ClaimedDraft; now: Date },
): Promise<string | null> => (await put.one(db, { userId: scope.userId, instituteId, draft: JSON.stringify(draft), now }))?.id ?? null

const own = {
  id: c.uuid,
  instituteId: c.uuid,
  instituteName: c.text,
  state: c.oneOf(['waiting', 'refused', 'accepted']),
  since: c.instant,
  draft: c.json<ClaimedDraft>(),
}
const ofUser = statement(
  { name: 'setup.ownClaim', row: own, tries: [someId] },
  (userId: string) => sql`select q.id, q.institute_id as "instituteId", i.name as "instituteName", q.state, q.created_at as since, q.draft
    from institute_claims q join institutes i on i.id = q.institute_id where q.user_id = ${userId} and q.state <> 'accepted'`,
)
export const ownClaim = (db: Db, scope: SelfScope): Promise<RowOf<typeof own> | null> => ofUser.one(db, scope.userId)

const removeOwn = statement(
  { name: 'setup.removeClaim', row: {}, tries: [someId] },
  (userId: string) => sql`delete from institute_claims where user_id = ${userId} and state <> 'accepted'`,
)
export const removeClaim = async (db: Db, scope: SelfScope): Promise<boolean> => (await removeOwn.run(db, scope.userId)) > 0

const open = {
  id: c.uuid,
  since: c.instant,
  institute: c.text,
  slug: c.text,
  instituteId: c.uuid,
  listedAt: known(c.text),
  claimant: known(c.text),
  email: known(c.text),
  says: known(c.json<Record<string, unknown>>()),
}
export type OpenClaim = RowOf<typeof open>
const waiting = statement(
  { name: 'setup.openClaims', row: open },
  () => sql`select q.id, q.created_at as since, i.name as institute, i.slug, i.id as "instituteId", i.address_line || ', ' || i.city as "listedAt",
      u.first_name || ' ' || u.last_name as claimant, u.email::text as email,
      json_build_object('name', q.draft #> '{draft,profile,name}', 'phone', q.draft #> '{draft,profile,phone}', 'address', q.draft #> '{draft,profile,address}') as says
    from institute_claims q join institutes i on i.id = q.institute_id join users u on u.id = q.user_id
    where q.state = 'waiting' order by q.created_at, q.id`,
)
/** Claims that wait, the longest first. */
export const openClaims = (db: Db, _system: SystemScope): Promise<OpenClaim[]> => waiting.all(db)

const taken = { userId: c.uuid, instituteId: c.uuid, draft: c.json<ClaimedDraft>() }
export type TakenClaim = RowOf<typeof taken>
const decide = statement(
  { name: 'setup.decideClaim', row: taken, tries: [{ id: someId, state: 'accepted', now: new Date(0) }] },
  ({ id, state, now }: { id: string; state: 'accepted' | 'refused'; now: Date }) => sql`update institute_claims
    set state = ${state}, decided_at = ${now} where id = ${id} and state = 'waiting'
    returning user_id as "userId", institute_id as "instituteId", draft`,
)
/** What was claimed; null when no such claim waits. */
export const decideClaim = (
  db: Db,
  _system: SystemScope,
  decision: { id: string; state: 'accepted' | 'refused'; now: Date },
): Promise<TakenClaim | null> => decide.one(db, decision)

const ofInstitute = statement(
  { name: 'setup.otherClaims', row: { id: c.uuid }, tries: [someId] },
  (instituteId: string) => sql`select id from institute_claims where institute_id = ${instituteId} and state = 'waiting' order by id`,
)
/** Whoever else claims the same. */
export const otherClaims = async (db: Db, _system: SystemScope, instituteId: string): Promise<string[]> =>
  (await ofInstitute.all(db, instituteId)).map(({ id }) => id)

const claimantRow = { firstName: c.text, email: known(c.text), locale: c.oneOf(locales), institute: c.text, slug: c.text }
const claimantOf = statement(
  { name: 'setup.claimant', row: claimantRow, tries: [{ userId: someId, instituteId: someId }] },
  ({
    userId,
    instituteId,
  }: {
    userId: string
    instituteId: string
  }) => sql`select u.first_name as "firstName", u.email::text as email, u.locale,
      i.name as institute, i.slug from users u join institutes i on i.id = ${instituteId} where u.id = ${userId}`,
)
/** Who is told of a decision, and of which institute; null where the account is gone. */
export const claimant = (
  db: Db,
  _system: SystemScope,
  of: { userId: string; instituteId: string },
): Promise<RowOf<typeof claimantRow> | null> => claimantOf.one(db, of)
