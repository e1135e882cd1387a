/** What an institute sets, as rows. Whoever writes them does so in a unit of work of the institute. */
import { depositKinds } from '@soigne/contract/deposits'
import { gapPolicies, type InstituteSettings, serviceOrders } from '@soigne/contract/institute-settings'
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export type SettingsScope = InstituteScope<'institute.change'>

const localizedText = z.partialRecord(z.enum(locales), z.string())
export type LocalizedText = z.output<typeof localizedText>

const settingsRow = {
  id: c.uuid,
  slug: c.text,
  name: c.text,
  description: c.json(localizedText),
  categories: c.list(c.text),
  email: orNull(c.text),
  phone: orNull(c.text),
  website: orNull(c.text),
  addressLine: c.text,
  postalCode: orNull(c.text),
  city: c.text,
  countryCode: c.text,
  timeZone: c.text,
  currency: c.text,
  atHome: c.bool,
  atHomeRadiusKm: orNull(c.int),
  homeTravelMinutes: c.int,
  audience: c.list(c.text),
  languages: c.list(c.text),
  paymentMethods: c.list(c.text),
  payAtSalon: c.bool,
  depositKind: c.oneOf(depositKinds),
  depositAmount: orNull(c.int),
  depositPercent: orNull(c.int),
  prepayNoShows: orNull(c.int),
  lateFeeKind: c.oneOf(depositKinds),
  lateFeeAmount: orNull(c.int),
  lateFeePercent: orNull(c.int),
  noShowFeeKind: c.oneOf(depositKinds),
  noShowFeeAmount: orNull(c.int),
  noShowFeePercent: orNull(c.int),
  feeGraceMinutes: c.int,
  legalName: orNull(c.text),
  vatNumber: orNull(c.text),
  vatBasisPoints: orNull(c.int),
  gridMinutes: c.int,
  noticeMinutes: c.int,
  horizonDays: c.int,
  maxWaitMinutes: c.int,
  gapPolicy: c.oneOf(gapPolicies),
  serviceOrder: c.oneOf(serviceOrders),
  cancelWindowMinutes: orNull(c.int),
  rescheduleWindowMinutes: orNull(c.int),
  /** Weekday, when it opens and closes in wall minutes; in order. */
  openingHours: known(c.json(z.array(z.tuple([z.int(), z.int(), z.int()])))),
}
export type SettingsRow = RowOf<typeof settingsRow>

const settings = statement(
  { name: 'instituteSettings.read', row: settingsRow, tries: [someId] },
  (
    instituteId: string,
  ) => sql`select i.id, i.slug, i.name, i.description, i.categories, i.email, i.phone, i.website, i.address_line as "addressLine", i.postal_code as "postalCode",
      i.city, i.country_code as "countryCode", i.time_zone as "timeZone", i.currency, i.at_home as "atHome", i.at_home_radius_km as "atHomeRadiusKm", i.home_travel_minutes as "homeTravelMinutes", i.audience, i.languages,
      i.payment_methods as "paymentMethods", i.pay_at_salon as "payAtSalon", i.deposit_kind as "depositKind", i.deposit_amount as "depositAmount",
      i.deposit_percent as "depositPercent", i.prepay_no_shows as "prepayNoShows", i.late_fee_kind as "lateFeeKind", i.late_fee_amount as "lateFeeAmount", i.late_fee_percent as "lateFeePercent",
      i.no_show_fee_kind as "noShowFeeKind", i.no_show_fee_amount as "noShowFeeAmount", i.no_show_fee_percent as "noShowFeePercent", i.fee_grace_minutes as "feeGraceMinutes", i.legal_name as "legalName", i.vat_number as "vatNumber", i.vat_basis_points as "vatBasisPoints", i.grid_minutes as "gridMinutes", i.notice_minutes as "noticeMinutes", i.horizon_days as "horizonDays",
      i.max_wait_minutes as "maxWaitMinutes", i.gap_policy as "gapPolicy", i.service_order as "serviceOrder", i.cancel_window_minutes as "cancelWindowMinutes",
      i.reschedule_window_minutes as "rescheduleWindowMinutes",
      coalesce((select json_agg(json_build_array(h.weekday, h.opens_at, h.closes_at) order by h.weekday, h.opens_at) from opening_hours h where h.institute_id = i.id), '[]') as "openingHours"
    from institutes i where i.id = ${instituteId}`,
)
export const readSettings = (db: Db, scope: SettingsScope): Promise<SettingsRow | null> => settings.one(db, scope.instituteId)

export interface ProfileRow {
  name: string
  description: LocalizedText
  email: string | null
  phone: string | null
  website: string | null
  addressLine: string
  postalCode: string | null
  categories: readonly string[]
  audience: readonly string[]
  languages: readonly string[]
  atHome: boolean
  atHomeRadiusKm: number | null
  /** Null: as it is. */
  homeTravelMinutes: number | null
}
export const writeProfile = async ({ db, instituteId }: Unit, row: ProfileRow): Promise<void> =>
  void (await db
    .updateTable('institutes')
    .set({
      name: row.name,
      description: JSON.stringify(row.description),
      email: row.email,
      phone: row.phone,
      website: row.website,
      address_line: row.addressLine,
      postal_code: row.postalCode,
      categories: [...row.categories],
      audience: [...row.audience],
      languages: [...row.languages],
      at_home: row.atHome,
      at_home_radius_km: row.atHomeRadiusKm,
      ...(row.homeTravelMinutes !== null && { home_travel_minutes: row.homeTravelMinutes }),
    })
    .where('id', '=', instituteId)
    .execute())

