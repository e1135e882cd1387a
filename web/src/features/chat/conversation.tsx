// A conversation on the screen: its head, the messages with their days, what is on its way, and where one writes.
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { pictureOfSize } from '@soigne/contract/files'
import { minuteMs } from '@soigne/contract/time'
import { Fragment, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Link } from 'react-router'
import { bookingPath, paths, salonPath } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { ShownPictures } from '#/shown-pictures.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconLink } from '#/ui/icon-button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Partner } from './chat-list.tsx'
import { ChatMenu } from './chat-menu.tsx'
import { useChatWords } from './chat-words.ts'
import { Composer } from './composer.tsx'
import { MessageItem, UnsentItem } from './message-item.tsx'
import { type Draft, useOutbox } from './outbox.ts'
import { useConversation } from './use-conversation.ts'
import styles from './conversation.module.css'

/** Messages of one side within so long stand together, with one time under them. */
const togetherMs = 5 * minuteMs
/** A list that scrolls is reached with the keyboard, whether or not there is a link in it. */
const reachable = { tabIndex: 0 }
/** Nearer to an end than this somebody is at it. */
const nearPixels = 120

function Head({ chat, onFiles }: { chat: Chat; onFiles: () => void }) {
  const { t } = useTranslation('chat')
  const words = useChatWords()
  const { side, institute } = chat
  return (
    <header className={styles.head}>
      <IconLink to={side === 'client' ? paths.chats : paths.instituteChats} icon="arrow-start" label={t('back')} className={styles.back} />
      <Partner chat={chat} size={44} />
      <h1 className={styles.partner}>
        {side === 'client' ? <Link to={salonPath(institute.slug)}>{words.partner(chat)}</Link> : <bdi>{words.partner(chat)}</bdi>}
      </h1>
      {side === 'client' && (
        <ButtonLink to={bookingPath(institute.slug)} variant="soft" size="small" className={styles.times}>
          {t('freeTimes')}
        </ButtonLink>
      )}
      <ChatMenu chat={chat} onFiles={onFiles} />
    </header>
  )
}

/** Stays at the end while somebody is there, and where they are when older messages come above. */
function usePlace(
  messages: readonly ChatMessage[],
  unsentCount: number,
): { scroller: RefObject<HTMLDivElement | null>; note: () => boolean; toEnd: () => void } {
  const scroller = useRef<HTMLDivElement>(null)
  const place = useRef({ isAtEnd: true, height: 0, first: 0 })
  const first = messages[0]?.seq ?? 0
  const last = messages.at(-1)?.seq ?? 0
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const before = place.current
    if (before.isAtEnd) element.scrollTop = element.scrollHeight
    else if (first < before.first) element.scrollTop += element.scrollHeight - before.height
    place.current = { ...before, height: element.scrollHeight, first }
  }, [first, last, unsentCount])
  /** Where somebody has scrolled to; true when older messages are wanted. */
  function note(): boolean {
    const element = scroller.current
    if (!element) return false
    place.current.isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearPixels
    place.current.height = element.scrollHeight
    return element.scrollTop < nearPixels
  }
  /** Whoever writes goes on at the end, wherever they have read. */
  const toEnd = () => void (place.current.isAtEnd = true)
  return { scroller, note, toEnd }
}

function Messages({
  chat,
  messages,
  onPicture,
}: {
  chat: Chat
  messages: readonly ChatMessage[]
  onPicture: (message: ChatMessage) => void
}) {
  const words = useChatWords()
  const { side, isAcquainted, institute } = chat
  const newestOfMine = messages.findLast((one) => one.side === side)?.seq
  return messages.map((message, n) => {
    const [before, after] = [messages[n - 1], messages[n + 1]]
    const isLast = !after || after.side !== message.side || !words.isWithin(after.createdAt, message.createdAt, togetherMs)
    return (
      <Fragment key={message._id}>
        {(!before || !words.isSameDay(before.createdAt, message.createdAt)) && (
          <li className={styles.day}>
            <time dateTime={message.createdAt}>{words.day(message.createdAt)}</time>
          </li>
        )}
        <MessageItem
          message={message}
          side={side}
          slug={institute.slug}
          isLast={isLast}
          isNewestOfMine={message.seq === newestOfMine}
          isStranger={!isAcquainted}
          onPicture={onPicture}
        />
      </Fragment>
    )
  })
}

