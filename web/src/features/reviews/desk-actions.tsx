// What the institute does about a review; offered to those of its people who may, and brought for nobody else.
import type { Review } from '@soigne/contract/reviews'
import { useTranslation } from '#/platform/translation.ts'
import { useMay } from '#/use-may.ts'
import styles from './reviews.module.css'

export type DeskActionsProps = { review: Review; onReply: () => void; onContest: () => void }

export function DeskActions({ review, onReply, onContest }: DeskActionsProps) {
  const { t } = useTranslation('reviews')
  if (!useMay('reviews.answer')) return null
  return (
    <>
      <button type="button" className={styles.action} onClick={onReply}>
        {t(review.reply ? 'card.change' : 'card.answer')}
      </button>
      <button type="button" className={styles.action} onClick={onContest}>
        {t('card.contest')}
      </button>
    </>
  )
}
