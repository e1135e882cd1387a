// Back from whoever takes the money. What became of the payment is told by the server alone, once it has been told itself.
import { useEffect } from 'react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { bookingPath, loginPath, paths } from '#/paths.ts'
import { ApiError } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { useSession } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { usePaymentWord } from './use-payment-word.ts'

export type ReturnedProps = { slug: string; holdId: string }

/** Where the booking goes on: booked, or at its last step again. Null while that is not known. */
function useWayOn({ slug, holdId }: ReturnedProps) {
  const session = useSession()
  const { pathname, search } = useLocation()
  const [params] = useSearchParams()
  const word = usePaymentWord(holdId, session.kind === 'user')
  const { payment, error } = word
  const step = new URLSearchParams(params)
  step.delete('payment')
  step.delete('hold')
  const again = bookingPath(slug, step)
  // What is booked after this goes on from here: this was only what that asks for first.
  const next = params.get('next')
  function wayOn(): string | null {
    if (session.kind === 'guest') return loginPath(pathname + search)
    if (error instanceof ApiError && error.status < 500) return again
    if (!payment || payment.checkout?.state === 'refund_due') return null
    if (payment.booked && word.isSaid) return bookingPath(slug, new URLSearchParams({ booked: holdId, ...(next !== null && { next }) }))
    // The browser's way back: the checkout is open, and nobody has said what to do with it.
    if (word.isSaid || (payment.checkout?.state === 'open' && !params.has('payment'))) return again
    return null
  }
  step.delete('at')
  step.set('step', 'time')
  return { ...word, wayOn: wayOn(), otherTime: bookingPath(slug, step) }
}

export function Returned(props: ReturnedProps) {
  const { t } = useTranslation('appointments')
  const money = useMoney()
  const navigate = useNavigate()
  const { payment, isLong, again, wayOn, otherTime } = useWayOn(props)
  const isBooked = payment?.booked === true
  useEffect(() => {
    if (wayOn !== null && isBooked) void navigate(wayOn, { replace: true, state: { fresh: true } })
  }, [wayOn, isBooked, navigate])
  if (wayOn !== null && !isBooked) return <Navigate to={wayOn} replace />
  if (payment?.checkout?.state === 'refund_due')
    return (
      <EmptyState
        as="h1"
        vignette="door"
        title={t('pay.late.title')}
        action={<ButtonLink to={otherTime}>{t('pay.late.other')}</ButtonLink>}
      >
        {t('pay.late.text', { amount: money(payment.checkout.amount, true) })}
      </EmptyState>
    )
  return (
    <div role="status">
      {isLong ? (
        <EmptyState
          as="h1"
          title={t('pay.checking.long')}
          action={
            <>
              <Button onClick={again}>{t('pay.checking.again')}</Button>{' '}
              <ButtonLink variant="outline" to={paths.appointments}>
                {t('pay.checking.list')}
              </ButtonLink>
            </>
          }
        >
          {t('pay.checking.longText')}
        </EmptyState>
      ) : (
        <EmptyState as="h1" title={t('pay.checking.title')}>
          {t('pay.checking.text')}
        </EmptyState>
      )}
    </div>
  )
}
