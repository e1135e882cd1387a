/** The end of an account. What institutes must keep stays without the person; everything else goes with the account. */
import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const standing = { email: orNull(c.text), isOwner: known(c.bool), hasVisitsAhead: known(c.bool) }
const stand = statement(
  { name: 'settings.eraseStanding', row: standing, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) => sql`select case when u.email_verified_at is not null then u.email::text end as email,
      exists (select from institutes i where i.owner_id = u.id) as "isOwner",
      exists (select from appointments a where a.user_id = u.id and a.ends_at > ${now}
        and (coalesce(a.life, life_of_status(a.status)) = 'booked' or a.expires_at > ${now})) as "hasVisitsAhead"
    from users u where u.id = ${userId} for update of u`,
)
/** The email where it is confirmed to be theirs. Locks the account: a visit that is being booked meanwhile is seen, or finds nobody to book for. */
export const lockForErasure = (db: Db, scope: SelfScope, now: Date): Promise<RowOf<typeof standing> | null> =>
  stand.one(db, { userId: scope.userId, now })

/** Stands where a name stood. */
const nobody = '–'

interface Erased {
  userId: string
  /** Null where it was never confirmed: whoever has that address is somebody else, and nothing of theirs goes. */
  email: string | null
}
const tries: [Erased] = [{ userId: someId, email: 'a@b.test' }]
const visitsOf = (userId: string) => sql`select id from appointments where user_id = ${userId}`

/** Records of a person: those of the account or its address, and the ones that were joined to these. */
const recordsOf = (
  userId: string,
  email: string | null,
) => sql`select k.id from customers k where k.user_id = ${userId} or k.email = ${email}
  or k.merged_into in (select w.id from customers w where w.user_id = ${userId} or w.email = ${email})`

const erasures = [
  // Letters to the person, and those that tell an institute of them: of a visit, or of what their key names.
  statement(
    { name: 'settings.eraseLetters', row: {}, tries },
    ({ userId, email }: Erased) =>
      sql`delete from mails where user_id = ${userId} or lower(recipient) = lower(${email}) or appointment_id in (${visitsOf(userId)})
        or kind = 'unread_message' and split_part(dedupe_key, ':', 2) in (select id::text from chats where user_id = ${userId})
        or kind in ('payment_disputed', 'dispute_decided', 'refund_refused') and split_part(dedupe_key, ':', 2) in (
          select d.id::text from checkouts p join disputes d on d.checkout_id = p.id where p.user_id = ${userId} union
          select r.id::text from checkouts p join refunds r on r.checkout_id = p.id where p.user_id = ${userId})`,
  ),
  statement(
    { name: 'settings.eraseTold', row: {}, tries },
    ({ userId }: Erased) => sql`update notifications set facts = jsonb_set(facts, '{client}', to_jsonb(${nobody}::text))
      where user_id <> ${userId} and appointment_id in (${visitsOf(userId)})`,
  ),
  statement(
    { name: 'settings.eraseNotes', row: {}, tries },
    ({ userId }: Erased) => sql`update appointments set note = null, own_note = null, cancel_reason = null where user_id = ${userId}
      and (note is not null or own_note is not null or cancel_reason is not null)`,
  ),
  statement(
    { name: 'settings.eraseRearrangingNotes', row: {}, tries },
    ({ userId }: Erased) => sql`update rearrangements set note = null where note is not null and appointment_id in (${visitsOf(userId)})`,
  ),
  statement(
    { name: 'settings.eraseHomes', row: {}, tries },
    ({ userId }: Erased) => sql`delete from home_addresses where appointment_id in (${visitsOf(userId)})`,
  ),
  statement(
    { name: 'settings.eraseCheckoutNotes', row: {}, tries },
    ({ userId }: Erased) => sql`update checkouts set note = null where user_id = ${userId} and note is not null`,
  ),
  statement(
    { name: 'settings.eraseReplies', row: {}, tries },
    ({ userId }: Erased) => sql`update reviews set reply = null, replied_at = null where user_id = ${userId} and reply is not null`,
  ),
  statement(
    { name: 'settings.eraseReportNotes', row: {}, tries },
    ({ userId }: Erased) => sql`update review_reports set note = '' where user_id = ${userId}`,
  ),
  statement(
    { name: 'settings.eraseChatReports', row: {}, tries },
    ({ userId }: Erased) => sql`update chat_reports set reason = ${nobody} where user_id = ${userId}`,
  ),
  // What institutes keep of the person, in records that were joined too, and what would bring it back.
  statement(
    { name: 'settings.eraseHealth', row: {}, tries },
    ({ userId, email }: Erased) => sql`delete from customer_health where customer_id in (${recordsOf(userId, email)})`,
  ),
  statement(
    { name: 'settings.eraseHealthOpenings', row: {}, tries },
    ({ userId, email }: Erased) => sql`delete from customer_health_openings where customer_id in (${recordsOf(userId, email)})`,
  ),
  statement(
    { name: 'settings.eraseCustomerFiles', row: {}, tries },
    ({
      userId,
      email,
    }: Erased) => sql`with gone as (delete from customer_files where customer_id in (${recordsOf(userId, email)}) returning file_key)
      update files set state = 'dropped' where key in (select file_key from gone)`,
  ),
  statement(
    { name: 'settings.eraseConsents', row: {}, tries },
    ({ userId, email }: Erased) => sql`delete from customer_consents where customer_id in (${recordsOf(userId, email)})`,
  ),
  statement(
    { name: 'settings.eraseRelations', row: {}, tries },
    ({ userId, email }: Erased) =>
      sql`delete from customer_relations where customer_id in (${recordsOf(userId, email)}) or related_id in (${recordsOf(userId, email)})`,
  ),
  statement(
    { name: 'settings.eraseCustomers', row: {}, tries },
    ({ userId, email }: Erased) => sql`with person as (${recordsOf(userId, email)}),
        apart as (delete from customer_merges where kept_id in (select id from person) or merged_id in (select id from person))
      update customers set user_id = null, first_name = ${nobody}, last_name = '', email = null, phone = null,
        birthday = null, notes = '', alert = null, tags = '{}', locale = null where id in (select id from person)`,
  ),
  statement(
    { name: 'settings.eraseInvitations', row: {}, tries },
    ({ email }: Erased) => sql`delete from institute_invitations where email = ${email}`,
  ),
  statement(
    { name: 'settings.eraseLogin', row: {}, tries },
    ({ userId }: Erased) => sql`update team_members set user_id = null where user_id = ${userId}`,
  ),
  // With it go sessions, favourites, reminders, conversations and all that names it; of reviews the grades stay.
  statement({ name: 'settings.eraseAccount', row: {}, tries }, ({ userId }: Erased) => sql`delete from users where id = ${userId}`),
] as const

export async function eraseAccount(transaction: Db, scope: SelfScope, email: string | null): Promise<void> {
  for (const erasure of erasures) await erasure.run(transaction, { userId: scope.userId, email })
}
