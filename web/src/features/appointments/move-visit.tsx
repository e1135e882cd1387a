// Choosing another time for a visit: old and new side by side, with whom and for how much, and what moving costs, before anything changes.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { parseInstant } from '#/platform/time.ts'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useMoney } from '#/platform/money.ts'
import { ApiError, failureText, refusalCode } from '#/platform/api-error.ts'
import { priceOfVisit, usePriceText } from '#/prices.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import type { WishedStaff } from './move-times.ts'
import { PhoneLine } from './phone-line.tsx'
import { useMove, useMovePlan, useOthers } from './use-visit-change.ts'
import { NeededBy } from './visit-terms.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visit-detail.module.css'

export type ChooserPlace = {
  day: string | null
  at: string | null
  onDay: (day: string) => void
  onChoose: (startsAt: string) => void
  /** Whose times: of who does it now, of anyone, or of the person the client named. */
  staff: WishedStaff
}

export type MoveVisitProps = {
  appointment: Appointment
  /** The days and times to choose from. */
  renderChooser: (place: ChooserPlace) => ReactNode
  /** Free times near one that was lost meanwhile. */
  renderNearest: (error: unknown, onChoose: (startsAt: string) => void) => ReactNode
  onClose: () => void
}

function isNothingNear(error: Error): boolean {
  const nearest = error instanceof ApiError ? error.body.details?.['nearest'] : undefined
  return Array.isArray(nearest) && nearest.length === 0
}

/** Of these another try says nothing else: another time does. */
const isAboutTime = (code: ReturnType<typeof refusalCode>): boolean =>
  code === 'slot_taken' || code === 'not_offered' || code === 'wrong_state'

type FailureProps = { error: Error; appointment: Appointment; onAgain?: (() => void) | undefined; children: ReactNode }

function MoveFailure({ error, appointment, onAgain, children }: FailureProps) {
  const { t } = useTranslation('appointments')
  const code = refusalCode(error)
  if (code === 'too_late') {
    return (
      <Notice tone="warning" announce title={t('tooLate.title')}>
        <PhoneLine institute={appointment.institute} />
      </Notice>
    )
  }
  // Nothing to choose from: somebody at the institute may know a way.
  if (code === 'slot_taken' && isNothingNear(error)) {
    return (
      <Notice tone="warning" announce title={t('move.none')}>
        <p>{t('move.noneHint')}</p>
        <PhoneLine institute={appointment.institute} />
      </Notice>
    )
  }
  return (
    <Notice tone={code === 'slot_taken' ? 'warning' : 'error'} announce title={t(code === 'slot_taken' ? 'move.taken' : 'move.failed')}>
      <p>{code === 'slot_taken' ? t('move.takenHint') : failureText(error)}</p>
      {children}
      {onAgain && !isAboutTime(code) && (
        <Button variant="outline" size="small" onClick={onAgain}>
          {t('retry')}
        </Button>
      )}
    </Notice>
  )
}

type Plan = Answer<Calls['reschedulePlan']>
type Afterwards = NonNullable<Plan['afterwards']>

/** Who does it now, anyone, or one of the others who do it too. */
function WhoField({ appointment, onWho }: { appointment: Appointment; onWho: (who: WishedStaff) => void }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const others = useOthers(appointment)
  return (
    <ChoiceChips
      legend={t('move.who')}
      name={useId()}
      choices={[
        { value: '', label: t('move.same', { names: texts.members(appointment) }) },
        { value: 'any', label: t('move.anyone') },
        ...others.map(({ _id, name }) => ({ value: _id, label: t('move.same', { names: name }) })),
      ]}
      chosen=""
      onChoose={(value) => onWho(value === '' ? null : value)}
    />
  )
}

/** What can be changed no more online once it has moved. */
function lastChange({ canCancel, canReschedule }: Afterwards): 'last' | 'noCancel' | 'noMove' | null {
  if (canCancel) return canReschedule ? null : 'noMove'
  return canReschedule ? 'noCancel' : 'last'
}

type CostsProps = { appointment: Appointment; afterwards: Afterwards; now: number }

/** What moving costs, until when the visit stays free then, and what becomes of its money where it does not. */
function Costs({ appointment, afterwards, now }: CostsProps) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const money = useMoney()
  const { total, institute, status } = appointment
  const { freeUntil, ifCancelled } = afterwards
  const last = lastChange(afterwards)
  const isFree = freeUntil !== null && parseInstant(freeUntil) > now
  return (
    <div className={styles.costs}>
      <p className="strong">{t('move.costs', { amount: money({ amount: 0, currency: total.currency }, true) })}</p>
      {isFree && <p>{texts.until('free', freeUntil, institute.timeZone)}</p>}
      {ifCancelled !== null && ifCancelled.kept.amount > 0 && (
        <p className="strong">
          {t(status === 'deposit_paid' ? 'move.keptDeposit' : 'move.kept', { amount: money(ifCancelled.kept, true) })}
        </p>
      )}
      {ifCancelled !== null && ifCancelled.charged.amount > 0 && (
        <p className="strong">{t('move.charged', { amount: money(ifCancelled.charged, true) })}</p>
      )}
      {ifCancelled?.atSalon && !isFree && <p className="strong">{t('move.atSalon', { amount: money(ifCancelled.atSalon, true) })}</p>}
      {ifCancelled?.sessions === 'gone' && <p className="strong">{t('move.sessionGone')}</p>}
      {last && <p className="small muted">{t(`move.${last}`)}</p>}
    </div>
  )
}

