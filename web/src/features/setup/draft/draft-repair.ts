// Reads field by field what an older version, or somebody's hand, may have stored: what is sound stays.
import { audiences, categories, languages, paymentMethods, weekdays } from '#/contract/closed-lists.ts'
import { dayOf } from '#/platform/time.ts'
import type { DraftMember, DraftPicture, DraftPlace, DraftService, OpeningRange, SetupDraft, Shift, Words } from './draft.ts'

type Stored = Record<string, unknown>

function isRecord(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const textOf = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)
const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' && Number.isFinite(value) ? value : otherwise)
const itemsOf = (value: unknown): Stored[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

function listOf<Item extends string>(value: unknown, known: readonly Item[], otherwise: Item[]): Item[] {
  return Array.isArray(value) ? known.filter((item) => value.includes(item)) : otherwise
}

/** In the order in which they were chosen: the first means something. */
function chosenOf<Item extends string>(value: unknown, known: readonly Item[]): Item[] {
  return Array.isArray(value) ? [...new Set(value)].filter((item): item is Item => known.includes(item as Item)) : []
}

function oneOf<Item extends string>(value: unknown, known: readonly Item[], otherwise: Item): Item {
  return known.find((item) => item === value) ?? otherwise
}

const wall = /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/

function rangesOf(value: unknown): OpeningRange[] {
  return itemsOf(value)
    .map((range) => ({ opensAt: textOf(range['opensAt']), closesAt: textOf(range['closesAt']) }))
    .filter(({ opensAt, closesAt }) => wall.test(opensAt) && wall.test(closesAt))
}

function shiftsOf(value: unknown): Shift[] {
  return itemsOf(value).flatMap((one) => rangesOf([one]).map((range) => ({ ...range, breaks: rangesOf(one['breaks']) })))
}

function weekOf<Range>(value: unknown, read: (day: unknown) => Range[]): Record<(typeof weekdays)[number], Range[]> {
  const stored = isRecord(value) ? value : {}
  const [monday, tuesday, wednesday, thursday, friday, saturday, sunday] = weekdays.map((weekday) => read(stored[weekday]))
  return {
    Monday: monday ?? [],
    Tuesday: tuesday ?? [],
    Wednesday: wednesday ?? [],
    Thursday: thursday ?? [],
    Friday: friday ?? [],
    Saturday: saturday ?? [],
    Sunday: sunday ?? [],
  }
}

function wordsOf(value: unknown): Words {
  const stored = isRecord(value) ? value : {}
  const words: Words = {}
  for (const locale of ['en', 'fr', 'ar'] as const) if (typeof stored[locale] === 'string') words[locale] = stored[locale]
  return words
}

/** None is known yet, or one that dates can be written in. */
function isZone(timeZone: string): boolean {
  try {
    return timeZone === '' || dayOf(0, timeZone) !== ''
  } catch {
    return false
  }
}

/** Nothing where days, amounts or the map could not be shown from it: it is asked for once more. */
function placeOf(value: unknown): DraftPlace | null {
  if (!isRecord(value)) return null
  const [lat, lon] = [numberOf(value['lat'], 999), numberOf(value['lon'], 999)]
  const timeZone = textOf(value['timeZone'])
  const countryCode = textOf(value['countryCode'])
  const currency = textOf(value['currency'], 'EUR')
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180 || !isZone(timeZone) || !/^(?:[A-Z]{2})?$/.test(countryCode)) return null
  return /^[A-Z]{3}$/.test(currency) ? { name: textOf(value['name']), lat, lon, timeZone, countryCode, currency } : null
}

/** What is named alike came twice. */
const once = <Item extends { key: string }>(items: readonly Item[]): Item[] => [...new Map(items.map((one) => [one.key, one])).values()]

