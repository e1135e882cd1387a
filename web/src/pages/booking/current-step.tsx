// The step the address names, with what it may change.
import { Suspense } from 'react'
import type { Institute } from '@soigne/contract/institutes'
import { Navigate } from 'react-router'
import { bookingPath } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { TimeChooser } from '#/features/availability/time-chooser.tsx'
import type { HomeAddressDraft } from '#/features/at-home/home-address.ts'
import { ConfirmStep } from '#/features/booking/confirm-step.tsx'
import { HoldNotice } from '#/features/booking/hold-notice.tsx'
import { hasNoTime, type HoldKeeper } from '#/features/booking/use-hold.ts'
import { usePriceText } from '#/prices.ts'
import { choiceParams, type Choice } from '#/features/cart/choice.ts'
import { MemberStep } from '#/features/cart/member-step.tsx'
import type { PricedCart } from '#/features/cart/priced-cart.ts'
import { ServicesStep } from '#/features/cart/services-step.tsx'
import { VisitCheck } from '#/features/cart/summary.tsx'
import { WaitingButton } from '#/features/waiting/waiting-button.tsx'
import { useSession } from '#/platform/session.tsx'
import { useTimes } from '#/platform/time.ts'
import { lazily } from '#/ui/lazily.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { StepHeading, stepFormId } from '#/ui/step-form.tsx'
import { bookingTimes } from './booking-times.ts'
import type { ChoiceChange, useBooking } from './use-booking.ts'
import type { Needs } from './use-needs.ts'
import styles from './booking-flow.module.css'

/** For those who lost a time: the page is lighter for everybody else. */
const NearestTimes = lazily(async () => (await import('#/features/availability/nearest-times.tsx')).NearestTimes)

/** Where something can be paid online. */
const PaymentPart = lazily(async () => (await import('#/features/payments/payment-part.tsx')).PaymentPart)

/** For services that are done at home. */
const WherePart = lazily(async () => (await import('#/features/at-home/where-part.tsx')).WherePart)

export type CurrentStepProps = {
  institute: Institute
  /** The present, by the server's clock. */
  now: number
  choice: Choice
  cart: PricedCart
  /** End of the visit, when it is known. */
  endsAt: string | null
  keeper: HoldKeeper
  needs: Needs
  /** The address of a visit at home. */
  where: string | null
  home: HomeAddressDraft | null
  go: (change: ChoiceChange, place: 'push' | 'replace') => void
  booking: ReturnType<typeof useBooking>
}

type TimeHeadingProps = Pick<CurrentStepProps, 'institute' | 'choice' | 'cart'> & { isClass: boolean }

function TimeHeading({ institute, choice, cart, isClass }: TimeHeadingProps) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const { address } = institute
  // Who was asked for, not whom the hold has found: the line must not grow above the times.
  const asked = new Set(choice.items.map(({ staffId }) => institute.team.find(({ _id }) => _id === staffId)?.name))
  const names = [...asked]
  const who = names.length === 1 && names[0] !== undefined ? 'with' : isClass ? 'class' : 'anyone'
  return (
    <StepHeading
      title={t('time.title')}
      lede={t(`time.lede.${who}`, { duration: times.duration(cart.durationMinutes), name: names[0] ?? '', city: address.city })}
    />
  )
}

