// What can be done about a review: anybody signed in reports it; who leads the institute answers or contests it.
import type { Review } from '@soigne/contract/reviews'
import { Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { loginPath } from '#/paths.ts'
import { useSession } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { placeText } from '#/platform/return-location.ts'
import styles from './reviews.module.css'
import { lazily } from '#/ui/lazily.tsx'

const ComplaintDialog = lazily(async () => (await import('./complaint-dialog.tsx')).ComplaintDialog)
const DeskActions = lazily(async () => (await import('./desk-actions.tsx')).DeskActions)
const ReplyDialog = lazily(async () => (await import('./reply-dialog.tsx')).ReplyDialog)

export type ReviewActionsProps = { review: Review; instituteId: string; onChanged: (review: Review) => void }

export function ReviewActions({ review, instituteId, onChanged }: ReviewActionsProps) {
  const { t } = useTranslation('reviews')
  const [open, setOpen] = useState<'report' | 'contest' | 'reply' | null>(null)
  const session = useSession()
  const place = placeText({ ...useLocation(), hash: '#reviews' })
  const close = () => setOpen(null)
  const isDesk = session.kind === 'user' && session.user.institute?._id === instituteId
  return (
    <>
      {isDesk && (
        <Suspense>
          <DeskActions review={review} onReply={() => setOpen('reply')} onContest={() => setOpen('contest')} />
        </Suspense>
      )}
      {session.kind === 'guest' ? (
        <Link to={loginPath(place)} className={styles.action}>
          {t('card.report')}
        </Link>
      ) : (
        !isDesk && (
          <button type="button" className={styles.action} onClick={() => setOpen('report')}>
            {t('card.report')}
          </button>
        )
      )}
      <Suspense>
        {(open === 'report' || open === 'contest') && <ComplaintDialog review={review} isContest={open === 'contest'} onClose={close} />}
        {open === 'reply' && <ReplyDialog review={review} onClose={close} onDone={onChanged} />}
      </Suspense>
    </>
  )
}
