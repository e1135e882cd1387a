// Somebody who sits in a class: their visit, and whether they came, one by one.
import type { DiaryVisit } from '@soigne/contract/diary'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { useAttendance } from './use-visit-changes.ts'
import styles from './visit.module.css'

/** The step that is one tap away; a class has begun for all of them at once. */
const nextOf = (attendance: DiaryVisit['attendance']): 'arrived' | 'done' | null =>
  attendance === 'expected' ? 'arrived' : attendance === 'arrived' || attendance === 'in_service' ? 'done' : null

function SeatState({ visit }: { visit: DiaryVisit }) {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  if (visit.isHeld) return <StatusChip status="neutral" icon="clock" label={t('held')} />
  if (visit.attendance === 'no_show') return <StatusChip status="cancelled" icon="block" label={t('attendance.no_show')} />
  return (
    <span className={styles.seatState}>
      {visit.attendance !== 'expected' && (
        <span className={styles.came}>
          <Icon name={visit.attendance === 'done' ? 'checks' : 'door'} size={16} /> {t(`attendance.${visit.attendance}`)}
        </span>
      )}
      <StatusChip status={visit.status} label={label(`statuses.${visit.status}`)} />
    </span>
  )
}

export function SeatRow({ visit, onOpen }: { visit: DiaryVisit; onOpen: (id: string) => void }) {
  const { t } = useTranslation('diary')
  const attendance = useAttendance()
  const name = visit.customer.name || t('walkIn')
  const next = visit.isHeld ? null : nextOf(visit.attendance)
  return (
    <div className={styles.seat}>
      <button type="button" className={styles.seatName} disabled={visit.isHeld} onClick={() => onOpen(visit._id)}>
        <bdi className="medium">{visit.isHeld ? t('held') : name}</bdi>
        <SeatState visit={visit} />
      </button>
      {visit.attendance === 'no_show' && (
        <Button variant="text" size="small" loading={attendance.isPending} onClick={() => attendance.set(visit, 'expected')}>
          {t('advance.cameAfterAll')}
        </Button>
      )}
      {next && (
        <Button variant="soft" size="small" loading={attendance.isPending} onClick={() => attendance.set(visit, next)}>
          {t(`advance.${next}`)}
          <span className="visually-hidden">
            {' '}
            <bdi>{name}</bdi>
          </span>
        </Button>
      )}
      {next === 'arrived' && (
        <IconButton
          icon="block"
          label={t('didNotComeOf', { name })}
          disabled={attendance.isPending}
          onClick={() => attendance.set(visit, 'no_show')}
        />
      )}
    </div>
  )
}
