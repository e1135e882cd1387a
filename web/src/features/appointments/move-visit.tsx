// Choosing another time for a visit: old and new side by side before anything changes.
import type { Appointment } from '@soigne/contract/appointments'
import { hourMs } from '@soigne/contract/time'
import { parseInstant } from '#/platform/time.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { PhoneLine } from './phone-line.tsx'
import { useMove } from './use-visit-change.ts'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visit-detail.module.css'

export type ChooserPlace = {
  day: string | null
  at: string | null
  onDay: (day: string) => void
  onChoose: (startsAt: string) => void
}

export type MoveVisitProps = {
  appointment: Appointment
  /** The days and times to choose from. */
  renderChooser: (place: ChooserPlace) => ReactNode
  /** Free times near one that was lost meanwhile. */
  renderNearest: (error: unknown, onChoose: (startsAt: string) => void) => ReactNode
  onClose: () => void
}

function MoveFailure({ error, appointment, children }: { error: Error; appointment: Appointment; children: ReactNode }) {
  const { t } = useTranslation('appointments')
  const code = refusalCode(error)
  if (code === 'too_late') {
    return (
      <Notice tone="warning" announce title={t('tooLate.title')}>
        <PhoneLine institute={appointment.institute} />
      </Notice>
    )
  }
  return (
    <Notice tone={code === 'slot_taken' ? 'warning' : 'error'} announce title={t(code === 'slot_taken' ? 'move.taken' : 'move.failed')}>
      <p>{code === 'slot_taken' ? t('move.takenHint') : failureText(error)}</p>
      {children}
    </Notice>
  )
}

/** Whether the new start is so near that it could not be changed online again. */
function isLastChange({ terms }: Appointment, startsAt: string, now: number): boolean {
  const hours = [terms.cancelWindowHours, terms.rescheduleWindowHours].filter((window) => window !== null)
  return hours.some((window) => parseInstant(startsAt) - window * hourMs < now)
}

/** The old time and the new one, side by side before anything changes. */
function Change({ appointment, at }: { appointment: Appointment; at: string | null }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const { timeZone } = appointment.institute
  return (
    <div className={styles.change} role="status">
      <span>
        <span className="small muted">{t('move.from')}</span>
        <bdi className={`time ${styles.old}`}>{texts.when(appointment.startsAt, timeZone)}</bdi>
      </span>
      <Icon name="arrow" className="mirrors" />
      <span>
        <span className="small muted">{t('move.to')}</span>
        <bdi className={`time ${styles.new}`}>{at === null ? '–' : texts.when(at, timeZone)}</bdi>
      </span>
    </div>
  )
}

export function MoveVisit({ appointment, renderChooser, renderNearest, onClose }: MoveVisitProps) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const [day, setDay] = useState<string | null>(null)
  const [at, setAt] = useState<string | null>(null)
  const move = useMove(appointment._id)
  const [now] = useState(Date.now)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { timeZone } = appointment.institute
  const isSame = at !== null && parseInstant(at) === parseInstant(appointment.startsAt)

  function choose(startsAt: string) {
    move.reset()
    setAt(startsAt)
    setDay(null)
  }
  function confirm() {
    if (at === null || isSame) return
    move.mutate(at, {
      onSuccess(moved) {
        showToast({ type: 'success', title: t('move.done', { when: texts.whenInside(moved.startsAt, timeZone) }) })
        onClose()
      },
    })
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
      {renderChooser({ day, at, onDay: setDay, onChoose: choose })}
      {move.error && (
        <MoveFailure error={move.error} appointment={appointment}>
          {renderNearest(move.error, choose)}
        </MoveFailure>
      )}
      <Change appointment={appointment} at={at} />
      {at !== null && !isSame && isLastChange(appointment, at, now) && <p className="small muted">{t('move.last')}</p>}
      <Button size="large" wide loading={move.isPending} disabled={at === null || isSame} onClick={confirm}>
        {at === null || isSame ? t('move.choose') : t('move.confirm', { when: texts.whenInside(at, timeZone) })}
      </Button>
    </section>
  )
}
