// One conversation: its messages page by page backwards, what comes and what was missed, and who is typing.
import type { ChatMessage, ChatSide } from '@soigne/contract/chat'
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { typingMs } from '#/contract/limits.ts'
import { api } from '#/platform/api.ts'
import { askLive, useIsLive, useLive } from '#/platform/live-socket.ts'
import { queryKeys } from '#/query-keys.ts'
import { mergeMessages, readBy, withStatus } from './messages.ts'

type Page = Awaited<ReturnType<typeof api.messages>>
type Pages = InfiniteData<Page>
const pageSize = 30
/** Without a live connection it is asked now and then. */
const askMs = 5000

const allOf = (data: Pages | undefined): ChatMessage[] => mergeMessages([], data?.pages.flatMap(({ items }) => items) ?? [])

/** What is kept of a conversation in the browser, and how it changes; new messages go to the newest page. */
function keptMessages(queries: QueryClient, id: string) {
  const key = queryKeys.chats.messages(id)
  const change = (items: (known: readonly ChatMessage[], isNewest: boolean) => ChatMessage[]) =>
    queries.setQueryData<Pages>(
      key,
      (data) => data && { ...data, pages: data.pages.map((page, n) => ({ ...page, items: items(page.items, n === 0) })) },
    )
  const add = (...more: readonly ChatMessage[]) => change((known, isNewest) => (isNewest ? mergeMessages(known, more) : [...known]))
  /** Page by page, so that nothing lies between what was known and what comes. */
  async function catchUp(): Promise<void> {
    for (;;) {
      const data = queries.getQueryData<Pages>(key)
      if (!data) return
      const { items, total } = await api.messages({ params: { id }, query: { after: allOf(data).at(-1)?.seq ?? 0, pageSize: 50 } })
      add(...items)
      if (total <= items.length) return
    }
  }
  return { change, add, catchUp: () => void catchUp().catch(() => {}) }
}

/** Whether somebody of the other side is writing; not, half a second after the last sign of it. */
function useTyping(id: string, ownId: string): boolean {
  const [isTyping, setIsTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive('typing', ({ chatId, userId }) => {
    if (chatId !== id || userId === ownId) return
    setIsTyping(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsTyping(false), typingMs)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return isTyping
}

const watchVisibility = (onChange: () => void): (() => void) => {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
const useIsSeen = (): boolean =>
  useSyncExternalStore(
    watchVisibility,
    () => document.visibilityState === 'visible',
    () => false,
  )

/** Tells that it is on screen: over the socket, or by a request where there is none. */
async function tellRead(id: string): Promise<void> {
  if (!(await askLive('read', { chatId: id }))) await api.readChat({ params: { id } }).catch(() => {})
}

export function useConversation({ id, side, userId }: { id: string; side: ChatSide; userId: string }) {
  const queries = useQueryClient()
  const isLive = useIsLive()
  const isSeen = useIsSeen()
  const kept = useMemo(() => keptMessages(queries, id), [queries, id])
  const query = useInfiniteQuery({
    queryKey: queryKeys.chats.messages(id),
    queryFn: ({ pageParam, signal }) => api.messages({ params: { id }, query: { pageSize, before: pageParam } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ items, total }) => (total > items.length ? items[0]?.seq : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const messages = allOf(query.data)
  useLive('back', () => {
    void askLive('join', { chatId: id })
    kept.catchUp()
  })
  useEffect(() => {
    // What came since it was last open here.
    kept.catchUp()
    void askLive('join', { chatId: id })
    return () => void askLive('leave', { chatId: id })
  }, [id, kept])
  useEffect(() => {
    if (isLive) return
    const timer = setInterval(kept.catchUp, askMs)
    return () => clearInterval(timer)
  }, [isLive, kept])
  useLive('newMessage', (message) => message.chatId === id && kept.add(message))
  useLive('messagesRead', (read) => read.chatId === id && kept.change((known) => readBy(known, read.side)))
  useLive('updateChat', ({ chatId, lastMessage }) => chatId === id && lastMessage && kept.change((known) => withStatus(known, lastMessage)))
  const theirs = messages.findLast((one) => one.side !== side)
  const unreadUpTo = theirs && theirs.status !== 'read' ? theirs.seq : null
  useEffect(() => {
    if (unreadUpTo === null || !isSeen) return
    void tellRead(id).then(() => {
      kept.change((known) => readBy(known, side))
      return queries.invalidateQueries({ queryKey: queryKeys.chats.all })
    })
  }, [unreadUpTo, isSeen, id, side, kept, queries])
  return { ...query, messages, add: kept.add, isTyping: useTyping(id, userId), isLive }
}
