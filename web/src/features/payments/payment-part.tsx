// How a booking is paid, before the click: what is paid now and what at the salon, and which way. Nothing is typed here: digits of cards are for the provider's page alone.
import type { Hold } from '@soigne/contract/appointments'
import type { HoldPayment } from '@soigne/contract/payments'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { appointmentPath } from '#/paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { paymentKeys } from '#/payment-keys.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { OptionCard } from '#/ui/option-card.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { leaveForProvider, noteOfHold, returnAddress } from './leaving.ts'
import { OpenCheckout } from './open-checkout.tsx'
import type { PayAsk } from '#/pay-ask.ts'
import { feeOf, isChoice, splitOf, waysOf, type Way, type Wish } from './split.ts'
import { WayIcon } from './way-icon.tsx'
import styles from './payments.module.css'

/** Most institutes charge none. */
const FeeTerms = lazily(async () => (await import('./fee-terms.tsx')).FeeTerms)

export type PaymentPartProps = {
  /** Null while there is none. */
  hold: Hold | null
  /** Stands here until it is known how it is paid. */
  waiting: ReactNode
  note: string
  onNote: (note: string) => void
  onAsk: (ask: PayAsk | null) => void
  /** The hold is there no more. */
  onGone: () => void
  /** The hold is paid or booked: it is not to be let go. */
  onTaken: () => void
}

/** As the page was left for the provider, the browser may show it again: what was known of the payment is old then. */
function useLeaving(): [isLeaving: boolean, setLeaving: (isLeaving: boolean) => void] {
  const [isLeaving, setLeaving] = useState(false)
  const queries = useQueryClient()
  useEffect(() => {
    function come({ persisted }: PageTransitionEvent) {
      if (!persisted) return
      setLeaving(false)
      void queries.invalidateQueries({ queryKey: queryKeys.holds })
    }
    addEventListener('pageshow', come)
    return () => removeEventListener('pageshow', come)
  }, [queries])
  return [isLeaving, setLeaving]
}

/** What the step's button is to do. */
function useAsk(plan: HoldPayment | undefined, wish: Wish, { hold, note }: PaymentPartProps): PayAsk | null {
  const { t } = useTranslation('appointments')
  const { t: fee } = useTranslation(plan && feeOf(plan) > 0 ? 'fees' : 'appointments') as unknown as ReturnType<
    typeof useTranslation<'fees'>
  >
  const money = useMoney()
  const { pathname, search } = useLocation()
  const [isLeaving, setLeaving] = useLeaving()
  const latestNote = useRef(note)
  useEffect(() => {
    latestNote.current = note
  })
  return useMemo(() => {
    if (!plan || !hold) return null
    const { way, part, now, later, keepsCard } = splitOf(plan, wish)
    const shown = (amount: number) => money({ amount, currency: plan.total.currency }, true)
    const returnTo = returnAddress(pathname, search, hold._id)
    const leave = (url: string) => {
      setLeaving(true)
      leaveForProvider(url, returnTo, { holdId: hold._id, note: latestNote.current })
    }
    const open = plan.checkout?.state === 'open' ? plan.checkout : null
    const rest = open ? plan.total.amount - open.amount.amount : later
    const isKept = open ? open.amount.amount === 0 : way === 'salon' && keepsCard
    const { url = null } = open ?? {}
    return {
      label: isKept
        ? fee(open ? 'goOn' : 'keep')
        : open
          ? t('pay.goOn', { amount: money(open.amount, true) })
          : way === 'salon'
            ? null
            : t('pay.pay', { amount: shown(now) }),
      lede:
        isKept || way === 'salon'
          ? t('pay.nothingNow')
          : t(rest > 0 ? 'pay.split' : 'pay.whole', { now: shown(plan.total.amount - rest), later: shown(rest) }),
      ...(plan.fees.lateCancel.amount > 0 && {
        after: fee('agreedLate', { amount: shown(Math.max(plan.fees.lateCancel.amount, plan.deposit.amount)) }),
      }),
      atSalon: rest > 0 ? t('pay.toPay', { amount: shown(rest) }) : t('pay.nothingLeft'),
      body:
        way === 'salon'
          ? keepsCard && returnTo !== undefined
            ? { returnTo }
            : {}
          : { pay: part, paymentMethod: way, ...(returnTo !== undefined && { returnTo }) },
      ...(url !== null && { goOn: () => leave(url) }),
      isLeaving,
      leave,
    }
  }, [isLeaving, setLeaving, plan, hold, wish, money, t, fee, pathname, search])
}

type ChoiceProps = { plan: HoldPayment; wish: Wish; onWish: (wish: Wish) => void }

