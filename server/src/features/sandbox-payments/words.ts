/** The words of the sandbox: JSON, signed with a secret that only this site has. */
import { createHmac, hkdfSync } from 'node:crypto'
import { minuteMs, type Instant } from '@soigne/contract/time'
import { disputeReasons } from '@soigne/contract/wire'
import * as z from 'zod/mini'
import type { ChargeState, KeptCard, PageState, ProviderWord } from '#/features/payments/service.ts'
import { parseInstant } from '#/platform/instants.ts'
import { sameBytes } from '#/platform/tokens.ts'
import type { CardKind, StoredPage, StoredWord } from './store.ts'

export const signatureHeader = 'sandbox-signature'
const toleranceMs = 5 * minuteMs

/** Made of the site's secret, which a trial keeps in its data folder. */
export const keyOf = (secret: string, purpose: 'pages' | 'words'): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `sandbox payments: ${purpose}`, 32))

const hashOf = (key: Buffer, at: string, bytes: Uint8Array): string =>
  createHmac('sha256', key).update(`${at}.`).update(bytes).digest('hex')

/** `t=1764000000000,v1=…`: when it was signed, and the hash over that and the bytes. */
export const signatureOf = (key: Buffer, bytes: Uint8Array, now: Instant): string => `t=${now},v1=${hashOf(key, String(now), bytes)}`

export class BadWord extends Error {}

const pageState = z.union([
  z.object({
    state: z.literal('paid'),
    reference: z.string().check(z.minLength(1)),
    amount: z.int().check(z.nonnegative()),
    currency: z.string().check(z.length(3)),
    card: z.optional(z.object({ token: z.string(), brand: z.string(), lastFour: z.string() })),
  }),
  z.object({ state: z.enum(['failed', 'cancelled', 'expired']) }),
])
const chargeState = z.union([
  z.object({
    state: z.literal('paid'),
    reference: z.string().check(z.minLength(1)),
    amount: z.int().check(z.positive()),
    currency: z.string().check(z.length(3)),
  }),
  z.object({ state: z.enum(['failed', 'asks']) }),
])
const word = z.union([
  z.object({ id: z.uuid(), at: z.iso.datetime(), kind: z.literal('page'), checkoutId: z.string(), page: pageState }),
  z.object({ id: z.uuid(), at: z.iso.datetime(), kind: z.literal('charge'), checkoutId: z.string(), charge: chargeState }),
  z.object({ id: z.uuid(), at: z.iso.datetime(), kind: z.literal('refund'), refundId: z.string(), state: z.enum(['done', 'failed']) }),
  z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    kind: z.literal('dispute'),
    disputeId: z.string(),
    reference: z.string(),
    accountId: z.null(),
    amount: z.int().check(z.positive()),
    currency: z.string().check(z.length(3)),
    state: z.enum(['open', 'won', 'lost']),
    why: z.nullable(z.enum(disputeReasons)),
    answerBy: z.nullable(z.int()),
  }),
])

export type Told =
  | { kind: 'page'; checkoutId: string; page: PageState }
  | { kind: 'charge'; checkoutId: string; charge: ChargeState }
  | { kind: 'refund'; refundId: string; state: 'done' | 'failed' }
  | Omit<Extract<ProviderWord, { kind: 'dispute' }>, 'id' | 'at'>

export const bytesOf = ({ id, happenedAt, body }: StoredWord): Buffer => Buffer.from(JSON.stringify({ id, at: happenedAt, ...body }))

const digits = { good: '4242', asking: '3184', empty: '0341' } as const
const cardOf = (id: string, kind: CardKind): KeptCard => ({
  token: `card_${kind}_${id.replaceAll('-', '')}`,
  brand: 'Visa',
  lastFour: digits[kind],
})

/** What became of a charge. */
export function chargeStateOf({ state, reference, amount, currency }: StoredPage): ChargeState {
  if (state === 'paid') return { state, reference: reference ?? '', amount, currency }
  return { state: state === 'asks' ? 'asks' : 'failed' }
}

/** What became of a page, at an instant: one that is over takes nothing, whether or not somebody has noticed. */
export function stateOf(page: StoredPage, now: Instant): PageState {
  const { state, reference, amount, currency, until, id, card } = page
  if (state === 'paid') return { state, reference: reference ?? '', amount, currency, ...(card && { card: cardOf(id, card) }) }
  if (state === 'asks') return { state: 'failed' }
  return { state: state === 'open' && parseInstant(until) <= now ? 'expired' : state }
}

/** @throws BadWord when it is forged, signed more than five minutes before or after `now`, cut short, or nothing this house says */
export function readWord(
  key: Buffer,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: Instant,
): ProviderWord {
  const header = headers[signatureHeader]
  const [, at = '', hash = ''] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? []
  if (!sameBytes(Buffer.from(hash, 'hex'), Buffer.from(hashOf(key, at, bytes), 'hex'))) throw new BadWord('the signature does not fit')
  if (Math.abs(now - Number(at)) > toleranceMs) throw new BadWord('signed at another time')
  const read = word.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')))
  if (!read.success) throw new BadWord('no word of this house')
  return { ...read.data, at: parseInstant(read.data.at) }
}

export const pageWord = (page: StoredPage, now: Instant): Told => ({
  kind: 'page',
  checkoutId: page.checkoutId,
  page: stateOf(page, now),
})
