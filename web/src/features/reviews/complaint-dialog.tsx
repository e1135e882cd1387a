// Says that a review breaks the rules: by anybody, or by its institute, who must say why.
import type { Review } from '@soigne/contract/reviews'
import { useMutation } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { reportReasons } from '#/contract/closed-lists.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './reviews.module.css'

type Reason = (typeof reportReasons)[number]

function useComplaint(id: string, isContest: boolean, onDone: () => void) {
  return useMutation({
    mutationFn: (body: { reason: Reason; note: string }) =>
      isContest ? api.contestReview({ params: { id }, body }) : api.reportReview({ params: { id }, body }),
    onSuccess: ({ message }) => {
      showToast({ type: 'success', title: message })
      onDone()
    },
  })
}

export type ComplaintDialogProps = { review: Review; isContest: boolean; onClose: () => void }

export function ComplaintDialog({ review, isContest, onClose }: ComplaintDialogProps) {
  const { t } = useTranslation('reviews')
  const title = useId()
  const [reason, setReason] = useState<Reason>(isContest ? 'not_a_visit' : 'insult')
  const [note, setNote] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const send = useComplaint(review._id, isContest, onClose)
  function submit(event: FormEvent) {
    event.preventDefault()
    const isEmpty = isContest && note.trim() === ''
    setIsMissing(isEmpty)
    if (!isEmpty) send.mutate({ reason, note })
  }
  return (
    <Modal open onClose={onClose} labelledBy={title} placement="sheet" className={styles.dialog}>
      <form onSubmit={submit} className={styles.form} noValidate>
        <h2 id={title} className="d4">
          {t(isContest ? 'report.contestTitle' : 'report.title')}
        </h2>
        <p className="muted">{t(isContest ? 'report.contestText' : 'report.text')}</p>
        <ChoiceChips
          legend={t('report.reason')}
          name="reason"
          choices={reportReasons.map((value) => ({ value, label: t(`report.reasons.${value}`) }))}
          chosen={reason}
          onChoose={(value) => setReason(reportReasons.find((one) => one === value) ?? 'other')}
        />
        <TextArea
          label={t('report.note')}
          rows={3}
          maxLength={1000}
          value={note}
          error={isMissing && t('report.noteMissing')}
          onChange={(event) => setNote(event.target.value)}
        />
        {send.error && (
          <Notice tone="error" announce>
            {failureText(send.error)}
          </Notice>
        )}
        <div className={styles.buttons}>
          <Button type="submit" loading={send.isPending}>
            {t('report.send')}
          </Button>
          <Button variant="text" onClick={onClose}>
            {t('report.cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
