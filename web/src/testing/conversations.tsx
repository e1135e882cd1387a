// A server with one conversation, which goes on as a test says, and its page.
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { fireEvent, screen, within } from '@testing-library/react'
import ChatPage from '#/pages/chat/chat-page.tsx'
import { fakeServer, refused } from './fake-server.ts'
import { hear } from './live-by-hand.ts'
import { client, owner } from './people.ts'
import { renderSite } from './render-site.tsx'

let chats = 0
const messageOf = (chatId: string, seq: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  _id: `m${seq}`,
  chatId,
  senderId: owner.id,
  side: 'institute',
  seq,
  clientId: `key-${seq}`,
  text: `Message ${seq}`,
  media: null,
  visit: null,
  freeTime: null,
  status: 'read',
  createdAt: new Date(Date.UTC(2026, 10, 22, 10, seq)).toISOString(),
  ...more,
})

/** A conversation of the site with so many messages; `until` holds a page back. */
export function serveConversation(
  count: number,
  { side = 'client', until }: { side?: Chat['side']; until?: (before: number | null) => Promise<void> | undefined } = {},
) {
  const id = `019b8d2b-8c00-7cc5-9522-${String(++chats).padStart(12, '0')}`
  const message = (seq: number, more: Partial<ChatMessage> = {}) => messageOf(id, seq, more)
  const kept = Array.from({ length: count }, (_, n) => message(n + 1))
  const chat: Chat = {
    _id: id,
    side,
    institute: {
      _id: 'i',
      slug: 'maison-ondine',
      name: 'Maison Ondine',
      coverUrl: '/art/cover/hair/a.svg',
      category: 'hair',
      city: 'Lyon',
    },
    client: { _id: 'u-camille', name: 'Camille Rey', imageUrl: null },
    lastMessage: null,
    unread: 0,
    isArchived: false,
    isBlocked: false,
    isStopped: false,
    isAcquainted: true,
    updatedAt: '2026-11-23T10:00:00.000Z',
  }
  let unread = 0
  const asked: string[] = []
  /** How often the list was asked for. */
  const listed: string[] = []
  fakeServer({
    me: () => client,
    chats({ query }) {
      if (query.get('pageSize') === '30') listed.push(query.get('side') ?? 'client')
      return { items: [chat], page: 1, pageSize: 30, total: 1, unread }
    },
    sendMessage: () => new Promise<never>(() => {}),
    chat: () => ({ ...chat }),
    async messages({ query }) {
      const [before, after] = [query.get('before'), query.get('after')]
      asked.push(after === null ? `before ${before}` : `after ${after}`)
      const found = kept.filter(({ seq }) => seq < Number(before ?? Infinity) && seq > Number(after ?? 0))
      const answer = {
        items: after === null ? found.slice(-Number(query.get('pageSize'))) : found,
        page: 1,
        pageSize: 30,
        total: found.length,
      }
      await (after === null && until?.(before === null ? null : Number(before)))
      return answer
    },
    readChat: () => refused(503, { code: 'unavailable', message: 'Away.' }),
    deleteChat() {
      kept.length = 0
      return { message: 'Deleted.' }
    },
    openChat: () => chat,
  })
  const open = () => renderSite(`/chat/${id}`, { '/chat/:id': <ChatPage />, '/chat': <ChatPage /> })
  /** Written by somebody, and told where it is. */
  const say = async (more: Partial<ChatMessage> = {}, isTold = true): Promise<void> => {
    const one = message(kept.length + 1, more)
    kept.push(one)
    if (isTold) await hear('newMessage', one)
  }
  const setStatus = (seq: number, status: ChatMessage['status']) => {
    const [one] = kept.splice(seq - 1, 1)
    if (one) kept.splice(seq - 1, 0, { ...one, status })
  }
  const change = (more: Partial<Chat>) => void Object.assign(chat, more)
  return { id, asked, listed, open, say, setStatus, change, setUnread: (count: number) => void (unread = count) }
}
export const part = async () => within(await screen.findByRole('group', { name: 'Messages' }))
export const scrollUp = async () => fireEvent.scroll(await screen.findByRole('group', { name: 'Messages' }))
