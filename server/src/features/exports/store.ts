/**
 * Everything that is kept of an institute, section by section, as its owner takes it away. One place for each table that names an institute; a test
 * compares them with the schema, so that whoever adds a table says here what becomes of it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, someId, statement } from '#/platform/statement.ts'
import type { RowsOf, SectionName } from './rows.ts'

type ExportScope = InstituteScope<'institute.export'>
/** Rows of one reading of a long section. */
const pageSize = 500

interface Asked {
  instituteId: string
  ids: readonly string[]
}
type Pages = (db: Db, scope: ExportScope) => AsyncGenerator<readonly object[]>

/** A section that is read at once. */
function whole(name: SectionName, ask: (instituteId: string) => RawBuilder<unknown>): Pages {
  const read = statement(
    { name: `exports.${name}`, row: { rows: known(c.json<object[]>()) }, tries: [someId] },
    (instituteId: string) => sql`select coalesce(json_agg(part), '[]'::json) as rows from (${ask(instituteId)}) part`,
  )
  return async function* pages(db, scope) {
    yield (await read.one(db, scope.instituteId))?.rows ?? []
  }
}

/** A section that grows with the years: which rows there are is read first, and then so many at a time. */
function paged(
  name: SectionName,
  { ids, ask }: { ids: (instituteId: string) => RawBuilder<unknown>; ask: (asked: Asked) => RawBuilder<unknown> },
): Pages {
  const list = statement(
    { name: `exports.${name}.ids`, row: { ids: known(c.list(c.uuid)) }, tries: [someId] },
    (instituteId: string) => sql`select coalesce(array_agg(id), '{}') as ids from (${ids(instituteId)}) part`,
  )
  const read = statement(
    { name: `exports.${name}`, row: { row: known(c.json<object>()) }, tries: [{ instituteId: someId, ids: [someId] }] },
    (asked: Asked) => sql`select to_json(part) as row from unnest(${asked.ids}::uuid[]) with ordinality as wanted(id, n)
      join (${ask(asked)}) part on part.id = wanted.id order by n`,
  )
  return async function* pages(db, scope) {
    const { instituteId } = scope
    const all = (await list.one(db, instituteId))?.ids ?? []
    for (let at = 0; at < all.length; at += pageSize)
      yield (await read.all(db, { instituteId, ids: all.slice(at, at + pageSize) })).map(({ row }) => row)
  }
}

