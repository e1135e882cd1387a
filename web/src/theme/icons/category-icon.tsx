// The icon of one of the fourteen categories, by the name the category is stored under.
import { ServiceIcon, type ServiceIconProps } from './service-icon.tsx'
import type { ServiceIconName } from './service-icons.ts'

export type CategoryName = Exclude<ServiceIconName, 'professional' | 'client' | 'card' | 'wallet' | 'buy-now-pay-later'>

export function CategoryIcon(props: ServiceIconProps & { name: CategoryName }) {
  return <ServiceIcon {...props} />
}
