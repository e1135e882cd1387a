// The links of the account menu, which comes when somebody is signed in.
import type { SessionUser } from '@soigne/contract/session'
import { paths } from '#/paths.ts'
import { appointments, mySalon, settings, type SiteLink } from './site-links.ts'

const favourites: SiteLink = { to: paths.favourites, label: 'favourites', icon: 'heart' }
const ownMessages: SiteLink = { to: paths.chats, label: 'ownMessages', icon: 'message' }

/**
 * The specification writes My Salon as one word here; the institute's own link only once there is one. Professionals find their own visits and conversations
 * here: those among their links are the institute's.
 */
export function accountLinks({ role, institute }: SessionUser): readonly SiteLink[] {
  const own = role === 'isClient' ? [] : [appointments, ownMessages]
  return [favourites, ...own, ...(institute ? [{ ...mySalon, label: 'ownSalon' } as const] : []), settings]
}
