/** The bell on screens: how much somebody has not read, told to their own sockets alone. */
import type { ChatEvents } from '@soigne/contract/chat'
import type { EventOf } from '#/event-kinds.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type LiveAnswer, roomOfUser } from '#/platform/live.ts'
import { system } from './bell.ts'
import { countUnread } from './store.ts'

export const bellLive: readonly LiveAnswer<AppContext>[] = [
  {
    kinds: ['bell.changed'],
    async tell({ database }, events, isAnyone) {
      const told = (events as unknown as readonly EventOf<'bell.changed'>[]).flatMap(({ payload }) => payload.userIds)
      const heard = [...new Set(told)].filter((userId) => isAnyone(roomOfUser(userId)))
      if (heard.length === 0) return []
      return (await countUnread(database.db, system, heard)).map(({ userId, unread }) => {
        const payload: ChatEvents['notification'] = { unread }
        return { rooms: [roomOfUser(userId)], event: 'notification', payload }
      })
    },
  },
]
