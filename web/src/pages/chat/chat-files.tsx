// All pictures and documents of a conversation, by kind, the newest first.
import { mediaTypes, type Chat } from '@soigne/contract/chat'
import { pictureOfSize } from '@soigne/contract/files'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Document } from '#/features/chat/message-item.tsx'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { ShownPictures } from '#/shown-pictures.tsx'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import styles from './chat-sheets.module.css'

const pageSize = 30
type MediaType = (typeof mediaTypes)[number]

function useFiles(id: string, type: MediaType) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.chats.media(id, type),
    queryFn: ({ pageParam, signal }) => api.chatMedia({ params: { id }, query: { type, page: pageParam, pageSize } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * pageSize < total ? page + 1 : undefined),
    staleTime: 2000,
  })
  const files = query.data?.pages.flatMap(({ items }) => items).flatMap(({ _id, media }) => (media ? [{ _id, media }] : []))
  return { ...query, files }
}

function Files({ id, type }: { id: string; type: MediaType }) {
  const { t } = useTranslation('chat')
  const [shown, setShown] = useState<number | null>(null)
  const { files, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = useFiles(id, type)
  if (error && !files)
    return (
      <ErrorState title={t('filesFailed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <Loading loading={!files} label={t('loading')} skeleton={<Skeleton height={160} radius={16} />}>
      {files?.length === 0 && <p className="muted">{t(`noFiles.${type}`)}</p>}
      <ul className={type === 'image' ? styles.pictures : styles.documents}>
        {files?.map(({ _id, media }, n) => (
          <li key={_id}>
            {type === 'image' ? (
              <button type="button" className={styles.picture} onClick={() => setShown(n)}>
                <img
                  src={pictureOfSize(media.url, 320)}
                  alt={t('aPicture')}
                  width={media.width ?? 150}
                  height={media.height ?? 150}
                  loading="lazy"
                />
              </button>
            ) : (
              <Document media={media} />
            )}
          </li>
        ))}
      </ul>
      {isFetchNextPageError && <p role="alert">{t('filesFailed')}</p>}
      {hasNextPage && (
        <Button variant="soft" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('moreFiles')}
        </Button>
      )}
      {shown !== null && files && (
        <ShownPictures
          pictures={files.map(({ media }) => ({ src: media.url, alt: t('aPicture'), small: pictureOfSize(media.url, 320) }))}
          start={shown}
          onClose={() => setShown(null)}
        />
      )}
    </Loading>
  )
}

export function ChatFiles({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { t } = useTranslation('chat')
  const id = useId()
  const [type, setType] = useState<MediaType>('image')
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="drawer">
      <div className={styles.sheet}>
        <div className={styles.head}>
          <h2 id={id} className="d3">
            {t('files')}
          </h2>
          <IconButton icon="close" label={t('close')} onClick={onClose} />
        </div>
        <ChoiceChips
          legend={t('fileKind')}
          name={`${id}-type`}
          choices={mediaTypes.map((value) => ({ value, label: t(`fileKinds.${value}`) }))}
          chosen={type}
          onChoose={(value) => setType(value as MediaType)}
        />
        <Files key={type} id={chat._id} type={type} />
      </div>
    </Modal>
  )
}
