// The institute's public answer to a review.
import type { Review } from '@soigne/contract/reviews'
import { useMutation } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { replyLength } from '#/contract/limits.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './reviews.module.css'

export type ReplyDialogProps = { review: Review; onClose: () => void; onDone: (review: Review) => void }

export function ReplyDialog({ review, onClose, onDone }: ReplyDialogProps) {
  const { t } = useTranslation('reviews')
  const title = useId()
  const [text, setText] = useState(review.reply?.text ?? '')
  const [isMissing, setIsMissing] = useState(false)
  const send = useMutation({
    mutationFn: () => api.replyToReview({ params: { id: review._id }, body: { text: text.trim() } }),
    onSuccess: (changed) => {
      showToast({ type: 'success', title: t('reply.done') })
      onDone(changed)
      onClose()
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const isEmpty = text.trim() === ''
    setIsMissing(isEmpty)
    if (!isEmpty) send.mutate()
  }
  return (
    <Modal open onClose={onClose} labelledBy={title} placement="sheet" className={styles.dialog}>
      <form onSubmit={submit} className={styles.form} noValidate>
        <h2 id={title} className="d4">
          {t('reply.title', { author: review.author ?? t('card.gone') })}
        </h2>
        {review.text !== '' && (
          <blockquote className="muted" dir="auto" lang={review.language}>
            {review.text}
          </blockquote>
        )}
        <TextArea
          label={t('reply.label')}
          hint={t('reply.text')}
          rows={5}
          maxLength={replyLength}
          value={text}
          error={isMissing && t('reply.missing')}
          data-autofocus
          onChange={(event) => setText(event.target.value)}
        />
        {send.error && (
          <Notice tone="error" announce>
            {failureText(send.error)}
          </Notice>
        )}
        <div className={styles.buttons}>
          <Button type="submit" loading={send.isPending}>
            {t('reply.send')}
          </Button>
          <Button variant="text" onClick={onClose}>
            {t('reply.cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