/** Three petals that move while the other side writes. */
function Typing({ partner }: { partner: string }) {
  const { t } = useTranslation('chat')
  return (
    <li className={styles.typing}>
      <span className={styles.petals} aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      <span className="visually-hidden">{t('typing', { name: partner })}</span>
    </li>
  )
}

/** The pictures of the messages on show, from one of them on. */
function Viewer({ messages, at, onClose }: { messages: readonly ChatMessage[]; at: string; onClose: () => void }) {
  const { t } = useTranslation('chat')
  const pictures = messages.filter(({ media }) => media?.type === 'image')
  return (
    <ShownPictures
      pictures={pictures.map(({ media }) => ({
        src: media?.url ?? '',
        alt: t('aPicture'),
        small: pictureOfSize(media?.url ?? '', 320),
      }))}
      start={pictures.findIndex(({ _id }) => _id === at)}
      onClose={onClose}
    />
  )
}

/** Earlier messages did not come. */
function Again({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation('chat')
  return (
    <p className={styles.earlier} role="alert">
      {t('failed')}{' '}
      <button type="button" className="link strong" onClick={onAgain}>
        {t('retry')}
      </button>
    </p>
  )
}

/** In the place of the field: by the reader, or by the site for both. */
function Closed({ by }: { by: 'blocked' | 'stopped' }) {
  const { t } = useTranslation('chat')
  return (
    <div className={styles.blocked}>
      <Notice tone="warning" title={t(`${by}Title`)}>
        {t(`${by}Text`)}
      </Notice>
    </div>
  )
}

export type ConversationProps = {
  chat: Chat
  userId: string
  /** What else can be sent, beside texts and files. */
  renderMore: (write: (message: Draft) => void) => ReactNode
  /** All pictures and documents of it. */
  renderFiles: (onClose: () => void) => ReactNode
}

export function Conversation({ chat, userId, renderMore, renderFiles }: ConversationProps) {
  const { t } = useTranslation('chat')
  const words = useChatWords()
  const conversation = useConversation(chat, userId)
  const { messages, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, take, isTyping, isLive } = conversation
  const { unsent, write: send, retry, drop } = useOutbox({ id: chat._id, userId, known: messages, onSent: take })
  const { scroller, note, toEnd } = usePlace(messages, unsent.length + Number(isTyping))
  const write = (message: Draft) => (toEnd(), send(message))
  const [picture, setPicture] = useState<string | null>(null)
  const [areFilesShown, setAreFilesShown] = useState(false)
  const partner = words.partner(chat)
  return (
    <section className={styles.conversation} aria-label={t('with', { name: partner })}>
      <Head chat={chat} onFiles={() => setAreFilesShown(true)} />
      <div
        ref={scroller}
        className={styles.scroller}
        {...reachable}
        role="group"
        aria-label={t('messages')}
        onScroll={() => note() && hasNextPage && !isFetchingNextPage && void fetchNextPage()}
      >
        {error && messages.length === 0 && (
          <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
            {failureText(error)}
          </ErrorState>
        )}
        {!isPending && messages.length === 0 && unsent.length === 0 && !error && (
          <p className={styles.first}>{t('first', { name: partner })}</p>
        )}
        {conversation.isFetchNextPageError && <Again onAgain={() => void fetchNextPage()} />}
        <ol className={styles.messages} aria-live="polite" aria-relevant="additions" aria-busy={isPending || isFetchingNextPage}>
          <Messages chat={chat} messages={messages} onPicture={({ _id }) => setPicture(_id)} />
          {unsent.map((one) => (
            <UnsentItem key={one.clientId} unsent={one} onRetry={() => retry(one)} onDrop={() => drop(one)} />
          ))}
          {isTyping && <Typing partner={partner} />}
        </ol>
      </div>
      {!isLive && !isPending && (
        <p className={styles.offline} role="status">
          <Icon name="offline" size={16} />
          {t('connecting')}
        </p>
      )}
      {chat.isStopped || chat.isBlocked ? (
        <Closed by={chat.isStopped ? 'stopped' : 'blocked'} />
      ) : (
        <Composer key={chat._id} chatId={chat._id} userId={userId} partner={partner} more={renderMore(write)} onWrite={write} />
      )}
      {picture !== null && <Viewer messages={messages} at={picture} onClose={() => setPicture(null)} />}
      {areFilesShown && renderFiles(() => setAreFilesShown(false))}
    </section>
  )
}
