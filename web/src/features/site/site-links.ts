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
  | 'favourites'
  | 'settings'
  | 'messages'

export type SiteLink = { to: string; label: LinkLabel; icon: IconName }

const home: SiteLink = { to: paths.home, label: 'home', icon: 'home' }
const institutes: SiteLink = { to: paths.institutes, label: 'institutes', icon: 'search' }
const appointments: SiteLink = { to: paths.appointments, label: 'appointments', icon: 'calendar' }
const mySalon: SiteLink = { to: paths.mySalon, label: 'mySalon', icon: 'scissors' }
const settings: SiteLink = { to: paths.settings, label: 'settings', icon: 'settings' }
const favourites: SiteLink = { to: paths.favourites, label: 'favourites', icon: 'heart' }

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

/** The account menu, where the specification writes My Salon as one word; the institute's own link only once there is one. Professionals find their own visits here: they are not among their links. */
export function accountLinks({ role, institute }: SessionUser): readonly SiteLink[] {
  const own = role === 'isClient' ? [] : [appointments]
  return [favourites, ...own, ...(institute ? [{ ...mySalon, label: 'ownSalon' } as const] : []), settings]
}
