/**
 * What belongs to a person without naming their account: the money of their visits, and what an institute sold to the record it keeps of them. One entry
 * for each table that leads to an account by way of another; a test compares them with the schema.
 */
import { type RawBuilder, sql } from 'kysely'
import { part, type Place } from './personal-part-store.ts'

/** Sales of their own visits, and those over the counter to a record that is theirs. A visit of another account is never among them, whoever's record it names. */
const salesOf = (
  userId: string,
): RawBuilder<unknown> => sql`select s.id from appointments a join sales s on s.appointment_id = a.id where a.user_id = ${userId}
  union select s.id from customers k join sales s on s.customer_id = k.id left join appointments a on a.id = s.appointment_id
    where (k.user_id = ${userId} or k.merged_into in (select o.id from customers o where o.user_id = ${userId})) and a.user_id is null`

const numberOf = (document: string): RawBuilder<string> => {
  const of = (column: string) => sql.ref(`${document}.${column}`)
  return sql`case ${of('kind')} when 'invoice' then 'F-' else 'A-' end || ${of('year')} || '-' || lpad(${of('number')}::text, greatest(4, length(${of('number')}::text)), '0')`
}

const ofVisit = { why: 'how the calendar keeps the time of a visit, which is told' }
const ofTeam = { why: 'how an institute plans its team; the institute has it in its own export' }
const ofBooks = { why: 'how an institute and its provider keep books of a payment, which is told' }
const toldWith = (name: string) => ({ why: `told with ${name}` })

