// The booking of one institute: the step the address names, with what is chosen beside it.
import { useQueryClient } from '@tanstack/react-query'
import type { Institute } from '@soigne/contract/institutes'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { bookingPath } from '#/paths.ts'
import { refusalCode } from '#/platform/api-error.ts'
import { useSession, useSessionActions } from '#/platform/session.tsx'
import { useTimes } from '#/platform/time.ts'
import { Button } from '#/ui/button.tsx'
import { BookingSteps } from './booking-steps.tsx'
import { availabilityKey } from './booking-times.ts'
import { BottomBar } from '#/ui/bottom-bar.tsx'
import { choiceParams, readChoice, type Choice, type Step, type Wish } from './choice.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { HoldNotice } from './hold-notice.tsx'
import { useTotalText } from './plan-lines.tsx'
import { ProfessionalStep } from './professional-step.tsx'
import { ServicesStep } from './services-step.tsx'
import { StepHeading, stepFormId } from './step-form.tsx'
import { Summary } from './summary.tsx'
import { useBook } from './use-book.ts'
import { useHold, type HoldKeeper } from './use-hold.ts'
import { planVisit, settlePlan, type VisitPlan } from './visit-plan.ts'
import styles from './booking-flow.module.css'

/** Arrow keys pass over many times; only the one they rest on is held. */
const settleMs = 350

function useChoice(institute: Institute) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const choice = readChoice(params, institute)
  /** Another step is a new place in the history; a change within a step is not. */
  function go(change: Partial<Choice>, place: 'push' | 'replace') {
    const to = bookingPath(institute.slug, choiceParams(choice, change))
    void navigate(to, { replace: place === 'replace', preventScrollReset: place === 'replace' })
  }
  return { choice, go }
}

/** Where the days and times to choose from stand, and where a choice leads. */
export type ChooserPlace = {
  wishes: readonly Wish[]
  day: string | null
  at: string | null
  onDay: (day: string) => void
  onChoose: (startsAt: string) => void
}

type Flow = {
  renderChooser: (place: ChooserPlace) => ReactNode
  institute: Institute
  choice: Choice
  plan: VisitPlan
  keeper: HoldKeeper
  go: (change: Partial<Choice>, place: 'push' | 'replace') => void
}

function useChosenHold(institute: Institute, { wishes, at, step }: Choice): HoldKeeper {
  const session = useSession()
  const wants = session.kind === 'user' && at !== null && wishes.length > 0
  const keeper = useHold(wants ? { instituteId: institute._id, wishes, startsAt: at } : null, step === 'time' ? settleMs : 0)
  const queries = useQueryClient()
  const isRefused = keeper.state.kind === 'refused'
  useEffect(() => {
    // The times on show were read before somebody else took one of them.
    if (isRefused) void queries.invalidateQueries({ queryKey: availabilityKey(institute._id) })
  }, [isRefused, queries, institute._id])
  return keeper
}

function TimeStep({ institute, choice, plan, keeper, renderChooser, go }: Flow) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const { timeZone, address } = institute
  const names = [...new Set(plan.lines.map(({ member }) => member?.name))]
  const who = names.length === 1 && names[0] !== undefined ? 'with' : 'anyone'
  const choose = (at: string) => go({ at, day: null, step: 'time' }, 'replace')
  return (
    <form
      id={stepFormId}
      onSubmit={(event) => {
        event.preventDefault()
        if (choice.at !== null) go({ step: 'confirm' }, 'push')
      }}
    >
      <StepHeading
        title={t('time.title')}
        lede={t(`time.lede.${who}`, { duration: times.duration(plan.durationMinutes), name: names[0] ?? '', city: address.city })}
      />
      {choice.at !== null && keeper.state.kind !== 'none' && keeper.state.kind !== 'making' && (
        <div className={styles.hold}>
          <HoldNotice keeper={keeper} startsAt={choice.at} timeZone={timeZone} onChoose={choose} />
        </div>
      )}
      {renderChooser({
        wishes: choice.wishes,
        day: choice.day,
        at: choice.at,
        onDay: (day) => go({ day, step: 'time' }, 'replace'),
        onChoose: choose,
      })}
    </form>
  )
}

function ActionLabel({ step, at, timeZone }: { step: Step; at: string | null; timeZone: string }): ReactNode {
  const { t } = useTranslation('booking')
  const times = useTimes()
  if (step === 'confirm' && at !== null) return t('actions.book', { time: times.time(at, timeZone) })
  return t(`actions.${step}`)
}

function useEndsAt({ choice, plan, keeper }: Pick<Flow, 'choice' | 'plan' | 'keeper'>): string | null {
  if (keeper.state.kind === 'held') return keeper.state.hold.endsAt
  return choice.at === null ? null : new Date(Date.parse(choice.at) + plan.durationMinutes * 60_000).toISOString()
}

