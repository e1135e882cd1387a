// Beside the way to the conversations: in how many of them something is unread, true at once when something is said or read.
import type { ChatSide } from '@soigne/contract/chat'
import type { SessionUser } from '@soigne/contract/session'
import { useQuery } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { useFreshChats } from './use-chats.ts'
import styles from './chat-list.module.css'

export function Count({ unread }: { unread: number }) {
  const { t } = useTranslation('chat')
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
      <span className="visually-hidden">{t('unread', { count: unread })}</span>
    </span>
  )
}

/** In how many conversations of a side something is unread. */
export function useUnread(side: ChatSide, enabled = true): number {
  const key = queryKeys.chats.unread(side)
  const { data = 0 } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.chats({ query: { side, pageSize: 10 } }, { signal }),
    select: ({ unread }) => unread,
    enabled,
  })
  useFreshChats(key)
  return data
}

/** Of the side that the link beside it leads to. Whoever has nothing unread needs no words for it. */
export function UnreadCount({ user: { role, institute, isEmailVerified } }: { user: SessionUser }) {
  const isAsked = isEmailVerified && (role === 'isClient' || institute !== undefined)
  const unread = useUnread(role === 'isPro' ? 'institute' : 'client', isAsked)
  return unread > 0 && <Count unread={unread} />
}
