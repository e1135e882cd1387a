import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import ChatPage from '#/pages/chat/chat-page.tsx'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner } from '#/testing/people.ts'
import { mayDo } from '#/testing/sales.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  dismissAllToasts()
  vi.unstubAllGlobals()
})

let chats = 0
const newId = (): string => `019b8d2b-8c00-7cc5-9521-${String(++chats).padStart(12, '0')}`
const chatOf = (_id: string, more: Partial<Chat> = {}): Chat => ({
  _id,
  side: 'client',
  institute: { _id: 'i', slug: 'maison-ondine', name: 'Maison Ondine', coverUrl: '/art/cover/hair/a.svg', category: 'hair', city: 'Lyon' },
  client: { _id: client.id, name: 'Camille Rey', imageUrl: null },
  lastMessage: null,
  unread: 0,
  isArchived: false,
  isBlocked: false,
  isStopped: false,
  isAcquainted: false,
  updatedAt: '2026-11-23T10:00:00.000Z',
  ...more,
})
const message = (chatId: string, seq: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  _id: `m${seq}`,
  chatId,
  senderId: client.id,
  side: 'client',
  seq,
  clientId: `key-${seq}`,
  text: `Message ${seq}`,
  media: null,
  visit: null,
  freeTime: null,
  status: 'sent',
  createdAt: new Date(Date.UTC(2026, 10, 22, 10, seq)).toISOString(),
  ...more,
})

/** A server that keeps messages; `sends` decides what becomes of those that are sent. */
function serve(
  kept: ChatMessage[],
  { id = newId(), chat = {}, sends }: { id?: string; chat?: Partial<Chat>; sends?: () => ReturnType<typeof refused> | null } = {},
) {
  const messages = kept.map((one) => ({ ...one, chatId: id }))
  const sent: { clientId: string; text?: string }[] = []
  const asked: string[] = []
  fakeServer({
    me: () => client,
    notifications: () => ({ items: [], page: 1, pageSize: 50, total: 0, unread: 0 }),
    chats: ({ query }) => {
      asked.push(`${query.get('archived')} ${query.get('search') ?? ''}`.trim())
      const items = query.get('archived') === 'true' ? [] : [chatOf(id, { ...chat, lastMessage: messages.at(-1) ?? null })]
      return { items, page: 1, pageSize: 30, total: items.length, unread: 0 }
    },
    chat: () => chatOf(id, chat),
    messages: ({ query }) => {
      const [before, after] = [Number(query.get('before') ?? Infinity), Number(query.get('after') ?? 0)]
      const found = messages.filter(({ seq }) => seq < before && seq > after)
      const items = query.has('after') ? found : found.slice(-Number(query.get('pageSize')))
      return { items, page: 1, pageSize: 30, total: found.length }
    },
    readChat: () => {
      asked.push('read')
      return { message: '' }
    },
    sendMessage({ body }) {
      const given = body as { clientId: string; text?: string }
      sent.push(given)
      const no = sends?.()
      if (no) return no
      const made = message(id, messages.length + 1, { clientId: given.clientId, text: given.text ?? null })
      messages.push(made)
      return made
    },
  })
  const open = () => renderSite(`/chat/${id}`, { '/chat/:id': <ChatPage />, '/chat': <ChatPage /> })
  return { id, sent, asked, open, messages }
}
const conversation = async () => within(await screen.findByRole('region', { name: 'Messages with Maison Ondine' }))
const field = async () => (await conversation()).findByRole<HTMLTextAreaElement>('textbox', { name: 'Write to Maison Ondine' })

describe('a conversation', () => {
  it('[R-15] [E-23] is shown with its days, and what the other side wrote is read', async () => {
    const { open, asked } = serve([message('', 1), message('', 2, { side: 'institute', text: 'At 15:00?' })])
    open()
    const part = await conversation()
    expect(await part.findByText('At 15:00?')).toBeTruthy()
    expect(part.getByText('Sent')).toBeTruthy()
    await waitFor(() => expect(asked).toContain('read'))
  })

  it('of which nothing new came is not said to be read again', async () => {
    const { open, asked } = serve([message('', 1, { side: 'institute', status: 'read' }), message('', 2)])
    open()
    expect(await (await conversation()).findByText('Message 2')).toBeTruthy()
    expect(asked).not.toContain('read')
  })

  it('shows a message before the server has it, and sends it once more with the same key when that failed', async () => {
    let isAway = true
    const { open, sent } = serve([], { sends: () => (isAway ? refused(503, { code: 'unavailable', message: 'Away.' }) : null) })
    open()
    await userEvent.type(await field(), 'Hello{Enter}')
    const part = await conversation()
    expect(await part.findByText('Not sent yet. It goes out once you’re connected.')).toBeTruthy()
    expect((await field()).value).toBe('')
    isAway = false
    await userEvent.click(part.getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(part.queryByRole('alert')).toBeNull())
    expect(part.getAllByText('Hello')).toHaveLength(1)
    expect(sent.map(({ text }) => text)).toEqual(['Hello', 'Hello'])
    expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1)
  })

  it('says why a message is refused for good, and lets it go', async () => {
    const { open } = serve([], { sends: () => refused(403, { code: 'forbidden', message: 'You can’t do this.' }) })
    open()
    await userEvent.type(await field(), 'Hello{Enter}')
    const part = await conversation()
    expect((await part.findByRole('alert')).textContent).toContain('You can’t do this.')
    await userEvent.click(part.getByRole('button', { name: 'Discard' }))
    expect(part.queryByText('Hello')).toBeNull()
  })

  it('keeps what is being written through a reload, and breaks the line with Shift', async () => {
    const { open } = serve([message('', 1)])
    open()
    await userEvent.type(await field(), 'One{Shift>}{Enter}{/Shift}two')
    cleanup()
    open()
    expect((await field()).value).toBe('One\ntwo')
  })

  it('meets links of somebody unknown with a word of caution, and those of a salon one has been to without', async () => {
    const link = message('', 1, { side: 'institute', text: 'Pay at https://example.org' })
    serve([link]).open()
    expect(await (await conversation()).findByText(/only with people you trust/)).toBeTruthy()
    cleanup()
    serve([link], { chat: { isAcquainted: true } }).open()
    expect(await (await conversation()).findByText('Pay at https://example.org')).toBeTruthy()
    expect(screen.queryByText(/only with people you trust/)).toBeNull()
  })

  it('that is blocked has no place to write', async () => {
    serve([message('', 1)], { chat: { isBlocked: true } }).open()
    const part = await conversation()
    expect(await part.findByText('You’ve blocked this conversation')).toBeTruthy()
    expect(part.queryByRole('textbox')).toBeNull()
  })
})

