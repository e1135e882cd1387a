// `/chat` and `/mysalon/messages`: the conversations of a person or of their institute, and the one that is open beside them.
import type { ChatSide } from '@soigne/contract/chat'
import { Suspense } from 'react'
import { useParams } from 'react-router'
import { ChatList } from '#/features/chat/chat-list.tsx'
import { Conversation } from '#/features/chat/conversation.tsx'
import { useChatWords } from '#/features/chat/chat-words.ts'
import { useChat, useFreshChats } from '#/features/chat/use-chats.ts'
import { useSiteRoute } from '#/guards.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { lazily } from '#/ui/lazily.tsx'
import { classNames } from '#/ui/class-names.ts'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import styles from './chat-page.module.css'

const ShareVisit = lazily(async () => (await import('./share-visit.tsx')).ShareVisit)
const OfferTime = lazily(async () => (await import('./offer-time.tsx')).OfferTime)
const WhoseMessages = lazily(async () => (await import('./whose-messages.tsx')).WhoseMessages)
const ChatFiles = lazily(async () => (await import('./chat-files.tsx')).ChatFiles)

export const handle = { namespaces: ['chat'] }

/** Not theirs or no conversation at all; anything else may be there at the next try. */
const isUnknown = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 400)

function Open({ id, userId }: { id: string; userId: string }) {
  const { t } = useTranslation('chat')
  const words = useChatWords()
  const { data: chat, error, isPending, refetch } = useChat(id)
  return (
    <Loading loading={isPending} label={t('loading')} skeleton={<Skeleton height={480} radius={16} />}>
      {chat && (
        <>
          <PageHead title={words.partner(chat)} />
          <Conversation
            key={id}
            chat={chat}
            userId={userId}
            renderMore={(write) => (
              <Suspense fallback={<Skeleton width={44} height={44} />}>
                {chat.side === 'client' ? <ShareVisit chat={chat} write={write} /> : <OfferTime chat={chat} write={write} />}
              </Suspense>
            )}
            renderFiles={(onClose) => (
              <Suspense>
                <ChatFiles chat={chat} onClose={onClose} />
              </Suspense>
            )}
          />
        </>
      )}
      {error && !chat && (
        <ErrorState title={t(isUnknown(error) ? 'notThere' : 'failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      )}
    </Loading>
  )
}

export default function ChatPage() {
  const { t } = useTranslation('chat')
  const { id } = useParams()
  const route = useSiteRoute()
  const user = useUser()
  const side: ChatSide = route === 'instituteChats' || route === 'instituteChat' ? 'institute' : 'client'
  useFreshChats()
  return (
    <div className={classNames(styles.page, id !== undefined && styles.isOpen)}>
      {id === undefined && <PageHead title={t('title')} />}
      <div className={styles.list}>
        <ChatList side={side} isBeside={id !== undefined}>
          {user?.institute && (
            <Suspense>
              <WhoseMessages side={side} />
            </Suspense>
          )}
        </ChatList>
      </div>
      <div className={styles.chat}>
        {id === undefined || !user ? (
          <EmptyState className={styles.none} title={t('choose')}>
            {t('chooseText')}
          </EmptyState>
        ) : (
          <Open key={id} id={id} userId={user.id} />
        )}
      </div>
    </div>
  )
}
