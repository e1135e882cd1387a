// Made by `npm run tables` from the migrated schema; a test compares the two.
// Migrations ec10eef32eea
import type { ColumnType, GeneratedAlways } from 'kysely'

/** Read as ISO text, written as a Date or text. */
type Instant = ColumnType<string, Date | string, Date | string>
/** Written as text, so that a list is not taken for an array. */
type Json = ColumnType<unknown, string, string>
/** Written as a bigint where it may exceed 2^53. */
type Whole = ColumnType<number, number | bigint, number | bigint>
/** May be left out when a row is inserted. */
type Generated<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : ColumnType<T, T | undefined, T>

interface AbsencesTable {
  id: Generated<string>
  institute_id: string
  member_id: string
  kind: 'on_holiday' | 'sick_leave' | 'other'
  from_day: string
  to_day: string
  opens_at: number | null
  closes_at: number | null
  note: string | null
}

interface AppointmentsTable {
  id: Generated<string>
  institute_id: string
  user_id: string | null
  customer_id: string | null
  reference: string
  status: 'held' | 'pending' | 'deposit_paid' | 'completed' | 'cancelled'
  attendance: Generated<'expected' | 'arrived' | 'in_service' | 'done' | 'no_show'>
  starts_at: Instant
  ends_at: Instant
  time_zone: string
  cart: Json
  total_amount: number
  currency: string
  terms: Json
  payment_method: 'card' | 'paypal' | 'klarna' | null
  note: string | null
  expires_at: Instant | null
  hold_extended: Generated<boolean>
  cancelled_at: Instant | null
  cancelled_by: 'client' | 'institute' | 'system' | null
  cancel_reason: string | null
  moved_count: Generated<number>
  first_starts_at: Instant
  created_at: Generated<Instant>
  confirmed_at: Instant | null
  life: 'held' | 'booked' | 'cancelled' | null
  payment: 'none' | 'awaiting' | 'failed' | 'deposit_paid' | 'paid' | 'refunded' | null
  is_offer: Generated<boolean>
  own_note: string | null
  attended_at: Json | null
  freed_time: Json | null
  made_by: string | null
  revision: Generated<number>
  deposit_amount: number | null
}

interface BlockedTimesTable {
  id: Generated<string>
  institute_id: string
  subject_kind: 'member' | 'resource'
  subject_id: string
  during: string
  note: string | null
  actor: Json
  created_at: Generated<Instant>
  kind: Generated<string>
}

interface BookableServicesTable {
  service_id: string
  institute_id: string
  position: number
  category: string
  audience: string
  duration_minutes: number
  price_amount: number | null
  minor_units: number
  notice_minutes: number
  time_class: number
  words: string
  lead: number | null
  home_class: number | null
}

interface BusinessCheckDocumentsTable {
  check_id: string
  position: number
  institute_id: string
  file_key: string
  kind: 'image' | 'document'
  name: string
}

interface BusinessChecksTable {
  id: Generated<string>
  institute_id: string
  sent_by: string | null
  country_code: string
  legal_name: string
  registration_number: string
  vat_number: string | null
  state: Generated<'waiting' | 'accepted' | 'refused'>
  sent_at: Instant
  decided_at: Instant | null
  reason: string | null
}

interface BusyCalendarsTable {
  id: Generated<string>
  institute_id: string
  member_id: string
  address_sealed: string
  host: string
  etag: string | null
  last_modified: string | null
  asked_at: Instant | null
  answered_at: Instant | null
  read_at: Instant | null
  due_at: Instant
  problem: 'unreachable' | 'refused' | 'private' | 'too_large' | 'no_calendar' | 'too_much' | null
  created_at: Instant
}

interface CalendarConnectionsTable {
  user_id: string
  account: string | null
  refresh_token: string
  calendar_id: string | null
  state: 'connected' | 'broken'
  connected_at: Instant
  synced_at: Instant | null
}

interface CalendarFeedsTable {
  user_id: string
  token_hash: Buffer
  created_at: Instant
}

interface ChatReportsTable {
  id: Generated<string>
  chat_id: string
  user_id: string | null
  reason: string
  seq: number
  created_at: Instant
  decided_at: Instant | null
}

interface ChatsTable {
  id: Generated<string>
  user_id: string
  institute_id: string
  created_at: Instant
  updated_at: Instant
  last_seq: Generated<number>
  client_delivered: Generated<number>
  client_read: Generated<number>
  client_unread: Generated<number>
  client_cleared: Generated<number>
  client_archived: Generated<boolean>
  client_blocked: Generated<boolean>
  institute_delivered: Generated<number>
  institute_read: Generated<number>
  institute_unread: Generated<number>
  institute_cleared: Generated<number>
  institute_archived: Generated<boolean>
  institute_blocked: Generated<boolean>
  stopped_at: Instant | null
}

