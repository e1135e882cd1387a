// The payment state of a visit, with what is still to happen at the salon beside it.
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
      <StatusChip status={status} label={t(`statuses.${status}`)} />
      {withNote && status === 'pending' && payAtSalon && <span className="fine muted">{t('payAtSalon')}</span>}
    </span>
  )
}
