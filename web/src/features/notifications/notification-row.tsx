// One notification: pressed it is read and leads where it is about; the cross takes it away.
import type { Notification, NotificationType } from '@soigne/contract/notifications'
import { minuteMs } from '@soigne/contract/time'
import { useState } from 'react'
import { Link } from 'react-router'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from '#/ui/class-names.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import styles from './notifications.module.css'

const icons: Record<NotificationType, IconName> = { appointment: 'calendar', reminder: 'clock', system: 'bell', 'calendar-scope': 'globe' }

export type NotificationRowProps = { notification: Notification; onRead: () => void; onRemove: () => void; onLeave: () => void }

function Words({ notification: { title, message, timestamp, isRead } }: Pick<NotificationRowProps, 'notification'>) {
  const { t } = useTranslation('notifications')
  const times = useTimes()
  const [now] = useState(Date.now)
  const minutes = Math.floor((now - parseInstant(timestamp)) / minuteMs)
  return (
    <span className={styles.words}>
      <strong className={styles.title}>
        {title}
        {!isRead && <span className="visually-hidden"> {t('unreadMark')}</span>}
      </strong>
      <span className="small muted">{message}</span>
      <time dateTime={timestamp} className={styles.when}>
        {minutes < 1 ? t('justNow') : times.soon(-minutes)}
      </time>
    </span>
  )
}

export function NotificationRow({ notification, onRead, onRemove, onLeave }: NotificationRowProps) {
  const { t } = useTranslation('notifications')
  const { type, path, isRead, title } = notification
  const content = (
    <>
      <span className={classNames(styles.icon, styles[type])}>
        <Icon name={icons[type]} size={20} />
      </span>
      <Words notification={notification} />
    </>
  )
  function open() {
    onRead()
    onLeave()
  }
  return (
    <li className={classNames(styles.row, !isRead && styles.unread)}>
      {path === undefined ? (
        <button type="button" className={styles.press} onClick={onRead}>
          {content}
        </button>
      ) : (
        <Link to={path} className={styles.press} onClick={open}>
          {content}
        </Link>
      )}
      <IconButton icon="close" iconSize={18} label={t('remove', { title })} className={styles.remove} onClick={onRemove} />
    </li>
  )
}
