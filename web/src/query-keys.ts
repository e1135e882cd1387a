// The keys of all queries, so that what a change makes stale is found where it is named. The session's stands with the session.
import type { QueryKey } from '@tanstack/react-query'

/** A part of the cart as it is sent: anything that reads the same is the same key. */
type Asked = unknown

const availability = ['availability'] as const
const appointments = ['appointments'] as const
const favourites = ['favourites'] as const
const reviews = ['reviews'] as const
const chats = ['chats'] as const

export const queryKeys = {
  availability: {
    /** Whatever says when somebody is free. */
    all: availability,
    ofInstitute: (instituteId: string) => [...availability, instituteId],
    ofCart: (instituteId: string, items: Asked, atHome = false) => [...availability, instituteId, items, ...(atHome ? ['home'] : [])],
    nextOfCart: (instituteId: string, items: Asked, atHome = false) => [
      ...availability,
      instituteId,
      items,
      'next',
      ...(atHome ? ['home'] : []),
    ],
    panel: (instituteId: string, service: Asked) => [...availability, instituteId, 'panel', service],
  },
  /** Parts of one source of times, be it a booking's or a move's. */
  times: {
    days: (source: QueryKey, from: string) => [...source, 'days', from],
    month: (source: QueryKey, month: string) => [...source, 'month', month],
    first: (source: QueryKey, from: string) => [...source, 'first', from],
  },
  holds: ['holds'],
  appointment: (id: string) => ['appointment', id],
  moveTimes: (id: string, ...staff: readonly string[]) => ['appointment', id, 'times', ...staff],
  movePlan: (id: string, startsAt: string, staff: string) => ['appointment', id, 'times', 'plan', startsAt, staff],
  /** Who else could do it. */
  moveOthers: (id: string) => ['appointment', id, 'others'],
  appointments: {
    all: appointments,
    list: (place: Asked) => [...appointments, 'list', place],
    upcoming: [...appointments, 'upcoming'],
  },
  /** Another time that is proposed, and whether it begins late. */
  proposal: (id: string) => ['appointment', id, 'proposal'],
  series: (id: string) => ['appointment', id, 'series'],
  seriesPlan: (id: string, everyWeeks: number, times: number) => ['appointment', id, 'series', 'plan', everyWeeks, times],
  reminders: (id: string, startsAt: string) => ['appointment', id, 'reminders', startsAt],
  favourites: {
    all: favourites,
    ids: (userId: string) => [...favourites, 'ids', userId],
    list: (page: number, free: Asked) => [...favourites, 'list', page, free],
    first: [...favourites, 'first'],
  },
  reviews: {
    all: reviews,
    ofInstitute: (slug: string, asked: Asked) => [...reviews, slug, asked],
    ofVisit: (id: string) => ['appointment', id, 'review'],
  },
  packages: ['packages'],
  calendars: ['calendars'],
  chats: {
    all: chats,
    list: (filter: Asked) => [...chats, 'list', filter],
    one: (id: string) => [...chats, 'one', id],
    unread: (side: string) => [...chats, 'unread', side],
    /** What an institute offers, when it writes to somebody. */
    menu: (slug: string) => ['chat-menu', slug],
    /** Apart from the lists: it is changed by what comes, not read anew. */
    messages: (id: string) => ['messages', id],
    media: (id: string, type: string) => ['messages', id, 'media', type],
  },
  notifications: (userId: string) => ['notifications', userId],
  notificationChoices: ['notification-choices'],
  ownProfile: ['own-profile'],
  devices: ['devices'],
  passkeys: ['passkeys'],
  places: (text: string, near?: object) => ['places', text, ...(near ? [near] : [])],
  resetToken: (token: string) => ['reset-token', token],
} as const
