// How far a message has come: one tick, two, two in the petal's colour; the word stands beside them or is read aloud.
import type { MessageStatus } from '@soigne/contract/chat'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from '#/ui/class-names.ts'
import styles from './messages.module.css'

export function Ticks({ status, isWordShown = false }: { status: MessageStatus; isWordShown?: boolean }) {
  const { t } = useTranslation('chat')
  return (
    <span className={classNames(styles.ticks, status === 'read' && styles.read)}>
      <Icon name={status === 'sent' ? 'check' : 'checks'} size={16} />
      <span className={isWordShown ? undefined : 'visually-hidden'}>{t(`status.${status}`)}</span>
    </span>
  )
}
