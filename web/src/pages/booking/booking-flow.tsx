// The booking of one institute: the step the address names, with what is chosen beside it.
import type { Institute } from '@soigne/contract/institutes'
import { minuteMs } from '@soigne/contract/time'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useNavigationType } from 'react-router'
import { homeText } from '#/features/at-home/home-address.ts'
import type { HoldState } from '#/features/booking/use-hold.ts'
import { usePriceText } from '#/prices.ts'
import type { Choice, Step } from '#/features/cart/choice.ts'
import { priceByHold, priceCart, type PricedCart } from '#/features/cart/priced-cart.ts'
import { Summary } from '#/features/cart/summary.tsx'
import { useSession, type Session } from '#/platform/session.tsx'
import { dayOf, instantText, parseInstant, useTimes } from '#/platform/time.ts'
import { BottomBar } from '#/ui/bottom-bar.tsx'
import { Button, type ButtonProps } from '#/ui/button.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { focusStep, stepFormId } from '#/ui/step-form.tsx'
import { BookingSteps } from './booking-steps.tsx'
import { CurrentStep } from './current-step.tsx'
import { useNeeds } from './use-needs.ts'
import { useBooking, useChoice, useChosenHold, useChosenHome } from './use-booking.ts'
import styles from './booking-flow.module.css'

/** For those whose old visit cannot be booked again as it was. */
const GoneNotice = lazily(async () => (await import('#/features/cart/gone-notice.tsx')).GoneNotice)

/** For services that ask for another before them. */
const TestFirst = lazily(async () => (await import('./test-first.tsx')).TestFirst)

/** Whether the step's button can be pressed, and whether there is one. */
function actionState({ step, items, at, venue }: Choice, hold: HoldState, session: Session, isAskKnown: boolean) {
  switch (step) {
    case 'services':
      // Before scripts run the services are a plain form, whose answer nobody knows yet.
      return { isShown: true, isReady: items.length > 0 || session.kind === 'unread' }
    case 'professional':
      return { isShown: true, isReady: true }
    case 'time':
      return { isShown: true, isReady: at !== null && hold.kind !== 'refused' && venue !== 'apart' }
    case 'confirm':
      return { isShown: session.kind === 'user' && session.user.isEmailVerified, isReady: hold.kind === 'held' && isAskKnown }
  }
}

type StepButtonProps = Pick<ButtonProps, 'size' | 'wide' | 'loading'> & {
  choice: Choice
  timeZone: string
  isReady: boolean
  payLabel: string | null
}

function StepButton({ choice: { step, at }, timeZone, isReady, payLabel, ...shape }: StepButtonProps) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  return (
    <Button
      {...shape}
      type="submit"
      form={stepFormId}
      aria-disabled={!isReady || undefined}
      className={isReady ? undefined : styles.notReady}
      onClick={(event) => !isReady && event.preventDefault()}
    >
      {step === 'confirm' && at !== null ? (payLabel ?? t('actions.book', { time: times.time(at, timeZone) })) : t(`actions.${step}`)}
    </Button>
  )
}

function endOf({ at }: Choice, { durationMinutes }: PricedCart, hold: HoldState): string | null {
  if (hold.kind === 'held') return hold.hold.endsAt
  return at === null ? null : instantText(parseInstant(at) + durationMinutes * minuteMs)
}

/** What is chosen in one line, where there is no room for the summary. */
function ChoiceBar({ choice, cart, timeZone, action }: { choice: Choice; cart: PricedCart; timeZone: string; action: ReactNode }) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const total = usePriceText()
  if (cart.lines.length === 0) return <BottomBar title={t('summary.nothing')} action={action} />
  const title = (
    <>
      <bdi className="strong tabular">{total(cart.total)}</bdi>{' '}
      <span className="small muted">
        · <bdi>{times.duration(cart.durationMinutes)}</bdi>
      </span>
    </>
  )
  const line =
    choice.at === null
      ? t('summary.count', { count: cart.lines.length })
      : t('dayAtTime', { day: times.dayOfInstant(choice.at, timeZone), time: times.time(choice.at, timeZone) })
  return <BottomBar title={title} line={line} action={action} />
}

/** Focus follows from step to step, and from another page of the site to the first; a page that is opened keeps the browser's. */
function useStepFocus(step: Step, isReady: boolean) {
  const arrival = useNavigationType()
  const focused = useRef<Step | null>(arrival === 'PUSH' ? null : step)
  useEffect(() => {
    if (!isReady || focused.current === step) return
    focused.current = step
    focusStep()
  }, [step, isReady])
}

export type BookingFlowProps = {
  institute: Institute
  /** The present, by the server's clock. */
  now: number
}

export function BookingFlow({ institute, now }: BookingFlowProps) {
  const session = useSession()
  const { choice, go } = useChoice(institute, now)
  const home = useChosenHome(institute, choice)
  const keeper = useChosenHold(institute, choice, home)
  const where = home && homeText(home)
  const day = choice.at === null ? choice.day : dayOf(choice.at, institute.timeZone)
  const chosen = priceCart(institute, choice.items, day)
  const needs = useNeeds(institute, choice, now)
  const cart = keeper.state.kind === 'held' ? priceByHold(chosen, institute, keeper.state.hold) : chosen
  const booking = useBooking(institute, choice, keeper)
  useStepFocus(choice.step, session.kind !== 'unread' && session.kind !== 'loading')
  const { isShown, isReady } = actionState(choice, keeper.state, session, !booking.isAsked || booking.ask !== null)
  const endsAt = endOf(choice, cart, keeper.state)
  const button = { choice, timeZone: institute.timeZone, isReady, loading: booking.isPending, payLabel: booking.ask?.label ?? null }
  return (
    <>
      <BookingSteps slug={institute.slug} choice={choice} />
      <div className={`page two-panes ${styles.panes}`}>
        <div>
          {(choice.gone.services > 0 || choice.gone.person || choice.isTimeOver || choice.replaced.length > 0) && (
            <Suspense>
              <div className={styles.gone}>
                <GoneNotice choice={choice} />
              </div>
            </Suspense>
          )}
          {choice.step !== 'services' && keeper.state.kind !== 'held' && needs.open.length > 0 && (
            <Suspense>
              <div className={styles.gone}>
                <TestFirst institute={institute} choice={choice} needs={needs.open} />
              </div>
            </Suspense>
          )}
          <CurrentStep {...{ institute, now, choice, cart, endsAt, keeper, go, booking, where, home, needs }} />
        </div>
        <Summary
          institute={institute}
          choice={choice}
          cart={cart}
          endsAt={endsAt}
          where={where}
          action={isShown && <StepButton {...button} size="large" wide />}
        />
      </div>
      {isShown && <ChoiceBar choice={choice} cart={cart} timeZone={institute.timeZone} action={<StepButton {...button} size="medium" />} />}
    </>
  )
}