export const dataByWay: Readonly<Record<string, Place>> = {
  documents: part(
    'invoices',
    (
      userId,
    ) => sql`select i.name as institute, ${numberOf('d')} as number, d.kind, (select ${numberOf('o')} from documents o where o.id = d.corrects) as corrects,
        d.issued_at as "issuedAt", d.day, d.currency, d.total, d.vat, d.parties -> 'seller' as seller, d.parties ->> 'client' as client, d.reason,
        (select json_agg(json_build_object('name', l.name, 'kind', l.kind, 'by', l.member_name, 'quantity', l.quantity, 'amount', l.amount, 'vat', l.vat,
          'vatBasisPoints', l.vat_basis_points) order by l.position) from document_lines l where l.document_id = d.id) as lines
      from documents d join institutes i on i.id = d.institute_id where d.sale_id in (${salesOf(userId)}) order by d.issued_at, d.id`,
  ),
  payments: part(
    'paid',
    (userId) => sql`select i.name as institute, a.reference as visit, p.kind, p.method, p.amount, p.currency, p.at as "paidAt", p.day,
        (select ${numberOf('d')} from documents d where d.id = p.document_id) as "creditNote"
      from payments p join institutes i on i.id = p.institute_id join sales s on s.id = p.sale_id left join appointments a on a.id = s.appointment_id
      where p.sale_id in (${salesOf(userId)}) order by p.at, p.id`,
  ),
  refunds: part(
    'refunds',
    (userId) => sql`select i.name as institute, r.amount, r.currency, r.reason, r.state, r.made_at as "madeAt", r.ended_at as "endedAt",
        r.settled_how as "settledHow", r.settled_at as "settledAt"
      from checkouts p join refunds r on r.checkout_id = p.id join institutes i on i.id = r.institute_id where p.user_id = ${userId} order by r.made_at, r.id`,
  ),
  kept_deposits: part(
    'keptDeposits',
    (
      userId,
    ) => sql`select i.name as institute, k.amount, k.currency, k.at as "keptAt", k.day from kept_deposits k join institutes i on i.id = k.institute_id
      where k.sale_id in (${salesOf(userId)}) order by k.at, k.id`,
  ),
  fee_payments: part(
    'paidFees',
    (userId) => sql`select i.name as institute, f.kind, p.amount, p.currency, p.at as "paidAt", p.day
      from fees f join fee_payments p on p.fee_id = f.id join institutes i on i.id = p.institute_id where f.user_id = ${userId} order by p.at, p.id`,
  ),
  disputes: part(
    'disputes',
    (userId) => sql`select i.name as institute, d.amount, d.currency, d.state, d.why, d.opened_at as "openedAt", d.ended_at as "endedAt"
      from checkouts p join disputes d on d.checkout_id = p.id join institutes i on i.id = d.institute_id where p.user_id = ${userId} order by d.opened_at, d.id`,
  ),
  tips: part(
    'tips',
    (
      userId,
    ) => sql`select i.name as institute, m.name as "for", s.currency, t.amount, t.day from tips t join institutes i on i.id = t.institute_id
        join team_members m on m.id = t.member_id join sales s on s.id = t.sale_id
      where t.sale_id in (${salesOf(userId)}) order by t.day, t.id`,
  ),
  // What pays with it is its whole code, which stays with whoever has the card; when it was used is of whoever used it.
  gift_cards: part(
    'giftCards',
    (
      userId,
    ) => sql`select i.name as institute, right(g.code, 4) as ending, g.currency, g.sold_at as "boughtAt", g.valid_until as "validUntil",
        (select sum(m.amount) from gift_card_moves m where m.gift_card_id = g.id and m.kind = 'sold') as amount,
        (select sum(m.amount) from gift_card_moves m where m.gift_card_id = g.id) as left
      from gift_cards g join institutes i on i.id = g.institute_id where g.sale_id in (${salesOf(userId)}) order by g.sold_at, g.id`,
  ),
  client_packages: part(
    'packages',
    (userId) => sql`select i.name as institute, p.name, p.currency, p.sold_at as "boughtAt", p.valid_until as "validUntil",
        (select sum(m.sessions) from client_package_moves m where m.client_package_id = p.id) as "sessionsLeft",
        (select json_agg(json_build_object('kind', m.kind, 'sessions', m.sessions, 'amount', m.amount, 'vat', m.vat, 'at', m.at) order by m.at, m.id)
          from client_package_moves m where m.client_package_id = p.id) as moves
      from client_packages p join institutes i on i.id = p.institute_id where p.sale_id in (${salesOf(userId)}) order by p.sold_at, p.id`,
  ),
  absences: part(
    'absences',
    (
      userId,
    ) => sql`select i.name as institute, b.kind, b.from_day as "fromDay", b.to_day as "toDay", b.opens_at as "fromMinute", b.closes_at as "toMinute", b.note
      from team_members m join absences b on b.member_id = m.id join institutes i on i.id = m.institute_id where m.user_id = ${userId} order by b.from_day`,
  ),
  leave_requests: part(
    'leaveAskedFor',
    (userId) => sql`select i.name as institute, q.kind, q.from_day as "fromDay", q.to_day as "toDay", q.note, q.asked_at as "askedAt"
      from team_members m join leave_requests q on q.member_id = m.id join institutes i on i.id = m.institute_id where m.user_id = ${userId} order by q.asked_at`,
  ),
  team_notification_choices: part(
    'toldAtWork',
    (
      userId,
    ) => sql`select i.name as institute, q.kind, q.channel, q.is_on as "isOn" from team_notification_choices q join institutes i on i.id = q.institute_id
      where q.user_id = ${userId} order by 1, 2, 3`,
  ),
  sales: toldWith('invoices and paid'),
  document_lines: toldWith('invoices'),
  gift_card_moves: toldWith('giftCards, but for who used them'),
  client_package_moves: toldWith('packages'),
  segments: toldWith('visits'),
  home_addresses: toldWith('visits'),
  business_check_documents: toldWith('businessChecks'),
  review_pictures: toldWith('reviews'),
  fee_terms: { why: 'what was accepted with a visit; what came of it stands in the fees' },
  customer_relations: { why: 'names somebody else' },
  customer_distinct: { why: 'two records of which an institute said that they are two' },
  rearrangements: { why: 'proposals; what came of them stands in the visits' },
  late_visits: { why: 'of an hour; it is over' },
  late_notices: { why: 'of an hour; it is over' },
  series_visits: ofVisit,
  session_seats: ofVisit,
  occupations: ofVisit,
  soft_occupations: ofVisit,
  untold_changes: ofVisit,
  hidden_starts: ofVisit,
  hold_ends: ofVisit,
  rotas: ofTeam,
  rota_shifts: ofTeam,
  shift_overrides: ofTeam,
  leave_times: ofTeam,
  member_services: ofTeam,
  group_sessions: ofTeam,
  busy_calendars: { why: 'an address that opens a calendar elsewhere' },
  ledger_lines: ofBooks,
  payout_moves: ofBooks,
  payment_differences: ofBooks,
  sandbox_pages: { why: 'of a provider that tests stand in for' },
  security_events: { why: 'a log that guards the account: whoever takes it over must not learn what was seen' },
}