const sections: Record<SectionName, Pages> = {
  institute: whole(
    'institute',
    (id) => sql`select id, slug, name, description, state, categories, email, phone, website, address_line as "addressLine", quarter,
      postal_code as "postalCode", city, country_code as "countryCode", lat, lon, time_zone as "timeZone", currency, at_home as "atHome",
      at_home_radius_km as "atHomeRadiusKm", audience, languages, created_at as "createdAt", published_at as "publishedAt",
      (select json_agg(json_build_object('url', p.url, 'alt', p.alt) order by p.position) from institute_pictures p where p.institute_id = i.id) as pictures
      from institutes i where id = ${id}`,
  ),
  settings: whole(
    'settings',
    (
      id,
    ) => sql`select payment_methods as "paymentMethods", pay_at_salon as "payAtSalon", grid_minutes as "gridMinutes", notice_minutes as "noticeMinutes",
      horizon_days as "horizonDays", max_wait_minutes as "maxWaitMinutes", gap_policy as "gapPolicy", service_order as "serviceOrder",
      cancel_window_minutes as "cancelWindowMinutes", reschedule_window_minutes as "rescheduleWindowMinutes", deposit_kind as "depositKind",
      deposit_amount as "depositAmount", deposit_percent as "depositPercent", prepay_no_shows as "prepayAfterNoShows",
      late_fee_kind as "lateFeeKind", late_fee_amount as "lateFeeAmount", late_fee_percent as "lateFeePercent", no_show_fee_kind as "noShowFeeKind",
      no_show_fee_amount as "noShowFeeAmount", no_show_fee_percent as "noShowFeePercent", fee_grace_minutes as "feeGraceMinutes",
      (select json_build_object('account', a.account_id, 'takesPayments', a.takes_payments, 'paysOut', a.pays_out) from payment_accounts a
        where a.institute_id = i.id) as "paymentAccount" from institutes i where id = ${id}`,
  ),
  businessChecks: whole(
    'businessChecks',
    (
      id,
    ) => sql`select q.id, q.state, q.country_code as "countryCode", q.legal_name as "legalName", q.registration_number as "registrationNumber",
      q.vat_number as "vatNumber", q.sent_at as "sentAt", q.decided_at as "decidedAt", q.reason,
      (select coalesce(json_agg(d.name order by d.position), '[]') from business_check_documents d where d.check_id = q.id) as documents
      from business_checks q where q.institute_id = ${id} order by q.sent_at, q.id`,
  ),
  openingHours: whole(
    'openingHours',
    (id) => sql`select weekday, opens_at as "opensAt", closes_at as "closesAt" from opening_hours where institute_id = ${id} order by 1, 2`,
  ),
  closures: whole(
    'closures',
    (id) =>
      sql`select from_day as "fromDay", to_day as "toDay", opens_at as "opensAt", closes_at as "closesAt", reason from closures where institute_id = ${id} order by 1`,
  ),
  services: whole(
    'services',
    (
      id,
    ) => sql`select id, category, section as "group", name, description, active_minutes as "activeMinutes", idle_minutes as "idleMinutes",
      active_after_minutes as "activeAfterMinutes", buffer_before_minutes as "bufferBeforeMinutes", buffer_after_minutes as "bufferAfterMinutes", is_sequential as "isSequential",
      price_kind as "priceKind", price_amount as "priceAmount", (select currency from institutes where id = s.institute_id) as currency, audience,
      deposit_kind as "depositKind", deposit_amount as "depositAmount", deposit_percent as "depositPercent",
      latest_start as "latestStart", notice_minutes as "noticeMinutes", minimum_age as "minimumAge", resource_type as "resourceType", capacity, active,
      is_signature as "isSignature", archived_at as "archivedAt", successor_id as "successorId",
      (select json_agg(json_build_object('fromDay', p.from_day, 'priceKind', p.price_kind, 'priceAmount', p.price_amount) order by p.from_day)
        from service_prices p where p.service_id = s.id) as "laterPrices",
      (select json_agg(json_build_object('serviceId', q.required_service_id, 'minHours', q.min_hours, 'maxMonths', q.max_months)) from service_prerequisites q where q.service_id = s.id) as prerequisites
      from services s where institute_id = ${id} order by position, id`,
  ),
  team: whole(
    'team',
    (id) => sql`select id, name, title, bio, languages, bookable_online as "bookableOnline", active, last_day as "lastDay",
      (select json_agg(json_build_object('serviceId', p.service_id, 'name', s.name, 'activeMinutes', p.active_minutes, 'idleMinutes', p.idle_minutes,
        'activeAfterMinutes', p.active_after_minutes, 'priceAmount', p.price_amount) order by s.position, s.id) from member_services p join services s on s.id = p.service_id where p.member_id = m.id) as services
      from team_members m where institute_id = ${id} order by position, id`,
  ),
  people: whole(
    'people',
    (
      id,
    ) => sql`select u.email::text as email, u.first_name as "firstName", u.last_name as "lastName", p.level, p.member_id as "memberId", p.created_at as "since"
      from institute_people p join users u on u.id = p.user_id where p.institute_id = ${id} order by p.created_at`,
  ),
  shifts: whole(
    'shifts',
    (
      id,
    ) => sql`select m.name as member, r.member_id as "memberId", r.weeks, r.anchor_day as "anchorDay", r.valid_from as "validFrom", r.valid_to as "validTo",
      s.week, s.weekday, s.opens_at as "opensAt", s.closes_at as "closesAt", s.breaks
      from rotas r join team_members m on m.id = r.member_id join rota_shifts s on s.rota_id = r.id where r.institute_id = ${id}
      order by m.position, m.id, r.valid_from nulls first, s.week, s.weekday, s.opens_at`,
  ),
  shiftOverrides: whole(
    'shiftOverrides',
    (id) => sql`select member_id as "memberId", day, shifts from shift_overrides where institute_id = ${id} order by 1, 2`,
  ),
  absences: whole(
    'absences',
    (
      id,
    ) => sql`select member_id as "memberId", kind, from_day as "fromDay", to_day as "toDay", opens_at as "opensAt", closes_at as "closesAt", note
      from absences where institute_id = ${id} order by from_day`,
  ),
  leaveRequests: whole(
    'leaveRequests',
    (id) => sql`select member_id as "memberId", kind, from_day as "fromDay", to_day as "toDay", note, asked_at as "askedAt"
      from leave_requests where institute_id = ${id} order by asked_at`,
  ),
  resources: whole(
    'resources',
    (id) => sql`select id, type, name, note, active,
      (select json_agg(json_build_object('fromDay', k.from_day, 'toDay', k.to_day) order by k.from_day) from resource_closures k where k.resource_id = r.id) as closures
      from resources r where institute_id = ${id} order by position, id`,
  ),
  blockedTimes: paged('blockedTimes', {
    ids: (id) => sql`select id from blocked_times where institute_id = ${id} order by lower(during), id`,
    ask: ({
      instituteId,
      ids,
    }) => sql`select b.id, b.subject_kind as "subjectKind", b.subject_id as "subjectId", lower(b.during) as "startsAt", upper(b.during) as "endsAt", b.kind, b.note
      from blocked_times b where b.institute_id = ${instituteId} and b.id = any(${ids}::uuid[])`,
  }),
  groupSessions: paged('groupSessions', {
    ids: (id) => sql`select id from group_sessions where institute_id = ${id} order by lower(during), id`,
    ask: ({
      instituteId,
      ids,
    }) => sql`select g.id, g.service_id as "serviceId", g.member_id as "memberId", g.resource_id as "resourceId", lower(g.during) as "startsAt",
      upper(g.during) as "endsAt", g.capacity from group_sessions g where g.institute_id = ${instituteId} and g.id = any(${ids}::uuid[])`,
  }),
  visits: paged('visits', {
    ids: (id) =>
      sql`select id from appointments where institute_id = ${id} and coalesce(life, life_of_status(status)) <> 'held' order by starts_at, id`,
    ask: ({
      instituteId,
      ids,
    }) => sql`select a.id, a.reference, a.customer_id as "customerId", trim(k.first_name || ' ' || k.last_name) as client, k.phone,
      coalesce(a.life, life_of_status(a.status)) as state, a.attendance, coalesce(a.payment, payment_of_status(a.status, null)) as payment,
      a.payment_method as "paymentMethod", a.starts_at as "startsAt", a.ends_at as "endsAt", a.time_zone as "timeZone", a.total_amount as "totalAmount",
      a.currency, a.note, a.own_note as "ownNote", coalesce(a.made_by, case when a.user_id is null then 'institute' else 'client' end) as "madeBy", a.created_at as "bookedAt", a.moved_count as "movedCount",
      a.cancelled_at as "cancelledAt", a.cancelled_by as "cancelledBy", a.cancel_reason as "cancelReason",
      (select v.series_id from series_visits v where v.appointment_id = a.id) as "seriesId",
      (select json_agg(json_build_object('serviceId', s.service_id, 'service', s.snapshot -> 'name', 'memberId', s.member_id, 'member', m.name, 'resource', r.name,
        'startsAt', s.starts_at, 'endsAt', s.ends_at, 'priceAmount', s.price_amount) order by s.position)
        from segments s join team_members m on m.id = s.member_id left join resources r on r.id = s.resource_id where s.appointment_id = a.id) as segments
      from appointments a left join customers k on k.id = a.customer_id
      where a.institute_id = ${instituteId} and a.id = any(${ids}::uuid[])`,
  }),
  customers: paged('customers', {
    ids: (id) => sql`select id from customers where institute_id = ${id} order by created_at, id`,
    ask: ({
      instituteId,
      ids,
    }) => sql`select k.id, k.first_name as "firstName", k.last_name as "lastName", k.email::text as email, k.phone, k.birthday, k.locale, k.tags, k.alert,
      k.notes, k.pays_first as "paysFirst", k.blocked_at as "blockedAt", k.created_at as "createdAt", k.merged_into as "mergedInto",
      (select json_agg(json_build_object('title', s.title, 'text', s.body, 'signedBy', s.signed_by, 'signedAt', s.signed_at, 'withdrawnAt', s.withdrawn_at) order by s.signed_at)
        from customer_consents s where s.customer_id = k.id) as consents,
      (select json_agg(json_build_object('name', f.name, 'addedAt', f.added_at) order by f.added_at) from customer_files f where f.customer_id = k.id) as files,
      (select json_agg(json_build_object('customerId', l.related_id, 'kind', l.kind) order by l.id) from customer_relations l where l.customer_id = k.id) as relations
      from customers k where k.institute_id = ${instituteId} and k.id = any(${ids}::uuid[])`,
  }),
  health: paged('health', {
    ids: (id) => sql`select customer_id as id from customer_health where institute_id = ${id} order by 1`,
    ask: ({ instituteId, ids }) => sql`select h.customer_id as id, h.allergies, h.formulas, h.updated_at as "updatedAt",
      trim(k.first_name || ' ' || k.last_name) as client from customer_health h join customers k on k.id = h.customer_id
      where h.institute_id = ${instituteId} and h.customer_id = any(${ids}::uuid[])`,
  }),
  reviews: paged('reviews', {
    ids: (id) => sql`select id from reviews where institute_id = ${id} order by created_at, id`,
    ask: ({
      instituteId,
      ids,
    }) => sql`select r.id, r.appointment_id as "visitId", r.author, r.language, r.welcoming, r.hygiene, r.atmosphere, r.service_quality as "serviceQuality",
      r.stars, r.text, r.state, r.reply, r.replied_at as "repliedAt", r.created_at as "createdAt",
      (select count(*) from review_pictures p where p.review_id = r.id) as pictures from reviews r where r.institute_id = ${instituteId} and r.id = any(${ids}::uuid[])`,
  }),
  products: whole(
    'products',
    (id) => sql`select id, name, price_amount as "priceAmount", vat_basis_points as "vatBasisPoints", stock, archived_at as "archivedAt"
    from products where institute_id = ${id} order by name, id`,
  ),
  documents: paged('documents', {
    ids: (id) => sql`select id from documents where institute_id = ${id} order by position`,
    ask: ({ instituteId, ids }) => sql`select d.id, d.sale_id as "saleId", d.kind,
      case d.kind when 'invoice' then 'F-' else 'A-' end || d.year || '-' || lpad(d.number::text, greatest(4, length(d.number::text)), '0') as number,
      d.corrects, d.issued_at as "issuedAt", d.day, d.currency, d.total, d.vat, d.parties ->> 'client' as client, d.parties -> 'seller' as seller, d.reason,
      encode(d.hash, 'hex') as hash, encode(d.previous_hash, 'hex') as "previousHash",
      (select json_agg(json_build_object('name', l.name, 'kind', l.kind, 'member', l.member_name, 'quantity', l.quantity, 'amount', l.amount, 'vat', l.vat,
        'vatBasisPoints', l.vat_basis_points) order by l.position) from document_lines l where l.document_id = d.id) as lines
      from documents d where d.institute_id = ${instituteId} and d.id = any(${ids}::uuid[])`,
  }),
  payments: paged('payments', {
    ids: (id) => sql`select id from payments where institute_id = ${id} order by at, id`,
    ask: ({ instituteId, ids }) => sql`select p.id, p.sale_id as "saleId", p.kind, p.method, p.amount, p.currency, p.at, p.day
      from payments p where p.institute_id = ${instituteId} and p.id = any(${ids}::uuid[])`,
  }),
  refunds: whole(
    'refunds',
    (
      id,
    ) => sql`select r.id, r.appointment_id as "visitId", r.amount, r.currency, r.reason, r.state, r.made_at as "madeAt", r.ended_at as "endedAt", r.why,
      r.settled_how as "settledHow", r.settled_at as "settledAt"
    from refunds r where r.institute_id = ${id} order by r.made_at, r.id`,
  ),
  disputes: whole(
    'disputes',
    (
      id,
    ) => sql`select d.id, d.appointment_id as "visitId", d.amount, d.currency, d.state, d.why, d.opened_at as "openedAt", d.answer_by as "answerBy", d.ended_at as "endedAt"
    from disputes d where d.institute_id = ${id} order by d.opened_at, d.id`,
  ),
  payouts: whole(
    'payouts',
    (id) => sql`select p.id, p.reference, p.amount, p.currency, p.state, p.problem, p.made_at as "madeAt", p.arrives_on as "arrivesOn",
      (select coalesce(jsonb_agg(jsonb_build_object('reference', m.reference, 'kind', m.kind, 'amount', m.amount, 'providerFee', m.provider_fee, 'siteFee', m.site_fee,
        'tax', m.tax, 'said', m.said, 'at', m.moved_at) order by m.moved_at, m.reference), '[]') from payout_moves m where m.payout_id = p.id) as parts
    from payouts p where p.institute_id = ${id} order by p.made_at, p.id`,
  ),
  keptDeposits: whole(
    'keptDeposits',
    (id) =>
      sql`select k.id, k.sale_id as "saleId", k.amount, k.currency, k.at, k.day from kept_deposits k where k.institute_id = ${id} order by k.at, k.id`,
  ),
  giftCards: whole(
    'giftCards',
    (
      id,
    ) => sql`select g.id, g.sale_id as "saleId", right(g.code, 4) as ending, g.currency, g.sold_at as "soldAt", g.valid_until as "validUntil",
    (select coalesce(json_agg(json_build_object('kind', m.kind, 'amount', m.amount, 'saleId', m.sale_id, 'at', m.at) order by m.at, m.id), '[]')
      from gift_card_moves m where m.gift_card_id = g.id) as moves,
    (select coalesce(sum(m.amount), 0) from gift_card_moves m where m.gift_card_id = g.id) as left
    from gift_cards g where g.institute_id = ${id} order by g.sold_at, g.id`,
  ),
  packages: whole(
    'packages',
    (id) => sql`select id, name, service_ids as "serviceIds", sessions, price_amount as "priceAmount", months, archived_at as "archivedAt"
    from packages where institute_id = ${id} order by name, id`,
  ),
  clientPackages: whole(
    'clientPackages',
    (
      id,
    ) => sql`select p.id, p.package_id as "packageId", s.customer_id as "clientId", p.sale_id as "saleId", p.name, p.currency, p.sold_at as "soldAt", p.valid_until as "validUntil",
    (select coalesce(json_agg(json_build_object('kind', m.kind, 'sessions', m.sessions, 'amount', m.amount, 'vat', m.vat, 'saleId', m.sale_id, 'at', m.at) order by m.at, m.id), '[]')
      from client_package_moves m where m.client_package_id = p.id) as moves,
    (select coalesce(sum(m.sessions), 0) from client_package_moves m where m.client_package_id = p.id) as left
    from client_packages p join sales s on s.id = p.sale_id where p.institute_id = ${id} order by p.sold_at, p.id`,
  ),
  fees: whole(
    'fees',
    (
      id,
    ) => sql`select f.id, f.appointment_id as "visitId", f.kind, f.amount, f.currency, f.state, f.made_at as "madeAt", f.due_at as "dueAt", f.reason, f.ended_at as "endedAt"
    from fees f where f.institute_id = ${id} order by f.made_at, f.id`,
  ),
  feePayments: whole(
    'feePayments',
    (id) =>
      sql`select p.id, p.sale_id as "saleId", p.fee_id as "feeId", p.amount, p.currency, p.at, p.day from fee_payments p where p.institute_id = ${id} order by p.at, p.id`,
  ),
  tips: whole(
    'tips',
    (id) => sql`select t.id, t.sale_id as "saleId", m.name as member, t.amount, t.day
    from tips t join team_members m on m.id = t.member_id where t.institute_id = ${id} order by t.day, t.id`,
  ),
  tillClosings: whole(
    'tillClosings',
    (id) => sql`select day, currency, float_amount as float, cash_amount as cash, counted_amount as counted, terminal_amount as terminal,
    tips_amount as tips, kept_amount as kept, refunded_amount as refunded, reason, closed_at as "closedAt" from till_closings where institute_id = ${id} order by day`,
  ),
  messages: paged('messages', {
    ids: (id) =>
      sql`select m.id from chats c join messages m on m.chat_id = c.id and m.seq > c.institute_cleared where c.institute_id = ${id} order by c.id, m.seq`,
    ask: ({
      instituteId,
      ids,
    }) => sql`select m.id, m.chat_id as "conversationId", coalesce(nullif((select trim(k.first_name || ' ' || k.last_name)
        from customers k where k.user_id = c.user_id and k.institute_id = c.institute_id and k.merged_into is null limit 1), ''), trim(u.first_name || ' ' || u.last_name)) as client,
      m.side as "from", m.text, f.name as file, m.created_at as "sentAt"
      from chats c join users u on u.id = c.user_id join messages m on m.chat_id = c.id left join files f on f.id = m.file_id
      where c.institute_id = ${instituteId} and m.id = any(${ids}::uuid[])`,
  }),
}

/** All there are, in the order in which somebody would read them. */
export const sectionNames = Object.keys(sections) as SectionName[]

/** The rows of a section, some at a time. */
export const readSection = <Name extends SectionName>(db: Db, scope: ExportScope, name: Name): AsyncGenerator<readonly RowsOf[Name][]> =>
  // Each statement gives what `RowsOf` says of its section; the test of the file reads them all.
  sections[name](db, scope) as AsyncGenerator<readonly RowsOf[Name][]>

const openings = statement(
  { name: 'exports.noteOpenings', row: {}, tries: [{ instituteId: someId, ids: [someId], by: someId, now: new Date(0) }] },
  ({ instituteId, ids, by, now }: { instituteId: string; ids: readonly string[]; by: string | null; now: Date }) =>
    sql`insert into customer_health_openings (customer_id, institute_id, user_id, opened_at)
      select id, institute_id, ${by}::uuid, ${now} from customers where institute_id = ${instituteId} and id = any(${ids}::uuid[])`,
)
/** Notes that what is kept of the health of these clients was read. */
export const noteOpenings = (db: Db, scope: ExportScope, ids: readonly string[], by: string | null, now: Date): Promise<number> =>
  openings.run(db, { instituteId: scope.instituteId, ids, by, now })
