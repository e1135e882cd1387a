// What the till knows: the visit that is paid, the people, the menu and the shelf.
import type { Product } from '@soigne/contract/products'
import type { Sale } from '@soigne/contract/sales'
import type { Service } from '@soigne/contract/institutes'
import type { ServicePackage } from '@soigne/contract/vouchers'
import { minuteMs } from '@soigne/contract/time'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { api } from '#/platform/api.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useUser } from '#/platform/session.tsx'
import { dayOf, ownZone } from '#/platform/time.ts'
import { priceAtDesk } from '#/prices.ts'
import type { Line, ShownLine } from './reckoning.ts'

export type Member = { _id: string; name: string; imageUrl: string; services: readonly string[] }
export type TillData = {
  /** Null at the counter. */
  sale: Sale | null
  /** Who does each service of the visit, and whether its price is on request. */
  segments: readonly { position: number; serviceId: string; staffId: string; isPriced: boolean }[]
  currency: string
  timeZone: string
  members: readonly Member[]
  menu: readonly Service[]
  products: readonly Product[]
  packages: readonly ServicePackage[]
}

/** What may be sold: the menu, the shelf and the packages. */
function useWares(slug: string) {
  const menu = useQuery({
    queryKey: dashboardKeys.diary.menu(slug),
    queryFn: ({ signal }) => api.institute({ params: { slug } }, { signal }),
    enabled: slug !== '',
    staleTime: 300_000,
  })
  const products = useQuery({
    queryKey: dashboardKeys.sales.products,
    queryFn: ({ signal }) => dashboardApi.products({}, { signal }),
  })
  const packages = useQuery({
    queryKey: dashboardKeys.sales.packages,
    queryFn: ({ signal }) => dashboardApi.packages({}, { signal }),
  })
  return { menu, products, packages }
}

export function useTillData(visitId: string | null) {
  const slug = useUser()?.institute?.slug ?? ''
  const [from] = useState(() => dayOf(Date.now(), ownZone()))
  const sale = useQuery({
    queryKey: dashboardKeys.sales.ofVisit(visitId ?? ''),
    queryFn: ({ signal }) => dashboardApi.visitTill({ params: { id: visitId ?? '' } }, { signal }),
    enabled: visitId !== null,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const visit = useQuery({
    queryKey: dashboardKeys.diary.visit(visitId ?? ''),
    queryFn: ({ signal }) => dashboardApi.diaryVisit({ params: { id: visitId ?? '' } }, { signal }),
    enabled: visitId !== null,
  })
  const diary = useQuery({
    queryKey: dashboardKeys.diary.days(from, 1),
    queryFn: ({ signal }) => dashboardApi.diary({ query: { from, days: 1 } }, { signal }),
    staleTime: minuteMs,
  })
  const { menu, products, packages } = useWares(slug)
  // A menu or shelf that does not load keeps nobody from paying for a visit.
  const needed = visitId === null ? [diary] : [sale, diary]
  const error = needed.find((one) => one.error && !one.data)?.error ?? null
  const isReady = diary.data !== undefined && (visitId === null || (sale.data !== undefined && !visit.isPending))
  const data: TillData | null =
    isReady && diary.data
      ? {
          sale: sale.data ?? null,
          segments:
            visit.data?.segments.map(({ position, serviceId, staffId, price }) => ({
              position,
              serviceId,
              staffId,
              isPriced: price !== null,
            })) ?? [],
          currency: sale.data?.currency ?? diary.data.currency,
          timeZone: diary.data.timeZone,
          members: diary.data.members,
          menu: menu.data?.services ?? [],
          products: products.data?.items ?? [],
          packages: packages.data?.items ?? [],
        }
      : null
  function readAgain() {
    for (const one of [...needed, menu, products, packages]) void one.refetch()
  }
  return { data, error, readAgain }
}

/** What a visit begins with: everything it was booked for. Before there is an invoice the id of a line is its place in the visit. */
export const linesOfVisit = (sale: Sale): Line[] => sale.lines.map(({ _id }) => ({ key: _id, kind: 'segment', segment: Number(_id) }))

function shownSegment(line: Line & { kind: 'segment' }, { sale, segments }: TillData): ShownLine[] {
  const booked = sale?.lines.find(({ _id }) => Number(_id) === line.segment)
  if (!booked) return []
  const { staffId = null, serviceId, isPriced = true } = segments.find(({ position }) => position === line.segment) ?? {}
  const price = isPriced ? booked.amount : null
  return [{ line, name: booked.name, staffId, detail: booked.staffName, price, ...(serviceId !== undefined && { serviceId }) }]
}

/** Lines with what is known of each now; what is no longer on the menu or the shelf falls away. */
export function shownLines(lines: readonly Line[], data: TillData, giftCard: string): ShownLine[] {
  return lines.flatMap((line): ShownLine[] => {
    if (line.kind === 'segment') return shownSegment(line, data)
    if (line.kind === 'service') {
      const service = data.menu.find(({ _id }) => _id === line.serviceId)
      if (!service) return []
      const { least, most } = priceAtDesk(service, line.staffId)
      // Where it depends, somebody says what it is this time.
      const price = least && most && least.amount === most.amount ? least.amount : null
      const detail = data.members.find(({ _id }) => _id === line.staffId)?.name ?? null
      return [{ line, name: service.name, staffId: line.staffId, detail, price, serviceId: line.serviceId }]
    }
    if (line.kind === 'giftCard') return [{ line, name: giftCard, staffId: null, detail: null, price: null }]
    if (line.kind === 'package') {
      const sold = data.packages.find(({ _id }) => _id === line.packageId)
      return sold ? [{ line, name: sold.name, staffId: null, detail: null, price: sold.price.amount }] : []
    }
    const product = data.products.find(({ _id }) => _id === line.productId)
    return product ? [{ line, name: product.name, staffId: null, detail: null, price: product.price.amount * line.quantity }] : []
  })
}