describe('what waited when the page was closed', () => {
  it('goes out whatever page is opened next', async () => {
    const { id, sent } = serve([])
    const unsent = [{ clientId: 'key-before', text: 'From before', appointmentId: null }]
    localStorage.setItem('unsentMessages', JSON.stringify({ [id]: { by: client.id, unsent } }))
    renderSite('/terms')
    await waitFor(() => expect(sent).toMatchObject([{ clientId: 'key-before', text: 'From before' }]))
  })
})

describe('the list of conversations', () => {
  /** So many, and how often each page of them is asked for. */
  function serveList(may: Parameters<typeof mayDo>, total = 1) {
    const asked: string[] = []
    const state = { isAway: true }
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        readonly near: (entries: { isIntersecting: boolean }[]) => void
        constructor(near: (entries: { isIntersecting: boolean }[]) => void) {
          this.near = near
        }
        observe() {
          this.near([{ isIntersecting: true }])
        }
        disconnect() {}
      },
    )
    const all = Array.from({ length: total }, (_, n) => chatOf(newId(), { lastMessage: message('', n + 1) }))
    fakeServer({
      me: () => owner,
      ownPermissions() {
        asked.push('own permissions')
        return mayDo(...may)
      },
      chats({ query }) {
        const page = Number(query.get('page') ?? 1)
        asked.push(`${query.get('side')} ${page}`)
        if (page > 1 && state.isAway) return refused(503, { code: 'unavailable', message: 'Away.' })
        return {
          items: all.slice((page - 1) * 30, page * 30),
          page,
          pageSize: 30,
          total,
          unread: query.get('side') === 'institute' ? 2 : 0,
        }
      },
    })
    renderSite('/chat', { '/chat': <ChatPage /> })
    return { asked, state }
  }
  const list = async () => within(await screen.findByRole('region', { name: 'Conversations' }))

  it('of who answers for a salon and writes to others is two, each with a way to the other', async () => {
    serveList(['messages.answer'])
    const sides = within(await (await list()).findByRole('navigation', { name: 'Whose messages' }))
    expect((await sides.findByRole('link', { name: 'Salon · 2 unread' })).getAttribute('href')).toBe('/mysalon/messages')
    expect(sides.getByRole('link', { name: 'Personal' }).getAttribute('aria-current')).toBe('true')
    cleanup()
    const { asked } = serveList(['diary.read'])
    await waitFor(() => expect(asked).toContain('own permissions'))
    expect(await (await list()).findByText('Message 1')).toBeTruthy()
    expect((await list()).queryByRole('navigation', { name: 'Whose messages' })).toBeNull()
  })

  it('goes on when its end is near; where that fails it says so, and asks again only by hand', async () => {
    const { asked, state } = serveList([], 31)
    const again = await (await list()).findByRole('button', { name: 'Try again' })
    expect(asked.filter((one) => one === 'client 2')).toHaveLength(1)
    expect((await list()).getByText('Message 30')).toBeTruthy()
    state.isAway = false
    await userEvent.click(again)
    expect(await (await list()).findByText('Message 31')).toBeTruthy()
    expect((await list()).queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('[E-05] tells who wrote last, is searched, and shows what was put away apart', async () => {
    const { open, asked } = serve([message('', 1)])
    open()
    const list = within(await screen.findByRole('region', { name: 'Conversations' }))
    expect((await list.findByRole('link', { name: /Maison Ondine/ })).textContent).toContain('You:Message 1')
    await userEvent.type(list.getByRole('searchbox', { name: 'Search' }), 'ondine')
    await waitFor(() => expect(asked).toContain('false ondine'))
    await userEvent.clear(list.getByRole('searchbox'))
    await userEvent.click(list.getByRole('button', { name: 'Archived messages' }))
    expect(await screen.findByText('Nothing is archived.')).toBeTruthy()
  })
})
