// What services and visits cost: exactly, from, between two prices when it depends on the person, or on request.
import type { Segment } from '@soigne/contract/appointments'
import type { Institute, Service } from '@soigne/contract/institutes'
import type { Money, PriceKind } from '@soigne/contract/wire'
import { useCallback } from 'react'
import { useMoney, useMoneyRange } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'

/** At least and at most. Without `most` it is open above; without both it is on request. */
export type PriceRange = { least: Money | null; most: Money | null }

const onRequest: PriceRange = { least: null, most: null }

function rangeOf(price: Money | null, kind: PriceKind | undefined): PriceRange {
  if (!price || kind === 'on_request') return onRequest
  return { least: price, most: kind === 'from' ? null : price }
}

/** Can be booked here: it has a price, and somebody performs it online. */
export function isBookable({ claimed }: Pick<Institute, 'claimed'>, { priceKind, performers }: Service): boolean {
  return claimed && priceKind !== 'on_request' && performers.length > 0
}

/** A service with what it costs on a day of the institute's calendar; today without one. */
export function serviceOn(service: Service, day: string | null): Service {
  const later = day === null ? undefined : service.laterPrices?.findLast(({ fromDay }) => fromDay <= day)
  return later ? { ...service, price: later.price, priceKind: later.priceKind, performers: later.performers } : service
}

/** What a service costs a client with a member, or with whom they get who ask for anyone. */
export const priceOfService = ({ performers, ...service }: Service, staffId: string | null): PriceRange =>
  priceAtDesk({ ...service, performers: performers.filter((one) => one.staffId === staffId || one.onlyByName !== true) }, staffId)

/** What it costs with a member, or with whoever of the team performs it: at the desk anyone may be everyone. */
export function priceAtDesk({ price, priceKind, performers }: Service, staffId: string | null): PriceRange {
  const performer = performers.find((one) => one.staffId === staffId)
  if (performer) return rangeOf(performer.price ?? price, priceKind)
  const asked = performers.map((one) => one.price ?? price).filter((one) => one !== null)
  const sorted = asked.toSorted((one, other) => one.amount - other.amount)
  const [least = price] = sorted
  const range = rangeOf(least, priceKind)
  return range.most === null ? range : { least, most: sorted.at(-1) ?? price }
}

/** What the service of a card or a window costs, with whomever. */
export const priceBetween = (least: Money | null, most: Money | null | undefined): PriceRange => ({ least, most: least && (most ?? null) })

/** Prices added up. What is on request adds nothing and leaves the sum open above. */
export function sumOfPrices(prices: readonly PriceRange[]): PriceRange {
  const sum = (amounts: readonly Money[]): Money | null =>
    amounts.reduce<Money | null>((all, { amount, currency }) => ({ amount: (all?.amount ?? 0) + amount, currency }), null)
  const tops = prices.flatMap(({ most }) => most ?? [])
  return { least: sum(prices.flatMap(({ least }) => least ?? [])), most: tops.length === prices.length ? sum(tops) : null }
}

/** What was agreed for one service of a visit. */
export const priceOfSegment = ({ price, priceKind }: Pick<Segment, 'price' | 'priceKind'>): PriceRange => rangeOf(price, priceKind)

/** What a visit comes to. */
export function priceOfVisit({ segments, total }: { segments: readonly Segment[]; total: Money }): PriceRange {
  const { least, most } = sumOfPrices(segments.map(priceOfSegment))
  return { least: least && total, most: most && total }
}

/** A price in words. */
export function usePriceText(): (price: PriceRange) => string {
  const { t } = useTranslation('prices')
  const money = useMoney()
  const range = useMoneyRange()
  return useCallback(
    ({ least, most }) => {
      if (!least) return t('onRequest')
      if (!most) return t('from', { price: money(least) })
      return least.amount === most.amount ? money(least) : range(least, most)
    },
    [t, money, range],
  )
}
