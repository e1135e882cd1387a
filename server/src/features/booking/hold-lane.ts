/**
 * Holds of one institute go one batch after the other: those who ask while a batch is under way are planned together, on one diary, and stored by one statement
 * (`hold-batch.ts`), so that a crowd at one institute takes one connection of a process and not all of them.
 */
import type { Hold } from '@soigne/contract/appointments'
import type { AppContext } from '#/platform/app-context.ts'
import { type HoldAsked, holdBatch, type Waiting } from './hold-batch.ts'

const mostTogether = 16

type Lane = Waiting[]
const lanes = new WeakMap<AppContext, Map<string, Lane>>()

/** Waits for a place in the next batch of the institute. */
export function holdInLane(context: AppContext, asked: HoldAsked): Promise<Hold> {
  let ofApp = lanes.get(context)
  if (!ofApp) lanes.set(context, (ofApp = new Map()))
  const { instituteId } = asked.request
  const open = ofApp.get(instituteId)
  const { promise, resolve, reject } = Promise.withResolvers<Hold>()
  const one: Waiting = { ...asked, resolve, reject }
  if (open) open.push(one)
  else {
    const lane: Lane = [one]
    ofApp.set(instituteId, lane)
    void serve(context, lane, () => ofApp.delete(instituteId))
  }
  return promise
}

/** `close` is called in the same turn in which nobody was found waiting: whoever comes after it opens another lane. */
async function serve(context: AppContext, lane: Lane, close: () => void): Promise<void> {
  while (lane.length > 0) {
    const batch = takeBatch(lane)
    await holdBatch(context, batch).catch((error: unknown) => {
      for (const one of batch) one.reject(error)
    })
  }
  close()
}

/** The first in line. A request repeated under its key waits for the answer of the first. */
function takeBatch(lane: Lane): Waiting[] {
  const batch: Waiting[] = []
  const keys = new Set<string>()
  for (const one of lane.splice(0)) {
    const key = one.key === null ? null : `${one.scope.userId} ${one.key}`
    if (batch.length >= mostTogether || (key !== null && keys.has(key))) {
      lane.push(one)
      continue
    }
    if (key !== null) keys.add(key)
    batch.push(one)
  }
  return batch
}
