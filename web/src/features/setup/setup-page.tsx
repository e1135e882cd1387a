// The setup of an institute. Its first step is open; the draft waits on this device for the other five.
import type { SessionUser } from '@soigne/contract/session'
import { useTranslation } from '#/platform/translation.ts'
import { useNavigate } from 'react-router'
import { PageHead } from '#/platform/page-head.tsx'
import { useUser } from '#/platform/session.tsx'
import { storageKeys, writeStored } from '#/platform/storage.ts'
import { paths } from '#/paths.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { CardPreview } from './card-preview.tsx'
import { stepNames } from './draft.ts'
import { GeneralStep } from './general-step.tsx'
import { StepList } from './step-list.tsx'
import { useDraft } from './use-draft.ts'
import styles from './setup-page.module.css'

export const handle = { namespaces: ['setup', 'labels'] }

/** Only the first step can be filled in so far. */
const openStep = 0

function Setup({ user }: { user: SessionUser }) {
  const { t } = useTranslation('setup')
  const navigate = useNavigate()
  const [draft, change] = useDraft(user.id)
  function skip() {
    writeStored(storageKeys.skipRegistration, 'true')
    void navigate(paths.home)
  }
  return (
    <div className={`page ${styles.columns}`}>
      <PageHead title={t('head')} />
      <StepList step={openStep} />
      <div>
        <h1 className="d2">{t('general.title')}</h1>
        <p className={`lede ${styles.text}`}>{t('general.text')}</p>
        <GeneralStep draft={draft} change={change} />
        <Notice tone="kind" icon="clock" title={t('next.title')} className={styles.next}>
          {t('next.text')}
        </Notice>
        <div className={styles.foot}>
          <p className="small muted">
            {t('step', { step: openStep + 1, of: stepNames.length })} · {t('saved')}
          </p>
          <Button variant="outline" onClick={skip}>
            {t('skip')}
          </Button>
        </div>
      </div>
      <CardPreview draft={draft} />
    </div>
  )
}

export default function SetupPage() {
  const user = useUser()
  return user && <Setup key={user.id} user={user} />
}
