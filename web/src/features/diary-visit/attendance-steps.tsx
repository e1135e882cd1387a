// How far a visit is: expected, arrived, in service, done. Apart from what is paid.
import type { DiaryVisit } from '@soigne/contract/diary'
import { instantText, minutesBetween, timeText } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Petal } from '#/theme/icons/petal.tsx'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { useAttendance, type Attendance } from './use-visit-changes.ts'
import styles from './visit.module.css'

const steps = ['expected', 'arrived', 'in_service', 'done'] as const

/** The step that comes next; none after the last. */
export function nextStep(attendance: Attendance): 'arrived' | 'in_service' | 'done' | null {
  const at = steps.findIndex((step) => step === attendance)
  const next = at < 0 ? undefined : steps[at + 1]
  return next === undefined || next === 'expected' ? null : next
}

/** Nobody is called late for less. */
const lateMinutes = 5

/** How late somebody came, or is by now; and who waits for it: the visits after it with the same people, in order. */
export function latenessOf(
  visit: DiaryVisit,
  visits: readonly DiaryVisit[],
  now: number,
): { minutes: number; waiting: DiaryVisit[] } | null {
  const came = visit.attendedAt['arrived'] ?? visit.attendedAt['in_service']
  const hasCome = visit.attendance === 'arrived' || visit.attendance === 'in_service'
  if (visit.status === 'cancelled' || !(hasCome ? came : visit.attendance === 'expected')) return null
  const minutes = minutesBetween(visit.startsAt, hasCome && came ? came : instantText(now))
  if (minutes < lateMinutes || minutesBetween(visit.endsAt, instantText(now)) > 0) return null
  const waiting = visits.filter((other) => {
    if (other._id === visit._id || other.status === 'cancelled' || other.attendance === 'no_show') return false
    return other.segments.some((next) =>
      visit.segments.some((own) => {
        const between = minutesBetween(own.endsAt, next.startsAt)
        return own.staffId === next.staffId && between >= 0 && between < minutes
      }),
    )
  })
  return { minutes, waiting: waiting.toSorted((a, b) => (a.startsAt < b.startsAt ? -1 : 1)) }
}

type Late = NonNullable<ReturnType<typeof latenessOf>>

/** Lateness in words: the same in the drawer and after one tap. */
export function useLateWords(zone: string) {
  const { t } = useTranslation('diary')
  return ({ minutes, waiting: [next] }: Late): string =>
    next
      ? t('late.others', { minutes, name: next.customer.name || t('walkIn'), time: timeText(next.startsAt, zone) })
      : t('late.nobody', { minutes })
}

export function Lateness({ visit, visits, zone, now }: { visit: DiaryVisit; visits: readonly DiaryVisit[]; zone: string; now: number }) {
  const wordsOf = useLateWords(zone)
  const late = latenessOf(visit, visits, now)
  if (!late) return null
  return (
    <p role="status" className={classNames(styles.late, late.waiting.length > 0 && styles.lateForOthers)}>
      <Icon name="clock" size={18} />
      <span>{wordsOf(late)}</span>
    </p>
  )
}

/** The next step as one button: beside the steps, or at the foot where a thumb is. */
export function NextStep({ visit, isAtFoot = false }: { visit: DiaryVisit; isAtFoot?: boolean }) {
  const { t } = useTranslation('diary')
  const attendance = useAttendance()
  const next = nextStep(visit.attendance)
  if (!next) return null
  const look = isAtFoot ? ({ variant: 'solid', className: styles.footStep } as const) : ({ variant: 'soft', size: 'small' } as const)
  return (
    <Button {...look} loading={attendance.isPending} onClick={() => attendance.set(visit, next)}>
      {t(`advance.${next}`)}
    </Button>
  )
}

/** What may be noted now: that nobody came stands apart. */
function StepActions({ visit, hasNext }: { visit: DiaryVisit; hasNext: boolean }) {
  const { t } = useTranslation('diary')
  const attendance = useAttendance()
  if (visit.attendance === 'no_show') {
    return (
      <div className={styles.stepActions}>
        <p className={styles.missed}>
          <Icon name="block" size={18} /> {t('attendance.no_show')}
        </p>
        <Button variant="text" size="small" onClick={() => attendance.set(visit, 'expected')}>
          {t('advance.cameAfterAll')}
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.stepActions}>
      <span>{hasNext && <NextStep visit={visit} />}</span>
      {visit.attendance !== 'done' && (
        <Button variant="text" size="small" className={styles.lose} onClick={() => attendance.set(visit, 'no_show')}>
          {t('didNotCome')}
        </Button>
      )}
    </div>
  )
}

export function AttendanceSteps({ visit, zone, hasNext }: { visit: DiaryVisit; zone: string; hasNext: boolean }) {
  const { t } = useTranslation('diary')
  const attendance = useAttendance()
  const isMissed = visit.attendance === 'no_show'
  const at = steps.findIndex((step) => step === visit.attendance)
  if (visit.status === 'cancelled' || visit.isHeld) return null
  return (
    <section className={styles.part} aria-label={t('attendance.title')}>
      <ol className={styles.steps}>
        {steps.map((step, index) => {
          const when = step === 'expected' ? visit.startsAt : visit.attendedAt[step]
          const isBehind = index < at
          return (
            <li key={step} className={classNames(isBehind && styles.behind, index === at && styles.at)}>
              <button
                type="button"
                aria-current={index === at ? 'step' : undefined}
                disabled={attendance.isPending}
                onClick={() => index !== at && attendance.set(visit, step)}
              >
                <i aria-hidden="true">
                  {isBehind ? <Icon name="check" size={15} /> : index === at && !isMissed ? <Petal height={14} /> : null}
                </i>
                <span>{t(`attendance.${step}`)}</span>
                <bdi className="small tabular">
                  {when !== undefined && (index <= at || step === 'expected') ? timeText(when, zone) : '\u00a0'}
                </bdi>
              </button>
            </li>
          )
        })}
      </ol>
      <StepActions visit={visit} hasNext={hasNext} />
    </section>
  )
}
