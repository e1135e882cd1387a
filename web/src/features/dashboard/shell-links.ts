// The links of the sidebar and of the full-screen menu, in the order of the specification.
import type { SessionUser } from '@soigne/contract/session'
import { paths } from '#/paths.ts'
import type { IconName } from '#/theme/icons/interface-icons.ts'

export type ShellLink = {
  to: string
  label: 'dashboard' | 'viewSalon' | 'calendar' | 'messages' | 'sales' | 'clients' | 'services' | 'team' | 'settings'
  icon: IconName
}

const links: readonly ShellLink[] = [
  { to: paths.mySalon, label: 'dashboard', icon: 'grid' },
  { to: paths.ownSalon, label: 'viewSalon', icon: 'eye' },
  { to: paths.diary, label: 'calendar', icon: 'calendar' },
  { to: paths.instituteChats, label: 'messages', icon: 'message' },
  { to: paths.sales, label: 'sales', icon: 'receipt' },
  { to: paths.customers, label: 'clients', icon: 'users' },
  { to: paths.services, label: 'services', icon: 'scissors' },
  { to: paths.team, label: 'team', icon: 'user' },
  { to: paths.instituteSettings, label: 'settings', icon: 'settings' },
]

/** The salon's page and its messages are there only once there is a salon. */
const ofInstitute = new Set<ShellLink['label']>(['viewSalon', 'messages'])

export function shellLinks(user: SessionUser | null): readonly ShellLink[] {
  return user === null || user.institute ? links : links.filter(({ label }) => !ofInstitute.has(label))
}

/** Whether a link leads to the page on screen, or to one above it. */
export function isCurrent({ to }: ShellLink, pathname: string): boolean {
  return pathname === to || (to !== paths.mySalon && pathname.startsWith(`${to}/`))
}
