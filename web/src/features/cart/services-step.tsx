// What shall we look after? Every bookable service by section; also works as a plain form before scripts run.
import type { Institute } from '@soigne/contract/institutes'
import { useTranslation } from '#/platform/translation.ts'
import { mostServices } from '#/contract/limits.ts'
import { useTimes } from '#/platform/time.ts'
import { OptionCard } from '#/ui/option-card.tsx'
import { isBookable, priceOfService, usePriceText } from '#/prices.ts'
import { toggleService, type Choice } from './choice.ts'
import { needsOf } from './needs.ts'
import { StepForm } from '#/ui/step-form.tsx'
import styles from './steps.module.css'

export type ServicesStepProps = {
  institute: Institute
  choice: Choice
  /** From what is chosen by then: two quick taps are both counted. */
  onChange: (change: (now: Choice) => Choice) => void
  onContinue: () => void
}

export function ServicesStep({ institute, choice, onChange, onContinue }: ServicesStepProps) {
  const { t } = useTranslation(['cart', 'classes'])
  const times = useTimes()
  const price = usePriceText()
  const services = institute.services.filter((service) => isBookable(institute, service))
  const sections = Map.groupBy(services, ({ section }) => section)
  const chosen = new Set(choice.items.map(({ serviceId }) => serviceId))
  return (
    <StepForm next="professional" title={t('services.title')} lede={t('services.lede')} onContinue={onContinue}>
      {[...sections].map(([section, items]) => (
        <fieldset key={section} className={styles.section}>
          <legend className={`serif ${styles.legend}`}>{section}</legend>
          <div className={styles.cards}>
            {items.map((service) => (
              <OptionCard
                key={service._id}
                type="checkbox"
                name="service"
                value={service._id}
                title={<span className={styles.service}>{service.name}</span>}
                description={[
                  service.description,
                  service.capacity !== undefined && t('classes:classOf', { count: service.capacity }),
                  ...needsOf(institute, [{ serviceId: service._id, staffId: null }]).map(({ test }) => t('needs', { test: test.name })),
                ]
                  .filter(Boolean)
                  .join(' · ')}
                end={
                  <span className={styles.figures}>
                    <bdi className={styles.duration}>{times.duration(service.durationMinutes)}</bdi>
                    <bdi className={styles.price}>{price(priceOfService(service, null))}</bdi>
                  </span>
                }
                checked={chosen.has(service._id)}
                disabled={!chosen.has(service._id) && chosen.size >= mostServices}
                onChange={() => onChange((now) => toggleService(now, service._id))}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </StepForm>
  )
}
