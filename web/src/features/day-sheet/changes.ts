// What was done without a connection, and the calendar with it.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { instantText, minutesBetween, parseInstant } from '#/platform/time.ts'
import { minuteMs } from '@soigne/contract/time'

export type Attendance = DiaryVisit['attendance']

/** Why the server did not do it; `too_old` is said by the device. */
export type DeskRefusal = { code: string; message: string }

type Kept = {
  id: string
  owner: string
  madeAt: string
  /** One for what is wished: sent twice, it is done once. */
  key: string
  /** When the key was made. */
  keyedAt: string
  /** It was sent, and may have arrived. */
  isTried: boolean
  /** Null while it waits; then somebody chooses. */
  refusal: DeskRefusal | null
  /** Whom it is about; empty for a walk-in without a name. */
  name: string
}

export type AttendanceChange = Kept & { kind: 'attendance'; visitId: string; version: number; was: Attendance; attendance: Attendance }
export type MoveChange = Kept & {
  kind: 'move'
  visitId: string
  version: number
  startsAt: string
  segment?: number | undefined
  staffId?: string | undefined
  /** Where it was, and for how long. */
  from: { startsAt: string; endsAt: string; staffId: string; services: string[] }
}
export type WalkInChange = Kept & {
  kind: 'walkIn'
  startsAt: string
  endsAt: string
  staffId: string
  service: { _id: string; name: string }
  /** Why it stands beside others on purpose. */
  overbook?: string
}
export type DeskChange = AttendanceChange | MoveChange | WalkInChange

/** The visit of a walk-in that the server does not have yet. */
export const visitIdOf = (walkIn: { id: string }): string => `desk-${walkIn.id}`
export const isOfDesk = (visitId: string): boolean => visitId.startsWith('desk-')

/** Which visit a change is about. */
export const visitOf = (change: DeskChange): string => (change.kind === 'walkIn' ? visitIdOf(change) : change.visitId)

export const inOrder = (changes: readonly DeskChange[]): DeskChange[] =>
  changes.toSorted((a, b) => (a.madeAt === b.madeAt ? 0 : a.madeAt < b.madeAt ? -1 : 1))

/** The next that can be sent: what hangs on a refused one waits for somebody's choice. */
export function nextToSend(changes: readonly DeskChange[]): DeskChange | null {
  const held = new Set<string>()
  for (const change of inOrder(changes)) {
    if (change.refusal !== null) held.add(visitOf(change))
    else if (!held.has(visitOf(change))) return change
  }
  return null
}

function walkInVisit(change: WalkInChange, { currency }: Diary): DiaryVisit {
  const { startsAt, endsAt, staffId, service } = change
  const times = { startsAt, endsAt }
  return {
    _id: visitIdOf(change),
    reference: '',
    status: 'pending',
    isHeld: false,
    attendance: 'expected',
    attendedAt: {},
    ...times,
    customer: { _id: null, name: change.name, phone: null, noShows: 0, pastVisits: 0 },
    segments: [
      {
        position: 0,
        serviceId: service._id,
        serviceName: service.name,
        staffId,
        resourceId: null,
        ...times,
        idle: null,
        bufferBeforeMinutes: 0,
        bufferAfterMinutes: 0,
        price: null,
      },
    ],
    total: { amount: 0, currency },
    note: null,
    ownNote: null,
    overbooked: null,
    madeBy: 'institute',
    sessionId: null,
    version: 0,
    undoUntil: null,
  }
}

/** The named segment goes to its start, and the others with it; a member takes the one named, or all. */
function movedVisit(visit: DiaryVisit, { startsAt, segment, staffId }: MoveChange): DiaryVisit {
  const lead = visit.segments.find(({ position }) => position === segment) ?? visit
  const by = minutesBetween(lead.startsAt, startsAt) * minuteMs
  const shifted = (instant: string) => instantText(parseInstant(instant) + by)
  const times = (stretch: { startsAt: string; endsAt: string }) => ({
    startsAt: shifted(stretch.startsAt),
    endsAt: shifted(stretch.endsAt),
  })
  return {
    ...visit,
    ...times(visit),
    segments: visit.segments.map((one) => ({
      ...one,
      ...times(one),
      idle: one.idle && times(one.idle),
      staffId: staffId !== undefined && (segment === undefined || one.position === segment) ? staffId : one.staffId,
    })),
  }
}

function changed(visit: DiaryVisit, change: AttendanceChange | MoveChange): DiaryVisit {
  if (change.kind === 'move') return movedVisit(visit, change)
  const { attendance, madeAt } = change
  return { ...visit, attendance, attendedAt: attendance === 'expected' ? {} : { ...visit.attendedAt, [attendance]: madeAt } }
}

/** The calendar with what waits; what was refused stands beside it, for somebody to choose. */
export function withChanges<Shown extends Diary>(diary: Shown, changes: readonly DeskChange[]): Shown {
  const waiting = inOrder(changes).filter(({ refusal }) => refusal === null)
  if (waiting.length === 0) return diary
  const visits = new Map(diary.visits.map((visit) => [visit._id, visit]))
  for (const change of waiting) {
    const visit = visits.get(visitOf(change))
    if (change.kind === 'walkIn') visits.set(visitIdOf(change), walkInVisit(change, diary))
    else if (visit) visits.set(visit._id, changed(visit, change))
  }
  return { ...diary, visits: [...visits.values()].toSorted((a, b) => (a.startsAt < b.startsAt ? -1 : 1)) }
}

/** Visits of a member that a stretch of time would stand on. */
export function inTheWay(diary: Diary, staffId: string, stretch: { startsAt: string; endsAt: string }, but: string): DiaryVisit[] {
  return diary.visits.filter(
    (visit) =>
      visit._id !== but &&
      visit.status !== 'cancelled' &&
      visit.attendance !== 'no_show' &&
      visit.segments.some((one) => one.staffId === staffId && one.startsAt < stretch.endsAt && stretch.startsAt < one.endsAt),
  )
}
