// What the demo asks of this server: facts of countries, and the summary of free time made from rows before they are stored.
import type { DemoHost } from '@soigne/demo/host'
import type { InstituteRows, VisitRows } from '@soigne/demo/rows/tables'
import { minuteOf } from '@soigne/contract/time'
import { startsFound, type TakenSince } from '@soigne/scheduling/replay'
import { minuteOfText } from '#/platform/instants.ts'
import { type DiaryRow, loadedFrom, type LoadedInstitute } from '#/features/availability/service.ts'
import { currencyOf, languagesOf } from '#/features/listings/service.ts'
import { type BookableServiceRow, type FreeTimeRow, summaryOf } from '#/features/summary/service.ts'
import { foldText } from '#/platform/fold-text.ts'
import { demoBooks } from './demo-books.ts'

type Service = NonNullable<DiaryRow['services']>[number]
type Member = NonNullable<DiaryRow['members']>[number]

function servicesOf({ services, prerequisites }: InstituteRows): Service[] {
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
      isSequential: row.is_sequential,
      latestStart: row.latest_start,
      noticeMinutes: row.notice_minutes,
      minimumAge: row.minimum_age,
      resourceType: row.resource_type,
      laterPrices: null,
      capacity: row.capacity,
      venue: row.venue,
      isSignature: row.is_signature,
      bookedRank: row.booked_rank,
      prerequisites: needs.length === 0 ? null : needs.map((one) => [one.required_service_id, one.min_hours, one.max_months]),
    }
  })
}

function membersOf(rows: InstituteRows): Member[] {
  const performed = Map.groupBy(rows.memberServices, ({ member_id: member }) => member)
  const shifts = Map.groupBy(rows.shifts, ({ rota_id: rota }) => rota)
  return rows.members.map((member) => ({
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
    rotas: rows.rotas
      .filter((rota) => rota.member_id === member.id)
      .map((rota) => ({
        weeks: rota.weeks,
        anchorDay: rota.anchor_day,
        validFrom: rota.valid_from,
        validTo: rota.valid_to,
        shifts: (shifts.get(rota.id) ?? []).map((row) => [row.week, row.weekday, row.opens_at, row.closes_at, row.breaks]),
      })),
    overrides: rows.overrides.filter((row) => row.member_id === member.id).map((row) => [row.day, row.shifts]),
    absences: rows.absences
      .filter((row) => row.member_id === member.id)
      .map((row) => [row.from_day, row.to_day, row.opens_at, row.closes_at]),
  }))
}

function resourcesOf({ resources, resourceClosures }: InstituteRows): NonNullable<DiaryRow['resources']> {
  const closures = Map.groupBy(resourceClosures, ({ resource_id: resource }) => resource)
  return resources.map(({ id, type }) => ({
    id,
    type,
    closures: closures.get(id)?.map((row) => [row.from_day, row.to_day]) ?? null,
  }))
}

function sessionsOf({ sessions, seats }: VisitRows): NonNullable<DiaryRow['sessions']> {
  const taken = Map.groupBy(seats, ({ session_id: session }) => session)
  return sessions.map((row) => {
    const { from, to } = spanOf(row)
    return [row.id, row.service_id, row.member_id, row.resource_id, from, to, row.capacity, taken.get(row.id)?.length ?? 0]
  })
}