type ChangeProps = {
  appointment: Appointment
  at: string | null
  /** With whom and for how much then; null while that is not known. */
  after: Pick<Plan, 'segments' | 'total' | 'afterwards'> | null
  now: number
}

/** The old time and the new one, each with whom and for how much, side by side before anything changes, and what that costs. */
function Change({ appointment, at, after, now }: ChangeProps) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const price = usePriceText()
  const { timeZone } = appointment.institute
  const facts = (visit: Pick<Plan, 'segments' | 'total'>) => (
    <span className="small">
      {t('withNames', { names: texts.members(visit) })} · <bdi className="tabular">{price(priceOfVisit(visit))}</bdi>
    </span>
  )
  return (
    <div className={styles.change} role="status">
      <span>
        <span className="small muted">{t('move.from')}</span>
        <bdi className={`time ${styles.old}`}>{texts.when(appointment.startsAt, timeZone)}</bdi>
        {facts(appointment)}
      </span>
      <Icon name="arrow" className="mirrors" />
      <span>
        <span className="small muted">{t('move.to')}</span>
        <bdi className={`time ${styles.new}`}>{at === null ? '–' : texts.when(at, timeZone)}</bdi>
        {after && at !== null ? facts(after) : <span className="small">{'\u00a0'}</span>}
      </span>
      {after?.afterwards && <Costs appointment={appointment} afterwards={after.afterwards} now={now} />}
    </div>
  )
}

/** Escape closes it, unless a dialog above it is what Escape is for. */
function useEscape(onClose: () => void) {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) latest.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** What is chosen so far, and what it would make of the visit. */
function useMoveChoice(appointment: Appointment, onChange: () => void) {
  const [day, setDay] = useState<string | null>(null)
  const [at, setAt] = useState<string | null>(null)
  const [staff, setStaff] = useState<WishedStaff>(null)
  const isSame = at !== null && parseInstant(at) === parseInstant(appointment.startsAt)
  const plan = useMovePlan(appointment._id, isSame ? null : at, staff)
  function change(wish: WishedStaff, startsAt: string | null) {
    onChange()
    setStaff(wish)
    setAt(startsAt)
    setDay(null)
  }
  return {
    place: { day, at, onDay: setDay, onChoose: (startsAt: string) => change(staff, startsAt), staff },
    /** A start it has not already. */
    at: isSame ? null : at,
    changeWho: (wish: WishedStaff) => change(wish, null),
    plan,
    after: plan.data ?? null,
    staff: staff === null ? undefined : plan.data?.staff,
  }
}

export function MoveVisit({ appointment, renderChooser, renderNearest, onClose }: MoveVisitProps) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const move = useMove(appointment._id)
  const { place, at, changeWho, plan, after, staff } = useMoveChoice(appointment, move.reset)
  const [now] = useState(Date.now)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEscape(onClose)
  const { timeZone } = appointment.institute
  const error = move.error ?? plan.error

  function confirm() {
    if (at === null || after === null) return
    const onSuccess = (moved: Appointment) => {
      showToast({ type: 'success', title: t('move.done', { when: texts.whenInside(moved.startsAt, timeZone) }) })
      onClose()
    }
    move.mutate({ startsAt: at, staff }, { onSuccess })
  }

  return (
    <section className={styles.move} aria-labelledby="move-title">
      <div className={styles.moveHead}>
        <h2 id="move-title" className="d3" tabIndex={-1} ref={heading}>
          {t('move.title')}
        </h2>
        <Button variant="text" icon="close" onClick={onClose}>
          {t('move.keep')}
        </Button>
      </div>
      <WhoField appointment={appointment} onWho={changeWho} />
      {renderChooser(place)}
      {error && (
        <MoveFailure error={error} appointment={appointment} onAgain={move.error ? undefined : () => void plan.refetch()}>
          {renderNearest(error, place.onChoose)}
        </MoveFailure>
      )}
      <Change appointment={appointment} at={place.at} after={after} now={now} />
      {after !== null && <NeededBy appointment={appointment} segments={after.segments} />}
      <Button size="large" wide loading={move.isPending} disabled={at === null || after === null} onClick={confirm}>
        {at === null ? t('move.choose') : t('move.confirm', { when: texts.whenInside(at, timeZone) })}
      </Button>
    </section>
  )
}
