/** What happened to the money of visits that were kept before, in the order in which it happened. */
import { hash } from 'node:crypto'
import type { PaymentMethod } from '@soigne/contract/wire'
import { dayMs, type Instant } from '@soigne/contract/time'
import { parseInstant } from '#/platform/instants.ts'
import { sumOf } from './reckoning.ts'

/** What a provider took for a visit. */
export interface TakenOnline {
  checkoutId: string
  /** How the provider calls it. */
  reference: string
  method: PaymentMethod
  amount: number
  /** Whether nothing is left to pay after it. */
  isWhole: boolean
  at: Instant
}

export interface KeptVisit {
  id: string
  customerId: string | null
  client: string | null
  /** ISO; when it was paid. Null where nothing was taken at the counter: it was cancelled, or is not over. */
  endedAt: string | null
  lines: readonly { serviceId: string; name: unknown; memberId: string; memberName: string; amount: number }[]
  /** The first taken first. */
  online?: readonly TakenOnline[]
  /** Of one that was paid online: what stays with the institute, the rest goes back. */
  cancelled?: { at: Instant; by: 'client' | 'institute'; kept: number } | null
}

/** How a happening goes on: money at the counter; money online; a service given back the day after; all of the visit given up. */
export type Happening = { visit: KeptVisit; at: Instant } & (
  | { kind: 'counter' }
  | { kind: 'online'; taken: TakenOnline }
  | { kind: 'taken_back' }
  | { kind: 'cancelled'; by: 'client' | 'institute'; kept: number }
)

const chanceOf = (text: string): number => hash('sha256', text, 'buffer').readUInt8(0)

export const totalOf = ({ lines }: KeptVisit): number => sumOf(lines)
export const isPaidOnline = ({ online = [] }: KeptVisit): boolean => online.some(({ isWhole }) => isWhole)

/** One visit in 25 has its last service given back the day after; what was paid in two ways is not. */
function isTakenBack(visit: KeptVisit): boolean {
  const isOneWay = !visit.online?.length || isPaidOnline(visit)
  return isOneWay && visit.endedAt !== null && chanceOf(`${visit.id} back`) % 25 === 0 && (visit.lines.at(-1)?.amount ?? 0) > 0
}
export const counterMethodOf = ({ id }: KeptVisit): 'cash' | 'terminal' => (chanceOf(`${id} method`) % 3 === 0 ? 'cash' : 'terminal')

/** Minor units in a whole one of a currency. */
export const unitOf = (currency: string): number =>
  10 ** (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)

/** About a twentieth for one in six who pay at the counter, in whole units of the currency. */
export const tipOf = (visit: KeptVisit, unit: number): number =>
  chanceOf(`${visit.id} tip`) % 6 === 0 ? Math.floor(totalOf(visit) / 20 / unit) * unit : 0

function happeningsOf(visit: KeptVisit): Happening[] {
  const { endedAt, online = [], cancelled } = visit
  const all: Happening[] = online.map((taken) => ({ visit, kind: 'online', at: taken.at, taken }))
  if (cancelled) all.push({ visit, kind: 'cancelled', ...cancelled })
  if (endedAt === null) return all
  const at = parseInstant(endedAt)
  if (!isPaidOnline(visit)) all.push({ visit, kind: 'counter', at })
  if (isTakenBack(visit)) all.push({ visit, kind: 'taken_back', at: at + dayMs })
  return all
}

export const allHappenings = (visits: readonly KeptVisit[], now: Instant): Happening[] =>
  visits
    .flatMap(happeningsOf)
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at - b.at || (a.visit.id < b.visit.id ? -1 : 1))
