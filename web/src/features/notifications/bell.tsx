// The bell of the header and the list that opens under it.
import type { SessionUser } from '@soigne/contract/session'
import { useRef } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { DisclosureMenu } from '#/ui/disclosure-menu.tsx'
import { useKeptFocus } from '#/ui/use-kept-focus.ts'
import { NotificationRow } from './notification-row.tsx'
import { useNotifications } from './use-notifications.ts'
import styles from './notifications.module.css'

export function Bell({ user }: { user: SessionUser }) {
  const { t } = useTranslation('notifications')
  const { items, unread, error, isPending, read, readAll, remove } = useNotifications(user)
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useKeptFocus()
  /** The button goes with what it does. */
  function readThemAll() {
    readAll()
    heading.current?.focus()
  }
  const button = (
    <>
      <Icon name="bell" size={22} />
      {unread > 0 && <span className={styles.dot} />}
    </>
  )
  return (
    <DisclosureMenu
      button={button}
      label={unread > 0 ? t('labelUnread', { count: unread }) : t('label')}
      buttonClassName={styles.button}
      panelClassName={styles.panel}
    >
      {(close) => (
        <section aria-label={t('label')}>
          <div className={styles.head}>
            <h2 ref={heading} tabIndex={-1} className={styles.heading}>
              {t('label')}
            </h2>
            {unread > 0 && (
              <button type="button" className="link small strong" onClick={readThemAll}>
                {t('readAll')}
              </button>
            )}
          </div>
          {error && (
            <p role="alert" className={styles.note}>
              {t('failed')}
            </p>
          )}
          {items.length === 0 && !isPending && !error && <p className={styles.note}>{t('empty')}</p>}
          <ul ref={list} className={styles.list}>
            {items.map((one) => (
              <NotificationRow key={one.id} notification={one} onRead={() => read(one)} onRemove={() => remove(one.id)} onLeave={close} />
            ))}
          </ul>
        </section>
      )}
    </DisclosureMenu>
  )
}
