// The services of an institute that can be booked online, and which of them always have the same free starts.
import { createHash } from 'node:crypto'
import { spanMinutes } from '@soigne/scheduling/free-time'
import type { MemberDiary } from '@soigne/scheduling/model'
import { isGroupService } from '@soigne/scheduling/sessions'
import { leadsOf, type LoadedInstitute, performersOf, priceWith } from '#/features/availability/service.ts'

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
  /** The order in which services lead; see leading.ts. */
  lead: number
}

export interface Classes {
  services: BookableService[]
  /** One service of each class, by its number. */
  examples: string[]
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
function classText(loaded: LoadedInstitute, serviceId: string, performers: readonly MemberDiary[]): string {
  const rule = loaded.diary.services.get(serviceId)
  const performed = performers.map(({ id, performs }) => [id, performs.get(serviceId)?.parts])
  // Sessions are of one service alone.
  if (isGroupService(rule)) return JSON.stringify([serviceId, performed])
  return JSON.stringify([
    rule?.parts,
    rule?.bufferBeforeMinutes,
    rule?.bufferAfterMinutes,
    rule?.latestStart,
    rule?.resourceType,
    performed,
  ])
}

function longestReach({ diary }: LoadedInstitute): number {
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
  return span + buffers
}

export function classesOf(loaded: LoadedInstitute): Classes {
  const numbers = new Map<string, number>()
  const examples: string[] = []
  const services: BookableService[] = []
  const leads = leadsOf(loaded)
  for (const [position, service] of [...loaded.serviceDetails.values()].entries()) {
    const performers = performersOf(loaded, service.id)
    if (performers.length === 0) continue
    const text = classText(loaded, service.id, performers)
    let timeClass = numbers.get(text)
    if (timeClass === undefined) {
      numbers.set(text, (timeClass = examples.length))
      examples.push(service.id)
    }
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