interface CheckoutsTable {
  id: Generated<string>
  institute_id: string
  appointment_id: string
  user_id: string | null
  amount: number
  currency: string
  payment: 'none' | 'deposit_paid' | 'paid'
  payment_method: 'card' | 'paypal' | 'klarna'
  note: string | null
  state: Generated<'open' | 'paid' | 'cancelled' | 'failed' | 'expired' | 'refund_due'>
  reference: string | null
  held_at: Instant
  until: Instant
  taken: Json
  begun_at: Instant
  ended_at: Instant | null
  kind: Generated<'hold' | 'rest' | 'charge' | 'fee'>
  key: string | null
  locale: string | null
  return_to: string | null
  deposit_amount: Generated<number>
  held_until: Instant | null
  provider: string | null
  page_id: string | null
  url: string | null
  asked_at: Instant | null
  keeps_card: Generated<boolean>
  late_fee_amount: Generated<number>
  no_show_fee_amount: Generated<number>
  fee_grace_minutes: Generated<number>
  fee_id: string | null
  claimed_until: Instant | null
  account_id: string | null
}

interface ClientPackageMovesTable {
  id: Generated<string>
  institute_id: string
  client_package_id: string
  kind: 'sold' | 'used' | 'undone' | 'given_back' | 'expired'
  sessions: number
  amount: number
  vat: number
  sale_id: string
  line_id: string | null
  at: Instant
}

interface ClientPackagesTable {
  id: Generated<string>
  institute_id: string
  package_id: string
  sale_id: string
  line_id: string
  name: string
  service_ids: string[]
  currency: string
  valid_until: string
  sold_at: Instant
}

interface ClosuresTable {
  id: Generated<string>
  institute_id: string
  from_day: string
  to_day: string
  opens_at: number | null
  closes_at: number | null
  reason: Generated<Json>
}

interface CustomerConsentsTable {
  id: Generated<string>
  customer_id: string
  institute_id: string
  title: string
  body: string
  signed_by: string
  signed_at: Instant
  taken_by: string | null
  withdrawn_at: Instant | null
}

interface CustomerDistinctTable {
  institute_id: string
  one_id: string
  other_id: string
}

interface CustomerFilesTable {
  id: Generated<string>
  customer_id: string
  institute_id: string
  file_key: string
  kind: 'image' | 'document'
  name: string
  added_by: string | null
  added_at: Instant
}

interface CustomerHealthTable {
  customer_id: string
  institute_id: string
  allergies: Generated<string>
  formulas: Generated<string>
  updated_at: Instant
  updated_by: string | null
}

interface CustomerHealthOpeningsTable {
  id: Generated<string>
  customer_id: string
  institute_id: string
  user_id: string | null
  opened_at: Instant
}

interface CustomerMergesTable {
  id: Generated<string>
  institute_id: string
  kept_id: string
  merged_id: string
  before: Json
  moved: Json
  merged_by: string | null
  merged_at: Instant
  undone_at: Instant | null
}

interface CustomerRelationsTable {
  id: Generated<string>
  institute_id: string
  customer_id: string
  related_id: string
  kind: 'guardian' | 'partner' | 'family' | 'friend'
  created_at: Instant
}

interface CustomersTable {
  id: Generated<string>
  institute_id: string
  user_id: string | null
  first_name: string
  last_name: Generated<string>
  email: string | null
  phone: string | null
  birthday: string | null
  notes: Generated<string>
  created_at: Generated<Instant>
  locale: 'en' | 'fr' | 'ar' | null
  tags: Generated<string[]>
  alert: string | null
  noted_by: string | null
  noted_at: Instant | null
  blocked_at: Instant | null
  merged_into: string | null
  phone_key: string | null
  words: string | null
  pays_first: 'nothing' | 'all' | null
}

interface DiaryVersionsTable {
  institute_id: string
  version: Generated<Whole>
  settings: Generated<Whole>
}

interface DisputesTable {
  id: Generated<string>
  institute_id: string
  checkout_id: string
  appointment_id: string
  sale_id: string | null
  provider: string
  reference: string
  amount: number
  currency: string
  state: 'open' | 'won' | 'lost'
  why: 'not_theirs' | 'not_received' | 'not_as_told' | 'twice' | 'not_returned' | null
  answer_by: Instant | null
  opened_at: Instant
  ended_at: Instant | null
}

interface DocumentChainsTable {
  institute_id: string
  position: number
  hash: Buffer
}

interface DocumentLinesTable {
  id: Generated<string>
  document_id: string
  institute_id: string
  position: number
  kind: 'service' | 'product' | 'discount' | 'gift_card' | 'package'
  name: Json
  service_id: string | null
  product_id: string | null
  member_id: string | null
  member_name: string | null
  quantity: number
  amount: number
  vat_basis_points: number
  vat: number
  corrects: string | null
}

interface DocumentSeriesTable {
  institute_id: string
  kind: 'invoice' | 'credit_note'
  year: number
  last: number
}

interface DocumentsTable {
  id: Generated<string>
  institute_id: string
  sale_id: string
  kind: 'invoice' | 'credit_note'
  year: number
  number: number
  corrects: string | null
  issued_at: Instant
  day: string
  currency: string
  total: number
  vat: number
  parties: Json
  reason: string | null
  actor: Json
  position: number
  previous_hash: Buffer
  hash: Buffer
}

interface EmailCodesTable {
  user_id: string
  code_hash: Buffer
  expires_at: Instant
  tries_left: number
  resend_after: Instant | null
}

interface EventCursorsTable {
  name: string
  position: string
}

interface EventsTable {
  id: Generated<Whole>
  xid: Generated<string>
  kind: string
  institute_id: string | null
  subject_id: string | null
  actor: Json
  payload: Generated<Json>
  at: Instant
}

