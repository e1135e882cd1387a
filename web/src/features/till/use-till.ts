// What is agreed at the till and how it is taken. A refusal or a lost connection loses nothing of it.
import type { Sale, Till } from '@soigne/contract/sales'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath } from '#/dashboard-paths.ts'
import { useKeys } from '#/diary-changes.ts'
import { paths } from '#/paths.ts'
import { ApiError, refusalCode } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'
import {
  cardPayments,
  packageOf,
  paymentsOf,
  problemOf,
  reckon,
  sharesOf,
  tillOf,
  tipSteps,
  workOf,
  type Discount,
  type Line,
  type Payments,
  type ShownLine,
  type Tip,
} from './reckoning.ts'
import { linesOfVisit, shownLines, type TillData } from './use-till-data.ts'
import { percentOf } from '#/amounts.ts'
import { useMay } from '#/use-may.ts'

/** Who gets what of the tip: by the work, by the slider, by amounts of one's own, or one person. */
export type TipSplit = { step: number | null; amounts: Readonly<Record<string, number | null>> | null; staffId: string | null }

export type Client = { _id: string; name: string }

function tipsOf(tip: number, lines: readonly ShownLine[], split: TipSplit): Till['tips'] | null {
  if (tip === 0) return []
  const work = workOf(lines)
  if (work.length === 0) return split.staffId === null ? null : [{ staffId: split.staffId, amount: tip }]
  const { step, amounts } = split
  if (work.length > 2 && amounts) return work.map(({ staffId }) => ({ staffId, amount: amounts[staffId] ?? 0 }))
  const first = step === null || work.length !== 2 ? null : percentOf(tip, (step * 100) / tipSteps)
  const shares = first === null ? sharesOf(tip, work) : [first, tip - first]
  return work.map(({ staffId }, at) => ({ staffId, amount: shares[at] ?? 0 }))
}

/** What the server says is due, where it is not what was reckoned. */
const dueTold = (error: unknown): number | null => {
  const due = error instanceof ApiError && refusalCode(error) === 'amount_differs' ? error.body.details?.['due'] : undefined
  return typeof due === 'number' ? due : null
}

function useTake(visitId: string | null, readAgain: () => void) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const keyOf = useKeys()
  // Reception takes money and reads no sales: it goes back to the calendar.
  const mayRead = useMay('sales.read')
  return useMutation({
    mutationFn: ({ till, client }: { till: Till; client: Client | null }): Promise<Sale> => {
      if (visitId !== null) return dashboardApi.takeForVisit({ params: { id: visitId }, body: till, idempotencyKey: keyOf(till) })
      const body = { ...till, ...(client && { customerId: client._id }) }
      return dashboardApi.sellOverCounter({ body, idempotencyKey: keyOf(body) })
    },
    onSuccess: async (sale, { till }) => {
      const amount = till.payments.reduce((sum, one) => sum + one.amount, 0)
      showToast({ type: 'success', title: t('done', { amount: money({ amount, currency: sale.currency }, true) }) })
      queries.setQueryData(dashboardKeys.sales.one(sale._id), sale)
      void queries.invalidateQueries({ queryKey: dashboardKeys.sales.all, refetchType: 'none' })
      void queries.invalidateQueries({ queryKey: dashboardKeys.diary.all, refetchType: 'none' })
      await navigate(mayRead ? salePath(sale._id) : paths.diary, { replace: true })
    },
    onError: readAgain,
  })
}

/** What is due: as reckoned, or as the server told for what is agreed, until that changes. */
function useWhole(agreed: string, reckoned: number) {
  const [told, setTold] = useState<{ of: string; due: number } | null>(null)
  function hear(error: unknown) {
    const due = dueTold(error)
    if (due !== null) setTold({ of: agreed, due })
  }
  return { whole: told?.of === agreed ? told.due : reckoned, hear }
}

/** Gift cards first, then cash or terminal. */
const allPayments = (cards: ReturnType<typeof cardPayments>, byHand: Till['payments'] | null): Till['payments'] | null =>
  byHand && [
    ...cards.flatMap(({ card, amount }) => (amount > 0 ? [{ method: 'gift_card' as const, giftCardId: card._id, amount }] : [])),
    ...byHand,
  ]

export function useTill(visitId: string | null, data: TillData, readAgain: () => void) {
  const [lines, setLines] = useState<readonly Line[]>(() => (data.sale ? linesOfVisit(data.sale) : []))
  const [discount, setDiscount] = useState<Discount | null>(null)
  const [tip, setTip] = useState<Tip>({ kind: 'none' })
  const [split, setSplit] = useState<TipSplit>({ step: null, amounts: null, staffId: null })
  const [pays, setPays] = useState<Payments>({ cards: [], first: 'terminal', split: null, given: null })
  const [client, setClient] = useState<Client | null>(null)
  const take = useTake(visitId, readAgain)
  const { t } = useTranslation('till')
  const shown = shownLines(lines, data, t('giftCard.one'))
  const sums = reckon(shown, discount, tip, data.sale?.paid.amount ?? 0)
  const tips = tipsOf(sums.tip, shown, split)
  const { whole, hear } = useWhole(JSON.stringify([lines, discount, tips]), sums.due)
  const cards = cardPayments(pays, whole, shown)
  /** By cash or terminal. */
  const due = whole - cards.reduce((sum, { amount }) => sum + amount, 0)
  const clientId = visitId === null ? (client?._id ?? null) : (data.sale?.client?._id ?? null)
  const problem = problemOf({ lines: shown, discount, tip, tips, sums, isKnown: clientId !== null }, pays, due)
  function chooseClient(chosen: Client | null) {
    setClient(chosen)
    // Packages and cards were found for whoever was there before.
    setLines((all) => all.map((line) => (packageOf(line) === undefined ? line : { ...line, fromPackage: undefined })) as Line[])
  }
  function send() {
    const payments = allPayments(cards, paymentsOf(pays, due))
    if (problem || !payments || take.isPending) return
    take.mutate({ till: tillOf(shown, discount, tips ?? [], payments), client }, { onError: hear })
  }
  return {
    lines: shown,
    setLines,
    discount,
    setDiscount,
    tip,
    setTip,
    tips,
    split,
    setSplit,
    pays,
    setPays,
    cards,
    client,
    clientId,
    setClient: chooseClient,
    sums,
    due,
    problem,
    send,
    isPending: take.isPending,
    error: take.error,
    toldDue: dueTold(take.error),
  }
}
export type TillState = ReturnType<typeof useTill>
export type TillProps = { till: TillState; data: TillData }
