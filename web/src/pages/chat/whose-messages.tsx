// Whoever answers for a salon writes to others as well: the way from the one list to the other, with what is unread there.
import type { ChatSide } from '@soigne/contract/chat'
import { useUnread } from '#/features/chat/unread-count.tsx'
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { SegmentedLinks } from '#/ui/segmented.tsx'
import { useMay } from '#/use-may.ts'
import styles from './chat-page.module.css'

const sides = [
  { side: 'institute', to: paths.instituteChats },
  { side: 'client', to: paths.chats },
] as const

function Sides({ current }: { current: ChatSide }) {
  const { t } = useTranslation('chat')
  const unread = useUnread(current === 'client' ? 'institute' : 'client')
  const items = sides.map(({ side, to }) => {
    const isCurrent = side === current
    const name = t(`sides.${side}`)
    return { to, current: isCurrent, label: isCurrent || unread === 0 ? name : `${name} · ${t('unread', { count: unread })}` }
  })
  return <SegmentedLinks label={t('sides.label')} size="small" className={styles.sides} items={items} />
}

export function WhoseMessages({ side }: { side: ChatSide }) {
  return useMay('messages.answer') && <Sides current={side} />
}