interface FavouritesTable {
  user_id: string
  institute_id: string
  created_at: Instant
}

interface FeePaymentsTable {
  id: Generated<string>
  institute_id: string
  sale_id: string
  fee_id: string
  checkout_id: string
  amount: number
  currency: string
  at: Instant
  day: string
  actor: Json
}

interface FeeTermsTable {
  appointment_id: string
  institute_id: string
  late_amount: number
  no_show_amount: number
  grace_minutes: number
  card_id: string | null
}

interface FeesTable {
  id: Generated<string>
  institute_id: string
  appointment_id: string
  user_id: string | null
  kind: 'late_cancel' | 'no_show'
  amount: number
  currency: string
  state: Generated<'due' | 'charging' | 'charged' | 'asked' | 'unpaid' | 'waived' | 'withdrawn' | 'given_back'>
  made_at: Instant
  due_at: Instant
  called_off: 'waived' | 'withdrawn' | null
  reason: string | null
  decided_by: Json | null
  checkout_id: string | null
  ended_at: Instant | null
}

interface FilesTable {
  id: Generated<string>
  key: string
  user_id: string | null
  institute_id: string | null
  purpose: string
  kind: 'image' | 'document'
  media_type: string
  name: string | null
  bytes: number | null
  width: number | null
  height: number | null
  private: boolean
  variants: Json | null
  state: Generated<'arriving' | 'used' | 'dropped'>
  created_at: Generated<Instant>
}

interface FormerSlugsTable {
  slug: string
  institute_id: string
  given_up_at: Generated<Instant>
}

interface FreeTimeTable {
  institute_id: string
  classes: string
  near_from: number
  near_count: number
  first_day: string
  day_count: number
  near: string
  far: string
  coarse: boolean
  near_all: string | null
}

interface FreeTimeMarksTable {
  institute_id: string
  from_at: Instant | null
  to_at: Instant | null
}

interface GiftCardMovesTable {
  id: Generated<string>
  institute_id: string
  gift_card_id: string
  kind: 'sold' | 'used' | 'returned' | 'taken_back' | 'expired'
  amount: number
  sale_id: string
  at: Instant
}

interface GiftCardsTable {
  id: Generated<string>
  institute_id: string
  sale_id: string
  line_id: string
  code: string
  currency: string
  valid_until: string
  sold_at: Instant
}

interface GroupSessionsTable {
  id: Generated<string>
  institute_id: string
  service_id: string
  member_id: string
  resource_id: string | null
  during: string
  capacity: number
  created_at: Generated<Instant>
}

interface HiddenStartsTable {
  appointment_id: string
  institute_id: string
  booked_at: Instant
  starts: number
  stranded_minutes: number
}

interface HoldEndsTable {
  appointment_id: string
  institute_id: string
  expires_at: Instant
  is_freed: Generated<boolean>
}

interface HomeAddressesTable {
  appointment_id: string
  institute_id: string
  line: string
  postal_code: string | null
  city: string
  lat: number
  lon: number
  forgotten_at: Instant | null
}

interface IdempotencyKeysTable {
  user_id: string
  key: string
  fingerprint: Buffer
  status: number | null
  body: Json | null
  created_at: Generated<Instant>
  claimed_by: string | null
  claimed_until: Instant | null
  kind: string | null
  request: Json | null
}

interface IdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  created_at: Instant
}

interface InstituteClaimsTable {
  id: Generated<string>
  institute_id: string
  user_id: string
  state: Generated<'waiting' | 'accepted' | 'refused'>
  draft: Json
  created_at: Generated<Instant>
  decided_at: Instant | null
}

interface InstituteInvitationsTable {
  id: Generated<string>
  institute_id: string
  email: string
  level: 'manager' | 'reception' | 'staff'
  member_id: string | null
  locale: 'en' | 'fr' | 'ar'
  invited_by: string | null
  created_at: Instant
  expires_at: Instant
}

interface InstitutePeopleTable {
  institute_id: string
  user_id: string
  level: 'owner' | 'manager' | 'reception' | 'staff'
  member_id: string | null
  invited_by: string | null
  created_at: Generated<Instant>
}

interface InstitutePicturesTable {
  id: Generated<string>
  institute_id: string
  position: number
  url: string
  alt: Generated<Json>
}

interface InstitutesTable {
  id: Generated<string>
  slug: string
  owner_id: string | null
  state: Generated<'draft' | 'published' | 'suspended'>
  claimed: Generated<boolean>
  name: string
  description: Generated<Json>
  categories: string[]
  email: string | null
  phone: string | null
  website: string | null
  address_line: Generated<string>
  quarter: string | null
  postal_code: string | null
  city: string
  country_code: string
  lat: number
  lon: number
  time_zone: string
  currency: string
  at_home: Generated<boolean>
  at_home_radius_km: number | null
  audience: Generated<string[]>
  languages: Generated<string[]>
  payment_methods: Generated<string[]>
  pay_at_salon: Generated<boolean>
  grid_minutes: Generated<number>
  notice_minutes: Generated<number>
  horizon_days: Generated<number>
  max_wait_minutes: Generated<number>
  gap_policy: Generated<'off' | 'rank' | 'hide'>
  service_order: Generated<'given' | 'best'>
  cancel_window_minutes: number | null
  reschedule_window_minutes: number | null
  rating_count: Generated<number>
  average_welcoming: number | null
  average_hygiene: number | null
  average_atmosphere: number | null
  average_service_quality: number | null
  created_at: Generated<Instant>
  published_at: Instant | null
  words: Generated<string>
  standing: GeneratedAlways<number>
  quarter_ar: string | null
  logo_url: string | null
  deposit_kind: Generated<'none' | 'fixed' | 'percent'>
  deposit_amount: number | null
  deposit_percent: number | null
  home_travel_minutes: Generated<number>
  legal_name: string | null
  vat_number: string | null
  vat_basis_points: number | null
  late_fee_kind: Generated<'none' | 'fixed' | 'percent'>
  late_fee_amount: number | null
  late_fee_percent: number | null
  no_show_fee_kind: Generated<'none' | 'fixed' | 'percent'>
  no_show_fee_amount: number | null
  no_show_fee_percent: number | null
  fee_grace_minutes: Generated<number>
  gift_card_years: Generated<number>
  prepay_no_shows: number | null
}

