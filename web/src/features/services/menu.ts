// The menu as it is shown: words in the reader's language, groups in their order, and what a change of the order means.
import type { Menu, MenuService, ServiceSent, Words } from '@soigne/contract/services'
import type { Locale, Money } from '@soigne/contract/wire'

export const menuLocales: readonly Locale[] = ['en', 'fr', 'ar']

/** Each in its own words, as in the menu of languages. */
export const languageNames: Record<Locale, string> = { en: 'English', fr: 'Français', ar: 'العربية' }

/** In the reader's language, else in the first there is: as clients read it. */
export function wordIn(words: Words, locale: string): string {
  const own = menuLocales.find((one) => one === locale)
  return (own && words[own]) || words.en || words.fr || words.ar || ''
}

export type Group = { key: string; section: Words; items: readonly MenuService[] }

export const keyOf = ({ en = '', fr = '', ar = '' }: Words): string => [en, fr, ar].join('\n')

/** What is on the menu, by group, in the order in which the first of each stands there. */
export function groupsOf({ items }: Pick<Menu, 'items'>): Group[] {
  const groups = new Map<string, { section: Words; items: MenuService[] }>()
  for (const item of items) {
    if (item.archivedAt !== null) continue
    const key = keyOf(item.section)
    const group = groups.get(key)
    if (group) group.items.push(item)
    else groups.set(key, { section: item.section, items: [item] })
  }
  return [...groups].map(([key, group]) => ({ key, ...group }))
}

const idsOf = (groups: readonly Group[]): string[] => groups.flatMap(({ items }) => items.map(({ _id }) => _id))

function swapped<T>(list: readonly T[], from: number, to: number): T[] {
  const next = list.filter((_one, at) => at !== from)
  const moved = list[from]
  return moved === undefined ? [...list] : next.toSpliced(to, 0, moved)
}

/** All services in the order they have once one stands elsewhere in its group; nothing where that is no place. */
export function withServiceAt(groups: readonly Group[], id: string, place: number): string[] | null {
  const group = groups.find(({ items }) => items.some(({ _id }) => _id === id))
  const from = group?.items.findIndex(({ _id }) => _id === id) ?? -1
  if (!group || place < 0 || place >= group.items.length || place === from) return null
  return idsOf(groups.map((one) => (one === group ? { ...one, items: swapped(one.items, from, place) } : one)))
}

/** The same for a whole group. */
export function withGroupAt(groups: readonly Group[], key: string, place: number): string[] | null {
  const from = groups.findIndex((one) => one.key === key)
  if (from < 0 || place < 0 || place >= groups.length || place === from) return null
  return idsOf(swapped(groups, from, place))
}

export const lengthOf = ({ activeMinutes, idleMinutes = 0, activeAfterMinutes = 0 }: Parts): number =>
  activeMinutes + idleMinutes + activeAfterMinutes
export type Parts = { activeMinutes: number; idleMinutes?: number | undefined; activeAfterMinutes?: number | undefined }

export const moneyOf = (amount: number | null, currency: string): Money | null => (amount === null ? null : { amount, currency })

// What the editor of a service begins with: what is stored, or what a new one usually is.

const texts = (words: Partial<Record<string, string | undefined>> = {}) => ({
  en: words['en'] ?? '',
  fr: words['fr'] ?? '',
  ar: words['ar'] ?? '',
})

export const valuesOf = ({
  _id: _own,
  archivedAt: _archived,
  successorId: _successor,
  comingVisits: _visits,
  name,
  section,
  description,
  ...rest
}: MenuService): ServiceSent => ({ ...rest, name: texts(name), section: texts(section), description: texts(description) })

/** A new one, with everybody of the team, in the group that was asked for. */
export function newValues({ team, categories, items }: Menu, group: string | null, locale: string): ServiceSent {
  const language = menuLocales.find((one) => one === locale) ?? 'en'
  return {
    category: categories[0] ?? items[0]?.category ?? 'hair',
    name: texts(),
    section: texts(group === null ? {} : { [language]: group }),
    description: texts(),
    activeMinutes: 40,
    idleMinutes: 0,
    activeAfterMinutes: 0,
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    isSequential: false,
    priceKind: 'fixed',
    priceAmount: null,
    deposit: null,
    audience: 'All',
    latestStart: null,
    noticeMinutes: null,
    minimumAge: null,
    prerequisites: [],
    capacity: null,
    resourceType: null,
    venue: 'salon',
    active: true,
    isSignature: false,
    performers: team.map(({ _id }) => ({ staffId: _id, minutes: null, priceAmount: null })),
    laterPrices: [],
  }
}

type Minutes = { activeMinutes: number; idleMinutes: number; activeAfterMinutes: number }

/** The parts a length in all leads to: a waiting part stays where there is room for work around it. */
export function partsOfLength(length: number, { idleMinutes, activeAfterMinutes }: Minutes): Minutes {
  const active = length - idleMinutes - activeAfterMinutes
  return active >= 5
    ? { activeMinutes: active, idleMinutes, activeAfterMinutes }
    : { activeMinutes: length, idleMinutes: 0, activeAfterMinutes: 0 }
}

/** With a waiting part in the middle, out of work alone. */
export const withWait = ({ activeMinutes }: Minutes): Minutes => ({ activeMinutes, idleMinutes: 20, activeAfterMinutes: 20 })
/** Without: all of it is work. */
export const withoutWait = (parts: Minutes): Minutes => ({
  activeMinutes: parts.activeMinutes + parts.activeAfterMinutes,
  idleMinutes: 0,
  activeAfterMinutes: 0,
})

/** The longest other service that fits into a waiting part. */
export function fittingService({ items }: Menu, id: string | null, idleMinutes: number): MenuService | undefined {
  return items
    .filter((one) => one._id !== id && one.active && one.idleMinutes === 0 && one.priceKind !== 'on_request')
    .filter((one) => lengthOf(one) + one.bufferBeforeMinutes + one.bufferAfterMinutes <= idleMinutes)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))[0]
}
