// Too late to change it online: the number to ring.
import type { Appointment } from '@soigne/contract/appointments'
import { useTranslation } from '#/platform/translation.ts'

export function PhoneLine({ institute }: Pick<Appointment, 'institute'>) {
  const { t } = useTranslation('appointments')
  const { name, phone } = institute
  if (phone === null) return <p>{t('tooLate.ask', { name })}</p>
  return (
    <p>
      {t('tooLate.call', { name })}{' '}
      <a className="link" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
        <bdi>{phone}</bdi>
      </a>
    </p>
  )
}