interface KeptDepositsTable {
  id: Generated<string>
  institute_id: string
  sale_id: string
  amount: number
  currency: string
  at: Instant
  day: string
  nth: Generated<number>
}

interface LateNoticesTable {
  id: Generated<string>
  institute_id: string
  member_id: string
  minutes: number
  said_at: Instant
  ends_at: Instant
  ended_at: Instant | null
}

interface LateVisitsTable {
  notice_id: string
  appointment_id: string
  position: number
  starts_at: Instant
  expected_at: Instant
}

interface LeaveMarksTable {
  member_id: string
  institute_id: string
}

interface LeaveRequestsTable {
  id: Generated<string>
  institute_id: string
  member_id: string
  kind: 'on_holiday' | 'sick_leave' | 'other'
  from_day: string
  to_day: string
  note: string | null
  asked_at: Instant
  state: Generated<'asked' | 'agreed' | 'declined'>
  reason: string | null
  answered_by: string | null
  answered_at: Instant | null
}

interface LeaveTimesTable {
  absence_id: string
  institute_id: string
  member_id: string
  during: string
}

interface LedgerLinesTable {
  id: Generated<Whole>
  institute_id: string
  entry: string
  sale_id: string
  at: Instant
  account: 'cash' | 'terminal' | 'online' | 'prepayments' | 'revenue' | 'vat' | 'tips' | 'kept' | 'gift_cards' | 'packages' | 'expired' | 'disputed'
  amount: Whole
  currency: string
}

interface ListingAreasTable {
  source: string
  area: string
  snapshot: string
  imported_at: Generated<Instant>
}

interface ListingsTable {
  id: Generated<string>
  institute_id: string
  source: 'osm' | 'overture' | 'sirene' | 'paris'
  source_id: string
  area: string
  attribution: string
  attribution_url: string
  licence: string
  licence_url: string
  digest: Buffer
  source_version: number | null
  source_edited_at: Instant | null
  facts: Json
  cell: Whole
  taken_at: Generated<Instant>
  updated_at: Generated<Instant>
  seen_in: string
  gone_at: Instant | null
}

interface MailsTable {
  id: Generated<string>
  dedupe_key: string
  kind: string
  recipient: string
  subject: string
  html: string
  body: string
  attachments: Generated<Json>
  user_id: string | null
  appointment_id: string | null
  institute_id: string | null
  created_at: Generated<Instant>
  sent_at: Instant | null
  last_error: string | null
  attempts: Generated<number>
  dead_after: Instant | null
}

interface MemberServicesTable {
  member_id: string
  service_id: string
  institute_id: string
  active_minutes: number | null
  idle_minutes: number | null
  active_after_minutes: number | null
  price_amount: number | null
}

interface MessagesTable {
  id: Generated<string>
  chat_id: string
  seq: number
  side: 'client' | 'institute'
  sender_id: string | null
  client_id: string
  text: string | null
  file_id: string | null
  media: 'image' | 'document' | null
  appointment_id: string | null
  created_at: Instant
  free_time: Json | null
}

interface MigrationFillsTable {
  name: string
  cursor: string | null
  rows_done: Generated<Whole>
  started_at: Generated<Instant>
  done_at: Instant | null
}

interface MigrationStepsTable {
  name: string
  digest: string
  done: number
}

interface MigrationsTable {
  name: string
  digest: string
  applied_at: Generated<Instant>
}

interface MonthVersionsTable {
  institute_id: string
  month: string
  version: Generated<Whole>
  raised_by: Generated<string>
}

interface MonthlyTotalsTable {
  institute_id: string
  month: string
  kind: 'figures' | 'sales'
  time_zone: string
  version: Whole
  totals: Json
}

interface NotificationChoicesTable {
  user_id: string
  kind: 'reminders' | 'reviews' | 'messages' | 'offers'
  channel: 'mail' | 'bell'
  silenced_at: Instant
}

interface NotificationsTable {
  id: Generated<string>
  user_id: string
  kind: 'booked' | 'moved' | 'cancelled' | 'came' | 'went' | 'changed' | 'reminder' | 'reviewed' | 'replied' | 'offered' | 'proposed' | 'late' | 'on_time' | 'leave_asked' | 'leave_agreed' | 'leave_declined' | 'shortened' | 'shorter' | 'readdressed' | 'new_address' | 'calendar_lost' | 'business_accepted' | 'business_refused'
  appointment_id: string | null
  facts: Json
  dedupe_key: string
  created_at: Instant
  read_at: Instant | null
}

