// On a phone: who comes next, and Arrived in one tap.
import type { DiaryVisit } from '@soigne/contract/diary'
import { instantText, minutesBetween, timeText } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { latenessOf, useLateWords } from './attendance-steps.tsx'
import { useAttendance } from './use-visit-changes.ts'
import styles from './visit.module.css'

/** The next to come of somebody: within the hour behind, or the half hour ahead. */
export function nextUpOf(visits: readonly DiaryVisit[], staffId: string | null, now: number): DiaryVisit | null {
  const isNear = ({ startsAt }: DiaryVisit) => {
    const ahead = minutesBetween(instantText(now), startsAt)
    return ahead > -60 && ahead <= 30
  }
  const isWaitedFor = ({ status, attendance, isHeld, segments }: DiaryVisit) =>
    status !== 'cancelled' && attendance === 'expected' && !isHeld && (staffId === null || segments.some((one) => one.staffId === staffId))
  return visits.filter((visit) => isNear(visit) && isWaitedFor(visit)).toSorted((a, b) => (a.startsAt < b.startsAt ? -1 : 1))[0] ?? null
}

export function NextUp({
  visits,
  staffId,
  zone,
  now,
  onArrived,
}: {
  visits: readonly DiaryVisit[]
  staffId: string | null
  zone: string
  now: number
  /** Instead of telling the server at once. */
  onArrived?: ((visit: DiaryVisit) => void) | undefined
}) {
  const { t } = useTranslation('diary')
  const wordsOf = useLateWords(zone)
  // Gone with the tap: how late it was is said with that it is noted.
  const attendance = useAttendance((noted) => {
    const late = latenessOf(noted, visits, now)
    return late ? wordsOf(late) : undefined
  })
  const visit = nextUpOf(visits, staffId, now)
  if (!visit) return null
  return (
    <section className={styles.nextUp} aria-label={t('nextUp')}>
      <p>
        <span>
          <bdi className="strong tabular">{timeText(visit.startsAt, zone)}</bdi> ·{' '}
          <bdi className="strong">{visit.customer.name || t('walkIn')}</bdi>
        </span>
        <span className="small muted truncate">{visit.segments.map(({ serviceName }) => serviceName).join(', ')}</span>
      </p>
      <Button
        variant="soft"
        icon="door"
        loading={attendance.isPending}
        onClick={() => (onArrived ? onArrived(visit) : attendance.set(visit, 'arrived'))}
      >
        {t('attendance.arrived')}
      </Button>
    </section>
  )
}
