import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { pictureOfSize } from '@soigne/contract/files'
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, ines, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { visitAt } from '#/testing/visits.ts'
import ChatPage from './chat-page.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

let chats = 0
const message = (seq: number, more: Partial<ChatMessage>): ChatMessage => ({
  _id: `m${seq}`,
  chatId: 'c',
  senderId: client.id,
  side: 'client',
  seq,
  clientId: `key-${seq}`,
  text: null,
  media: null,
  visit: null,
  freeTime: null,
  status: 'read',
  createdAt: '2031-03-09T09:00:00.000Z',
  ...more,
})
const picture = (n: number) => ({
  type: 'image' as const,
  url: `/files/p${n}`,
  name: null,
  bytes: 9,
  width: 300,
  height: 200,
})
const paper = { type: 'document' as const, url: '/files/d1', name: 'Aftercare.pdf', bytes: 12_000, width: null, height: null }

/** A conversation of one side with these messages; answers what was sent. */
function open(side: Chat['side'], messages: readonly ChatMessage[], more: Parameters<typeof fakeServer>[0] = {}) {
  const id = `019b8d2b-8c00-7cc5-9521-${String(++chats).padStart(12, '0')}`
  const chat: Chat = {
    _id: id,
    side,
    institute: { _id: nacre._id, slug: nacre.slug, name: nacre.name, coverUrl: '/art/cover/nails/a.svg', category: 'nails', city: 'Lyon' },
    client: { _id: client.id, name: 'Camille Rey', imageUrl: null },
    lastMessage: null,
    unread: 0,
    isArchived: false,
    isBlocked: false,
    isStopped: false,
    isAcquainted: true,
    updatedAt: '2031-03-09T10:00:00.000Z',
  }
  const page = { page: 1, pageSize: 30 }
  const sent: unknown[] = []
  fakeServer({
    me: () => client,
    chats: () => ({ ...page, items: [chat], total: 1, unread: 0 }),
    chat: () => chat,
    messages: ({ query }) => ({ ...page, items: query.has('after') ? [] : [...messages], total: query.has('after') ? 0 : messages.length }),
    readChat: () => ({ message: '' }),
    sendMessage({ body }) {
      const given = body as { clientId: string; appointmentId?: string }
      sent.push({ ...given, clientId: undefined, chatId: undefined })
      return message(99, { chatId: id, side, clientId: given.clientId, text: 'taken' })
    },
    offerFreeTime({ body }) {
      const { clientId, ...given } = body as { clientId: string }
      sent.push(given)
      return message(99, { chatId: id, side, clientId, text: 'taken' })
    },
    ...more,
  })
  renderSite(`/chat/${id}`, { '/chat/:id': <ChatPage />, '/chat': <ChatPage /> })
  return sent
}

