// Step 6: what was told, step by step, with what is missing; and the way to publish it.
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { weekdays } from '#/contract/closed-lists.ts'
import { type SetupDraft, stepNames, type Words } from './draft/draft.ts'
import { type Problem, problemsOf } from './draft/send-draft.ts'
import styles from './review-step.module.css'

/** What is wrong in the words of the reader. */
export function useProblemWords(): (problem: Problem) => string {
  const { t, i18n } = useTranslation('setup')
  return ({ what, of = {} }) => t(`missing.${what}`, { name: of[i18n.language as keyof Words] ?? Object.values(of)[0] ?? '' })
}

function useFacts(draft: SetupDraft, waiting: number): string[] {
  const { t } = useTranslation('setup')
  const open = weekdays.filter((weekday) => draft.openingHours[weekday].length > 0).length
  const address = [draft.name, draft.address, draft.place?.name].filter(Boolean).join(', ')
  return [
    [address, t('review.openDays', { count: open })].filter(Boolean).join(' · '),
    t('review.services', { count: draft.services.length }),
    t('review.people', { count: draft.staff.length }),
    [t('review.pictures', { count: draft.pictures.length }), waiting > 0 && t('review.waiting', { count: waiting })]
      .filter(Boolean)
      .join(' · '),
    [t('payment.salon'), ...draft.paymentMethods.map((method) => t(`payment.${method}`))].join(', '),
  ]
}

export type ReviewStepProps = {
  draft: SetupDraft
  /** Pictures that are on their way, or have not arrived. */
  waiting: number
  busy: boolean
  /** What the server refused, in its words, where it is of no field of the wizard. */
  refusal: string | null
  onJump: (step: number) => void
  onPublish: () => void
}

export function ReviewStep({ draft, waiting, busy, refusal, onJump, onPublish }: ReviewStepProps) {
  const { t } = useTranslation('setup')
  const words = useProblemWords()
  const facts = useFacts(draft, waiting)
  const problems = problemsOf(draft)
  // A picture that is on its way, or has not arrived, would stay behind.
  const isWhole = problems.length === 0 && waiting === 0
  return (
    <>
      <ul className={styles.steps}>
        {stepNames.slice(0, 5).map((name, step) => {
          const own = problems.filter((one) => one.step === step)
          const isMissing = own.length > 0 || (name === 'gallery' && waiting > 0)
          return (
            <li key={name} className={styles.step} data-missing={isMissing || undefined}>
              <span className={styles.mark}>
                <Icon name={isMissing ? 'warning' : 'check'} size={18} />
              </span>
              <div className={styles.text}>
                <p className="strong">{t(`steps.${name}`)}</p>
                {own.length === 0 ? (
                  <p className="small muted">{facts[step]}</p>
                ) : (
                  <ul className="small">
                    {[...new Set(own.map(words))].map((one) => (
                      <li key={one}>{one}</li>
                    ))}
                  </ul>
                )}
              </div>
              <Button
                variant="text"
                size="small"
                onClick={() => onJump(step)}
                aria-label={t('review.editStep', { step: t(`steps.${name}`) })}
              >
                {t('review.edit')}
              </Button>
            </li>
          )
        })}
      </ul>
      {refusal !== null && (
        <Notice tone="error" icon="error" title={refusal} announce>
          {t('review.refused')}
        </Notice>
      )}
      <div className={`raised ${styles.publish}`}>
        <p className="d4 serif">{draft.claims ? t('review.claimTitle', { name: draft.claims.name }) : t('review.ready')}</p>
        <p className="small muted">{!isWhole ? t('review.missing') : draft.claims ? t('review.claimText') : t('review.readyText')}</p>
        <Button wide size="large" loading={busy} disabled={!isWhole} onClick={onPublish}>
          {t(draft.claims ? 'review.claim' : 'review.publish')}
        </Button>
      </div>
    </>
  )
}
