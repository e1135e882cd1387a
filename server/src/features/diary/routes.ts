import { type Diary, diaryCalls } from '@soigne/contract/diary'
import { diaryTimeCalls } from '@soigne/contract/diary-times'
import { diaryHomeCalls } from '@soigne/contract/home-addresses'
import { diaryRemovalCalls } from '@soigne/contract/removed-services'
import type { CartLine } from '@soigne/scheduling/model'
import { moveVisit, undoChange } from '#/features/appointments/service.ts'
import { blockTime, moveBlockedTime, unblockTime } from '#/features/diary-entries/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Caller, type Served, serve } from '#/platform/calls.ts'
import { correctHomeOf } from '#/features/home-addresses/service.ts'
import { planOfRemoval, removeService } from '#/features/removed-services/service.ts'
import { columnOf, findVisit } from '#/features/visits/service.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { singleFlight } from '#/platform/single-flight.ts'
import { translate } from '#/texts/translate.ts'
import { noteAttendance, noteVisit } from './attendance.ts'
import { bookForClient } from './booking.ts'
import { moveBreak } from './breaks.ts'
import { blockForWire } from './present.ts'
import { readDiary, readMonth, readVisitWithHistory, visitInDiary } from './reading.ts'
import { freeTimesFor, whyNot } from './why.ts'

type Own = Caller<InstituteScope<'diary.own'>>

const who = ({ scope, locale, idempotencyKey }: Own) => ({ scope, locale, idempotencyKey })

/** Services in order, members by position; one member holds for all. */
function cartOf(service: string | string[], staff: string | string[] | undefined, atHome: boolean): CartLine[] {
  const [services, members] = [[service].flat(), staff === undefined ? [] : [staff].flat()]
  if (members.length > services.length) throw refuseField('staff', 'invalid')
  return services.map((serviceId, place) => {
    const memberId = members.length === 1 ? members[0] : members[place]
    return { serviceId, ...(memberId !== undefined && memberId !== 'any' && { memberId }), ...(atHome && { atHome }) }
  })
}

/** A resource where one is named, else a member. */
function subjectOf({ staffId, resourceId }: { staffId?: string | undefined; resourceId?: string | undefined }) {
  if (resourceId !== undefined) return { kind: 'resource' as const, id: resourceId }
  if (staffId === undefined) throw refuseField('staffId', 'required')
  return { kind: 'member' as const, id: staffId }
}

async function resize(
  context: AppContext,
  caller: Own,
  id: string,
  asked: { segment: number; durationMinutes: number; version?: number | undefined },
) {
  const { scope } = caller
  const row = await findVisit(context.database.prepared, scope, { id })
  if (!row) throw refuse('not_found')
  const { segment, durationMinutes: minutes, version } = asked
  return moveVisit(context, who(caller), { id, startsAt: row.startsAt, version, resize: { segment, minutes } }, (_visit, now, db) =>
    visitInDiary(db, caller, id, now),
  )
}

/** Whatever of the caller an answer depends on: who may do the same, in the same language, is told the same. */
const sightOf = ({ scope, locale }: Own): string =>
  [scope.instituteId, columnOf(scope) ?? 'all', locale, ...Object.keys(scope.may).toSorted()].join(' ')

/** A change is heard by all open calendars at once, and all of them read the same day again. */
function sharedDiaries(context: AppContext): (caller: Own, asked: { from: string; days: number }) => Promise<Diary> {
  const share = singleFlight<Diary>()
  return (caller, asked) => share(`${sightOf(caller)} ${asked.from} ${asked.days}`, () => readDiary(context, caller, asked))
}

export const diaryCallsServed = (context: AppContext, read = sharedDiaries(context)): Served[] => [
  ...serve(diaryRemovalCalls, {
    diaryServiceRemoval: async ({ params, query }, caller) => planOfRemoval(context, who(caller), { id: params.id, ...query }),
    removeDiaryVisitService: async ({ params, body }, caller) =>
      removeService(context, who(caller), { id: params.id, ...body }, (_visit, now, db) => visitInDiary(db, caller, params.id, now)),
  }),
  ...serve(diaryHomeCalls, {
    correctDiaryHome: async ({ params, body }, caller) =>
      correctHomeOf(context, who(caller), { id: params.id, ...body }, (_visit, now, db) => visitInDiary(db, caller, params.id, now)),
  }),
  ...serve(diaryCalls, {
    diary: async ({ query }, caller) => read(caller, query),
    diaryMonth: async ({ query }, caller) => readMonth(context, caller, query.month),
    diaryVisit: async ({ params }, caller) => readVisitWithHistory(context, caller, params.id),
    bookForClient: async ({ body }, caller) => bookForClient(context, who(caller), body),
    noteAttendance: async ({ params, body }, caller) => noteAttendance(context, who(caller), { id: params.id, ...body }),
    noteVisit: async ({ params, body }, caller) => noteVisit(context, caller, params.id, body.note),
    resizeVisit: async ({ params, body }, caller) => resize(context, caller, params.id, body),
    undoVisitChange: async ({ params }, caller) =>
      undoChange(context, caller.scope, params.id, (unit) => visitInDiary(unit.db, caller, params.id, unit.now)),
    blockTime: async ({ body }, { scope }) =>
      blockForWire(await blockTime(context, scope, { ...body, subject: subjectOf(body), besideId: body.staffId })),
    moveBlockedTime: async ({ params, body: { staffId, ...body } }, { scope }) =>
      blockForWire(await moveBlockedTime(context, scope, params.id, { ...body, memberId: staffId })),
    moveBreak: async ({ body }, { scope }) => moveBreak(context, scope, body),
    async unblockTime({ params }, { scope, locale }) {
      await unblockTime(context, scope, params.id)
      return { message: translate(locale, 'messages', 'timeUnblocked') }
    },
  }),
  ...serve(diaryTimeCalls, {
    diaryTimes: async ({ query }, { scope }) =>
      freeTimesFor(context, scope, { ...query, cart: cartOf(query.service, query.staff, query.atHome === 'true') }),
    whyNot: async ({ query: { service, staff: staffId, atHome, startsAt } }, caller) =>
      whyNot(context, caller, { cart: cartOf(service, staffId, atHome === 'true'), staffId, startsAt }),
  }),
]