export type RulesRow = Pick<
  SettingsRow,
  | 'gridMinutes'
  | 'noticeMinutes'
  | 'horizonDays'
  | 'maxWaitMinutes'
  | 'gapPolicy'
  | 'serviceOrder'
  | 'cancelWindowMinutes'
  | 'rescheduleWindowMinutes'
>
export const writeRules = async ({ db, instituteId }: Unit, row: RulesRow): Promise<void> =>
  void (await db
    .updateTable('institutes')
    .set({
      grid_minutes: row.gridMinutes,
      notice_minutes: row.noticeMinutes,
      horizon_days: row.horizonDays,
      max_wait_minutes: row.maxWaitMinutes,
      gap_policy: row.gapPolicy,
      service_order: row.serviceOrder,
      cancel_window_minutes: row.cancelWindowMinutes,
      reschedule_window_minutes: row.rescheduleWindowMinutes,
    })
    .where('id', '=', instituteId)
    .execute())

export const writePayments = async (
  { db, instituteId }: Unit,
  { payAtSalon, paymentMethods, deposit, prepayAfterNoShows, fees }: InstituteSettings['payments'],
): Promise<void> =>
  void (await db
    .updateTable('institutes')
    .set({
      pay_at_salon: payAtSalon,
      payment_methods: [...paymentMethods],
      deposit_kind: deposit.kind,
      deposit_amount: deposit.kind === 'fixed' ? deposit.amount : null,
      deposit_percent: deposit.kind === 'percent' ? deposit.percent : null,
      ...(prepayAfterNoShows !== undefined && { prepay_no_shows: prepayAfterNoShows }),
      ...(fees && {
        late_fee_kind: fees.lateCancel.kind,
        late_fee_amount: fees.lateCancel.kind === 'fixed' ? fees.lateCancel.amount : null,
        late_fee_percent: fees.lateCancel.kind === 'percent' ? fees.lateCancel.percent : null,
        no_show_fee_kind: fees.noShow.kind,
        no_show_fee_amount: fees.noShow.kind === 'fixed' ? fees.noShow.amount : null,
        no_show_fee_percent: fees.noShow.kind === 'percent' ? fees.noShow.percent : null,
        fee_grace_minutes: fees.graceMinutes,
      }),
    })
    .where('id', '=', instituteId)
    .execute())

/** What stands on documents from now on; those that were issued say what was so then. */
export const writeDocuments = async (
  { db, instituteId }: Unit,
  { legalName, vatNumber, vatBasisPoints }: InstituteSettings['documents'],
): Promise<void> =>
  void (await db
    .updateTable('institutes')
    .set({ legal_name: legalName, vat_number: vatNumber, vat_basis_points: vatBasisPoints })
    .where('id', '=', instituteId)
    .execute())

export interface OpeningRange {
  weekday: number
  opensAt: number
  closesAt: number
}
/** Puts a week in the place of the one before. */
export async function replaceOpeningHours({ db, instituteId }: Unit, ranges: readonly OpeningRange[]): Promise<void> {
  await db.deleteFrom('opening_hours').where('institute_id', '=', instituteId).execute()
  if (ranges.length === 0) return
  await db
    .insertInto('opening_hours')
    .values(
      ranges.map(({ weekday, opensAt, closesAt }) => ({ institute_id: instituteId, weekday, opens_at: opensAt, closes_at: closesAt })),
    )
    .execute()
}

const comingRow = { id: c.uuid, startsAt: c.instant, endsAt: c.instant }
export type ComingVisit = RowOf<typeof comingRow>
const coming = statement(
  { name: 'instituteSettings.comingVisits', row: comingRow, tries: [{ instituteId: someId, now: new Date(0) }] },
  ({
    instituteId,
    now,
  }: {
    instituteId: string
    now: Date
  }) => sql`select id, starts_at as "startsAt", ends_at as "endsAt" from appointments
    where institute_id = ${instituteId} and starts_at > ${now}::timestamptz - interval '2 days' and ends_at > ${now} and coalesce(life, life_of_status(status)) = 'booked'
    order by starts_at, id`,
)
/** Booked visits that are not over, soonest first. */
export const comingVisits = (db: Db, scope: SettingsScope, now: number): Promise<ComingVisit[]> =>
  coming.all(db, { instituteId: scope.instituteId, now: new Date(now) })

const namedRow = {
  id: c.uuid,
  startsAt: c.instant,
  endsAt: c.instant,
  customer: known(c.text),
  services: known(c.json(z.array(localizedText))),
  staff: known(c.json(z.array(z.string()))),
}
export type NamedVisit = RowOf<typeof namedRow>
const named = statement(
  { name: 'instituteSettings.namedVisits', row: namedRow, tries: [{ instituteId: someId, ids: [someId] }] },
  ({
    instituteId,
    ids,
  }: {
    instituteId: string
    ids: readonly string[]
  }) => sql`select a.id, a.starts_at as "startsAt", a.ends_at as "endsAt", coalesce(trim(c.first_name || ' ' || c.last_name), '') as customer,
      coalesce((select json_agg(s.snapshot -> 'name' order by s.position) from segments s where s.appointment_id = a.id), '[]') as services,
      coalesce((select json_agg(m.name order by s.position) from segments s join team_members m on m.id = s.member_id where s.appointment_id = a.id), '[]') as staff
    from appointments a left join customers c on c.id = a.customer_id
    where a.institute_id = ${instituteId} and a.id = any(${ids}::uuid[]) order by a.starts_at, a.id`,
)
export const namedVisits = async (db: Db, scope: SettingsScope, ids: readonly string[]): Promise<NamedVisit[]> =>
  ids.length === 0 ? [] : named.all(db, { instituteId: scope.instituteId, ids })
