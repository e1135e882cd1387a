// The setup of an institute, at the step where the draft stands. The first one can be filled in; the others say that they come.
import type { SessionUser } from '@soigne/contract/session'
import { useEffect, useRef } from 'react'
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

/** Skipping the setup is remembered; the way to it stays in My Salon. */
function useSkip() {
  const navigate = useNavigate()
  return () => {
    writeStored(storageKeys.skipRegistration, 'true')
    void navigate(paths.home)
  }
}

/** The heading of the step: read first when it has changed under the reader. */
function useStepHeading(step: number) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus()
    shown.current = step
  }, [step])
  return heading
}

function Setup({ user }: { user: SessionUser }) {
  const { t } = useTranslation('setup')
  const [draft, change] = useDraft(user.id)
  const skip = useSkip()
  const { step } = draft
  const heading = useStepHeading(step)
  const name = stepNames[step] ?? stepNames[0]
  const isFirst = step === 0
  return (
    <div className={`page ${styles.columns}`}>
      <PageHead title={t('head')} />
      <StepList step={step} />
      <div>
        <h1 ref={heading} tabIndex={-1} className="d2">
          {isFirst ? t('general.title') : t(`steps.${name}`)}
        </h1>
        {isFirst ? (
          <>
            <p className={`lede ${styles.text}`}>{t('general.text')}</p>
            <GeneralStep draft={draft} change={change} />
          </>
        ) : (
          <Notice tone="kind" icon="clock" title={t('next.title')} className={styles.next}>
            {t('next.text')}
          </Notice>
        )}
        <div className={styles.foot}>
          <p className="small muted">
            {t('step', { step: step + 1, of: stepNames.length })} · {t('saved')}
          </p>
          <div className={styles.ways}>
            <Button variant="text" onClick={skip}>
              {t('skip')}
            </Button>
            {!isFirst && (
              <Button variant="outline" onClick={() => change({ step: step - 1 })}>
                {t('back')}
              </Button>
            )}
            {step < stepNames.length - 1 && <Button onClick={() => change({ step: step + 1 })}>{t('continue')}</Button>}
          </div>
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
