// One question with its five grades: real radio buttons, so arrows choose and a form can be filled without a mouse.
import type { GradeName } from '@soigne/contract/reviews'
import { useId, type Ref } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { FieldError } from '#/ui/field-frame.tsx'
import styles from './review-form.module.css'

const grades = [1, 2, 3, 4, 5] as const
export type Grade = (typeof grades)[number]

export type GradeRowProps = {
  name: GradeName
  value: Grade | null
  onChange: (value: Grade) => void
  isMissing: boolean
  first: Ref<HTMLInputElement>
}

export function GradeRow({ name, value, onChange, isMissing, first }: GradeRowProps) {
  const { t } = useTranslation('review-form')
  const id = useId()
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-ask`}
      aria-required="true"
      aria-invalid={isMissing || undefined}
      className={styles.question}
    >
      <div>
        <p id={`${id}-name`} className="strong">
          {t(`grades.${name}`)}
        </p>
        <p id={`${id}-ask`} className="small muted">
          {t(`grades.${name}Ask`)}
        </p>
      </div>
      <div className={styles.choices}>
        {grades.map((grade) => (
          <label key={grade} className={styles.choice}>
            <input
              ref={grade === 1 ? first : undefined}
              type="radio"
              name={`${id}-grade`}
              value={grade}
              checked={grade === value}
              className={styles.radio}
              aria-label={t('grades.option', { grade, word: t(`grades.words.${grade}`) })}
              onChange={() => onChange(grade)}
            />
            <bdi aria-hidden="true">{grade}</bdi>
          </label>
        ))}
        <span aria-hidden="true" className={value === null ? `muted ${styles.word}` : `strong ${styles.word}`}>
          {value === null ? t('grades.notYet') : t(`grades.words.${value}`)}
        </span>
      </div>
      <div role="status" className={styles.missing}>
        {isMissing && <FieldError>{t('form.missingGrade')}</FieldError>}
      </div>
    </div>
  )
}