interface OccupationsTable {
  id: Generated<string>
  institute_id: string
  appointment_id: string | null
  subject_kind: 'member' | 'resource'
  subject_id: string
  during: string
  expires_at: Instant | null
  kind: Generated<'visit' | 'blocked' | 'leave' | 'session'>
  source_id: string | null
}

interface OpeningHoursTable {
  institute_id: string
  weekday: number
  opens_at: number
  closes_at: number
}

interface OperatorsTable {
  user_id: string
  created_at: Generated<Instant>
}

interface PackagesTable {
  id: Generated<string>
  institute_id: string
  name: string
  service_ids: string[]
  sessions: number
  price_amount: number
  months: number
  archived_at: Instant | null
  created_at: Instant
}

interface PasskeyChallengesTable {
  challenge_hash: Buffer
  user_id: string | null
  expires_at: Instant
}

interface PasskeysTable {
  id: Generated<string>
  user_id: string
  credential_id: Buffer
  public_key: Buffer
  sign_count: Whole
  name: string
  created_at: Generated<Instant>
  last_used_at: Instant | null
}

interface PasswordResetsTable {
  token_hash: Buffer
  user_id: string
  expires_at: Instant
  used_at: Instant | null
}

interface PaymentAccountsTable {
  id: Generated<string>
  institute_id: string
  account_id: string | null
  takes_payments: Generated<boolean>
  pays_out: Generated<boolean>
  made_at: Instant
  read_at: Instant | null
  tried_at: Instant | null
}

interface PaymentDifferencesTable {
  id: Generated<string>
  institute_id: string
  provider: string
  account_id: Generated<string>
  kind: 'unheard_payment' | 'missing_payment' | 'other_amount' | 'unheard_refund' | 'missing_refund' | 'foreign_refund'
  checkout_id: string
  refund_id: string | null
  reference: string
  ours: number
  theirs: number
  currency: string
  about_at: Instant
  found_at: Instant
  ended_at: Instant | null
  ended_how: 'healed' | 'gone' | null
}

interface PaymentWordsTable {
  provider: 'sandbox' | 'stripe'
  id: string
  subject_id: string | null
  word: Json
  heard_at: Instant
}

interface PaymentsTable {
  id: Generated<string>
  institute_id: string
  sale_id: string
  kind: 'deposit' | 'payment' | 'refund'
  method: 'card' | 'paypal' | 'klarna' | 'cash' | 'terminal' | 'gift_card'
  amount: number
  currency: string
  at: Instant
  day: string
  actor: Json
  document_id: string | null
  checkout_id: string | null
  reference: string | null
}

interface PayoutMovesTable {
  payout_id: string
  institute_id: string
  reference: string
  kind: 'payment' | 'refund' | 'dispute' | 'fee' | 'other'
  checkout_id: string | null
  amount: number
  provider_fee: Generated<number>
  site_fee: Generated<number>
  tax: Generated<number>
  said: string | null
  moved_at: Instant
}

interface PayoutReadsTable {
  institute_id: string
  provider: string
  tried_at: Instant
  read_at: Instant | null
  failed: string | null
  waiting: Json | null
  waiting_at: Instant | null
}

interface PayoutsTable {
  id: Generated<string>
  institute_id: string
  provider: string
  reference: string
  amount: number
  currency: string
  state: 'coming' | 'paid' | 'failed' | 'cancelled'
  problem: 'account_gone' | 'account_blocked' | 'other_owner' | 'declined' | null
  made_at: Instant
  arrives_on: string
  parts: Generated<'unread' | 'read' | 'untold'>
}

interface PhoneRulesTable {
  country_code: string
  calling_code: string
  national_prefix: string | null
}

interface PlacesTable {
  geoname_id: number
  name: string
  name_fr: string | null
  name_ar: string | null
  region: string | null
  country_code: string
  lat: number
  lon: number
  population: number
  time_zone: string
  search: string
}

interface ProductsTable {
  id: Generated<string>
  institute_id: string
  name: string
  price_amount: number
  vat_basis_points: number | null
  stock: number | null
  archived_at: Instant | null
  created_at: Instant
}

interface ProgramKeysTable {
  id: Generated<string>
  institute_id: string
  name: string
  key_hash: Buffer
  permissions: string[]
  created_by: string | null
  created_at: Generated<Instant>
  expires_at: Instant
  revoked_at: Instant | null
}

interface RateLimitsTable {
  key: string
  points: Generated<number>
  expire: Whole | null
}

interface ReactionsDoneTable {
  event_id: Whole
  reaction: string
  done_at: Generated<Instant>
}

interface ReadinessTable {
  process: string
  at: Instant
}

interface RearrangementsTable {
  id: Generated<string>
  institute_id: string
  appointment_id: string
  hold_id: string | null
  state: 'sent' | 'accepted' | 'other_time' | 'declined' | 'by_phone' | 'settled'
  before_starts_at: Instant
  before_ends_at: Instant
  starts_at: Instant | null
  ends_at: Instant | null
  staff: Json | null
  until: Instant | null
  note: string | null
  created_at: Instant
  answered_at: Instant | null
}

