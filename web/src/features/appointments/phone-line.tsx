// Too late to change it online: the number to ring.
import type { Appointment } from '@soigne/contract/appointments'
import { telAddress } from '#/platform/phone.ts'
import { useTranslation } from '#/platform/translation.ts'

export function PhoneLine({ institute }: Pick<Appointment, 'institute'>) {
  const { t } = useTranslation('appointments')
  const { name, phone } = institute
  if (phone === null) return <p>{t('tooLate.ask', { name })}</p>
  return (
    <p>
      {t('tooLate.call', { name })}{' '}
      <a className="link" href={telAddress(phone)}>
        <bdi>{phone}</bdi>
      </a>
    </p>
  )
}
