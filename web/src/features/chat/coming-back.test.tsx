// What a conversation makes of what happened while it was not open, or had no line; and of what the site decides about it.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { minuteMs } from '@soigne/contract/time'
import { part, scrollUp, serveConversation as serve } from '#/testing/conversations.tsx'
import { hear, live, resetLive, turnLine } from '#/testing/live-by-hand.ts'

// Sockets are the server's to test.
vi.mock('#/platform/live-socket.ts', () => import('#/testing/live-by-hand.ts'))

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  resetLive()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
type Router = ReturnType<ReturnType<typeof serve>['open']>['router']

describe('a conversation that the site stops', () => {
  it('closes where it is open, says why, and opens again when it is allowed', async () => {
    const { id, open, change } = serve(1)
    open()
    expect(await screen.findByRole('textbox', { name: 'Write to Maison Ondine' })).toBeTruthy()
    const decide = (isStopped: boolean) => {
      change({ isStopped })
      return hear('updateChat', { chatId: id, lastMessage: null, updatedAt: '2026-11-23T10:00:00.000Z' })
    }
    await decide(true)
    expect(await screen.findByText('This conversation has been stopped')).toBeTruthy()
    expect(screen.getByText(/our rules were broken here/)).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Write to Maison Ondine' })).toBeNull()
    expect((await part()).getByText('Message 1')).toBeTruthy()
    await decide(false)
    expect(await screen.findByRole('textbox', { name: 'Write to Maison Ondine' })).toBeTruthy()
  })
})

describe('whoever comes back', () => {
  const away = async (router: Router, id: string, meanwhile: () => void) => {
    await act(() => router.navigate('/chat'))
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Messages' })).toBeNull())
    meanwhile()
    await act(() => router.navigate(`/chat/${id}`))
  }

  it('[E-22] to a conversation finds what was read meanwhile read, and what was written there', async () => {
    const { id, open, say, setStatus } = serve(2)
    const { router } = open()
    expect(await (await part()).findByText('Message 2')).toBeTruthy()
    await say({ side: 'client', status: 'sent' })
    expect(await (await part()).findByText('Sent')).toBeTruthy()
    await away(router, id, () => setStatus(3, 'read'))
    expect(await (await part()).findByText('Read')).toBeTruthy()
    await say({ text: 'While away' }, false)
    await away(router, id, () => {})
    expect(await (await part()).findByText('While away')).toBeTruthy()
  })

  it('[E-22] [E-25] to the line finds what was read without it read', async () => {
    const { open, say, setStatus } = serve(0)
    open()
    await (await part()).findByRole('list')
    await say({ side: 'client', status: 'sent' })
    setStatus(1, 'read')
    await hear('back')
    expect(await (await part()).findByText('Read')).toBeTruthy()
  })

  it('after long finds all that was written, also what no longer fits a page', async () => {
    const { id, open, say } = serve(1)
    const { router } = open()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    await away(router, id, () => void Array.from({ length: 40 }, () => say({}, false)))
    expect(await (await part()).findByText('Message 41')).toBeTruthy()
    expect((await part()).getAllByText(/^Message/)).toHaveLength(41)
  })
})

describe('earlier messages that do not come', () => {
  it('are said to be missing, and asked for once more by hand', async () => {
    let isAway = true
    const { open, asked } = serve(40, { until: (before) => (before !== null && isAway ? Promise.reject(new Error('cut')) : undefined) })
    open()
    expect(await (await part()).findByText('Message 40')).toBeTruthy()
    await scrollUp()
    expect((await (await part()).findByRole('alert')).textContent).toContain('Your messages could not be loaded')
    isAway = false
    const before = asked.length
    await userEvent.click((await part()).getByRole('button', { name: 'Try again' }))
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    expect([asked.length, (await part()).queryByRole('alert')]).toEqual([before + 1, null])
  })
})

describe('what is read', () => {
  it('[E-23] is said again with the next connection where nobody was reached', async () => {
    live.answers = false
    const { open, say } = serve(0)
    open()
    await (await part()).findByRole('list')
    await say({ status: 'delivered' })
    const reads = () => live.asked.filter((one) => one === 'read').length
    await waitFor(() => expect(reads()).toBe(1))
    await turnLine(false)
    const before = reads()
    live.answers = true
    await turnLine(true)
    await waitFor(() => expect(reads()).toBe(before + 1))
  })
})

describe('the line', () => {
  it('that is back is asked again for what is typed in the conversation', async () => {
    const { open } = serve(1)
    open()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    const joins = () => live.asked.filter((one) => one === 'join').length
    const before = joins()
    await hear('back')
    expect(joins()).toBe(before + 1)
  })

  it('is told when the conversation is left', async () => {
    const { open } = serve(1)
    const { router } = open()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    expect(live.asked).not.toContain('leave')
    await act(() => router.navigate('/chat'))
    await waitFor(() => expect(live.asked).toContain('leave'))
  })

  it('[E-25] that is away is made up for by asking, for the list as well', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { open, listed } = serve(1)
    open()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    const inMinutes = async (minutes: number) => {
      const before = listed.length
      await act(() => vi.advanceTimersByTimeAsync(minutes * minuteMs))
      return listed.length - before
    }
    expect(await inMinutes(1)).toBe(0)
    await turnLine(false)
    expect(await inMinutes(1)).toBeGreaterThanOrEqual(3)
  })
})

describe('addresses of pictures, which are good for an hour', () => {
  it('are read anew before they end, however much is said meanwhile', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { asked, open, say } = serve(1)
    open()
    expect(await (await part()).findByText('Message 1')).toBeTruthy()
    const pages = () => asked.filter((one) => one === 'before null').length
    expect(pages()).toBe(1)
    for (let minutes = 0; minutes < 40; minutes += 10) {
      await act(() => vi.advanceTimersByTimeAsync(10 * minuteMs))
      await say()
    }
    expect(pages()).toBe(1)
    await act(() => vi.advanceTimersByTimeAsync(10 * minuteMs))
    await waitFor(() => expect(pages()).toBe(2))
  })
})

describe('whoever writes', () => {
  it('goes on at the end, wherever they have read', async () => {
    const { open } = serve(3)
    open()
    const scroller = await screen.findByRole('group', { name: 'Messages' })
    for (const [name, value] of [
      ['scrollHeight', 1000],
      ['clientHeight', 100],
    ] as const)
      Object.defineProperty(scroller, name, { value })
    scroller.scrollTop = 300
    fireEvent.scroll(scroller)
    await userEvent.type(screen.getByRole('textbox', { name: 'Write to Maison Ondine' }), 'Hello{Enter}')
    expect(await (await part()).findByText('Hello')).toBeTruthy()
    expect(scroller.scrollTop).toBe(1000)
  })
})
