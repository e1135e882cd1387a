import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Notification } from '@soigne/contract/notifications'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchStored } from '#/platform/storage.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { samplesOf } from './samples.ts'

// Sockets are the server's to test: here they only say what one of them would.
const live = vi.hoisted(() => new Map<string, Set<(payload: unknown) => void>>())
vi.mock('#/platform/live-socket.ts', async () => {
  const { useEffect } = await import('react')
  return {
    useIsLive: () => true,
    useLive(name: string, listener: (payload: unknown) => void) {
      useEffect(() => {
        const all = live.get(name) ?? new Set()
        live.set(name, all.add(listener))
        return () => void all.delete(listener)
      })
    },
  }
})
const hear = (name: string, payload?: unknown) =>
  act(async () => {
    for (const listener of live.get(name) ?? []) listener(payload)
    await Promise.resolve()
  })

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const one = (more: Partial<Notification> = {}): Notification => ({
  id: '019b8d2b-8c00-7cc5-9521-554c2efd34e7',
  title: 'Booked: Tue 24 Nov at 10:00',
  message: 'Gel manicure with Inès, Maison Ondine',
  timestamp: '2099-01-01T00:00:00.000Z',
  isRead: false,
  type: 'appointment',
  path: '/terms',
  ...more,
})

/** A server that keeps what it is told to keep. */
function serve(items: Notification[], onRemove?: () => ReturnType<typeof refused>) {
  localStorage.setItem('AuthToken', 't')
  const asked: string[] = []
  let kept = items
  const done = { message: '' }
  fakeServer({
    me: () => client,
    notifications: () => ({ items: kept, page: 1, pageSize: 50, total: kept.length, unread: kept.filter(({ isRead }) => !isRead).length }),
    readNotification({ params }) {
      asked.push(`read ${params.id}`)
      kept = kept.map((item) => (item.id === params.id ? { ...item, isRead: true } : item))
      return done
    },
    readAllNotifications() {
      asked.push('read all')
      kept = kept.map((item) => ({ ...item, isRead: true }))
      return done
    },
    removeNotification({ params }) {
      if (onRemove) return onRemove()
      asked.push(`remove ${params.id}`)
      kept = kept.filter(({ id }) => id !== params.id)
      return done
    },
  })
  return asked
}

async function openBell(name: RegExp = /^Notifications/) {
  await userEvent.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('region', { name: 'Notifications' }))
}
const titles = (list: Awaited<ReturnType<typeof openBell>>) =>
  list.getAllByRole('listitem').map((item) => item.querySelector('strong')?.firstChild?.textContent)

const samples = ['Welcome to Soigné', 'All your appointments in one place', 'We’ll remind you']

