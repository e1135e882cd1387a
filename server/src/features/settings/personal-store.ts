/**
 * Everything the product holds about a person, as it is read for them. One entry for each column that names an account, and beside it (`dataByWay`) for
 * each table that leads to one; a test compares them with the schema, so that whoever adds a table says here what becomes of it.
 */
import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'
import { dataByWay } from './personal-money-store.ts'
import { part, type Place, placeOfFile } from './personal-part-store.ts'

const profile = part(
  'profile',
  (userId) => sql`select email::text as email, role, first_name as "firstName", last_name as "lastName", phone, birthday, locale,
    (select ${placeOfFile('f')} from files f where f.key = u.image_key and f.user_id = u.id) as picture, email_verified_at as "emailConfirmedAt", terms_accepted_at as "termsAcceptedAt", created_at as "createdAt"
    from users u where id = ${userId}`,
)

export const personalData: Readonly<Record<string, Place>> = {
  'sessions.user_id': part(
    'devices',
    (userId) => sql`select user_agent as "userAgent", created_at as "signedInAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
        from sessions where user_id = ${userId} order by last_seen_at desc`,
  ),
  'appointments.user_id': part(
    'visits',
    (userId) => sql`select a.reference, i.name as institute, a.status, a.attendance, a.starts_at as "startsAt", a.ends_at as "endsAt",
          a.time_zone as "timeZone", a.total_amount as "totalAmount", a.currency, a.payment_method as "paymentMethod", a.note, a.own_note as "noteOfInstitute", a.created_at as "bookedAt",
          (select concat_ws(', ', h.line, h.postal_code, h.city) from home_addresses h where h.appointment_id = a.id) as "homeAddress",
          a.cancelled_at as "cancelledAt", a.cancelled_by as "cancelledBy", a.cancel_reason as "cancelReason",
          (select json_agg(json_build_object('name', s.snapshot -> 'name', 'startsAt', s.starts_at, 'endsAt', s.ends_at, 'priceAmount', s.price_amount) order by s.position)
            from segments s where s.appointment_id = a.id) as services
        from appointments a join institutes i on i.id = a.institute_id where a.user_id = ${userId} order by a.starts_at`,
  ),
  'customers.user_id': part(
    'keptByInstitutes',
    (
      userId,
    ) => sql`select i.name as institute, k.first_name as "firstName", k.last_name as "lastName", k.email::text as email, k.phone, k.birthday,
          k.locale, k.notes, k.alert, k.tags, k.pays_first as "paysFirst", k.blocked_at as "blockedAt", k.created_at as "createdAt", h.allergies, h.formulas,
          (select json_agg(o.opened_at order by o.opened_at) from customer_health_openings o where o.customer_id = k.id) as "healthOpenedAt",
          (select json_agg(json_build_object('title', s.title, 'text', s.body, 'signedBy', s.signed_by, 'signedAt', s.signed_at, 'withdrawnAt', s.withdrawn_at) order by s.signed_at)
            from customer_consents s where s.customer_id = k.id) as consents,
          (select json_agg(json_build_object('name', f.name, 'addedAt', f.added_at) order by f.added_at) from customer_files f where f.customer_id = k.id) as files
        from customers k join institutes i on i.id = k.institute_id left join customer_health h on h.customer_id = k.id
        where k.user_id = ${userId} or k.merged_into in (select o.id from customers o where o.user_id = ${userId}) order by k.created_at`,
  ),
  'saved_cards.user_id': part(
    'cards',
    (userId) =>
      sql`select brand, last_four as "lastFour", kept_at as "keptAt", removed_at as "removedAt" from saved_cards where user_id = ${userId} order by kept_at`,
  ),
  'fees.user_id': part(
    'fees',
    (userId) => sql`select i.name as institute, f.kind, f.amount, f.currency, f.state, f.made_at as "madeAt", f.due_at as "dueAt"
        from fees f join institutes i on i.id = f.institute_id where f.user_id = ${userId} order by f.made_at`,
  ),
  'favourites.user_id': part(
    'favourites',
    (
      userId,
    ) => sql`select i.name as institute, i.slug, f.created_at as "markedAt" from favourites f join institutes i on i.id = f.institute_id
        where f.user_id = ${userId} order by f.created_at`,
  ),
  'notifications.user_id': part(
    'notifications',
    (userId) =>
      sql`select kind, facts, created_at as "toldAt", read_at as "readAt" from notifications where user_id = ${userId} order by id`,
  ),
  'notification_choices.user_id': part(
    'silencedNotifications',
    (userId) =>
      sql`select kind, channel, silenced_at as "since" from notification_choices where user_id = ${userId} order by kind, channel`,
  ),
  'reminders.user_id': part(
    'reminders',
    (userId) =>
      sql`select kind, starts_at as "visitAt", due_at as "dueAt", sent_at as "sentAt" from reminders where user_id = ${userId} order by due_at`,
  ),
  'reviews.user_id': part(
    'reviews',
    (
      userId,
    ) => sql`select i.name as institute, r.author, r.welcoming, r.hygiene, r.atmosphere, r.service_quality as "serviceQuality", r.text, r.reply,
          r.state, r.created_at as "writtenAt",
          (select json_agg(${placeOfFile('f')} order by p.position) from review_pictures p join files f on f.key = p.key and f.user_id = r.user_id
            where p.review_id = r.id) as pictures
        from reviews r join institutes i on i.id = r.institute_id where r.user_id = ${userId} order by r.created_at`,
  ),
  'review_reports.user_id': part(
    'reportsOfReviews',
    (userId) =>
      sql`select reason, note, created_at as "reportedAt", decision from review_reports where user_id = ${userId} order by created_at`,
  ),
  'chats.user_id': part(
    'conversations',
    (userId) => sql`select i.name as institute, k.created_at as "begunAt",
          (select json_agg(json_build_object('from', m.side, 'text', m.text, 'file', f.name, 'kept', case when f.user_id = k.user_id then ${placeOfFile('f')} end, 'sentAt', m.created_at) order by m.seq)
            from messages m left join files f on f.id = m.file_id where m.chat_id = k.id and m.seq > k.client_cleared) as messages
        from chats k join institutes i on i.id = k.institute_id where k.user_id = ${userId} order by k.created_at`,
  ),
  'messages.sender_id': part(
    'messagesForInstitutes',
    (userId) => sql`select i.name as institute, m.text, m.created_at as "sentAt" from messages m join chats k on k.id = m.chat_id
          join institutes i on i.id = k.institute_id where m.sender_id = ${userId} and m.side = 'institute' order by m.created_at`,
  ),
  'chat_reports.user_id': part(
    'reportsOfConversations',
    (userId) => sql`select reason, created_at as "reportedAt" from chat_reports where user_id = ${userId} order by created_at`,
  ),
  'mails.user_id': part(
    'letters',
    (userId) => sql`select kind, recipient, subject, case when kind in ('email_code', 'password_reset') then '' else body end as text,
          created_at as "writtenAt", sent_at as "sentAt"
        from mails where user_id = ${userId} order by created_at`,
  ),
  'files.user_id': part(
    'files',
    (userId) =>
      sql`select f.purpose, f.name, f.media_type as "mediaType", f.bytes, f.created_at as "sentAt", ${placeOfFile('f')} as kept
        from files f where f.user_id = ${userId} order by f.created_at`,
  ),
  'checkouts.user_id': part(
    'payments',
    (userId) => sql`select i.name as institute, p.amount, p.currency, p.payment_method as "paymentMethod", p.state, p.reference, p.note,
          p.begun_at as "begunAt", p.ended_at as "endedAt"
        from checkouts p join institutes i on i.id = p.institute_id where p.user_id = ${userId} order by p.begun_at`,
  ),
  'institute_claims.user_id': part(
    'claims',
    (
      userId,
    ) => sql`select i.name as institute, q.state, q.draft -> 'draft' as told, q.created_at as "claimedAt", q.decided_at as "decidedAt"
        from institute_claims q join institutes i on i.id = q.institute_id where q.user_id = ${userId} order by q.created_at`,
  ),
  'business_checks.sent_by': part(
    'businessChecks',
    (
      userId,
    ) => sql`select i.name as institute, q.state, q.legal_name as "legalName", q.registration_number as "registrationNumber", q.vat_number as "vatNumber",
          (select json_agg(d.name order by d.position) from business_check_documents d where d.check_id = q.id) as documents,
          q.sent_at as "sentAt", q.decided_at as "decidedAt", q.reason
        from business_checks q join institutes i on i.id = q.institute_id where q.sent_by = ${userId} order by q.sent_at`,
  ),
  'institute_people.user_id': part(
    'workplaces',
    (
      userId,
    ) => sql`select i.name as institute, i.slug, p.level, p.created_at as "since" from institute_people p join institutes i on i.id = p.institute_id
        where p.user_id = ${userId} order by p.created_at`,
  ),
  'team_members.user_id': part(
    'teams',
    (
      userId,
    ) => sql`select i.name as institute, m.name, m.title, m.bio, m.languages from team_members m join institutes i on i.id = m.institute_id
        where m.user_id = ${userId} order by i.name`,
  ),
  'identities.user_id': part(
    'waysToSignIn',
    (userId) => sql`select issuer, subject, created_at as "since" from identities where user_id = ${userId} order by created_at`,
  ),
  'passkeys.user_id': part(
    'passkeys',
    (userId) =>
      sql`select name, created_at as "madeAt", last_used_at as "lastUsedAt" from passkeys where user_id = ${userId} order by created_at`,
  ),
  'calendar_connections.user_id': part(
    'connectedCalendars',
    (userId) =>
      sql`select account, state, connected_at as "connectedAt", synced_at as "syncedAt" from calendar_connections where user_id = ${userId}`,
  ),
  'calendar_feeds.user_id': part(
    'calendarLinks',
    (userId) => sql`select created_at as "madeAt" from calendar_feeds where user_id = ${userId}`,
  ),
  'waiting_entries.user_id': part(
    'waitingLists',
    (
      userId,
    ) => sql`select i.name as institute, e.from_day as "fromDay", e.to_day as "toDay", e.part, e.opens_at as "fromMinute", e.closes_at as "toMinute", e.state,
          nullif(concat_ws(', ', e.home ->> 'line', e.home ->> 'postalCode', e.home ->> 'city'), '') as "homeAddress",
          e.created_at as "askedAt", (select json_agg(s.name) from jsonb_array_elements(e.cart) line join services s on s.id = (line ->> 'serviceId')::uuid) as services
        from waiting_entries e join institutes i on i.id = e.institute_id where e.user_id = ${userId} order by e.created_at`,
  ),
  'waiting_offers.user_id': part(
    'timesOffered',
    (
      userId,
    ) => sql`select i.name as institute, o.starts_at as "startsAt", o.ends_at as "endsAt", o.offered_at as "offeredAt", o.until, o.state
        from waiting_offers o join institutes i on i.id = o.institute_id where o.user_id = ${userId} order by o.offered_at`,
  ),
  'operators.user_id': part('operator', (userId) => sql`select created_at as "since" from operators where user_id = ${userId}`),
  'program_keys.created_by': part(
    'keysForPrograms',
    (userId) =>
      sql`select name, permissions, created_at as "createdAt", expires_at as "expiresAt" from program_keys where created_by = ${userId}`,
  ),
  'customer_health_openings.user_id': part(
    'healthNotesOpened',
    (
      userId,
    ) => sql`select i.name as institute, o.opened_at as "openedAt" from customer_health_openings o join institutes i on i.id = o.institute_id
        where o.user_id = ${userId} order by o.opened_at`,
  ),
  'customers.noted_by': { why: 'about the client it was written of; their own data tell it' },
  'customer_health.updated_by': { why: 'about the client it was written of; their own data tell it' },
  'customer_files.added_by': { why: 'about the client it was added for' },
  'customer_consents.taken_by': { why: 'about the client who signed; their own data tell it' },
  'customer_merges.merged_by': { why: 'about the client whose records were joined' },
  'institutes.owner_id': { why: 'told with the workplaces; the institute has an export of its own' },
  'passkey_challenges.user_id': { why: 'the digest of what a browser was asked to sign, dead within minutes' },
  'email_codes.user_id': { why: 'the digest of a code that is dead within minutes' },
  'password_resets.user_id': { why: 'the digest of a link that is dead within the hour' },
  'idempotency_keys.user_id': { why: 'copies of answers, forgotten within days; what they tell stands in the visits' },
  'leave_requests.answered_by': { why: 'about the member of the team who asked' },
  'institute_people.invited_by': { why: 'about the person who was invited' },
  'institute_invitations.invited_by': { why: 'about the person who was invited' },
}

/** All of it, by what it is called. */
export async function readPersonalData(db: Db, scope: SelfScope): Promise<Record<string, unknown[]>> {
  const read: Record<string, unknown[]> = {}
  for (const entry of [profile, ...Object.values(personalData), ...Object.values(dataByWay)])
    if ('read' in entry) read[entry.name] = await entry.read(db, scope.userId)
  return read
}

const kept = { key: c.text, place: known(c.text) }
const files = statement(
  { name: 'settings.export.bytes', row: kept, tries: [someId] },
  (userId: string) =>
    sql`select f.key, ${placeOfFile('f')} as place from files f where f.user_id = ${userId} and f.state = 'used' order by f.created_at, f.id`,
)
/** The files they sent, and where each lies in theirs. */
export const listOwnFiles = (db: Db, scope: SelfScope): Promise<RowOf<typeof kept>[]> => files.all(db, scope.userId)