interface ReconciliationsTable {
  provider: string
  account_id: Generated<string>
  day: string
  since: Instant
  until: Instant
  payments: Generated<number>
  refunds: Generated<number>
  foreign_moves: Generated<number>
  differences: Generated<number>
  failed: string | null
  done_at: Instant
}

interface RefundsTable {
  id: Generated<string>
  institute_id: string
  checkout_id: string
  appointment_id: string
  amount: number
  currency: string
  reason: 'late_payment' | 'cancelled_by_client' | 'cancelled_by_institute' | 'credit_note' | 'fee_waived' | 'service_removed'
  state: Generated<'waiting' | 'done' | 'failed'>
  reference: string | null
  claimed_until: Instant | null
  made_at: Instant
  ended_at: Instant | null
  refused: Generated<string[]>
  why: 'card_gone' | 'no_balance' | 'disputed' | 'declined' | 'disconnected' | null
  settled_how: string | null
  settled_by: Json | null
  settled_at: Instant | null
}

interface RemindersTable {
  appointment_id: string
  kind: 'week' | 'day'
  user_id: string
  starts_at: Instant
  due_at: Instant
  sent_at: Instant | null
}

interface ResourceClosuresTable {
  id: Generated<string>
  institute_id: string
  resource_id: string
  from_day: string
  to_day: string
}

interface ResourcesTable {
  id: Generated<string>
  institute_id: string
  type: string
  name: string
  position: Generated<number>
  active: Generated<boolean>
  note: string | null
}

interface ReviewPicturesTable {
  review_id: string
  position: number
  institute_id: string
  key: string
  width: number
  height: number
}

interface ReviewReportsTable {
  id: Generated<string>
  review_id: string
  institute_id: string
  user_id: string | null
  is_contest: boolean
  reason: 'insult' | 'private' | 'advertising' | 'not_a_visit' | 'other'
  note: Generated<string>
  created_at: Instant
  decision: 'kept' | 'hidden' | null
  decided_at: Instant | null
}

interface ReviewsTable {
  id: Generated<string>
  appointment_id: string
  institute_id: string
  user_id: string | null
  author: string | null
  language: 'en' | 'fr' | 'ar'
  welcoming: number
  hygiene: number
  atmosphere: number
  service_quality: number
  stars: GeneratedAlways<number>
  text: Generated<string>
  state: Generated<'shown' | 'hidden'>
  reply: string | null
  replied_at: Instant | null
  created_at: Instant
}

interface RotaShiftsTable {
  rota_id: string
  institute_id: string
  week: number
  weekday: number
  opens_at: number
  closes_at: number
  breaks: Generated<Json>
}

interface RotasTable {
  id: Generated<string>
  institute_id: string
  member_id: string
  weeks: Generated<number>
  anchor_day: string
  valid_from: string | null
  valid_to: string | null
}

interface SalesTable {
  id: Generated<string>
  institute_id: string
  appointment_id: string | null
  customer_id: string | null
  currency: string
  sold_at: Instant
}

interface SandboxPagesTable {
  id: Generated<string>
  key: string
  checkout_id: string
  amount: number
  currency: string
  method: 'card' | 'paypal' | 'klarna'
  description: string
  locale: 'en' | 'fr' | 'ar'
  return_url: string
  until: Instant
  state: Generated<'open' | 'paid' | 'failed' | 'cancelled' | 'expired' | 'asks'>
  reference: string | null
  created_at: Instant
  keeps_card: Generated<boolean>
  is_charge: Generated<boolean>
  card: 'good' | 'asking' | 'empty' | null
  dispute: 'open' | 'won' | 'lost' | null
  institute: string | null
  disputed_at: Instant | null
  dispute_ended_at: Instant | null
}

interface SandboxRefundsTable {
  id: Generated<string>
  key: string
  page_id: string
  refund_id: string
  amount: number
  state: 'done' | 'waiting'
  created_at: Instant
}

interface SandboxWordsTable {
  id: Generated<string>
  happened_at: Instant
  body: Json
  due_at: Instant | null
  told: Generated<number>
  failed: Generated<number>
}

interface SavedCardsTable {
  id: Generated<string>
  user_id: string
  provider: 'sandbox' | 'stripe'
  token: string
  brand: string
  last_four: string
  kept_at: Instant
  removed_at: Instant | null
  account_id: string | null
}

interface SecurityEventsTable {
  id: Generated<Whole>
  at: Instant
  kind: string
  user_id: string | null
  named: string | null
  address: string
  user_agent: string | null
  details: Generated<Json>
  count: Generated<number>
}

interface SegmentsTable {
  id: Generated<string>
  appointment_id: string
  institute_id: string
  position: number
  service_id: string
  member_id: string
  resource_id: string | null
  starts_at: Instant
  ends_at: Instant
  snapshot: Json
  price_amount: number | null
}

interface SeriesVisitsTable {
  appointment_id: string
  series_id: string
}

interface ServicePrerequisitesTable {
  service_id: string
  institute_id: string
  required_service_id: string
  min_hours: number
  max_months: number
}

interface ServicePricesTable {
  service_id: string
  institute_id: string
  from_day: string
  price_kind: 'fixed' | 'from'
  price_amount: number
}

