// The six steps, and where one is. Steps that are not open yet are named, not linked.
import { useTranslation } from '#/platform/translation.ts'
import { stepNames } from './draft.ts'
import styles from './step-list.module.css'

export function StepList({ step }: { step: number }) {
  const { t } = useTranslation('setup')
  return (
    <ol className={styles.steps} aria-label={t('steps.label')}>
      {stepNames.map((name, index) => (
        <li key={name} className={styles.step} aria-current={index === step ? 'step' : undefined}>
          <span className={styles.number}>{index + 1}</span>
          {t(`steps.${name}`)}
        </li>
      ))}
    </ol>
  )
}