describe('the bell', () => {
  it('keeps what a new account is greeted with once the page is drawn: news of it reaches all that is kept', async () => {
    const written: string[] = []
    const forget = watchStored(() => written.push(localStorage.getItem('sampleNotifications') ?? ''))
    expect(samplesOf('somebody', 0)).toEqual({ since: '1970-01-01T00:00:00.000Z', read: [], removed: [] })
    expect(written).toEqual([])
    serve([])
    renderSite('/terms')
    expect(titles(await openBell())).toHaveLength(3)
    forget()
    expect(written.map((text) => Object.keys(JSON.parse(text) as object))).toEqual([[client.id]])
  })

  it('[E-08] greets a new user with three samples of this browser, counted as unread', async () => {
    serve([])
    renderSite('/terms')
    const list = await openBell(/^Notifications, 3 unread$/)
    expect(titles(list)).toEqual(samples)
  })

  it('[U-14] [E-07] shows what the server tells above them, and leads where it is about', async () => {
    const asked = serve([one({ path: '/contact' })])
    renderSite('/terms', { '/contact': <h1>Help Center</h1> })
    const list = await openBell(/^Notifications, 4 unread$/)
    expect(titles(list)).toEqual(['Booked: Tue 24 Nov at 10:00', ...samples])
    await userEvent.click(list.getByRole('link', { name: /Booked: Tue 24 Nov/ }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Help Center' })).toBeTruthy()
    expect(asked).toEqual([`read ${one().id}`])
    expect(await screen.findByRole('button', { name: 'Notifications, 3 unread' })).toBeTruthy()
  })

  it('[E-26] a sample pressed is read and one removed stays away, also after the page is loaded again', async () => {
    serve([])
    renderSite('/terms')
    const list = await openBell()
    await userEvent.click(list.getByRole('button', { name: /^Welcome to Soigné/ }))
    await userEvent.click(list.getByRole('button', { name: 'Remove: We’ll remind you' }))
    cleanup()
    renderSite('/terms')
    expect(titles(await openBell(/^Notifications, 1 unread$/))).toEqual(samples.slice(0, 2))
  })

  it('[E-26] marks all as read at once, and removes one', async () => {
    const asked = serve([one()])
    renderSite('/terms')
    const list = await openBell()
    await userEvent.click(list.getByRole('button', { name: 'Mark all as read' }))
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
    expect(document.activeElement).toBe(list.getByRole('heading', { name: 'Notifications' }))
    await userEvent.click(list.getByRole('button', { name: 'Remove: Booked: Tue 24 Nov at 10:00' }))
    expect(titles(list)).toEqual(samples)
    await waitFor(() => expect(document.activeElement).toBe(list.getByRole('button', { name: 'Remove: Welcome to Soigné' })))
    expect(asked).toEqual(['read all', `remove ${one().id}`])
  })

  it('[E-26] one that could not be removed is there again, and why is said', async () => {
    serve([one()], () => refused(503, { code: 'unavailable', message: 'Briefly away.' }))
    renderSite('/terms')
    const list = await openBell()
    await userEvent.click(list.getByRole('button', { name: 'Remove: Booked: Tue 24 Nov at 10:00' }))
    expect(await screen.findByText('Briefly away.')).toBeTruthy()
    await waitFor(() => expect(titles(list)).toHaveLength(4))
  })

  it('[E-07] counts and lists what is told while the page is open, and what was told while it was not connected', async () => {
    const items: Notification[] = []
    serve(items)
    renderSite('/terms')
    const list = await openBell(/^Notifications, 3 unread$/)
    items.push(one())
    await hear('notification', { unread: 1 })
    expect(await list.findByRole('link', { name: /Booked: Tue 24 Nov/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Notifications, 4 unread' })).toBeTruthy()
    items.push(one({ id: '019b8d2b-8c00-7cc5-9521-554c2efd34e8', title: 'Moved' }))
    await hear('back')
    expect(await screen.findByRole('button', { name: 'Notifications, 5 unread' })).toBeTruthy()
    expect(await list.findByRole('link', { name: /Moved/ })).toBeTruthy()
  })

  it('samples of one account are not those of another', async () => {
    serve([])
    renderSite('/terms')
    const list = await openBell()
    await userEvent.click(list.getByRole('button', { name: 'Mark all as read' }))
    cleanup()
    localStorage.setItem('AuthToken', 'another')
    fakeServer({
      me: () => ({ ...client, id: '019b8d2b-8c00-7cc5-9521-554c2efd34ff' }),
      notifications: () => ({ items: [], page: 1, pageSize: 50, total: 0, unread: 0 }),
    })
    renderSite('/terms')
    expect(await screen.findByRole('button', { name: 'Notifications, 3 unread' })).toBeTruthy()
  })

  it('[E-27] asks a client who is known at the provider for the calendar, until there is access; nobody else', async () => {
    const known = { ...client, isConnectedGoogle: true }
    for (const [user, isAsked] of [
      [known, true],
      [{ ...known, hasGoogleCalendarAccess: true }, false],
      [{ ...known, role: 'isPro' as const }, false],
      [client, false],
    ] as const) {
      localStorage.clear()
      localStorage.setItem('AuthToken', 't')
      fakeServer({ me: () => user })
      renderSite('/terms')
      await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }))
      const link = screen.queryByRole('link', { name: /Connect your calendar/ })
      expect(link?.getAttribute('href') ?? null).toBe(isAsked ? '/give-access?type=calendar' : null)
      cleanup()
    }
  })

  it('[E-27] says once that a calendar is no longer connected, and where to connect it again; also to people of institutes', async () => {
    const lost = one({ title: 'Your Google Calendar is no longer connected', type: 'calendar-scope', path: '/give-access?type=calendar' })
    for (const role of ['isClient', 'isPro'] as const) {
      localStorage.clear()
      localStorage.setItem('AuthToken', 't')
      fakeServer({
        me: () => ({ ...client, role, isConnectedGoogle: true }),
        notifications: () => ({ items: [lost], page: 1, pageSize: 50, total: 1, unread: 1 }),
      })
      renderSite('/terms')
      const list = await openBell(/^Notifications, 4 unread$/)
      expect(list.getByRole('link', { name: /no longer connected/ }).getAttribute('href')).toBe('/give-access?type=calendar')
      expect(list.queryByRole('link', { name: /Connect your calendar/ })).toBeNull()
      cleanup()
    }
  })
})