function diaryRowOf(rows: InstituteRows, visits: VisitRows): DiaryRow {
  const { institute: row } = rows
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    state: row.state as DiaryRow['state'],
    claimed: row.claimed,
    ownerId: row.owner_id,
    timeZone: row.time_zone,
    currency: row.currency,
    city: row.city,
    lat: row.lat,
    lon: row.lon,
    homeRadiusKm: row.at_home ? row.at_home_radius_km : null,
    homeTravelMinutes: row.home_travel_minutes,
    quarter: row.quarter,
    categories: [...row.categories],
    paymentMethods: [...row.payment_methods],
    payAtSalon: row.pay_at_salon,
    gridMinutes: row.grid_minutes,
    noticeMinutes: row.notice_minutes,
    horizonDays: row.horizon_days,
    maxWaitMinutes: row.max_wait_minutes,
    gapPolicy: row.gap_policy as DiaryRow['gapPolicy'],
    serviceOrder: row.service_order as DiaryRow['serviceOrder'],
    cancelWindowMinutes: row.cancel_window_minutes,
    rescheduleWindowMinutes: row.reschedule_window_minutes,
    openingHours: rows.openingHours.map((hours) => [hours.weekday, hours.opens_at, hours.closes_at]),
    closures: rows.closures.map((closure) => [closure.from_day, closure.to_day, closure.opens_at, closure.closes_at]),
    services: servicesOf(rows),
    members: membersOf(rows),
    resources: resourcesOf(rows),
    sessions: sessionsOf(visits),
  }
}

function spanOf({ during }: { during: string }): { from: number; to: number } {
  const [from = '', to = ''] = during.slice(1, -1).split(',')
  return { from: minuteOfText(from), to: minuteOfText(to) }
}

/** The institute with everything that is taken, as if it had been read from the database. */
function loadedFromRows(rows: InstituteRows, visits: VisitRows): LoadedInstitute {
  const { occupations } = visits
  const busy = Map.groupBy(occupations, ({ subject_id: subject }) => subject)
  return loadedFrom(diaryRowOf(rows, visits), new Map([...busy].map(([subject, taken]) => [subject, taken.map(spanOf)])))
}

const bookableServiceRow = (row: BookableServiceRow): object => ({
  service_id: row.serviceId,
  institute_id: row.instituteId,
  position: row.position,
  category: row.category,
  audience: row.audience,
  duration_minutes: row.durationMinutes,
  price_amount: row.priceAmount,
  minor_units: row.minorUnits,
  notice_minutes: row.noticeMinutes,
  time_class: row.timeClass,
  home_class: row.homeClass,
  lead: row.lead,
  words: row.words,
})

const freeTimeRow = (row: FreeTimeRow): object => ({
  institute_id: row.instituteId,
  classes: row.classes,
  near_from: row.nearFrom,
  near_count: row.nearCount,
  first_day: row.firstDay,
  day_count: row.dayCount,
  near: row.near,
  near_all: row.nearAll,
  far: row.far,
  coarse: row.coarse,
})

/** What is taken, each from when it was booked; classes were always there. */
function takenSince({ appointments, occupations }: VisitRows): TakenSince[] {
  const bookedAt = new Map(appointments.map(({ id, created_at: at }) => [id, minuteOfText(at)]))
  return occupations.map((row) => ({
    ...spanOf(row),
    subjectId: row.subject_id,
    visitId: row.appointment_id,
    since: (row.appointment_id === null ? undefined : bookedAt.get(row.appointment_id)) ?? 0,
  }))
}

export const demoHost: DemoHost = {
  module: import.meta.url,
  currencyOf,
  languagesOf,
  foldText,
  startsFound(rows, visits, searches) {
    const { diary } = loadedFromRows(rows, visits)
    const taken = takenSince(visits)
    return searches.map(({ askedAt, serviceId, memberId, fromDay, days }) => {
      const cart = [memberId === null ? { serviceId } : { serviceId, memberId }]
      return startsFound(diary, taken, { askedAt: minuteOf(askedAt), cart, fromDay, days })
    })
  },
  booksOf: demoBooks,
  indexOf(rows, visits, now) {
    const summary = summaryOf(loadedFromRows(rows, visits), now)
    return {
      words: summary.words,
      vocabulary: summary.vocabulary,
      tables: [
        ['bookable_services', summary.services.map(bookableServiceRow)],
        ['free_time', summary.freeTime ? [freeTimeRow(summary.freeTime)] : []],
      ],
    }
  },
}
