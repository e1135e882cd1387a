// The links of the header and the full-screen menu, by who is looking.
import type { SessionUser } from '@soigne/contract/session'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { loginPath, paths, registerPath } from '#/paths.ts'

export type LinkLabel =
  | 'home'
  | 'institutes'
  | 'contact'
  | 'terms'
  | 'login'
  | 'signUp'
  | 'appointments'
  | 'mySalon'
  | 'ownSalon'
  | 'ownMessages'
  | 'favourites'
  | 'settings'
  | 'messages'

export type SiteLink = { to: string; label: LinkLabel; icon: IconName }

const home: SiteLink = { to: paths.home, label: 'home', icon: 'home' }
const institutes: SiteLink = { to: paths.institutes, label: 'institutes', icon: 'search' }
export const appointments: SiteLink = { to: paths.appointments, label: 'appointments', icon: 'calendar' }
export const mySalon: SiteLink = { to: paths.mySalon, label: 'mySalon', icon: 'scissors' }
export const settings: SiteLink = { to: paths.settings, label: 'settings', icon: 'settings' }

const messagesOf = (role: SessionUser['role']): SiteLink => ({
  to: role === 'isPro' ? paths.instituteChats : paths.chats,
  label: 'messages',
  icon: 'message',
})

export const visitorLinks: readonly SiteLink[] = [
  home,
  institutes,
  { to: loginPath(), label: 'login', icon: 'user' },
  { to: registerPath(), label: 'signUp', icon: 'edit' },
  { to: paths.help, label: 'contact', icon: 'help' },
  { to: paths.terms, label: 'terms', icon: 'receipt' },
]

/** A professional has conversations of an institute once there is one. */
export function userLinks({ role, institute }: SessionUser): readonly SiteLink[] {
  if (role === 'isClient') return [home, settings, institutes, appointments, messagesOf(role)]
  return institute ? [home, institutes, messagesOf(role), mySalon] : [home, institutes, mySalon]
}
