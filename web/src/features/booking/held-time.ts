// The time this window holds. It outlives the page of the booking: a reload, another window and the way back find it again,
// and only what a person does on purpose lets it go.
import type { HomeAddressInput, Hold } from '@soigne/contract/appointments'
import { api } from '#/platform/api.ts'
import { refusalCode } from '#/platform/api-error.ts'
import { parseInstant } from '#/platform/time.ts'
import { readStored, storageKeys } from '#/platform/storage.ts'

/** One service of the visit to hold; `staffId` null means anyone. */
type WantedService = { serviceId: string; staffId: string | null }
export type WantedHold = { instituteId: string; services: readonly WantedService[]; startsAt: string; home?: HomeAddressInput }

/** The hold that was last shown here. */
let heldHere: string | null = null

/** The release under way; the next hold waits for it, so that a person never holds more than they may. */
let releasing: Promise<unknown> = Promise.resolve()

/** A hold that cannot be released runs out by itself; of somebody signed out nothing can be. */
function release(id: string): Promise<unknown> {
  if (readStored(storageKeys.token) === null) return Promise.resolve()
  releasing = api.releaseHold({ params: { id } }).catch(() => undefined)
  return releasing
}

/** The hold became an appointment, or ran out: it is not to be let go. */
export function forgetHeldTime(): void {
  heldHere = null
}

export function letHeldTimeGo(): void {
  if (heldHere !== null) void release(heldHere)
  heldHere = null
}

function isSameVisit(hold: Hold, { instituteId, services, startsAt, home }: WantedHold): boolean {
  return (
    hold.institute._id === instituteId &&
    (hold.atHome === true) === (home !== undefined) &&
    parseInstant(hold.startsAt) === parseInstant(startsAt) &&
    hold.segments.length === services.length &&
    services.every(({ serviceId, staffId }) =>
      hold.segments.some((segment) => segment.serviceId === serviceId && (staffId === null || segment.staffId === staffId)),
    )
  )
}

/** The person's own live hold of this very visit, wherever it was made. */
export async function findHeldTime(wanted: WantedHold): Promise<Hold | undefined> {
  const { items } = await api.currentHolds()
  return items.find((hold) => isSameVisit(hold, wanted))
}

async function findOrHold(wanted: WantedHold, idempotencyKey: string): Promise<{ hold: Hold; isNew: boolean }> {
  await releasing
  const { items } = await api.currentHolds()
  const own = items.find((hold) => isSameVisit(hold, wanted))
  if (own) return { hold: own, isNew: false }
  // What this window held is given up for what is wanted now.
  const before = items.find(({ _id }) => _id === heldHere)
  heldHere = null
  if (before) await release(before._id)
  const { instituteId, startsAt, home } = wanted
  const services = wanted.services.map(({ serviceId, staffId }) => ({ serviceId, staffId: staffId ?? ('any' as const) }))
  const make = () => api.makeHold({ body: { instituteId, services, startsAt, ...(home && { home }) }, idempotencyKey })
  const hold = await make().catch(async (error: unknown) => {
    // Left behind in a window that was closed: the oldest gives way to what is wanted now.
    const oldest = items.findLast(({ _id }) => _id !== before?._id)
    if (refusalCode(error) !== 'too_many_holds' || !oldest) throw error
    await release(oldest._id)
    return make()
  })
  return { hold, isNew: true }
}

const lockPatienceMs = 3000

/** The last in line of this window. */
let lastInLine: Promise<unknown> = Promise.resolve()

/** Windows opened at one moment take turns, so that the second finds what the first has made. */
async function takeTurn(): Promise<() => void> {
  const { promise: over, resolve: finish } = Promise.withResolvers<void>()
  const before = lastInLine
  lastInLine = over
  await before
  // Missing where the page is not served securely.
  const locks = navigator.locks as LockManager | null | undefined
  if (locks) {
    await new Promise<void>((start) => {
      const begin = () => {
        start()
        return over
      }
      // A window that does not answer is not waited for.
      locks.request('held-time', { signal: AbortSignal.timeout(lockPatienceMs) }, begin).catch(start)
    })
  }
  return finish
}

/** Finds the person's hold of this visit, or makes it; the same key however often it is sent. */
export async function holdTime(wanted: WantedHold, idempotencyKey: string): Promise<{ hold: Hold; isNew: boolean }> {
  const finish = await takeTurn()
  try {
    const held = await findOrHold(wanted, idempotencyKey)
    heldHere = held.hold._id
    return held
  } finally {
    finish()
  }
}
