// Whoever answers for a salon writes to others as well: the way from the one list to the other.
import type { ChatSide } from '@soigne/contract/chat'
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { SegmentedLinks } from '#/ui/segmented.tsx'
import { useMay } from '#/use-may.ts'
import styles from './chat-page.module.css'

export function WhoseMessages({ side }: { side: ChatSide }) {
  const { t } = useTranslation('chat')
  if (!useMay('messages.answer')) return null
  return (
    <SegmentedLinks
      label={t('sides.label')}
      size="small"
      className={styles.sides}
      items={[
        { to: paths.instituteChats, label: t('sides.institute'), current: side === 'institute' },
        { to: paths.chats, label: t('sides.client'), current: side === 'client' },
      ]}
    />
  )
}
