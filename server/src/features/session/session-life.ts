/** How long a session lasts, and what is kept of the device it is on. */
import { dayMs } from '@soigne/contract/time'

export const sessionLifeMs = 30 * dayMs
/** The end of a session however much it is used. */
export const sessionLongestMs = 180 * dayMs
/** When a session ends that is opened now and never used. */
export const sessionEnd = (now: number): Date => new Date(now + sessionLifeMs)

/** A header may hold bytes a text column cannot. */
export const fitForText = (userAgent: string | null): string | null => userAgent?.replaceAll('\u0000', '').toWellFormed() ?? null
