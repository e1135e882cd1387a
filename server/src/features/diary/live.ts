/** The calendar on screens: that it changed, told to those who may read it. What it is now they read by the calls that everybody reads it by. */
import type { DiaryChanged } from '@soigne/contract/diary'
import type { EventKind } from '#/event-kinds.ts'
import { memberships } from '#/features/people/service.ts'
import { grants, type Level } from '#/grants.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { versionsOfEvents } from '#/platform/event-versions.ts'
import type { SpineEvent } from '#/platform/events.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import type { Emission, LiveAnswer } from '#/platform/live.ts'

/** Whatever changes what a calendar shows. */
const changing: readonly EventKind[] = [
  'visit.held',
  'visit.released',
  'visit.lapsed',
  'visit.booked',
  'visit.moved',
  'visit.resized',
  'visit.shortened',
  'visit.readdressed',
  'visit.cancelled',
  'visit.attended',
  'visit.noted',
  'visit.overbooked',
  'checkout.settled',
  'sale.taken',
  'time.blocked',
  'time.unblocked',
  'leave.set',
  'leave.removed',
  'session.opened',
  'session.moved',
  'session.resized',
  'session.closed',
  'external.synced',
  'institute.changed',
]

const roomOfDiary = (instituteId: string): string => `diary:${instituteId}`
/** Who sees one column hears only that something changed. */
const roomOfColumns = (instituteId: string): string => `diary:${instituteId}:columns`

const may = (level: string, permission: string): boolean =>
  ((grants.levels[level as Level] as readonly string[] | undefined) ?? []).includes(permission)

/** The rooms of the calendars that somebody may read. Whoever works elsewhere, or as something else, from now on is connected anew. */
export async function roomsOfDiaries(context: AppContext, scope: SelfScope): Promise<string[]> {
  return (await memberships(context).institutesOf(scope)).flatMap(({ instituteId, level }) => {
    if (may(level, 'diary.read')) return [roomOfDiary(instituteId)]
    return may(level, 'diary.own') ? [roomOfColumns(instituteId)] : []
  })
}

interface Times {
  startsAt?: string
  endsAt?: string
  before?: Times
}
/** All the time an event is about; null where it is about days, or everything. */
function stretchOf({ payload }: SpineEvent): { startsAt: string; endsAt: string } | null {
  const { before, ...now } = payload as Times
  const times = [now, ...(before ? [before] : [])].flatMap(({ startsAt, endsAt }) =>
    startsAt && endsAt ? [[startsAt, endsAt] as const] : [],
  )
  if (times.length === 0) return null
  return {
    startsAt: instantText(Math.min(...times.map(([from]) => parseInstant(from)))),
    endsAt: instantText(Math.max(...times.map(([, to]) => parseInstant(to)))),
  }
}

const told = (room: string, payload: DiaryChanged): Emission => ({ rooms: [room], event: 'diaryChanged', payload })

async function tellChanged(context: AppContext, events: readonly SpineEvent[], isAnyone: (room: string) => boolean): Promise<Emission[]> {
  const heard = events.flatMap((event) => {
    const { instituteId } = event
    const isHeard = instituteId !== null && [roomOfDiary(instituteId), roomOfColumns(instituteId)].some(isAnyone)
    return isHeard ? [{ event, instituteId }] : []
  })
  if (heard.length === 0) return []
  const versions = await versionsOfEvents(
    context.database.db,
    heard.map(({ event }) => event.id),
  )
  return heard.flatMap(({ event, instituteId }) => {
    const version = versions.get(event.id) ?? 0
    const { startsAt, endsAt } = stretchOf(event) ?? { startsAt: null, endsAt: null }
    return [
      told(roomOfDiary(instituteId), { instituteId, version, startsAt, endsAt, kind: event.kind, subjectId: event.subjectId }),
      told(roomOfColumns(instituteId), { instituteId, version, startsAt: null, endsAt: null, kind: 'diary.changed', subjectId: null }),
    ]
  })
}

export const diaryLive: readonly LiveAnswer<AppContext>[] = [{ kinds: changing, tell: tellChanged }]
