/** What requests cost, what who asks may spend, and the lines in which costly work waits: docs/decisions/045. */
import type { appointmentCalls } from '@soigne/contract/appointments'
import type { exportCalls } from '@soigne/contract/exports'
import type { homeAddressCalls } from '@soigne/contract/home-addresses'
import type { instituteCalls } from '@soigne/contract/institutes'
import type { passkeyCalls } from '@soigne/contract/passkeys'
import type { passwordCalls } from '@soigne/contract/password'
import type { rearrangingCalls } from '@soigne/contract/rearranging'
import type { removedServiceCalls } from '@soigne/contract/removed-services'
import type { seriesCalls } from '@soigne/contract/series'
import type { sessionCalls } from '@soigne/contract/session'
import type { settingsCalls } from '@soigne/contract/settings'
import type { verificationCalls } from '@soigne/contract/verification'
import type { waitingCalls } from '@soigne/contract/waiting'
import type { AppContext } from './platform/app-context.ts'
import type { Budget } from './platform/budgets.ts'
import type { Served } from './platform/calls.ts'
import { networkOf } from './platform/network.ts'
import { processorsForWork } from './platform/processors.ts'
import { openTurns, type TakeTurn, type TurnsOptions } from './platform/turns.ts'

type Named = typeof instituteCalls &
  typeof sessionCalls &
  typeof passkeyCalls &
  typeof passwordCalls &
  typeof verificationCalls &
  typeof appointmentCalls &
  typeof exportCalls &
  typeof homeAddressCalls &
  typeof rearrangingCalls &
  typeof removedServiceCalls &
  typeof seriesCalls &
  typeof settingsCalls &
  typeof waitingCalls

/**
 * Each class has budgets of its own, so that what somebody spends on one takes nothing from another. `free`: bytes of ours. `reading`: an institute, its times, a page.
 * `signing`: hashes of passwords, letters with codes. `booking`: holds and visits of a client.
 */
export type Cost = 'free' | 'reading' | 'search' | 'picture' | 'signing' | 'upload' | 'booking' | 'writing'

const evenly = (perMinute: number): Budget => ({ most: perMinute, perMinute })

/** A house full of people shares one network; a person is one; an institute is a team at its desk. */
export const budgetTable = {
  network: {
    reading: evenly(2400),
    search: evenly(240),
    picture: evenly(120),
    signing: evenly(120),
    upload: { most: 20, perMinute: 10 },
    booking: evenly(300),
    writing: evenly(600),
  },
  person: {
    reading: evenly(1200),
    search: evenly(120),
    upload: { most: 10, perMinute: 2 },
    booking: evenly(60),
    writing: evenly(240),
  },
  institute: { reading: evenly(2400), writing: evenly(600), upload: { most: 60, perMinute: 20 } },
} as const satisfies Record<string, { [C in Exclude<Cost, 'free'>]?: Budget }>

/** Calls that cost something else than their method says. */
const special: { readonly [Name in keyof Named]?: Cost } = {
  searchInstitutes: 'search',
  login: 'signing',
  signInAtProvider: 'signing',
  beginPasskeySignIn: 'signing',
  signInByPasskey: 'signing',
  beginPasskey: 'signing',
  register: 'signing',
  requestPasswordReset: 'signing',
  validateResetToken: 'signing',
  resetPassword: 'signing',
  changeOwnPassword: 'signing',
  eraseAccount: 'signing',
  verifyEmail: 'signing',
  resendVerification: 'signing',
  // A whole institute is read, or all of a person with their pictures: as rare as a file that is sent.
  exportInstitute: 'upload',
  exportOwnData: 'upload',
  exportOwnFiles: 'upload',
  makeHold: 'booking',
  extendHold: 'booking',
  releaseHold: 'booking',
  book: 'booking',
  cancelAppointment: 'booking',
  rescheduleAppointment: 'booking',
  removeVisitService: 'booking',
  correctHome: 'booking',
  joinWaitingList: 'booking',
  acceptOffer: 'booking',
  declineOffer: 'booking',
  makeSeries: 'booking',
  cancelSeries: 'booking',
  acceptProposal: 'booking',
  declineProposal: 'booking',
}

export const costOf = ({ name, call }: Pick<Served, 'name' | 'call'>): Cost =>
  (Object.hasOwn(special, name) ? special[name as keyof Named] : undefined) ??
  (call.files ? 'upload' : call.method === 'GET' ? 'reading' : 'writing')

/** Degrees of an area, once across and once up, beyond which a search looks at a continent. */
const wide = 1000
/** A search over a continent counts as so many. */
const weightOfWide = 4

/** How much one search is, by the area it names. */
export function weightOfSearch(query: unknown): number {
  const { area } = query as { area?: unknown }
  if (typeof area !== 'string') return 1
  const [west = 0, south = 0, east = 0, north = 0] = area.split(',').map(Number)
  const across = east >= west ? east - west : east - west + 360
  return across * (north - south) > wide ? weightOfWide : 1
}

/** Readings under way, and those that may wait: more than one house ever asks at once. */
const readings: TurnsOptions = { atOnce: 16, waiting: 1000 }
const searches: TurnsOptions = { atOnce: processorsForWork, waiting: 40, keepsBusy: true }

/** Public reading and searching in turns, whether a browser asks or a page of ours. */
export function inTurns(served: readonly Served[], { settings, patienceMs }: Pick<AppContext, 'settings' | 'patienceMs'>): Served[] {
  const share = settings.limits.budgets
  if (share === Number.POSITIVE_INFINITY) return [...served]
  const line = (options: TurnsOptions): TakeTurn => openTurns({ ...options, waiting: options.waiting * Math.max(1, share), patienceMs })
  const turns: Partial<Record<Cost, TakeTurn>> = { reading: line(readings), search: line(searches) }
  return served.map((one) => {
    const turn = one.call.access === 'public' ? turns[costOf(one)] : undefined
    return turn ? { ...one, run: (input, caller) => turn(networkOf(caller.address), () => one.run(input, caller)) } : one
  })
}
