// What became of the sessions of packages that pay for a visit of one's own.
import type { VisitSessions as Sessions } from '@soigne/contract/vouchers'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import styles from './own-packages.module.css'

export function VisitSessions({ sessions }: { sessions: Sessions | undefined }) {
  const { t } = useTranslation('appointments')
  if (!sessions || sessions.length === 0) return null
  return (
    <ul className={styles.sessions}>
      {sessions.map(({ name, count, state }) => (
        <li key={`${name} ${state}`}>
          <Icon name="checks" size={26} />
          <span>{t(`packages.${state}`, { count, name })}</span>
        </li>
      ))}
    </ul>
  )
}
