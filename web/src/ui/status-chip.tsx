// A status is always colour, icon and word. The word comes from the caller, in the reader's language.
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './status-chip.module.css'

export type StatusName = 'completed' | 'deposit_paid' | 'pending' | 'cancelled' | 'available' | 'away' | 'on_holiday' | 'sick_leave'

type Look = { tone: 'ok' | 'dep' | 'wait' | 'bad' | 'inf' | 'neutral'; icon: IconName | undefined }

const looks: Record<StatusName | 'neutral', Look> = {
  completed: { tone: 'ok', icon: 'check' },
  deposit_paid: { tone: 'dep', icon: 'clock' },
  pending: { tone: 'wait', icon: 'more' },
  cancelled: { tone: 'bad', icon: 'close' },
  available: { tone: 'ok', icon: 'check' },
  away: { tone: 'inf', icon: 'sun' },
  on_holiday: { tone: 'inf', icon: 'sun' },
  sick_leave: { tone: 'wait', icon: 'home' },
  neutral: { tone: 'neutral', icon: undefined },
}

export type StatusChipProps = {
  /** The stored value: completed reads "Paid", deposit_paid "Deposit Paid" … */
  status: StatusName | 'neutral'
  label: string
  icon?: IconName
  className?: string | undefined
}

export function StatusChip({ status, label, icon, className }: StatusChipProps) {
  const look = looks[status]
  const name = icon ?? look.icon
  return (
    <span className={classNames(styles.chip, styles[look.tone], className)}>
      {name && <Icon name={name} size={15} />}
      {label}
    </span>
  )
}
