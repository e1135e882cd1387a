import { type GroupSession, groupSessionCalls } from '@soigne/contract/group-sessions'
import type { Locale } from '@soigne/contract/wire'
import type { AppContext } from '#/platform/app-context.ts'
import { type Served, serve } from '#/platform/calls.ts'
import { localised, translate } from '#/texts/translate.ts'
import {
  cancelSession,
  moveSession,
  openSession,
  openSessions,
  planSessions,
  resizeSession,
  type SessionRow,
  sessionsOfDays,
} from './service.ts'

const forWire = ({ id, serviceName, memberId, memberName, ...row }: SessionRow, locale: Locale): GroupSession => ({
  ...row,
  _id: id,
  serviceName: localised(serviceName, locale) ?? '',
  staffId: memberId,
  staffName: memberName,
})

export const groupSessionCallsServed = (context: AppContext): Served[] =>
  serve(groupSessionCalls, {
    groupSessions: async ({ query }, { scope, locale }) => ({
      items: (await sessionsOfDays(context, scope, query)).map((row) => forWire(row, locale)),
    }),
    openGroupSession: async ({ body: { staffId, ...body } }, { scope, locale }) =>
      forWire(await openSession(context, scope, { ...body, memberId: staffId }), locale),
    planGroupSessions: async ({ query: { staffId, ...query } }, { scope, locale }) =>
      planSessions(context, scope, locale, { ...query, memberId: staffId }),
    openGroupSessions: async ({ body: { staffId, ...body } }, { scope, locale, idempotencyKey }) => ({
      items: (await openSessions(context, { scope, locale, idempotencyKey }, { ...body, memberId: staffId })).map((row) =>
        forWire(row, locale),
      ),
    }),
    moveGroupSession: async ({ params, body: { staffId, ...body } }, { scope, locale }) =>
      forWire(await moveSession(context, scope, params.id, { ...body, memberId: staffId }), locale),
    resizeGroupSession: async ({ params, body }, { scope, locale }) =>
      forWire(await resizeSession(context, scope, params.id, body.capacity), locale),
    async cancelGroupSession({ params, body }, { scope, locale }) {
      await cancelSession(context, scope, params.id, body?.reason || null)
      return { message: translate(locale, 'messages', 'sessionCancelled') }
    },
  })
