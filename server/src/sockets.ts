/** The sockets of this process: who may open one, what they may ask, and what they are told. */
import type { Server as HttpServer } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { chatNamespace } from '@soigne/contract/chat'
import { chatLive, chatSocketCalls, roomsOf } from '#/features/chat/live.ts'
import { diaryLive, roomsOfDiaries } from '#/features/diary/live.ts'
import { bellLive } from '#/features/notifications/live.ts'
import { memberships } from '#/features/people/service.ts'
import { authenticator, endedSessions } from '#/features/session/service.ts'
import { grants } from '#/grants.ts'
import { authoriser } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Budgets } from '#/platform/budgets.ts'
import type { SpineEvent } from '#/platform/events.ts'
import { localeOf } from '#/platform/language.ts'
import { type LiveAnswer, mountSockets, roomOfUser, type Sockets } from '#/platform/live.ts'
import { networkOf } from '#/platform/network.ts'
import { refuse } from '#/platform/refuse.ts'
import type { Settings } from '#/platform/settings.ts'
import { openSignals } from '#/platform/signals.ts'
import { refusalText } from '#/texts/refusal-texts.ts'

/** What follows an event at once on screens, by feature. */
const liveAnswers: readonly LiveAnswer<AppContext>[] = [...chatLive, ...bellLive, ...diaryLive]

/** Whoever works somewhere else from now on hears something else: they connect again. */
const rejoining = new Set(['person.joined', 'person.changed', 'person.removed'])

type Trust = Parameters<typeof proxyAddress>[1]
const trustOf = ({ trustProxy }: Settings): Trust => (trustProxy === false ? () => false : proxyAddress.compile(trustProxy))

export function openSockets(context: AppContext, http: HttpServer, budgets: Budgets): Sockets {
  const { database, settings, log } = context
  const authenticate = authenticator(context)
  const authorise = authoriser(grants, memberships(context))
  const trust = trustOf(settings)
  const signals = openSignals({ db: database.db, url: database.url, log }, (signal) => sockets.hearSignal(signal))
  const sockets = mountSockets(http, context, {
    door: {
      namespace: chatNamespace,
      async enter(token) {
        const identity = await authenticate(`Bearer ${token}`, { userAgent: null })
        const scope = await authorise({ of: 'self' }, identity, null)
        if (scope.kind !== 'self') throw refuse('unauthorized')
        const rooms = [...(await roomsOf(context, scope)), ...(await roomsOfDiaries(context, scope))]
        return { identity, scope, rooms }
      },
      ended: (sessions) => endedSessions(context, sessions),
      take: (request) => budgets.take('network', 'reading', networkOf(proxyAddress(request, trust))),
      origin: () => context.publicUrl(),
      say: (code, locale) => refusalText(localeOf(locale), code, undefined, {}),
      signal: (signal) => signals.send(signal),
    },
    calls: chatSocketCalls,
    answers: liveAnswers,
  })
  return {
    ...sockets,
    hear(events: readonly SpineEvent[]) {
      sockets.hear(events)
      for (const { kind, payload } of events) if (rejoining.has(kind)) sockets.reconnect(roomOfUser((payload as { userId: string }).userId))
    },
    async close() {
      await signals.stop()
      await sockets.close()
    },
  }
}
