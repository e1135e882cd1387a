// Addresses of pages of My Salon that take a part; the others stand in paths.ts.
import { sitePath } from '@soigne/contract/site-routes'
import { paths } from '#/paths.ts'

/** One part of the institute's settings. */
export function instituteSettingsPath(part: string): string {
  return sitePath('instituteSettingsPart', { part })
}

/** A service of the own menu, or `new`; `group` is where a new one goes. */
export function servicePath(id: string, group?: string): string {
  const path = sitePath('service', { id })
  return group === undefined ? path : `${path}?${new URLSearchParams({ group })}`
}

/** A member of the team; `new` for somebody who is not in it yet. */
export function teamMemberPath(id: string): string {
  return sitePath('teamMember', { id })
}

/** The record of a client of one's institute. */
export function customerPath(id: string): string {
  return sitePath('customer', { id })
}

/** A sale with what happened to its money. */
export function salePath(id: string): string {
  return sitePath('sale', { id })
}

/** Where a visit is paid at the counter. */
export function tillPath(visitId: string): string {
  return sitePath('till', { id: visitId })
}

/** The calendar, with a new visit begun, for a client if one is given. */
export function bookForPath(customerId?: string): string {
  return `${paths.diary}?${new URLSearchParams({ new: '1', ...(customerId !== undefined && { customer: customerId }) })}`
}

/** The calendar, with time to block begun. */
export const blockTimePath = `${paths.diary}?block=1`

/** The calendar on a day, with a visit opened. */
export function visitInDiaryPath(visit: string, day: string): string {
  return `${paths.diary}?${new URLSearchParams({ day, visit })}`
}
