/** The settings of an institute: read as a whole, changed part by part. Visits that new hours leave outside stay, and are answered. */
import type { HitVisit, InstituteSettings } from '@soigne/contract/institute-settings'
import { minuteOf } from '@soigne/contract/time'
import { type Audience, type Category, type Language, type Locale, locales, type PaymentMethod, weekdays } from '@soigne/contract/wire'
import type { Span } from '@soigne/scheduling/model'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { usualVat } from '#/features/ledger/service.ts'
import { chooseForTeam, type TeamNotificationsAsked, teamNotificationsOf } from '#/features/notifications/service.ts'
import { accountStateOf } from '#/features/payment-accounts/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { mayAlso } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { minuteOfText } from '#/platform/instants.ts'
import { needsAccount } from '#/platform/payment-provider.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { type ClosureRow, closuresAhead } from './closures-store.ts'
import { type Hours, leftOutside } from './outside.ts'
import {
  comingVisits,
  type LocalizedText,
  namedVisits,
  type OpeningRange,
  readSettings,
  replaceOpeningHours,
  type SettingsRow,
  type SettingsScope,
  writeDocuments,
  writePayments,
  writeProfile,
  writeRules,
} from './store.ts'

/** Wall minutes as the wire has them; past midnight the hours run on. */
export const wallText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
export const wallMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Only the languages something is said in, in one order. */
const said = (text: { [L in Locale]?: string | undefined }): LocalizedText =>
  Object.fromEntries(locales.flatMap((locale) => (text[locale] ? [[locale, text[locale]]] : [])))

const weekForWire = (rows: SettingsRow['openingHours']): InstituteSettings['openingHours'] =>
  weekdays.map((weekday, index) => ({
    weekday,
    ranges: rows
      .filter(([day]) => day === index + 1)
      .map(([, opensAt, closesAt]) => ({ opensAt: wallText(opensAt), closesAt: wallText(closesAt) })),
  }))

const weekFromWire = (week: InstituteSettings['openingHours']): OpeningRange[] =>
  week.flatMap(({ ranges }, index) =>
    ranges.map(({ opensAt, closesAt }) => ({ weekday: index + 1, opensAt: wallMinutes(opensAt), closesAt: wallMinutes(closesAt) })),
  )

/** Nothing, an amount or a part of the price. */
function ruleOf(kind: SettingsRow['depositKind'], amount: number | null, percent: number | null): InstituteSettings['payments']['deposit'] {
  if (kind === 'fixed' && amount !== null) return { kind, amount }
  return kind === 'percent' && percent !== null ? { kind, percent } : { kind: 'none' }
}

function forWire(
  row: SettingsRow,
  notifications: InstituteSettings['notifications'],
  paymentAccount: InstituteSettings['paymentAccount'],
): InstituteSettings {
  return {
    _id: row.id,
    slug: row.slug,
    city: row.city,
    countryCode: row.countryCode,
    timeZone: row.timeZone,
    currency: row.currency,
    profile: {
      name: row.name,
      description: said(row.description),
      email: row.email ?? '',
      phone: row.phone ?? '',
      website: row.website ?? '',
      addressLine: row.addressLine,
      postalCode: row.postalCode ?? '',
      categories: row.categories as Category[],
      audience: row.audience as Audience[],
      languages: row.languages as Language[],
      atHome: row.atHome,
      atHomeRadiusKm: row.atHomeRadiusKm,
      homeTravelMinutes: row.homeTravelMinutes,
    },
    openingHours: weekForWire(row.openingHours),
    rules: {
      gridMinutes: row.gridMinutes,
      noticeMinutes: row.noticeMinutes,
      horizonDays: row.horizonDays,
      maxWaitMinutes: row.maxWaitMinutes,
      gapPolicy: row.gapPolicy,
      serviceOrder: row.serviceOrder,
      cancelWindowMinutes: row.cancelWindowMinutes,
      rescheduleWindowMinutes: row.rescheduleWindowMinutes,
    },
    payments: {
      payAtSalon: row.payAtSalon,
      paymentMethods: row.paymentMethods as PaymentMethod[],
      deposit: ruleOf(row.depositKind, row.depositAmount, row.depositPercent),
      prepayAfterNoShows: row.prepayNoShows,
      fees: {
        lateCancel: ruleOf(row.lateFeeKind, row.lateFeeAmount, row.lateFeePercent),
        noShow: ruleOf(row.noShowFeeKind, row.noShowFeeAmount, row.noShowFeePercent),
        graceMinutes: row.feeGraceMinutes,
      },
    },
    documents: { legalName: row.legalName, vatNumber: row.vatNumber, vatBasisPoints: row.vatBasisPoints },
    paymentAccount,
    usualVatBasisPoints: usualVat(row.countryCode),
    notifications,
  }
}

/** @throws not_found */
export async function rowOf(db: Db, scope: SettingsScope): Promise<SettingsRow> {
  const row = await readSettings(db, scope)
  if (!row) throw refuse('not_found')
  return row
}

async function readAll({ payments }: AppContext, db: Db, scope: SettingsScope): Promise<InstituteSettings> {
  const row = await rowOf(db, scope)
  const account = needsAccount(payments) ? { state: await accountStateOf(db, scope), mayConnect: mayAlso(scope, 'payments.connect') } : null
  return forWire(row, await teamNotificationsOf(db, scope), account)
}

export const settingsOf = (context: AppContext, scope: SettingsScope): Promise<InstituteSettings> =>
  readAll(context, context.database.db, scope)

