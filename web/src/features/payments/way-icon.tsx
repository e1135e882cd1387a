// The drawing of a way to pay.
import type { SaleMethod } from '@soigne/contract/sales'
import { Icon } from '#/theme/icons/icon.tsx'
import { ServiceIcon } from '#/theme/icons/service-icon.tsx'

const drawn = { card: 'card', paypal: 'wallet', klarna: 'buy-now-pay-later' } as const

export function WayIcon({ way }: { way: SaleMethod | 'salon' }) {
  switch (way) {
    case 'card':
    case 'paypal':
    case 'klarna':
      return <ServiceIcon name={drawn[way]} size={28} />
    case 'terminal':
      return <Icon name="card" size={26} />
    case 'gift_card':
      return <Icon name="heart" size={26} />
    case 'cash':
    case 'salon':
      return <Icon name="cash" size={26} />
  }
}
