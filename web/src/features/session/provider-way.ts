// The way to the provider of identities, and whether it is gone for the calendar: then it is asked for anew, else nobody is asked twice.
import type { Role } from '@soigne/contract/wire'
import { paths, providerPath } from '#/paths.ts'

export const isForCalendar = (from: string | null): boolean => from !== null && from.split(/[?#]/)[0] === paths.giveAccess

export const wayToProvider = (role: Role, from: string | null): string => providerPath({ role, from, forCalendar: isForCalendar(from) })