interface ServicesTable {
  id: Generated<string>
  institute_id: string
  position: Generated<number>
  category: 'barbering' | 'massage' | 'body' | 'counseling' | 'fillers' | 'nails' | 'skincare' | 'fitness' | 'eyebrows' | 'tatto' | 'medical' | 'hair' | 'hair-removal' | 'makeup'
  section: Generated<Json>
  name: Json
  description: Generated<Json>
  active_minutes: number
  idle_minutes: Generated<number>
  active_after_minutes: Generated<number>
  buffer_before_minutes: Generated<number>
  buffer_after_minutes: Generated<number>
  price_kind: Generated<'fixed' | 'from' | 'on_request'>
  price_amount: number | null
  audience: Generated<'All' | 'Men' | 'Woman' | 'Kids'>
  latest_start: number | null
  notice_minutes: number | null
  minimum_age: number | null
  resource_type: string | null
  active: Generated<boolean>
  capacity: number | null
  is_signature: Generated<boolean>
  booked_rank: number | null
  archived_at: Instant | null
  successor_id: string | null
  venue: Generated<'salon' | 'home' | 'either'>
  deposit_kind: 'none' | 'fixed' | 'percent' | null
  deposit_amount: number | null
  deposit_percent: number | null
  is_sequential: Generated<boolean>
}

interface SessionSeatsTable {
  session_id: string
  seat: number
  institute_id: string
  capacity: number
  appointment_id: string
  expires_at: Instant | null
}

interface SessionsTable {
  id: Generated<string>
  user_id: string
  token_hash: Buffer
  user_agent: string | null
  created_at: Generated<Instant>
  last_seen_at: Generated<Instant>
  expires_at: Instant
}

interface ShiftOverridesTable {
  member_id: string
  institute_id: string
  day: string
  shifts: Generated<Json>
}

interface SoftOccupationsTable {
  id: Generated<string>
  institute_id: string
  kind: 'overbooked' | 'external'
  appointment_id: string | null
  source_id: string | null
  subject_kind: 'member' | 'resource'
  subject_id: string
  during: string
  reason: string | null
  actor: Json
  created_at: Generated<Instant>
}

interface TeamMembersTable {
  id: Generated<string>
  institute_id: string
  user_id: string | null
  position: Generated<number>
  name: string
  title: Generated<Json>
  bio: Generated<Json>
  languages: Generated<string[]>
  image_url: string
  bookable_online: Generated<boolean>
  active: Generated<boolean>
  last_day: string | null
}

interface TeamNotificationChoicesTable {
  institute_id: string
  user_id: string
  kind: 'booked' | 'moved' | 'cancelled' | 'messages' | 'reviews' | 'leave'
  channel: 'mail' | 'bell'
  is_on: boolean
}

interface TillClosingsTable {
  id: Generated<string>
  institute_id: string
  day: string
  currency: string
  float_amount: number
  cash_amount: number
  counted_amount: number
  terminal_amount: number
  tips_amount: number
  reason: string | null
  closed_at: Instant
  actor: Json
  kept_amount: number | null
  refunded_amount: number | null
}

interface TimeSearchesTable {
  id: Generated<Whole>
  institute_id: string
  asked_at: Instant
  cart: Json
  from_day: string
  days: number
  found: number
}

interface TipsTable {
  id: Generated<string>
  institute_id: string
  sale_id: string
  member_id: string
  amount: number
  day: string
}

interface TrialClockTable {
  one: Generated<boolean>
  ahead_ms: Whole
}

interface UntoldChangesTable {
  id: Generated<string>
  institute_id: string
  appointment_id: string
  kind: 'booked' | 'moved' | 'cancelled'
  after: Json
  before: Json | null
  revision: number
  actor: Json
  due_at: Instant
  created_at: Instant
}

interface UsersTable {
  id: Generated<string>
  email: string
  password_hash: string | null
  role: 'isClient' | 'isPro'
  first_name: string
  last_name: string
  phone: string | null
  birthday: string | null
  locale: Generated<'en' | 'fr' | 'ar'>
  image_key: string | null
  email_verified_at: Instant | null
  google_subject: string | null
  terms_accepted_at: Instant
  created_at: Generated<Instant>
}

interface VisitSeriesTable {
  id: Generated<string>
  institute_id: string
  every_weeks: number
  created_at: Instant
}

interface VocabularyTable {
  word: string
}

interface WaitingEntriesTable {
  id: Generated<string>
  user_id: string
  institute_id: string
  cart: Json
  from_day: string
  to_day: string
  part: 'morning' | 'afternoon' | 'evening' | null
  opens_at: number | null
  closes_at: number | null
  visit_id: string | null
  state: Generated<'waiting' | 'taken' | 'removed'>
  ends_at: Instant
  created_at: Instant
  home: Json | null
}

interface WaitingOffersTable {
  id: string
  entry_id: string
  user_id: string
  institute_id: string
  appointment_id: string | null
  starts_at: Instant
  ends_at: Instant
  state: Generated<'open' | 'taken' | 'declined'>
  offered_at: Instant
  until: Instant
}

interface WaitingOpeningsTable {
  id: Generated<string>
  institute_id: string
  starts_at: Instant
  ends_at: Instant
}

interface WorkerLeasesTable {
  worker_id: string
  process: string
  knows: string
  leased_until: Instant
}

interface ZonesInUseTable {
  time_zone: string
}

