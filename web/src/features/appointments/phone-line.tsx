// Too late to change it online: the number to ring.
import type { Appointment } from '@soigne/contract/appointments'
import { Trans, useTranslation } from 'react-i18next'

export function PhoneLine({ institute }: Pick<Appointment, 'institute'>) {
  const { t } = useTranslation('appointments')
  const { name, phone } = institute
  if (phone === null) return <p>{t('tooLate.ask', { name })}</p>
  return (
    <p>
      <Trans
        ns="appointments"
        i18nKey="tooLate.call"
        values={{ name, phone }}
        components={{ phone: <a className="link" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} />, bdi: <bdi /> }}
      />
    </p>
  )
}