/** Whether the step's button can be pressed, and whether there is one. */
function useActionState({ choice, keeper }: Pick<Flow, 'choice' | 'keeper'>) {
  const session = useSession()
  switch (choice.step) {
    case 'services':
      // Before scripts run the services are a plain form, whose answer nobody knows yet.
      return { isShown: true, isReady: choice.wishes.length > 0 || session.kind === 'unread' }
    case 'professional':
      return { isShown: true, isReady: true }
    case 'time':
      return { isShown: true, isReady: choice.at !== null && keeper.state.kind !== 'refused' }
    case 'confirm':
      return { isShown: session.kind === 'user' && session.user.isEmailVerified, isReady: keeper.state.kind === 'held' }
  }
}

/** It ran out, or was let go in another window. */
function isHoldGone(error: unknown): boolean {
  const code = refusalCode(error)
  return code === 'hold_expired' || code === 'not_found'
}

function useBooking({ institute, keeper }: Pick<Flow, 'institute' | 'keeper'>) {
  const [note, setNote] = useState('')
  const navigate = useNavigate()
  const { refresh } = useSessionActions()
  const book = useBook((appointment) => {
    keeper.markBooked()
    void navigate(bookingPath(institute.slug, new URLSearchParams({ booked: appointment._id })), { replace: true, state: { fresh: true } })
  })
  const { state } = keeper
  function confirm() {
    if (state.kind !== 'held' || book.isPending) return
    book.mutate(
      { holdId: state.hold._id, note },
      {
        onError(error) {
          if (isHoldGone(error)) keeper.markExpired()
          if (refusalCode(error) === 'email_unverified') void refresh()
        },
      },
    )
  }
  const failure = isHoldGone(book.error) ? null : book.error
  return { note, setNote, confirm, failure, isPending: book.isPending }
}

export type BookingFlowProps = Pick<Flow, 'institute' | 'renderChooser'>

export function BookingFlow({ institute, renderChooser }: BookingFlowProps) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const total = useTotalText()
  const { choice, go } = useChoice(institute)
  const keeper = useChosenHold(institute, choice)
  const wished = planVisit(institute, choice.wishes)
  const plan = keeper.state.kind === 'held' ? settlePlan(wished, institute, keeper.state.hold) : wished
  const flow: Flow = { institute, choice, plan, keeper, renderChooser, go }
  const booking = useBooking(flow)
  const { isShown, isReady } = useActionState(flow)
  const endsAt = useEndsAt(flow)
  const { timeZone } = institute

  const action = (size: 'large' | 'medium') =>
    isShown && (
      <Button
        type="submit"
        form={stepFormId}
        size={size}
        wide={size === 'large'}
        aria-disabled={!isReady || undefined}
        className={isReady ? undefined : styles.notReady}
        loading={booking.isPending}
        onClick={(event) => !isReady && event.preventDefault()}
      >
        <ActionLabel step={choice.step} at={choice.at} timeZone={timeZone} />
      </Button>
    )

  return (
    <>
      <BookingSteps slug={institute.slug} choice={choice} />
      <div className={`page two-panes ${styles.panes}`}>
        <div>
          {choice.step === 'services' && (
            <ServicesStep
              institute={institute}
              choice={choice}
              onChange={({ wishes }) => go({ wishes, staffAnswered: false, at: null, day: null, step: 'services' }, 'replace')}
              onContinue={() => choice.wishes.length > 0 && go({ step: 'professional' }, 'push')}
            />
          )}
          {choice.step === 'professional' && (
            <ProfessionalStep
              institute={institute}
              choice={choice}
              plan={plan}
              onChange={(wishes) => go({ wishes, staffAnswered: true, at: null, day: null, step: 'professional' }, 'replace')}
              onContinue={() => go({ staffAnswered: true, step: 'time' }, 'push')}
            />
          )}
          {choice.step === 'time' && <TimeStep {...flow} />}
          {choice.step === 'confirm' && choice.at !== null && (
            <ConfirmStep
              institute={institute}
              plan={plan}
              at={choice.at}
              keeper={keeper}
              note={booking.note}
              onNote={booking.setNote}
              onChoose={(at) => go({ at, day: null }, 'replace')}
              onBook={booking.confirm}
              failure={booking.failure}
            />
          )}
        </div>
        <Summary institute={institute} choice={choice} plan={plan} endsAt={endsAt} action={action('large')} />
      </div>
      {isShown && (
        <BottomBar
          title={
            plan.lines.length > 0 ? (
              <>
                <bdi className="strong tabular">{total(plan)}</bdi>{' '}
                <span className="small muted">
                  · <bdi>{times.duration(plan.durationMinutes)}</bdi>
                </span>
              </>
            ) : (
              t('summary.nothing')
            )
          }
          line={
            choice.at === null
              ? t('summary.count', { count: plan.lines.length })
              : t('dayAtTime', { day: times.dayOfInstant(choice.at, timeZone), time: times.time(choice.at, timeZone) })
          }
          action={action('medium')}
        />
      )}
    </>
  )
}