export interface Tables {
  absences: AbsencesTable
  appointments: AppointmentsTable
  blocked_times: BlockedTimesTable
  bookable_services: BookableServicesTable
  business_check_documents: BusinessCheckDocumentsTable
  business_checks: BusinessChecksTable
  busy_calendars: BusyCalendarsTable
  calendar_connections: CalendarConnectionsTable
  calendar_feeds: CalendarFeedsTable
  chat_reports: ChatReportsTable
  chats: ChatsTable
  checkouts: CheckoutsTable
  client_package_moves: ClientPackageMovesTable
  client_packages: ClientPackagesTable
  closures: ClosuresTable
  customer_consents: CustomerConsentsTable
  customer_distinct: CustomerDistinctTable
  customer_files: CustomerFilesTable
  customer_health: CustomerHealthTable
  customer_health_openings: CustomerHealthOpeningsTable
  customer_merges: CustomerMergesTable
  customer_relations: CustomerRelationsTable
  customers: CustomersTable
  diary_versions: DiaryVersionsTable
  disputes: DisputesTable
  document_chains: DocumentChainsTable
  document_lines: DocumentLinesTable
  document_series: DocumentSeriesTable
  documents: DocumentsTable
  email_codes: EmailCodesTable
  event_cursors: EventCursorsTable
  events: EventsTable
  favourites: FavouritesTable
  fee_payments: FeePaymentsTable
  fee_terms: FeeTermsTable
  fees: FeesTable
  files: FilesTable
  former_slugs: FormerSlugsTable
  free_time: FreeTimeTable
  free_time_marks: FreeTimeMarksTable
  gift_card_moves: GiftCardMovesTable
  gift_cards: GiftCardsTable
  group_sessions: GroupSessionsTable
  hidden_starts: HiddenStartsTable
  hold_ends: HoldEndsTable
  home_addresses: HomeAddressesTable
  idempotency_keys: IdempotencyKeysTable
  identities: IdentitiesTable
  institute_claims: InstituteClaimsTable
  institute_invitations: InstituteInvitationsTable
  institute_people: InstitutePeopleTable
  institute_pictures: InstitutePicturesTable
  institutes: InstitutesTable
  kept_deposits: KeptDepositsTable
  late_notices: LateNoticesTable
  late_visits: LateVisitsTable
  leave_marks: LeaveMarksTable
  leave_requests: LeaveRequestsTable
  leave_times: LeaveTimesTable
  ledger_lines: LedgerLinesTable
  listing_areas: ListingAreasTable
  listings: ListingsTable
  mails: MailsTable
  member_services: MemberServicesTable
  messages: MessagesTable
  migration_fills: MigrationFillsTable
  migration_steps: MigrationStepsTable
  migrations: MigrationsTable
  month_versions: MonthVersionsTable
  monthly_totals: MonthlyTotalsTable
  notification_choices: NotificationChoicesTable
  notifications: NotificationsTable
  occupations: OccupationsTable
  opening_hours: OpeningHoursTable
  operators: OperatorsTable
  packages: PackagesTable
  passkey_challenges: PasskeyChallengesTable
  passkeys: PasskeysTable
  password_resets: PasswordResetsTable
  payment_accounts: PaymentAccountsTable
  payment_differences: PaymentDifferencesTable
  payment_words: PaymentWordsTable
  payments: PaymentsTable
  payout_moves: PayoutMovesTable
  payout_reads: PayoutReadsTable
  payouts: PayoutsTable
  phone_rules: PhoneRulesTable
  places: PlacesTable
  products: ProductsTable
  program_keys: ProgramKeysTable
  rate_limits: RateLimitsTable
  reactions_done: ReactionsDoneTable
  readiness: ReadinessTable
  rearrangements: RearrangementsTable
  reconciliations: ReconciliationsTable
  refunds: RefundsTable
  reminders: RemindersTable
  resource_closures: ResourceClosuresTable
  resources: ResourcesTable
  review_pictures: ReviewPicturesTable
  review_reports: ReviewReportsTable
  reviews: ReviewsTable
  rota_shifts: RotaShiftsTable
  rotas: RotasTable
  sales: SalesTable
  sandbox_pages: SandboxPagesTable
  sandbox_refunds: SandboxRefundsTable
  sandbox_words: SandboxWordsTable
  saved_cards: SavedCardsTable
  security_events: SecurityEventsTable
  segments: SegmentsTable
  series_visits: SeriesVisitsTable
  service_prerequisites: ServicePrerequisitesTable
  service_prices: ServicePricesTable
  services: ServicesTable
  session_seats: SessionSeatsTable
  sessions: SessionsTable
  shift_overrides: ShiftOverridesTable
  soft_occupations: SoftOccupationsTable
  team_members: TeamMembersTable
  team_notification_choices: TeamNotificationChoicesTable
  till_closings: TillClosingsTable
  time_searches: TimeSearchesTable
  tips: TipsTable
  trial_clock: TrialClockTable
  untold_changes: UntoldChangesTable
  users: UsersTable
  visit_series: VisitSeriesTable
  vocabulary: VocabularyTable
  waiting_entries: WaitingEntriesTable
  waiting_offers: WaitingOffersTable
  waiting_openings: WaitingOpeningsTable
  worker_leases: WorkerLeasesTable
  zones_in_use: ZonesInUseTable
}
