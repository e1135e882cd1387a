// How many conversations have something unread for the institute; true at once when something is said or read.
import type { SessionUser } from '@soigne/contract/session'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { useLive } from '#/platform/live-socket.ts'
import { queryKeys } from '#/query-keys.ts'

export function useUnreadChats(user: SessionUser | null): number {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: queryKeys.chats.unread('institute'),
    queryFn: ({ signal }) => api.chats({ query: { side: 'institute', pageSize: 10 } }, { signal }),
    select: ({ unread }) => unread,
    enabled: user?.institute !== undefined && user.isEmailVerified,
  })
  const look = () => void queries.invalidateQueries({ queryKey: queryKeys.chats.unread('institute') })
  useLive('updateChat', look)
  useLive('messagesRead', look)
  useLive('back', look)
  return data ?? 0
}
