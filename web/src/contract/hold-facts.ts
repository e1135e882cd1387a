// What the browser knows of holds without the contract's schemas.
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'

export type Hold = Answer<Calls['makeHold']>

/** Minutes a hold lasts, and an extension adds. */
export const holdMinutes = 10
/** Seconds before the end from which one extension is offered. */
export const extensionSeconds = 120