function TimeStep({ institute, now, choice, cart, keeper, go, where, home, needs }: CurrentStepProps) {
  const session = useSession()
  const { t } = useTranslation('booking')
  const { timeZone } = institute
  const isClass = cart.lines.some(({ service }) => service.capacity !== undefined)
  const hasPlace = choice.venue !== 'apart' && (!choice.atHome || where !== null)
  const choose = (at: string) => go({ at, day: null, step: 'time' }, 'replace')
  const wish = { ...choice, institute, now, home: home ?? undefined }
  return (
    <>
      <TimeHeading institute={institute} choice={choice} cart={cart} isClass={isClass} />
      {choice.venue !== 'salon' && (
        <Suspense>
          <WherePart institute={institute} choice={choice} onChange={(atHome) => go({ atHome, at: null, step: 'time' }, 'replace')} />
        </Suspense>
      )}
      <form
        id={stepFormId}
        onSubmit={(event) => {
          event.preventDefault()
          if (hasPlace && choice.at !== null) go({ step: 'confirm' }, 'push')
        }}
      >
        {hasPlace && choice.at !== null && session.kind !== 'guest' && (
          // Its place is there from the tap on, and before it is known whose page this is: the times below never move by themselves.
          <div className={`user-only ${styles.hold}`}>
            <HoldNotice
              keeper={keeper.state.kind === 'none' ? { ...keeper, state: { kind: 'making' } } : keeper}
              startsAt={choice.at}
              timeZone={timeZone}
              renderNearest={(nearest) => (
                <Suspense>
                  <NearestTimes nearest={nearest} timeZone={timeZone} onChoose={choose} />
                </Suspense>
              )}
            />
          </div>
        )}
        {hasPlace && (
          <TimeChooser
            source={bookingTimes(institute._id, choice, isClass, needs.allowed)}
            timeZone={timeZone}
            horizonDays={institute.rules.horizonDays}
            now={now}
            day={choice.day}
            at={choice.at}
            heldAt={keeper.state.kind === 'held' ? keeper.state.hold.startsAt : null}
            onDay={(day) => go({ day, step: 'time' }, 'replace')}
            onChoose={choose}
          />
        )}
      </form>
      {hasPlace && <WaitingButton variant="text" className={styles.waiting} label={t('time.waiting')} wish={wish} />}
    </>
  )
}

function LastStep({ institute, choice, cart, endsAt, keeper, go, booking, where, needs }: CurrentStepProps) {
  const total = usePriceText()
  if (choice.at === null) return null
  // An address that is gone is asked for where the times are.
  if (choice.atHome && where === null) return <Navigate to={bookingPath(institute.slug, choiceParams(choice, { step: 'time' }))} replace />
  // Who was asked for, not whom the hold found: the label of the note stays as it is.
  const asked = choice.items[0]?.staffId
  // As high as the ways to pay: nothing moves when they come. Without a hold none come.
  const waiting = !hasNoTime(keeper) && (
    <Skeleton height={30.3 + 93.1 * (institute.paymentMethods.length + Number(institute.rules.payAtSalon))} radius={16} />
  )
  return (
    <ConfirmStep
      institute={institute}
      memberName={institute.team.find(({ _id }) => _id === asked)?.name ?? null}
      total={total(cart.total)}
      at={choice.at}
      isUnsure={needs.open.length > 0}
      keeper={keeper}
      note={booking.note}
      onNote={booking.setNote}
      onBook={booking.confirm}
      isChecking={booking.isChecking}
      failure={booking.failure}
      ask={booking.ask}
      payment={
        booking.isAsked && (
          <Suspense fallback={waiting}>
            <PaymentPart
              waiting={waiting}
              hold={keeper.state.kind === 'held' ? keeper.state.hold : null}
              note={booking.note}
              onNote={booking.setNote}
              onAsk={booking.setAsk}
              onGone={keeper.markExpired}
              onTaken={keeper.markBooked}
            />
          </Suspense>
        )
      }
      check={<VisitCheck {...{ institute, choice, cart, endsAt, where }} />}
      renderNearest={(nearest) => (
        <Suspense>
          <NearestTimes nearest={nearest} timeZone={institute.timeZone} onChoose={(at) => go({ at, day: null }, 'replace')} />
        </Suspense>
      )}
    />
  )
}

export function CurrentStep(props: CurrentStepProps) {
  const { institute, choice, cart, go } = props
  switch (choice.step) {
    case 'services':
      return (
        <ServicesStep
          institute={institute}
          choice={choice}
          onChange={(change) =>
            go((now) => ({ items: change(now).items, staffAnswered: false, at: null, day: null, step: 'services' }), 'replace')
          }
          onContinue={() => choice.items.length > 0 && go({ step: 'professional' }, 'push')}
        />
      )
    case 'professional':
      return (
        <MemberStep
          institute={institute}
          choice={choice}
          cart={cart}
          onChange={(items) => go({ items, staffAnswered: true, at: null, day: null, step: 'professional' }, 'replace')}
          onContinue={() => go({ staffAnswered: true, step: 'time' }, 'push')}
        />
      )
    case 'time':
      return <TimeStep {...props} />
    case 'confirm':
      return <LastStep {...props} />
  }
}
