// The menu of a small institute, as its own people see it.
import type { Menu, MenuService } from '@soigne/contract/services'

export const [lash, tint] = ['019b8d2b-8c00-7286-a9fa-91d4fb44d103', '019b8d2b-8c00-7286-a9fa-91d4fb44d104'] as const
export const [salma, ines] = ['019b8d2b-8c00-7286-a9fa-91d4fb44d101', '019b8d2b-8c00-7286-a9fa-91d4fb44d102'] as const

export const lashLift: MenuService = {
  _id: lash,
  category: 'eyebrows',
  section: { en: 'Lashes' },
  name: { en: 'Lash lift', fr: 'Rehaussement de cils' },
  description: { en: 'Set, rest, set again' },
  activeMinutes: 20,
  idleMinutes: 20,
  activeAfterMinutes: 20,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 5,
  isSequential: false,
  priceKind: 'fixed',
  priceAmount: 6400,
  deposit: null,
  audience: 'All',
  latestStart: null,
  noticeMinutes: null,
  minimumAge: null,
  prerequisites: [],
  capacity: null,
  resourceType: null,
  venue: 'salon' as const,
  active: true,
  isSignature: false,
  performers: [{ staffId: salma, minutes: null, priceAmount: null }],
  laterPrices: [],
  archivedAt: null,
  successorId: null,
  comingVisits: 0,
}
export const lashTint: MenuService = {
  ...lashLift,
  _id: tint,
  name: { en: 'Lash tint' },
  activeMinutes: 15,
  idleMinutes: 0,
  activeAfterMinutes: 0,
  priceAmount: 2200,
}
export const smallMenu: Menu = {
  items: [lashLift, lashTint],
  slug: 'atelier-nacre',
  currency: 'EUR',
  timeZone: 'Europe/Paris',
  today: '2026-11-24',
  categories: ['nails', 'eyebrows'],
  team: [
    { _id: salma, name: 'Salma', imageUrl: '/art/face/a.svg' },
    { _id: ines, name: 'Inès', imageUrl: '/art/face/b.svg' },
  ],
  comesHome: true,
  resourceTypes: [{ type: 'bed', count: 1 }],
}
