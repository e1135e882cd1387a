// One conversation: its messages page by page backwards, what comes and what was missed, and who is typing.
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { minuteMs } from '@soigne/contract/time'
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { typingMs } from '#/contract/limits.ts'
import { api } from '#/platform/api.ts'
import { askLive, useIsLive, useLive } from '#/platform/live-socket.ts'
import { queryKeys } from '#/query-keys.ts'
import { mergeMessages, readBy, withStatus } from './messages.ts'

/** `earlier`: before which place others stand, as it was when the page was read; what is added later comes after them. */
type Page = { items: ChatMessage[]; earlier: number | undefined }
type Pages = InfiniteData<Page>
type Change = (known: readonly ChatMessage[], isNewest: boolean) => ChatMessage[]

const pageSize = 30
/** Without a live connection it is asked now and then. */
const askMs = 5000
/** Addresses of pictures and documents are good for an hour. */
const readAnewMs = 45 * minuteMs

/** A minute after one that failed. */
const anewIn = (readAt: number): number => Math.max(minuteMs, readAt + readAnewMs - Date.now())

const allOf = (data: Pages | undefined): ChatMessage[] => mergeMessages([], data?.pages.flatMap(({ items }) => items) ?? [])

async function readPage(id: string, before: number | undefined, signal?: AbortSignal): Promise<Page> {
  const { items, total } = await api.messages({ params: { id }, query: { pageSize, before } }, signal ? { signal } : {})
  return { items, earlier: total > items.length ? items[0]?.seq : undefined }
}

/** What is kept of a conversation in the browser, and how it changes; new messages go to the newest page. */
function keptMessages(queries: QueryClient, id: string) {
  const key = queryKeys.chats.messages(id)
  /** What came while a page was read: the pages that were there when that began take the place of what is kept. */
  let meanwhile: Change[] = []
  function apply(items: Change): void {
    const state = queries.getQueryState<Pages>(key)
    if (!state?.data) return
    const pages = state.data.pages.map((page, n) => ({ ...page, items: items(page.items, n === 0) }))
    // As old as it was: addresses are no newer for what is added.
    queries.setQueryData<Pages>(key, { ...state.data, pages }, { updatedAt: state.dataUpdatedAt })
  }
  function change(items: Change): void {
    if (queries.isFetching({ queryKey: key, exact: true }) > 0) meanwhile.push(items)
    apply(items)
  }
  function settle(): void {
    const again = meanwhile
    meanwhile = []
    for (const items of again) apply(items)
  }
  const add = (...more: readonly ChatMessage[]) => change((known, isNewest) => (isNewest ? mergeMessages(known, more) : [...known]))
  /** The last place that is known; null before anything was read. */
  function lastPlace(): number | null {
    const data = queries.getQueryData<Pages>(key)
    return data ? (allOf(data).at(-1)?.seq ?? 0) : null
  }
  /** Page by page, so that nothing lies between what was known and what comes. */
  async function catchUp(from: number | null): Promise<void> {
    for (let after = from; after !== null;) {
      const { items, total }: Awaited<ReturnType<typeof api.messages>> = await api.messages({
        params: { id },
        query: { after, pageSize: 50 },
      })
      add(...items)
      after = total > items.length ? (items.at(-1)?.seq ?? null) : null
    }
  }
  /** What the newest page says by now: what was written since, and how far that has come which was known. */
  async function look(): Promise<void> {
    const from = lastPlace()
    if (from === null) return
    const { items } = await readPage(id, undefined)
    const first = items[0]
    if (first !== undefined && first.seq > from + 1) await catchUp(from)
    const more = items.filter(({ seq }) => seq > from)
    change((known, isNewest) => items.reduce((all, one) => withStatus(all, one), isNewest ? mergeMessages(known, more) : [...known]))
  }
  const quietly = (work: Promise<void>) => void work.catch(() => {})
  /** One message that is told; what lies between it and what is known is asked for. */
  function take(message: ChatMessage): void {
    const last = lastPlace()
    add(message)
    if (last !== null && message.seq > last + 1) quietly(catchUp(last))
  }
  return { change, take, settle, look: () => quietly(look()) }
}

/** Whether the other side is writing; not, half a second after the last sign of it. Who else answers for an institute is none of it. */
function useTyping({ _id, side, client }: Chat, ownId: string): boolean {
  const [isTyping, setIsTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive('typing', ({ chatId, userId }) => {
    const isTheirs = side === 'client' ? userId !== ownId : userId === client._id
    if (chatId !== _id || !isTheirs) return
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

/** Tells that it is on screen: over the socket, or by a request where there is none. False when nobody was reached. */
async function tellRead(id: string): Promise<boolean> {
  if (await askLive('read', { chatId: id })) return true
  return api.readChat({ params: { id } }).then(
    () => true,
    () => false,
  )
}

export function useConversation(chat: Chat, userId: string) {
  const { _id: id, side } = chat
  const queries = useQueryClient()
  const isLive = useIsLive()
  const isSeen = useIsSeen()
  const kept = useMemo(() => keptMessages(queries, id), [queries, id])
  const query = useInfiniteQuery({
    queryKey: queryKeys.chats.messages(id),
    queryFn: ({ pageParam, signal }) => readPage(id, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ earlier }) => earlier,
    staleTime: readAnewMs,
    // Whatever was added meanwhile: it makes nothing newer.
    refetchInterval: ({ state: { dataUpdatedAt } }) => (dataUpdatedAt === 0 ? readAnewMs : anewIn(dataUpdatedAt)),
    refetchOnWindowFocus: true,
  })
  const messages = allOf(query.data)
  const { isFetching } = query
  useEffect(() => {
    if (!isFetching) kept.settle()
  }, [isFetching, kept])
  useLive('back', () => {
    void askLive('join', { chatId: id })
    kept.look()
  })
  useEffect(() => {
    // What came, and was read, since it was last open here.
    kept.look()
    void askLive('join', { chatId: id })
    return () => void askLive('leave', { chatId: id })
  }, [id, kept])
  useEffect(() => {
    if (isLive) return
    const timer = setInterval(kept.look, askMs)
    return () => clearInterval(timer)
  }, [isLive, kept])
  useLive('newMessage', (message) => message.chatId === id && kept.take(message))
  useLive('messagesRead', ({ chatId, side: reader, seq }) => {
    // Processes of before say no place.
    if (chatId === id) kept.change((known) => readBy(known, reader, seq ?? Infinity))
  })
  useLive('updateChat', ({ chatId, lastMessage }) => chatId === id && lastMessage && kept.change((known) => withStatus(known, lastMessage)))
  const theirs = messages.findLast((one) => one.side !== side)
  const unreadUpTo = theirs && theirs.status !== 'read' ? theirs.seq : null
  useEffect(() => {
    if (unreadUpTo === null || !isSeen) return
    void tellRead(id).then((isTold) => {
      if (!isTold) return
      kept.change((known) => readBy(known, side, unreadUpTo))
      void queries.invalidateQueries({ queryKey: queryKeys.chats.all })
    })
    // Tried once more with every connection.
  }, [unreadUpTo, isSeen, isLive, id, side, kept, queries])
  return { ...query, messages, take: kept.take, isTyping: useTyping(chat, userId), isLive }
}
