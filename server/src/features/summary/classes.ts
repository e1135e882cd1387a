// The services of an institute that can be booked online, and which of them always have the same free starts.
import { createHash } from 'node:crypto'
import type { Venue } from '@soigne/contract/wire'
import { diaryFor } from '@soigne/scheduling/at-home'
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { CartLine, MemberDiary } from '@soigne/scheduling/model'
import { isGroupService } from '@soigne/scheduling/sessions'
import { anyoneOf, leadsOf, type LoadedInstitute, priceWith } from '#/features/availability/service.ts'

export interface BookableService {
  serviceId: string
  position: number
  category: string
  audience: string
  durationMinutes: number
  priceAmount: number | null
  minorUnits: number
  noticeMinutes: number
  timeClass: number
  /** The class of its starts at the client's home; null when it is not done there. */
  homeClass: number | null
  /** The order in which services lead; see leading.ts. */
  lead: number
}

export interface Classes {
  services: BookableService[]
  /** One service of each class, by its number. */
  examples: CartLine[]
  /** Another text means another numbering. */
  key: string
  /** How long before something taken a start may be that it stands in the way of, in minutes. */
  reachMinutes: number
}

const digits = new Map<string, number>()

/** Minor units in one whole unit of a currency: 100 for EUR, 1000 for TND. */
function minorUnits(currency: string): number {
  let places = digits.get(currency)
  if (places === undefined)
    digits.set(
      currency,
      (places = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2),
    )
  return 10 ** places
}

/** What decides the free starts of a service beside the diaries themselves. Notice is asked later. */
function classText({ diary: usual }: LoadedInstitute, line: CartLine, performers: readonly MemberDiary[]): string {
  const { serviceId, atHome } = line
  const diary = diaryFor(usual, [line])
  const rule = diary.services.get(serviceId)
  const ids = new Set(performers.map(({ id }) => id))
  const performed = diary.members.filter(({ id }) => ids.has(id)).map(({ id, performs }) => [id, performs.get(serviceId)?.parts])
  // Sessions are of one service alone.
  if (isGroupService(rule)) return JSON.stringify([serviceId, performed])
  return JSON.stringify([
    // Whether a gap is hidden depends on what else is done there, which differs with what is done at home.
    ...(atHome && diary.rules.gaps === 'hide' ? [serviceId] : []),
    rule?.parts,
    rule?.bufferBeforeMinutes,
    rule?.bufferAfterMinutes,
    rule?.latestStart,
    rule?.resourceType,
    performed,
  ])
}

function longestReach({ diary, institute }: LoadedInstitute): number {
  let span = 0
  let buffers = 0
  for (const rule of diary.services.values()) {
    span = Math.max(span, spanMinutes(rule.parts))
    buffers = Math.max(buffers, rule.bufferBeforeMinutes + rule.bufferAfterMinutes)
    for (const { performs } of diary.members) {
      const parts = performs.get(rule.id)?.parts
      if (parts) span = Math.max(span, spanMinutes(parts))
    }
  }
  return span + buffers + (institute.homeRadiusKm === null ? 0 : 2 * (diary.travelMinutes ?? 0))
}

export function classesOf(loaded: LoadedInstitute): Classes {
  const numbers = new Map<string, number>()
  const examples: CartLine[] = []
  const services: BookableService[] = []
  const leads = leadsOf(loaded)
  const classOf = (line: CartLine, performers: readonly MemberDiary[]): number => {
    const text = classText(loaded, line, performers)
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, examples.length)
    return examples.push(line) - 1
  }
  /** A class of a group is held in one place. */
  const isDoneAtHome = ({ id, venue }: { id: string; venue: Venue }): boolean =>
    venue === 'either' && loaded.institute.homeRadiusKm !== null && !isGroupService(loaded.diary.services.get(id))
  for (const [position, service] of [...loaded.serviceDetails.values()].entries()) {
    const performers = anyoneOf(loaded, service.id)
    if (performers.length === 0) continue
    const timeClass = classOf({ serviceId: service.id }, performers)
    const homeClass = isDoneAtHome(service) ? classOf({ serviceId: service.id, atHome: true }, performers) : null
    const prices = performers.map(({ id }) => priceWith(loaded, service.id, id, null)).filter((price) => price !== null)
    services.push({
      serviceId: service.id,
      position,
      category: service.category,
      audience: service.audience,
      durationMinutes: Math.min(...performers.map(({ performs }) => spanMinutes(performs.get(service.id)?.parts ?? service.parts))),
      priceAmount: prices.length === 0 ? null : Math.min(...prices),
      minorUnits: minorUnits(loaded.institute.currency),
      noticeMinutes: loaded.diary.services.get(service.id)?.noticeMinutes ?? loaded.diary.rules.noticeMinutes,
      timeClass,
      homeClass: service.venue === 'home' ? timeClass : homeClass,
      lead: leads.get(service.id) ?? 0,
    })
  }
  return {
    services,
    examples,
    key: createHash('md5')
      .update([...numbers.keys()].join())
      .digest('base64url'),
    reachMinutes: longestReach(loaded),
  }
}
