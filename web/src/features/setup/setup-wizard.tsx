// The setup of an institute, at the step where the draft stands.
import type { SessionUser } from '@soigne/contract/session'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { paths } from '#/paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { storageKeys, writeStored } from '#/platform/storage.ts'
import { dayOf, parseInstant } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { CardPreview } from './card-preview.tsx'
import { ClaimState } from './claim-state.tsx'
import { type SetupDraft, type StepName, stepNames } from './draft/draft.ts'
import { GalleryStep } from './pictures/gallery-step.tsx'
import { type PictureUpload, usePictureUpload } from './pictures/use-picture-upload.ts'
import { GeneralStep } from './general-step.tsx'
import { PaymentStep, RulesPreview } from './payment-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { problemsOf } from './draft/send-draft.ts'
import { ServicesStep } from './services-step.tsx'
import { StepList } from './step-list.tsx'
import { TeamStep } from './team-step.tsx'
import { type DraftChange, useDraft } from './draft/use-draft.ts'
import { usePublish } from './use-publish.ts'
import styles from './setup-wizard.module.css'

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
    if (shown.current !== step) {
      heading.current?.focus({ preventScroll: true })
      scrollTo({ top: 0 })
    }
    shown.current = step
  }, [step])
  return heading
}

/** The sheet of pages behind sign-in, for the page that shows the setup. */
export { dashboardLinks as setupLinks } from '#/kit/dashboard-links.ts'

export type SetupPreview = (draft: SetupDraft, now: number) => ReactNode

type StepProps = { name: StepName; draft: SetupDraft; change: DraftChange; user: SessionUser; now: number; upload: PictureUpload }

function Step({ name, draft, change, user, now, upload }: StepProps) {
  const today = dayOf(now, draft.place?.timeZone || 'UTC')
  const { publish, busy, refusal } = usePublish({ draft, change, today })
  switch (name) {
    case 'general':
      return <GeneralStep draft={draft} change={change} />
    case 'services':
      return <ServicesStep draft={draft} change={change} />
    case 'team':
      return <TeamStep draft={draft} change={change} user={user} today={today} />
    case 'gallery':
      return <GalleryStep draft={draft} change={change} upload={upload} />
    case 'payment':
      return <PaymentStep draft={draft} change={change} />
    case 'review':
      return (
        <ReviewStep
          draft={draft}
          waiting={upload.sending.length}
          busy={busy}
          refusal={refusal}
          onJump={(step) => change({ step })}
          onPublish={publish}
        />
      )
  }
}

function Foot({ draft, change }: { draft: SetupDraft; change: DraftChange }) {
  const { t } = useTranslation('setup')
  const skip = useSkip()
  const { step } = draft
  return (
    <div className={styles.foot}>
      <p className="small muted">
        {t('step', { step: step + 1, of: stepNames.length })} · {t('saved')}
      </p>
      <div className={styles.ways}>
        <Button variant="text" onClick={skip}>
          {t('skip')}
        </Button>
        {step > 0 && (
          <Button variant="outline" onClick={() => change({ step: step - 1 })}>
            {t('back')}
          </Button>
        )}
        {step < stepNames.length - 1 && <Button onClick={() => change({ step: step + 1 })}>{t('continue')}</Button>}
      </div>
    </div>
  )
}

/** What somebody sees beside the step. */
function Beside({ name, draft, now, preview }: { name: StepName; draft: SetupDraft; now: number; preview: SetupPreview }) {
  if (name === 'review') return <div className={styles.preview}>{preview(draft, now)}</div>
  return name === 'payment' ? <RulesPreview draft={draft} /> : <CardPreview draft={draft} />
}

/** `preview`: the institute as its clients will see it. */
export function SetupWizard({ user, preview }: { user: SessionUser; preview: SetupPreview }) {
  const { t } = useTranslation('setup')
  const [draft, change] = useDraft(user.id)
  const upload = usePictureUpload(change)
  const { data } = useQuery({
    queryKey: dashboardKeys.setupState,
    queryFn: ({ signal }) => dashboardApi.setupState({}, { signal }),
    staleTime: 0,
  })
  const { step } = draft
  const heading = useStepHeading(step)
  const name = stepNames[step] ?? stepNames[0]
  const now = data ? parseInstant(data.now) : null
  const waits = data?.claim?.state === 'waiting'
  const missing = new Set(problemsOf(draft).map((one) => one.step))
  return (
    <div className={`page ${styles.columns}`} data-step={name}>
      <PageHead title={t('head')} />
      <StepList step={step} done={(at) => at < step && !missing.has(at)} onJump={(at) => change({ step: at })} />
      <div>
        {data?.claim && <ClaimState claim={data.claim} change={change} />}
        {!waits && (
          <>
            <h1 ref={heading} tabIndex={-1} className="d2">
              {name === 'general' ? t('general.title') : t(`steps.${name}`)}
            </h1>
            <p className={`lede ${styles.text}`}>{t(`lede.${name}`)}</p>
            {now !== null || name === 'general' ? (
              <Step name={name} draft={draft} change={change} user={user} now={now ?? 0} upload={upload} />
            ) : null}
            <Foot draft={draft} change={change} />
          </>
        )}
      </div>
      <Beside name={name} draft={draft} now={now ?? 0} preview={preview} />
    </div>
  )
}
