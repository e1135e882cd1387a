// How money came or went: an icon and its word.
import type { SaleMethod } from '@soigne/contract/sales'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { ServiceIcon } from '#/theme/icons/service-icon.tsx'
import type { ServiceIconName } from '#/theme/icons/service-icons.ts'
import styles from './sales.module.css'

const online: Partial<Record<SaleMethod, ServiceIconName>> = { card: 'card', paypal: 'wallet', klarna: 'buy-now-pay-later' }
const atCounter: Partial<Record<SaleMethod, IconName>> = { cash: 'cash', terminal: 'card', gift_card: 'heart' }

export function PayMethod({ method }: { method: SaleMethod }) {
  const { t } = useTranslation('sales')
  const drawn = online[method]
  const icon = atCounter[method]
  return (
    <span className={styles.method}>
      {drawn && <ServiceIcon name={drawn} size={22} />}
      {icon && <Icon name={icon} size={20} />}
      {t(`methods.${method}`)}
    </span>
  )
}
