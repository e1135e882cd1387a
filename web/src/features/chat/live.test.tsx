// What a conversation makes of what is told while it is open, whatever is being read meanwhile.
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { part, scrollUp, serveConversation as serve } from '#/testing/conversations.tsx'
import { hear, live, resetLive } from '#/testing/live-by-hand.ts'

// Sockets are the server's to test.
vi.mock('#/platform/live-socket.ts', () => import('#/testing/live-by-hand.ts'))

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  resetLive()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

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

  it('[E-23] is what somebody has before them: not on a page that is hidden, and at once when it is seen again', async () => {
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const { open, say } = serve(0)
    open()
    await (await part()).findByRole('list')
    await say({ status: 'delivered', text: 'Come in the night' })
    expect(await (await part()).findByText('Come in the night')).toBeTruthy()
    expect(live.asked).not.toContain('read')
    seen.mockReturnValue('visible')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(live.asked.filter((one) => one === 'read')).toHaveLength(1))
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

describe('what is unread', () => {
  it('[N-07] is counted beside the button of the menu in small windows, and in the menu', async () => {
    const { open, setUnread } = serve(1)
    setUnread(2)
    open()
    const button = () => screen.getByRole('button', { name: 'Open the menu', hidden: true })
    await waitFor(() => expect(button().parentElement?.textContent).toContain('2 unread'))
    await userEvent.click(button())
    const menu = within(await screen.findByRole('dialog', { name: 'Menu' }))
    expect(menu.getByRole('link', { name: /^Messages/ }).textContent).toContain('2 unread')
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