export type SpannedVisit = Span & { id: string }
/** Booked visits that are not over, with their stretches in minutes. */
export const spannedVisits = async (db: Db, scope: SettingsScope, now: number): Promise<SpannedVisit[]> =>
  (await comingVisits(db, scope, now)).map(({ id, startsAt, endsAt }) => ({ id, from: minuteOfText(startsAt), to: minuteOfText(endsAt) }))

/** Visits with the names of whom, what and by whom. */
export async function hitVisits(db: Db, scope: SettingsScope, visits: readonly SpannedVisit[], locale: Locale): Promise<HitVisit[]> {
  const rows = await namedVisits(
    db,
    scope,
    visits.map(({ id }) => id),
  )
  return rows.map(({ id, startsAt, endsAt, customer, services, staff }) => ({
    _id: id,
    startsAt,
    endsAt,
    customer: { name: customer },
    services: services.map((name) => localised(name, locale) ?? ''),
    staff: [...new Set(staff)],
  }))
}

export const rangeOf = ({ fromDay, toDay, opensAt, closesAt }: Omit<ClosureRow, 'id' | 'reason'>) =>
  opensAt === null || closesAt === null ? { fromDay, toDay } : { fromDay, toDay, part: { opensAt, closesAt } }

export const hoursOf = (row: SettingsRow): Omit<Hours, 'closures'> => ({
  timeZone: row.timeZone,
  openingHours: row.openingHours.map(([weekday, opensAt, closesAt]) => ({ weekday, opensAt, closesAt })),
})

export interface SettingsAsked {
  profile?: InstituteSettings['profile'] | undefined
  openingHours?: InstituteSettings['openingHours'] | undefined
  rules?: InstituteSettings['rules'] | undefined
  payments?: InstituteSettings['payments'] | undefined
  documents?: InstituteSettings['documents'] | undefined
  notifications?: TeamNotificationsAsked | undefined
}

async function outsideOf(db: Db, scope: SettingsScope, asked: { row: SettingsRow; ranges: OpeningRange[]; now: number; locale: Locale }) {
  const { row, ranges, now, locale } = asked
  const closures = (await closuresAhead(db, scope, dayOf(row.timeZone, minuteOf(now)))).map(rangeOf)
  const before = { ...hoursOf(row), closures }
  const visits = await spannedVisits(db, scope, now)
  return hitVisits(db, scope, leftOutside(before, { ...before, openingHours: ranges }, visits), locale)
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Fees are charged to cards. @throws bad_input also where a form of before leaves them as they are and takes cards away */
function checkFees({ paymentMethods, fees }: InstituteSettings['payments']): void {
  const isCharged = fees && (fees.lateCancel.kind !== 'none' || fees.noShow.kind !== 'none')
  if (isCharged && !paymentMethods.includes('card')) throw refuseField('payments.fees', 'card_needed')
}

/** Writes the parts that differ and says which. */
async function writeParts(unit: Unit, before: InstituteSettings, asked: SettingsAsked): Promise<string[]> {
  const { openingHours, rules, payments, documents, notifications } = asked
  const profile = asked.profile && { ...before.profile, ...asked.profile, description: said(asked.profile.description) }
  const written: string[] = []
  if (profile && !isSame(profile, before.profile)) {
    const { email, phone, website, postalCode } = profile
    const texts = { email: email || null, phone: phone || null, website: website || null, postalCode: postalCode || null }
    await writeProfile(unit, { ...profile, ...texts, homeTravelMinutes: profile.homeTravelMinutes ?? null })
    written.push('profile')
  }
  if (openingHours && !isSame(openingHours, before.openingHours)) {
    await replaceOpeningHours(unit, weekFromWire(openingHours))
    written.push('hours')
  }
  if (rules && !isSame({ ...before.rules, ...rules }, before.rules)) {
    await writeRules(unit, rules)
    written.push('rules')
  }
  if (payments && !isSame({ ...before.payments, ...payments }, before.payments)) {
    checkFees({ ...before.payments, ...payments })
    await writePayments(unit, payments)
    written.push('payments')
  }
  if (documents && !isSame({ ...before.documents, ...documents }, before.documents)) {
    await writeDocuments(unit, documents)
    written.push('documents')
  }
  if (notifications && (await chooseForTeam(unit, before.notifications, notifications))) written.push('notifications')
  return written
}

/** Changes the parts that are named. @throws not_found */
export async function changeSettings(
  context: AppContext,
  scope: SettingsScope,
  asked: SettingsAsked,
  { locale, onlyAnswers }: { locale: Locale; onlyAnswers: boolean },
): Promise<{ settings: InstituteSettings; outside: HitVisit[] }> {
  const ranges = asked.openingHours && weekFromWire(asked.openingHours)
  if (onlyAnswers) {
    const { db } = context.database
    const row = await rowOf(db, scope)
    const outside = ranges ? await outsideOf(db, scope, { row, ranges, now: context.clock.now(), locale }) : []
    return { settings: await readAll(context, db, scope), outside }
  }
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    const row = await rowOf(unit.db, scope)
    const outside = ranges ? await outsideOf(unit.db, scope, { row, ranges, now: unit.now, locale }) : []
    const written = await writeParts(unit, await readAll(context, unit.db, scope), asked)
    for (const what of written) unit.record('institute.changed', null, { what })
    if (written.length === 0) unit.nothingChanged()
    return { settings: await readAll(context, unit.db, scope), outside }
  })
}