function serviceOf(stored: Stored): DraftService[] {
  const key = textOf(stored['key'])
  if (key === '') return []
  return [
    {
      key,
      category: oneOf(stored['category'], categories, 'hair'),
      section: wordsOf(stored['section']),
      name: wordsOf(stored['name']),
      description: wordsOf(stored['description']),
      active: textOf(stored['active']),
      idle: textOf(stored['idle']),
      after: textOf(stored['after']),
      buffer: textOf(stored['buffer']),
      isSequential: stored['isSequential'] === true,
      minimumAge: textOf(stored['minimumAge']),
      priceKind: oneOf(stored['priceKind'], ['fixed', 'from', 'on_request'], 'fixed'),
      price: textOf(stored['price']),
      audience: oneOf(stored['audience'], audiences, 'All'),
      prerequisites: itemsOf(stored['prerequisites']).map((one) => ({
        key: textOf(one['key']),
        minHours: numberOf(one['minHours'], 48),
        maxMonths: numberOf(one['maxMonths'], 6),
      })),
    },
  ]
}

function memberOf(stored: Stored): DraftMember[] {
  const key = textOf(stored['key'])
  if (key === '') return []
  return [
    {
      key,
      name: textOf(stored['name']),
      title: textOf(stored['title']),
      isMe: stored['isMe'] === true,
      languages: listOf(stored['languages'], languages, []),
      bookableOnline: stored['bookableOnline'] !== false,
      skips: textsOf(stored['skips']),
      hours: oneOf(stored['hours'], ['salon', 'own'], 'salon'),
      anchorDay: textOf(stored['anchorDay']),
      weeks: itemsOf(stored['weeks'])
        .slice(0, 4)
        .map((week) => weekOf(week, shiftsOf)),
    },
  ]
}

function pictureOf(value: unknown): DraftPicture[] {
  if (!isRecord(value)) return []
  const [id, url] = [textOf(value['id']), textOf(value['url'])]
  if (id === '' || !url.startsWith('/files/')) return []
  return [{ id, url, width: numberOf(value['width'], 4), height: numberOf(value['height'], 3) }]
}

const windowOf = (value: unknown, otherwise: number | null): number | null => (value === null ? null : numberOf(value, otherwise ?? 0))

function identityOf(stored: Stored, initial: SetupDraft) {
  const claims = isRecord(stored['claims']) ? stored['claims'] : {}
  const step = numberOf(stored['step'], 0)
  return {
    step: Number.isInteger(step) ? Math.min(5, Math.max(0, step)) : 0,
    name: textOf(stored['name']),
    phone: textOf(stored['phone']),
    description: textOf(stored['description']),
    categories: chosenOf(stored['categories'], categories),
    address: textOf(stored['address']),
    quarter: textOf(stored['quarter']),
    postalCode: textOf(stored['postalCode']),
    place: placeOf(stored['place']),
    claims: textOf(claims['id']) === '' ? null : { id: textOf(claims['id']), name: textOf(claims['name']) },
    openingHours: weekOf(stored['openingHours'], rangesOf),
    atHomeService: stored['atHomeService'] === true,
    atHomeRadiusKm: textOf(stored['atHomeRadiusKm'], initial.atHomeRadiusKm),
    clientType: listOf(stored['clientType'], audiences, initial.clientType),
    offeredLanguages: listOf(stored['offeredLanguages'], languages, initial.offeredLanguages),
  }
}

/** The draft as it is understood today; null when it is nobody's, or somebody else's. */
export function repairedDraft(stored: unknown, initial: SetupDraft): SetupDraft | null {
  if (!isRecord(stored) || stored['_id'] !== initial._id) return null
  const deposit = isRecord(stored['deposit']) ? stored['deposit'] : {}
  return {
    ...initial,
    ...identityOf(stored, initial),
    services: once(itemsOf(stored['services']).flatMap(serviceOf)),
    staff: once(itemsOf(stored['staff']).flatMap(memberOf)),
    logo: pictureOf(stored['logo'])[0] ?? null,
    pictures: itemsOf(stored['pictures']).flatMap(pictureOf).slice(0, 12),
    paymentMethods: listOf(stored['paymentMethods'], paymentMethods, initial.paymentMethods),
    deposit: {
      kind: oneOf(deposit['kind'], ['none', 'fixed', 'percent'], 'none'),
      amount: textOf(deposit['amount']),
      percent: textOf(deposit['percent'], initial.deposit.percent),
    },
    cancelWindow: windowOf(stored['cancelWindow'], initial.cancelWindow),
    rescheduleWindow: windowOf(stored['rescheduleWindow'], initial.rescheduleWindow),
  }
}
