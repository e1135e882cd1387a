// A made-up institute as the reader of diaries has it, so that its summary can be made before it is stored.
import { type DiaryRow, loadedFrom, type LoadedInstitute } from '#/features/availability/service.ts'
import type { CrowdHouse, CrowdVisits } from './rows.ts'

type Service = NonNullable<DiaryRow['services']>[number]
type Member = NonNullable<DiaryRow['members']>[number]

function servicesOf({ services, prerequisites }: CrowdHouse): Service[] {
  return services.map((row) => {
    const needs = prerequisites.filter((one) => one.service_id === row.id)
    return {
      id: row.id,
      category: row.category,
      section: { ...row.section },
      name: { ...row.name },
      audience: row.audience,
      priceKind: row.price_kind as Service['priceKind'],
      priceAmount: row.price_amount,
      parts: [row.active_minutes, row.idle_minutes, row.active_after_minutes],
      buffers: [row.buffer_before_minutes, row.buffer_after_minutes],
      latestStart: row.latest_start,
      noticeMinutes: row.notice_minutes,
      minimumAge: row.minimum_age,
      resourceType: row.resource_type,
      prerequisites: needs.length === 0 ? null : needs.map((one) => [one.required_service_id, one.min_hours, one.max_months]),
    }
  })
}

function membersOf(house: CrowdHouse): Member[] {
  const performed = Map.groupBy(house.memberServices, ({ member_id: member }) => member)
  const shifts = Map.groupBy(house.shifts, ({ rota_id: rota }) => rota)
  return house.members.map((member) => ({
    id: member.id,
    name: member.name,
    title: { ...member.title },
    imageUrl: member.image_url,
    bookableOnline: member.bookable_online,
    performs: (performed.get(member.id) ?? []).map((row) => [
      row.service_id,
      row.active_minutes,
      row.idle_minutes,
      row.active_after_minutes,
      row.price_amount,
    ]),
    rotas: house.rotas
      .filter((rota) => rota.member_id === member.id)
      .map((rota) => ({
        weeks: rota.weeks,
        anchorDay: rota.anchor_day,
        validFrom: rota.valid_from,
        validTo: rota.valid_to,
        shifts: (shifts.get(rota.id) ?? []).map((row) => [row.week, row.weekday, row.opens_at, row.closes_at, row.breaks]),
      })),
    overrides: house.overrides.filter((row) => row.member_id === member.id).map((row) => [row.day, row.shifts]),
    absences: house.absences
      .filter((row) => row.member_id === member.id)
      .map((row) => [row.from_day, row.to_day, row.opens_at, row.closes_at]),
  }))
}

function diaryRowOf(house: CrowdHouse): DiaryRow {
  const { institute: row } = house
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    state: row.state,
    claimed: row.claimed,
    ownerId: row.owner_id,
    timeZone: row.time_zone,
    currency: row.currency,
    city: row.city,
    quarter: null,
    categories: row.categories,
    paymentMethods: row.payment_methods,
    payAtSalon: row.pay_at_salon,
    gridMinutes: row.grid_minutes,
    noticeMinutes: row.notice_minutes,
    horizonDays: row.horizon_days,
    maxWaitMinutes: row.max_wait_minutes,
    gapPolicy: row.gap_policy as DiaryRow['gapPolicy'],
    serviceOrder: row.service_order as DiaryRow['serviceOrder'],
    cancelWindowMinutes: row.cancel_window_minutes,
    rescheduleWindowMinutes: row.reschedule_window_minutes,
    openingHours: house.openingHours.map((hours) => [hours.weekday, hours.opens_at, hours.closes_at]),
    closures: house.closures.map((closure) => [closure.from_day, closure.to_day, closure.opens_at, closure.closes_at]),
    services: servicesOf(house),
    members: membersOf(house),
    resources: house.resources.map(({ id, type }) => ({ id, type, closures: null })),
  }
}

/** The institute with everything that is taken, as if it had been read from the database; leaves one visit out when asked. */
export function loadedHouse(house: CrowdHouse, visits: CrowdVisits, except?: string): LoadedInstitute {
  const busy = new Map<string, { from: number; to: number }[]>()
  for (const { appointment_id: visit, subject_id: id, during } of visits.occupations) {
    if (visit === except) continue
    const [from = '', to = ''] = during.slice(1, -1).split(',')
    const span = { from: Date.parse(from) / 60_000, to: Date.parse(to) / 60_000 }
    const spans = busy.get(id)
    if (spans) spans.push(span)
    else busy.set(id, [span])
  }
  return loadedFrom(diaryRowOf(house), busy)
}
