// The conversations of one side: searched, put away or not, the last written in first.
import type { Chat, ChatSide } from '@soigne/contract/chat'
import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react'
import { NavLink } from 'react-router'
import { chatPath, paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import { useChatWords } from './chat-words.ts'
import { draftOf } from './outbox.ts'
import { Ticks } from './ticks.tsx'
import { Count } from './unread-count.tsx'
import { useChats } from './use-chats.ts'
import styles from './chat-list.module.css'

export function Partner({ chat, size }: { chat: Chat; size: number }) {
  const words = useChatWords()
  if (chat.side === 'institute') return <FaceImage name={words.partner(chat)} photoUrl={chat.client.imageUrl} size={size} />
  return <img className={styles.cover} src={chat.institute.coverUrl} alt="" width={size} height={size} loading="lazy" />
}

function LastWords({ chat: { lastMessage, side, _id } }: { chat: Chat }) {
  const { t } = useTranslation('chat')
  const words = useChatWords()
  const userId = useUser()?.id
  const draft = userId === undefined ? '' : draftOf({ id: _id, userId })
  const isMine = lastMessage?.side === side
  return (
    <span className={styles.words}>
      {(draft || isMine) && <span>{t(draft ? 'draft' : 'you')}</span>}
      <bdi>{draft || (lastMessage && words.summary(lastMessage))}</bdi>
    </span>
  )
}

function ChatRow({ chat }: { chat: Chat }) {
  const words = useChatWords()
  const { lastMessage, unread, side } = chat
  return (
    <li>
      <NavLink to={chatPath(side, chat._id)} className={({ isActive }) => classNames(styles.row, isActive && styles.open) ?? ''}>
        <Partner chat={chat} size={52} />
        <span className={styles.what}>
          <bdi className={styles.name}>{words.partner(chat)}</bdi>
          <LastWords chat={chat} />
        </span>
        <span className={styles.state}>
          <time className={classNames('small', unread > 0 ? styles.new : 'muted')} dateTime={chat.updatedAt}>
            {words.when(chat.updatedAt)}
          </time>
          {unread > 0 ? <Count unread={unread} /> : lastMessage?.side === side && <Ticks status={lastMessage.status} />}
        </span>
      </NavLink>
    </li>
  )
}

/** Asks for more when its end comes near. */
function More({ onNear }: { onNear: () => void }) {
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const watcher = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && onNear())
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [onNear])
  return <li ref={place} className={styles.more} />
}

/** It is asked for again by hand: the end of the list stays near, and would ask without an end. */
function Again({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation('chat')
  return (
    <li className={styles.again} role="alert">
      <span className="small">{t('failed')}</span>
      <button type="button" className="link strong" onClick={onAgain}>
        {t('retry')}
      </button>
    </li>
  )
}

function Nothing({ side, search, archived }: { side: ChatSide; search: string; archived: boolean }) {
  const { t } = useTranslation('chat')
  if (search || archived) return <p className={styles.none}>{t(search ? 'noneFound' : 'noneArchived')}</p>
  return (
    <EmptyState title={t('empty')} action={side === 'client' ? <ButtonLink to={paths.institutes}>{t('find')}</ButtonLink> : null}>
      {t(side === 'client' ? 'emptyClient' : 'emptyInstitute')}
    </EmptyState>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      {[0, 1, 2, 3, 4].map((one) => (
        <Skeleton key={one} height={64} radius={16} />
      ))}
    </div>
  )
}

export type ChatListProps = {
  side: ChatSide
  /** Beside an open conversation that one gives the page its heading. */
  isBeside: boolean
  /** Under the heading. */
  children?: ReactNode
}

export function ChatList({ side, isBeside, children }: ChatListProps) {
  const { t } = useTranslation('chat')
  const [search, setSearch] = useState('')
  const [archived, setArchived] = useState(false)
  const Heading = isBeside ? 'h2' : 'h1'
  const asked = useDeferredValue(search.trim())
  const { data, error, refetch, ...query } = useChats({ side, search: asked, archived })
  const more = () => void query.fetchNextPage()
  const chats = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className={styles.list} aria-label={t('list')}>
      <div className={styles.head}>
        <Heading className="d3">{archived ? t('archived') : t('title')}</Heading>
        <IconButton icon="archive" label={t('showArchived')} pressed={archived} onClick={() => setArchived(!archived)} />
      </div>
      {children}
      <label className={styles.search}>
        <Icon name="search" size={20} />
        <span className="visually-hidden">{t('search')}</span>
        <input type="search" value={search} maxLength={80} placeholder={t('search')} onChange={({ target }) => setSearch(target.value)} />
      </label>
      <Loading loading={query.isPending} label={t('loading')} skeleton={<Waiting />}>
        {error && !data && (
          <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
            {failureText(error)}
          </ErrorState>
        )}
        {data && chats.length === 0 && <Nothing side={side} search={asked} archived={archived} />}
        <ul className={styles.rows}>
          {chats.map((chat) => (
            <ChatRow key={chat._id} chat={chat} />
          ))}
          {query.isFetchNextPageError && <Again onAgain={more} />}
          {query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError && <More onNear={more} />}
        </ul>
      </Loading>
    </section>
  )
}