function Ways({ plan, wish, onWish }: ChoiceProps) {
  const { t } = useTranslation('appointments')
  const name = useId()
  const { way } = splitOf(plan, wish)
  return (
    <div role="radiogroup" aria-labelledby={name} className={styles.ways}>
      <h2 id={name} className="d4">
        {t('pay.with')}
      </h2>
      {waysOf(plan, wish).map((one: Way) => (
        <OptionCard
          key={one}
          type="radio"
          name={name}
          checked={one === way}
          onChange={() => onWish({ ...wish, way: one })}
          start={<WayIcon way={one} />}
          title={t(`pay.ways.${one}`)}
          description={t(`pay.how.${one}`)}
        />
      ))}
    </div>
  )
}

function Choice({ plan, wish, onWish }: ChoiceProps) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const { total, deposit } = plan
  return (
    <>
      {isChoice(plan) && (
        <Segmented
          label={t('pay.part.label')}
          className={styles.parts}
          options={[
            { value: 'deposit', label: t('pay.part.deposit', { amount: money(deposit, true) }) },
            { value: 'all', label: t('pay.part.all', { amount: money(total, true) }) },
          ]}
          value={splitOf(plan, wish).part}
          onChange={(part) => onWish({ ...wish, part })}
        />
      )}
      <Ways plan={plan} wish={wish} onWish={onWish} />
    </>
  )
}

/** The note that was typed before the way to the provider. */
function useNoteAgain(holdId: string | undefined, { note, onNote }: PaymentPartProps) {
  const asked = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (holdId === undefined || asked.current === holdId) return
    asked.current = holdId
    const kept = noteOfHold(holdId)
    if (note === '' && kept !== '') onNote(kept)
  }, [holdId, note, onNote])
}

const usePlan = (id: string | undefined) =>
  useQuery({
    queryKey: paymentKeys.word(id ?? ''),
    queryFn: ({ signal }) => dashboardApi.holdPayment({ params: { id: id ?? '' } }, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
  })

function UnknownPlan({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation('appointments')
  const again = (
    <Button variant="outline" size="small" onClick={onAgain}>
      {t('pay.again')}
    </Button>
  )
  return (
    <Notice tone="error" announce title={t('pay.unknown')} action={again}>
      {failureText(error)}
    </Notice>
  )
}

/** Paid or booked meanwhile: in another window, after the browser's way back, or by a request whose answer was lost. */
function Onward({ to, onTaken }: { to: string; onTaken: () => void }) {
  const navigate = useNavigate()
  const latest = useRef({ navigate, onTaken })
  useEffect(() => {
    latest.current = { navigate, onTaken }
  })
  useEffect(() => {
    latest.current.onTaken()
    void latest.current.navigate(to, { replace: true })
  }, [to])
  return null
}

export function PaymentPart(props: PaymentPartProps) {
  const { hold, waiting, onAsk, onGone, onTaken } = props
  const { t } = useTranslation('appointments')
  const { pathname, search } = useLocation()
  const [wish, setWish] = useState<Wish>({ part: null, way: null })
  const id = hold?._id
  const { data: plan, error, refetch } = usePlan(id)
  const ask = useAsk(plan, wish, props)
  useEffect(() => {
    onAsk(ask)
    return () => onAsk(null)
  }, [ask, onAsk])
  useNoteAgain(id, props)
  const isGone = refusalCode(error) === 'not_found'
  const gone = useRef(onGone)
  useEffect(() => {
    gone.current = onGone
  })
  useEffect(() => {
    if (isGone) gone.current()
  }, [isGone])
  if (isGone) return null
  if (error && !plan) return <UnknownPlan error={error} onAgain={() => void refetch()} />
  if (!plan || id === undefined) return waiting
  const { checkout, booked, methods } = plan
  const back = returnAddress(pathname, search, id)
  if (booked || checkout?.state === 'paid') return <Onward to={back ?? appointmentPath(id)} onTaken={onTaken} />
  if (methods.length === 0) return null
  const terms = hold && feeOf(plan) > 0 && (
    <Suspense>
      <FeeTerms plan={plan} split={splitOf(plan, wish)} hold={hold} />
    </Suspense>
  )
  if (checkout?.state === 'open') return <OpenCheckout holdId={id} checkout={checkout} />
  return (
    <section className={styles.part} aria-label={t('pay.title')}>
      {checkout && checkout.state !== 'refund_due' && (
        <Notice tone="warning" announce title={t(`pay.ended.${checkout.state}`)}>
          {t('pay.nothingTaken')}
        </Notice>
      )}
      <Choice plan={plan} wish={wish} onWish={setWish} />
      {terms}
    </section>
  )
}
