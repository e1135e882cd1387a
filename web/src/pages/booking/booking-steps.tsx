// The four steps: ticks behind, the petal at the current one. Steps already answered are links back to them.
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { bookingPath, salonPath } from '#/paths.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Petal } from '#/theme/icons/petal.tsx'
import { classNames } from '#/ui/class-names.ts'
import { choiceParams, steps, type Choice, type Step } from '#/features/cart/choice.ts'
import styles from './booking-steps.module.css'

export type BookingStepsProps = { slug: string; choice: Choice }

type StepMarkProps = { step: Step; place: 'behind' | 'here' | 'ahead' }

function StepMark({ step, place }: StepMarkProps) {
  const { t } = useTranslation('booking')
  return (
    <>
      {place === 'behind' ? (
        <Icon name="check" size={18} />
      ) : (
        <Petal className={classNames(styles.petal, place === 'ahead' && styles.pale)} />
      )}
      <span className={styles.name}>{t(`steps.${step}`)}</span>
    </>
  )
}

export function BookingSteps({ slug, choice }: BookingStepsProps) {
  const { t } = useTranslation('booking')
  const current = steps.indexOf(choice.step)
  return (
    <div className={styles.bar}>
      <div className={classNames('page', styles.inside)}>
        <nav aria-label={t('steps.label')}>
          <ol className={styles.steps}>
            {steps.map((step, index) => {
              if (index < current) {
                return (
                  <li key={step} className={classNames(styles.step, styles.behind)}>
                    <Link to={bookingPath(slug, choiceParams(choice, { step }))} className={styles.link}>
                      <StepMark step={step} place="behind" />
                    </Link>
                  </li>
                )
              }
              const place = index === current ? 'here' : 'ahead'
              return (
                <li key={step} className={classNames(styles.step, styles[place])} aria-current={place === 'here' ? 'step' : undefined}>
                  <StepMark step={step} place={place} />
                </li>
              )
            })}
          </ol>
        </nav>
        <Link to={salonPath(slug)} className={styles.leave}>
          <Icon name="close" size={18} />
          {t('steps.leave')}
        </Link>
      </div>
    </div>
  )
}
