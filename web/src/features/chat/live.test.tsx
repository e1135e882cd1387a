// What a conversation makes of what is told while it is open, whatever is being read meanwhile.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import ChatPage from '#/pages/chat/chat-page.tsx'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'

// Sockets are the server's to test: here they only say what one of them would, and hear what they are asked.
const live = vi.hoisted(() => ({ listeners: new Map<string, Set<(payload: unknown) => void>>(), asked: [] as string[], answers: true }))
vi.mock('#/platform/live-socket.ts', async () => {
  const { useEffect } = await import('react')
  return {
    useIsLive: () => true,
    async askLive(request: string) {
      live.asked.push(request)
      return live.answers
    },
    useLive(name: string, listener: (payload: unknown) => void) {
      useEffect(() => {
        const all = live.listeners.get(name) ?? new Set()
        live.listeners.set(name, all.add(listener))
        return () => void all.delete(listener)
      })
    },
  }
})
const hear = (name: string, payload?: unknown) =>
  act(async () => {
    for (const listener of live.listeners.get(name) ?? []) listener(payload)
    await Promise.resolve()
  })

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  live.asked.length = 0
  live.answers = true
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

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

/** A conversation with so many messages; `until` holds a page back. */
function serve(
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
    isAcquainted: true,
    updatedAt: '2026-11-23T10:00:00.000Z',
  }
  let unread = 0
  const asked: string[] = []
  fakeServer({
    me: () => client,
    chats: () => ({ items: [chat], page: 1, pageSize: 30, total: 1, unread }),
    chat: () => chat,
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
  return { id, asked, open, say, setUnread: (count: number) => void (unread = count) }
}
const part = async () => within(await screen.findByRole('group', { name: 'Messages' }))
const scrollUp = async () => fireEvent.scroll(await screen.findByRole('group', { name: 'Messages' }))

describe('a message that is told', () => {
  it('while the conversation is first read is there once it has been', async () => {
    let go = (): void => {}
    const { open, say, asked } = serve(2, { until: () => new Promise((resolve) => (go = resolve)) })
    open()
    await waitFor(() => expect(asked).toContain('before null'))
    await say()
    go()
    expect(await (await part()).findByText('Message 3')).toBeTruthy()
  })

  it('while earlier ones are read stays, and so does what was said of it', async () => {
    let go = (): void => {}
    const { id, open, say, asked } = serve(40, {
      until: (before) => (before === null ? undefined : new Promise((resolve) => (go = resolve))),
    })
    open()
    expect(await (await part()).findByText('Message 40')).toBeTruthy()
    await say({ side: 'client', status: 'sent' })
    await scrollUp()
    await waitFor(() => expect(asked).toContain('before 11'))
    await say({ text: 'Come meanwhile' })
    await hear('messagesRead', { chatId: id, side: 'institute', seq: 41 })
    go()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    expect(await (await part()).findByText('Come meanwhile')).toBeTruthy()
    expect(await (await part()).findByText('Read')).toBeTruthy()
  })

  it('after one that was not brings that one too', async () => {
    const { open, say, asked } = serve(2)
    open()
    expect(await (await part()).findByText('Message 2')).toBeTruthy()
    await say({}, false)
    await say()
    expect(await (await part()).findByText('Message 3')).toBeTruthy()
    expect((await part()).getAllByText(/^Message/).map(({ textContent }) => textContent)).toEqual([1, 2, 3, 4].map((n) => `Message ${n}`))
    expect(asked).toContain('after 2')
  })

  it('leaves the way to the earlier ones, however many come', async () => {
    const { open, say } = serve(31)
    open()
    expect(await (await part()).findByText('Message 31')).toBeTruthy()
    await say()
    await say()
    expect((await part()).queryByText('Message 1')).toBeNull()
    await scrollUp()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
  })
})

describe('what is read', () => {
  it('[E-22] is what the other side had come to, not what was written meanwhile', async () => {
    const { id, open, say } = serve(0)
    open()
    await (await part()).findByRole('list')
    await say({ side: 'client', status: 'sent', text: 'One' })
    await say({ side: 'client', status: 'sent', text: 'Two' })
    await hear('messagesRead', { chatId: id, side: 'institute', seq: 1 })
    expect((await part()).getByText('Sent')).toBeTruthy()
    await hear('messagesRead', { chatId: id, side: 'institute', seq: 2 })
    expect((await part()).getByText('Read')).toBeTruthy()
  })

  it('[E-23] is said again with the next message where nobody was reached', async () => {
    live.answers = false
    const { open, say } = serve(0)
    open()
    await (await part()).findByRole('list')
    await say({ status: 'delivered' })
    await waitFor(() => expect(live.asked.filter((one) => one === 'read')).toHaveLength(1))
    live.answers = true
    await say({ status: 'delivered' })
    await waitFor(() => expect(live.asked.filter((one) => one === 'read')).toHaveLength(2))
  })

  it('is counted beside the link to the messages, true as soon as something is said', async () => {
    const { open, setUnread } = serve(1)
    setUnread(2)
    open()
    const link = () => screen.getByRole('link', { name: /^Messages/ })
    await waitFor(() => expect(link().textContent).toContain('2 unread'))
    setUnread(0)
    await hear('messagesRead', { chatId: 'x', side: 'client' })
    await waitFor(() => expect(link().textContent).toBe('Messages'))
  })
})

describe('somebody who writes', () => {
  it('[E-24] is shown where it is the other side, not where it is a colleague', async () => {
    const { id, open } = serve(1, { side: 'institute' })
    open()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    await hear('typing', { chatId: id, userId: 'u-sofia' })
    expect((await part()).queryByText('Camille Rey is typing')).toBeNull()
    await hear('typing', { chatId: id, userId: 'u-camille' })
    expect((await part()).getByText('Camille Rey is typing')).toBeTruthy()
    await waitFor(async () => expect((await part()).queryByText('Camille Rey is typing')).toBeNull())
  })
})

describe('a picture', () => {
  it('is asked for as small as it is shown, and as it was sent when it is opened', async () => {
    const { open, say } = serve(0)
    open()
    await (await part()).findByRole('list')
    const key = `/files/private/${'0'.repeat(32)}`
    await say({ text: null, media: { type: 'image', url: `${key}.webp?until=1`, name: null, bytes: 9, width: 300, height: 200 } })
    const small = await (await part()).findByRole('img', { name: 'Picture' })
    expect(small.getAttribute('src')).toBe(`${key}-320.webp?until=1`)
    await userEvent.click(small)
    const shown = within(await screen.findByRole('dialog', { name: 'Pictures' })).getByRole('img', { name: 'Picture' })
    expect(shown.getAttribute('src')).toBe(`${key}.webp?until=1`)
  })
})

describe('a conversation that was deleted', () => {
  it('[E-21] shows nothing of what it was when it is opened again', async () => {
    const { id, open } = serve(1)
    const { router } = open()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete conversation' }))
    await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Messages' })).toBeNull())
    await act(() => router.navigate(`/chat/${id}`))
    expect(await screen.findByText('Write your first message to Maison Ondine.')).toBeTruthy()
    expect(screen.queryByText('Message 1')).toBeNull()
  })
})
