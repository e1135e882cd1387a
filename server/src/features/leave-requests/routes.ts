import { leaveRequestCalls } from '@soigne/contract/leave-requests'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { answerRequest, askForLeave, openRequestsOf, ownRequestsOf, withdrawRequest } from './service.ts'

export const leaveRequestCallsServed = (context: AppContext): Served[] =>
  serve(leaveRequestCalls, {
    ownLeaveRequests: async (_input, { scope }) => ownRequestsOf(context, scope),
    askForLeave: async ({ body }, { scope }) => askForLeave(context, scope, body),
    async withdrawLeaveRequest({ params }, { scope, locale }) {
      await withdrawRequest(context, scope, params.id, translate(locale, 'messages', 'somebody'))
      return { message: translate(locale, 'messages', 'requestWithdrawn') }
    },
    leaveRequests: async (_input, { scope }) => openRequestsOf(context, scope),
    answerLeaveRequest: async ({ params, body }, { scope, locale }) =>
      answerRequest(context, scope, params.id, { ...body, somebody: translate(locale, 'messages', 'somebody') }),
  })
