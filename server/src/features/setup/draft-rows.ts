// What the setup tells as rows of the tables, with ids of our own: those of the draft only say what belongs together in it.
import { randomUUIDv7 } from 'node:crypto'
import type { OpeningWeek, SetupDraft, ShiftWeek } from '@soigne/contract/setup'
import { type Locale, weekdays } from '@soigne/contract/wire'
import { addDays, dayNumber, weekdayOfNumber } from '@soigne/scheduling/days'
import type { Day } from '@soigne/scheduling/model'
import { currencyOf } from '#/features/listing-facts/service.ts'
import { zoneAt } from '#/features/places/service.ts'

type Words = Partial<Record<Locale, string | undefined>>

/** Minutes since midnight. */
const wallMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const spanOf = ({ opensAt, closesAt }: { opensAt: string; closesAt: string }) => ({
  opensAt: wallMinutes(opensAt),
  closesAt: wallMinutes(closesAt),
})

/** Empty words are none. */
const wordsOf = (words: Words): Words => Object.fromEntries(Object.entries(words).filter(([, text]) => text))

/** Rotas are counted from a Monday. */
const mondayOf = (day: Day): Day => addDays(day, 1 - weekdayOfNumber(dayNumber(day)))

const orNull = (text: string): string | null => text || null

/** Columns of the institute itself. */
export function instituteColumns({ profile, payment }: SetupDraft, locale: Locale) {
  const { address, location, description, atHomeRadiusKm } = profile
  const { deposit } = payment
  return {
    name: profile.name,
    description: description === '' ? {} : { [locale]: description },
    categories: profile.categories,
    phone: orNull(profile.phone),
    address_line: address.line,
    quarter: orNull(address.quarter),
    postal_code: orNull(address.postalCode),
    city: address.city,
    country_code: address.countryCode,
    lat: location.lat,
    lon: location.lon,
    time_zone: zoneAt(location.lat, location.lon),
    currency: currencyOf(address.countryCode),
    at_home: atHomeRadiusKm !== null,
    at_home_radius_km: atHomeRadiusKm,
    audience: profile.audience,
    languages: profile.languages,
    payment_methods: payment.paymentMethods,
    pay_at_salon: payment.payAtSalon,
    cancel_window_minutes: payment.cancelWindowMinutes,
    reschedule_window_minutes: payment.rescheduleWindowMinutes,
    deposit_kind: deposit.kind,
    deposit_amount: deposit.kind === 'fixed' ? deposit.amount : null,
    deposit_percent: deposit.kind === 'percent' ? deposit.percent : null,
  }
}
export type InstituteColumns = ReturnType<typeof instituteColumns>

const hourRows = (instituteId: string, week: OpeningWeek) =>
  weekdays.flatMap((weekday, at) =>
    week[weekday].map((range) => {
      const { opensAt, closesAt } = spanOf(range)
      return { institute_id: instituteId, weekday: at + 1, opens_at: opensAt, closes_at: closesAt }
    }),
  )

const shiftRows = (instituteId: string, rotaId: string, weeks: readonly ShiftWeek[]) =>
  weeks.flatMap((week, weekAt) =>
    weekdays.flatMap((weekday, dayAt) =>
      week[weekday].map((shift) => {
        const { opensAt, closesAt } = spanOf(shift)
        return {
          rota_id: rotaId,
          institute_id: instituteId,
          week: weekAt + 1,
          weekday: dayAt + 1,
          opens_at: opensAt,
          closes_at: closesAt,
          breaks: shift.breaks.map(spanOf),
        }
      }),
    ),
  )

type Ids = ReadonlyMap<string, string>
const newIds = (list: readonly { key: string }[]): Ids => new Map(list.map(({ key }) => [key, randomUUIDv7()]))
const idOf = (ids: Ids, key: string): string => {
  const id = ids.get(key)
  if (id === undefined) throw new Error('a draft that was checked names what is not in it')
  return id
}

function menuRows(instituteId: string, services: SetupDraft['services'], ids: Ids) {
  return {
    services: services.map((service, position) => ({
      id: idOf(ids, service.key),
      institute_id: instituteId,
      position,
      category: service.category,
      section: wordsOf(service.section),
      name: wordsOf(service.name),
      description: wordsOf(service.description),
      active_minutes: service.activeMinutes,
      idle_minutes: service.idleMinutes,
      active_after_minutes: service.activeAfterMinutes,
      buffer_before_minutes: 0,
      buffer_after_minutes: service.bufferAfterMinutes,
      is_sequential: service.isSequential,
      minimum_age: service.minimumAge,
      price_kind: service.priceKind,
      price_amount: service.priceAmount,
      audience: service.audience,
      active: true,
    })),
    service_prerequisites: services.flatMap(({ key, prerequisites }) =>
      prerequisites.map((required) => ({
        service_id: idOf(ids, key),
        institute_id: instituteId,
        required_service_id: idOf(ids, required.key),
        min_hours: required.minHours,
        max_months: required.maxMonths,
      })),
    ),
  }
}

function teamRows(instituteId: string, staff: SetupDraft['staff'], services: Ids, about: { ownerId: string; locale: Locale }) {
  const ids = newIds(staff)
  const rotas = staff.map(({ key, weeks, anchorDay }) => ({
    id: randomUUIDv7(),
    institute_id: instituteId,
    member_id: idOf(ids, key),
    weeks: weeks.length,
    anchor_day: mondayOf(anchorDay),
  }))
  return {
    team_members: staff.map((member, position) => ({
      id: idOf(ids, member.key),
      institute_id: instituteId,
      user_id: member.isMe ? about.ownerId : null,
      position,
      name: member.name,
      title: member.title === '' ? {} : { [about.locale]: member.title },
      bio: {},
      languages: member.languages,
      // Nobody's picture yet: initials are shown.
      image_url: `/art/face/${idOf(ids, member.key)}.svg`,
      bookable_online: member.bookableOnline,
      active: true,
    })),
    member_services: staff.flatMap((member) =>
      member.services.map((key) => ({ member_id: idOf(ids, member.key), service_id: idOf(services, key), institute_id: instituteId })),
    ),
    rotas,
    rota_shifts: staff.flatMap(({ weeks }, at) => shiftRows(instituteId, rotas[at]?.id ?? '', weeks)),
  }
}

/** Everything below the institute's own row, by table, in the order in which it can be written. */
export function rowsOfDraft(
  draft: SetupDraft,
  { instituteId, pictures, ...about }: { instituteId: string; ownerId: string; locale: Locale; pictures: readonly string[] },
) {
  const services = newIds(draft.services)
  return {
    opening_hours: hourRows(instituteId, draft.profile.openingHours),
    institute_pictures: pictures.map((url, position) => ({ id: randomUUIDv7(), institute_id: instituteId, position, url, alt: {} })),
    ...menuRows(instituteId, draft.services, services),
    ...teamRows(instituteId, draft.staff, services, about),
  }
}
export type DraftRows = ReturnType<typeof rowsOfDraft>
