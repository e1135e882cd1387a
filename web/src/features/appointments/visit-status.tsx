// What a visit is, in words, where nothing has been paid yet, and its payment state: Pending alone would read as not accepted.
import type { Appointment } from '@soigne/contract/appointments'
import { useTranslation } from '#/platform/translation.ts'
import { StatusChip } from '#/ui/status-chip.tsx'
import styles from './visits.module.css'

export type VisitStatusProps = { appointment: Pick<Appointment, 'status' | 'payAtSalon'>; withNote?: boolean }

export function VisitStatus({ appointment, withNote = true }: VisitStatusProps) {
  const { t } = useTranslation('labels')
  const { status, payAtSalon } = appointment
  return (
    <span className={styles.status}>
      {withNote && status === 'pending' && payAtSalon && <span className="small strong">{t('payAtSalon')}</span>}
      <StatusChip status={status} label={t(`statuses.${status}`)} />
    </span>
  )
}
