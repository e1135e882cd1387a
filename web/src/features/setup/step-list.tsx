// The six steps, where one is, and which of them miss nothing. Each can be gone to.
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { stepNames } from './draft/draft.ts'
import styles from './step-list.module.css'

export type StepListProps = { step: number; done: (step: number) => boolean; onJump: (step: number) => void }

export function StepList({ step, done, onJump }: StepListProps) {
  const { t } = useTranslation('setup')
  return (
    <ol className={styles.steps} aria-label={t('steps.label')}>
      {stepNames.map((name, index) => {
        const isDone = done(index) && index !== step
        return (
          <li
            key={name}
            aria-current={index === step ? 'step' : undefined}
            data-done={isDone || undefined}
            data-past={index <= step || undefined}
          >
            <button type="button" className={styles.step} onClick={() => onJump(index)}>
              <span className={styles.number}>
                {isDone && <Icon name="check" size={16} />}
                <span className={isDone ? 'visually-hidden' : undefined}>{index + 1}</span>
              </span>
              <span className={styles.name}>{t(`steps.${name}`)}</span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
