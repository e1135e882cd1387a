// One message: its words, picture, document or visit, and under it when it was written and how far it has come.
import type { ChatMessage, ChatSide } from '@soigne/contract/chat'
import { pictureOfSize } from '@soigne/contract/files'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { appointmentPath, bookingPath } from '#/paths.ts'
import { listText } from '#/platform/lists.ts'
import { parseInstant } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { useChatWords } from './chat-words.ts'
import type { Unsent } from './messages.ts'
import { leadsElsewhere } from './messages.ts'
import { Ticks } from './ticks.tsx'
import styles from './messages.module.css'

type Media = NonNullable<ChatMessage['media']>
type Visit = NonNullable<ChatMessage['visit']>
type FreeTime = NonNullable<ChatMessage['freeTime']>

export function Document({ media: { url, name, bytes } }: { media: Media }) {
  const { t } = useTranslation('chat')
  return (
    <a className={styles.document} href={url} download>
      <Icon name="download" size={22} />
      <span>
        <bdi className="strong">{name ?? t('aDocument')}</bdi>
        <span className="small">{t('kilobytes', { size: Math.max(1, Math.round(bytes / 1000)) })}</span>
      </span>
    </a>
  )
}

function VisitCard({ visit, side }: { visit: Visit; side: ChatSide }) {
  const { t, i18n } = useTranslation('chat')
  const words = useChatWords()
  const names = visit.services.map((name) => name[i18n.language as 'en'] ?? name.en ?? Object.values(name)[0]).join(' + ')
  const content = (
    <>
      <span className="small">{t('aVisit')}</span>
      <span className={classNames('d5', visit.isCancelled && styles.gone)}>{words.visitTime(visit.startsAt, visit.timeZone)}</span>
      <bdi className="small">{names}</bdi>
      {visit.isCancelled && <span className="small strong">{t('cancelled')}</span>}
    </>
  )
  // Only the client has a page of their own for it.
  if (side !== 'client') return <span className={styles.visit}>{content}</span>
  return (
    <Link className={styles.visit} to={appointmentPath(visit.appointmentId)}>
      {content}
    </Link>
  )
}

/** Booking it takes two taps: this one, and the one that confirms. */
function FreeTimeCard({ freeTime, side, slug }: { freeTime: FreeTime; side: ChatSide; slug: string }) {
  const { t, i18n } = useTranslation('chat')
  const words = useChatWords()
  const { startsAt, timeZone, services } = freeTime
  const [now] = useState(Date.now)
  const isOver = parseInstant(startsAt) < now
  const names = services.map(({ name }) => name[i18n.language as 'en'] ?? name.en ?? Object.values(name)[0]).join(' + ')
  const people = [...new Set(services.flatMap(({ staffName }) => staffName ?? []))]
  const choice = new URLSearchParams([
    ...services.map(({ serviceId }) => ['service', serviceId]),
    ...services.map(({ staffId }) => ['staff', staffId ?? 'any']),
    ['at', startsAt],
  ])
  return (
    <span className={styles.visit}>
      <span className="small">{t('aFreeTime')}</span>
      <span className={classNames('d5', isOver && styles.gone)}>{words.visitTime(startsAt, timeZone)}</span>
      <span className="small">
        <bdi>{names}</bdi>
        {people.length > 0 && <> · {t('withPerson', { names: listText(people, i18n.language) })}</>}
      </span>
      {side === 'client' && !isOver && (
        <ButtonLink to={bookingPath(slug, choice)} size="small">
          {t('bookTime')}
        </ButtonLink>
      )}
    </span>
  )
}

type ContentProps = { message: ChatMessage; side: ChatSide; slug: string; onPicture: (message: ChatMessage) => void }
function Content({ message, side, slug, onPicture }: ContentProps) {
  const { t } = useTranslation('chat')
  const { text, media, visit, freeTime } = message
  const isMine = message.side === side
  return (
    <>
      {media?.type === 'image' && (
        <button type="button" className={styles.picture} onClick={() => onPicture(message)}>
          <img
            src={pictureOfSize(media.url, 320)}
            alt={t('aPicture')}
            width={media.width ?? 150}
            height={media.height ?? 150}
            loading="lazy"
          />
        </button>
      )}
      {media?.type === 'document' && <Document media={media} />}
      {visit && <VisitCard visit={visit} side={side} />}
      {freeTime && <FreeTimeCard freeTime={freeTime} side={side} slug={slug} />}
      {text !== null && (
        <p className={classNames(styles.bubble, isMine && styles.mine)} dir="auto">
          {text}
        </p>
      )}
      {text === null && !media && !visit && !freeTime && <p className={classNames(styles.bubble, styles.lost)}>{t('lost')}</p>}
    </>
  )
}

export type MessageItemProps = ContentProps & {
  /** The last of some that were written together: their time stands under it. */
  isLast: boolean
  /** The last of mine, with the word beside its ticks. */
  isNewestOfMine: boolean
  /** Links of whoever has never met the reader are met with a word of caution. */
  isStranger: boolean
}

export function MessageItem({ isLast, isNewestOfMine, isStranger, ...props }: MessageItemProps) {
  const { t } = useTranslation('chat')
  const words = useChatWords()
  const { message, side } = props
  const isMine = message.side === side
  return (
    <li className={classNames(styles.message, isMine && styles.fromMe)}>
      <span className="visually-hidden">{isMine ? t('fromYou') : t('fromThem')}</span>
      <Content {...props} />
      {isStranger && !isMine && leadsElsewhere(message.text) && (
        <p className={styles.caution}>
          <Icon name="shield" size={16} />
          {t('caution')}
        </p>
      )}
      {(isLast || isNewestOfMine) && (
        <span className={styles.when}>
          <time dateTime={message.createdAt}>{words.time(message.createdAt)}</time>
          {isMine && <Ticks status={message.status} isWordShown={isNewestOfMine} />}
        </span>
      )}
    </li>
  )
}

/** A picture on its way, as it is in the browser. */
function PictureOnItsWay({ file }: { file: File }) {
  const { t } = useTranslation('chat')
  const address = useMemo(() => URL.createObjectURL(file), [file])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  return (
    <span className={classNames(styles.picture, styles.pending)}>
      <img src={address} alt={t('aPicture')} width={150} height={150} />
    </span>
  )
}

export function UnsentItem({ unsent, onRetry, onDrop }: { unsent: Unsent; onRetry: () => void; onDrop: () => void }) {
  const { t } = useTranslation('chat')
  const { failure, file, text, appointmentId, freeTime } = unsent
  return (
    <li className={classNames(styles.message, styles.fromMe)}>
      {file?.type.startsWith('image/') ? (
        <PictureOnItsWay file={file} />
      ) : (
        <p className={classNames(styles.bubble, styles.mine, styles.pending)} dir="auto">
          {file?.name ?? (text || (appointmentId && t('aVisit')) || (freeTime && t('aFreeTime')))}
        </p>
      )}
      {failure === null ? (
        <span className={styles.when}>{t('sending')}</span>
      ) : (
        <span className={classNames(styles.when, styles.failed)} role="alert">
          {failure || t('notSent')}
          <button type="button" className="link strong" onClick={onRetry}>
            {t('again')}
          </button>
          <button type="button" className="link" onClick={onDrop}>
            {t('drop')}
          </button>
        </span>
      )}
    </li>
  )
}