describe('beside texts and files', () => {
  it('[P-03] a client shares one of the visits to come at this institute, and is offered no others', async () => {
    const here = visitAt('2031-03-12T15:00:00.000Z', { institute: { ...visitAt('2031-03-12T15:00:00.000Z').institute, _id: nacre._id } })
    const elsewhere = { ...visitAt('2031-03-13T15:00:00.000Z'), _id: 'elsewhere' }
    elsewhere.institute = { ...elsewhere.institute, _id: 'another' }
    const sent = open('client', [], { appointments: () => ({ items: [here, elsewhere], page: 1, pageSize: 50, total: 2 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Share an appointment' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Share an appointment' }))
    const choices = await sheet.findAllByRole('button', { name: /March/ })
    expect(choices).toHaveLength(1)
    await userEvent.click(choices[0]!)
    await waitFor(() => expect(sent).toEqual([{ appointmentId: here._id }]))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('a client without a visit there is told so', async () => {
    open('client', [], { appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Share an appointment' }))
    expect(await screen.findByText('You have no upcoming appointment at Atelier Nacre.')).toBeTruthy()
  })

  it('the institute offers a time that is free: what, with whom and when', async () => {
    vi.useFakeTimers({ now: Date.parse('2031-03-09T08:00:00Z'), shouldAdvanceTime: true })
    const asked: (string | null)[] = []
    const sent = open('institute', [], {
      institute: () => nacre,
      nextTimes: () => ({
        timeZone: nacre.timeZone,
        services: [],
        times: [{ startsAt: '2031-03-10T09:00:00.000Z', endsAt: '2031-03-10T10:00:00.000Z' }],
      }),
      availability({ query }) {
        asked.push(query.get('staff'))
        const times = [{ startsAt: '2031-03-10T09:00:00.000Z', endsAt: '2031-03-10T10:00:00.000Z' }]
        return { timeZone: nacre.timeZone, days: [{ day: '2031-03-10', times, taken: [] }] }
      },
    })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.click(await screen.findByRole('button', { name: 'Offer a free time' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Offer a free time' }))
    await user.selectOptions(await sheet.findByRole('combobox', { name: 'Service' }), gelManicure)
    await user.selectOptions(sheet.getByRole('combobox', { name: 'Team member' }), ines)
    await user.click(sheet.getByRole('button', { name: 'Choose a time' }))
    expect(sent).toEqual([])
    await user.click(await sheet.findByRole('radio', { name: /10:00/ }))
    await user.click(sheet.getByRole('button', { name: 'Offer 10:00 tomorrow' }))
    await waitFor(() =>
      expect(sent).toEqual([{ services: [{ serviceId: gelManicure, staffId: ines }], startsAt: '2031-03-10T09:00:00.000Z' }]),
    )
    expect(asked).toContain(ines)
  })
})

describe('a free time in a conversation', () => {
  const offered = {
    startsAt: '2031-03-10T09:00:00.000Z',
    endsAt: '2031-03-10T10:00:00.000Z',
    timeZone: 'Europe/Paris',
    services: [{ serviceId: gelManicure, name: { en: 'Gel manicure' }, staffId: ines, staffName: 'Inès' }],
  }

  it('leads the client to its booking with everything chosen, and is over once it has begun', async () => {
    const past = { ...offered, startsAt: '2021-03-10T09:00:00.000Z' }
    open('client', [message(1, { side: 'institute', freeTime: offered }), message(2, { side: 'institute', freeTime: past })])
    const links = await screen.findAllByRole('link', { name: 'Book this time' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      `/salon/atelier-nacre/book?service=${gelManicure}&staff=${ines}&at=2031-03-10T09%3A00%3A00.000Z`,
    ])
    expect(screen.getAllByText('Gel manicure')).toHaveLength(2)
  })

  it('is not for the institute to book', async () => {
    open('institute', [message(1, { side: 'institute', freeTime: offered })])
    expect(await screen.findByText('Gel manicure')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Book this time' })).toBeNull()
  })
})

describe('the files of a conversation', () => {
  it('[C-16] [E-06] are shown by kind, and a picture opens among the others', async () => {
    const asked: (string | null)[] = []
    open('client', [], {
      chatMedia({ query }) {
        asked.push(query.get('type'))
        const items =
          query.get('type') === 'image'
            ? [message(2, { media: picture(2) }), message(1, { media: picture(1) })]
            : [message(3, { media: paper })]
        return { items, page: 1, pageSize: 30, total: items.length }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'More' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Pictures and documents' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Pictures and documents' }))
    const small = await drawer.findAllByRole('img', { name: 'Picture' })
    expect(small.map((one) => one.getAttribute('src'))).toEqual([pictureOfSize(picture(2).url, 320), pictureOfSize(picture(1).url, 320)])
    await userEvent.click(drawer.getByRole('radio', { name: 'Documents' }))
    expect((await drawer.findByRole('link', { name: /Aftercare\.pdf/ })).getAttribute('href')).toBe('/files/d1')
    await userEvent.click(drawer.getByRole('radio', { name: 'Pictures' }))
    await userEvent.click((await drawer.findAllByRole('button', { name: 'Picture' }))[1]!)
    expect(await screen.findByText('2 of 2')).toBeTruthy()
    expect(asked).toEqual(['image', 'document'])
  })

  it('that do not come when more are asked for are said to be missing', async () => {
    open('client', [], {
      chatMedia: ({ query }) =>
        query.get('page') === '1'
          ? { items: [message(1, { media: picture(1) })], page: 1, pageSize: 30, total: 31 }
          : refused(503, { code: 'unavailable', message: 'Away.' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'More' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Pictures and documents' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Pictures and documents' }))
    await userEvent.click(await drawer.findByRole('button', { name: 'Show more' }))
    expect((await drawer.findByRole('alert')).textContent).toBe('The files could not be loaded')
    expect(drawer.getAllByRole('img', { name: 'Picture' })).toHaveLength(1)
  })

  it('that are none are said to be none', async () => {
    open('client', [], { chatMedia: () => ({ items: [], page: 1, pageSize: 30, total: 0 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'More' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Pictures and documents' }))
    expect(await screen.findByText('No pictures yet.')).toBeTruthy()
  })
})

describe('a picture in a conversation', () => {
  it('[U-10] opens in the viewer with all that were sent', async () => {
    open(
      'client',
      [1, 2, 3].map((n) => message(n, { media: picture(n) })),
    )
    await userEvent.click((await screen.findAllByRole('button', { name: 'Picture' }))[2]!)
    expect(await screen.findByText('3 of 3')).toBeTruthy()
    await userEvent.keyboard('{ArrowLeft}')
    expect(await screen.findByText('2 of 3')).toBeTruthy()
  })
})

describe('a conversation that does not come', () => {
  it.each([
    [503, 'unavailable', 'Your messages could not be loaded'],
    [404, 'not_found', 'This conversation isn’t here'],
  ] as const)('is said to be away only when the server says so: %i', async (status, code, title) => {
    open('client', [], { chat: () => refused(status, { code, message: 'No.' }) })
    expect(await screen.findByText(title)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})
