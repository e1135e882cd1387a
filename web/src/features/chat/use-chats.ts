// The conversations of one side, kept true by the live connection.
import type { Chat, ChatSide } from '@soigne/contract/chat'
import { minuteMs } from '@soigne/contract/time'
import { type QueryKey, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { useIsLive, useLive } from '#/platform/live-socket.ts'
import { queryKeys } from '#/query-keys.ts'

const pageSize = 30
const askMs = minuteMs / 4
/** Several things at once are one look. */
const gatherMs = 120

/** Reads the lists, or one of them, again when something was said, read or missed. */
export function useFreshChats(queryKey: QueryKey = queryKeys.chats.all): void {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const look = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void queries.invalidateQueries({ queryKey }), gatherMs)
  }
  useLive('updateChat', look)
  useLive('messagesRead', look)
  useLive('back', look)
}

export interface ChatFilter {
  side: ChatSide
  search: string
  archived: boolean
}

export function useChats({ side, search, archived }: ChatFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.chats.list({ side, search, archived }),
    queryFn: ({ pageParam, signal }) =>
      api.chats({ query: { side, search, archived: archived ? 'true' : 'false', page: pageParam, pageSize } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * pageSize < total ? page + 1 : undefined),
    refetchOnWindowFocus: true,
    // Nothing is told without a live connection.
    refetchInterval: useIsLive() ? false : askMs,
    staleTime: 2000,
  })
}

export function useChat(id: string | undefined) {
  return useQuery({
    queryKey: queryKeys.chats.one(id ?? ''),
    queryFn: ({ signal }) => api.chat({ params: { id: id ?? '' } }, { signal }),
    enabled: id !== undefined,
    staleTime: 2000,
  })
}

/** What can be done with a conversation as a whole; each is followed by a look at the lists. */
export function useChatActions({ _id: id }: Pick<Chat, '_id'>) {
  const queries = useQueryClient()
  const look = () => queries.invalidateQueries({ queryKey: queryKeys.chats.all })
  const archive = useMutation({ mutationFn: () => api.toggleChatArchive({ params: { id } }), onSettled: look })
  const remove = useMutation({
    mutationFn: () => api.deleteChat({ params: { id } }),
    // What was deleted is shown no more, also where the conversation begins anew.
    onSuccess: () => queries.removeQueries({ queryKey: queryKeys.chats.messages(id) }),
    onSettled: look,
  })
  const block = useMutation({ mutationFn: (blocked: boolean) => api.blockChat({ params: { id }, body: { blocked } }), onSettled: look })
  const report = useMutation({ mutationFn: (reason: string) => api.reportChat({ params: { id }, body: { reason } }) })
  return { archive, remove, block, report }
}
