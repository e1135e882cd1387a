/**
 * Looks for an order of everything that was answered, true to real time, in which a diary kept one step after the other gives the same answers.
 * The search is Wing and Gong's with Lowe's memory: take any step whose question came before the first open answer; go back when stuck.
 */
import { Diary, type Step } from './model.ts'
import type { Salon } from './world.ts'

export interface Operation {
  /** Who asked, for people who read a violation. */
  by: string
  step: Step
  /** Milliseconds since the epoch: when it was asked and when its answer was there. */
  beganAt: number
  /** Infinity when no answer ever came: it may have happened since, or never. */
  endedAt: number
}

export type Verdict =
  | { isTrue: true; diary: Diary; steps: number }
  | { isTrue: false; why: string; stuckAt: Operation | null; around: Operation[]; inTheWay: string[] }

interface Entry {
  operation: number
  isCall: boolean
  at: number
  before: Entry | null
  after: Entry | null
  /** Of a question, its answer. */
  answer: Entry | null
}

/** Questions and answers in the order of time; at the same instant questions first, as nobody knows better. */
function entriesOf(operations: readonly Operation[]): Entry {
  const all: Entry[] = []
  for (const [operation, { beganAt, endedAt }] of operations.entries()) {
    const answer: Entry = { operation, isCall: false, at: endedAt, before: null, after: null, answer: null }
    all.push({ operation, isCall: true, at: beganAt, before: null, after: null, answer }, answer)
  }
  all.sort((a, b) => (a.at === b.at ? Number(b.isCall) - Number(a.isCall) || a.operation - b.operation : a.at - b.at))
  const head: Entry = { operation: -1, isCall: true, at: -Infinity, before: null, after: null, answer: null }
  let last = head
  for (const entry of all) {
    last.after = entry
    entry.before = last
    last = entry
  }
  return head
}

function cut(entry: Entry | null): void {
  if (!entry) return
  if (entry.before) entry.before.after = entry.after
  if (entry.after) entry.after.before = entry.before
}
function putBack(entry: Entry | null): void {
  if (!entry) return
  if (entry.before) entry.before.after = entry
  if (entry.after) entry.after.before = entry
}

/** Two numbers for each operation; those of a set, mixed, name the set. */
const namesOf = (count: number): { high: Int32Array; low: Int32Array } => ({
  high: crypto.getRandomValues(new Int32Array(new ArrayBuffer(count * 4))),
  low: crypto.getRandomValues(new Int32Array(new ArrayBuffer(count * 4))),
})

/** How many steps may be tried before the search gives up; histories that are true need little more than one for each operation. */
const patience = (operations: number): number => 5_000_000 + 1000 * operations

/** Web Crypto fills at most this many numbers at once. */
const mostAtOnce = 16_000

const changesNothing: ReadonlySet<Step['kind']> = new Set(['no time', 'not held', 'not booked', 'no leave', 'read', 'look'])

export function checkHistory(salon: Salon, operations: readonly Operation[]): Verdict {
  const diary = new Diary(salon)
  const head = entriesOf(operations)
  const names = Array.from({ length: Math.ceil(operations.length / mostAtOnce) }, () => namesOf(mostAtOnce))
  const nameOf = (operation: number, half: 'high' | 'low'): number =>
    names[Math.floor(operation / mostAtOnce)]?.[half][operation % mostAtOnce] ?? 0
  const seen = new Set<string>()
  const taken: { entry: Entry; undo: () => void }[] = []
  let high = 0
  let low = 0
  let open = operations.filter(({ endedAt }) => endedAt !== Infinity).length
  let farthest: Entry | null = null
  let most = -1
  let inTheWay: string[] = []
  const mark = (operation: number): void => {
    high ^= nameOf(operation, 'high')
    low ^= nameOf(operation, 'low')
    open += operations[operation]?.endedAt === Infinity ? 0 : -1
  }
  const unmark = (operation: number): void => {
    mark(operation)
    open += operations[operation]?.endedAt === Infinity ? 0 : 2
  }
  const goBack = (last: { entry: Entry; undo: () => void }): void => {
    last.undo()
    unmark(last.entry.operation)
    putBack(last.entry.answer)
    putBack(last.entry)
  }
  let entry = head.after
  for (let steps = 0; ; steps++) {
    if (open === 0) return { isTrue: true, diary, steps }
    if (steps > patience(operations.length))
      return { isTrue: false, why: `no order was found in ${steps} steps`, inTheWay, ...stuckIn(operations, farthest) }
    if (entry?.isCall) {
      const undo = diary.take((operations[entry.operation] as Operation).step)
      if (undo) {
        mark(entry.operation)
        const name = `${high},${low}`
        if (!seen.has(name)) {
          seen.add(name)
          taken.push({ entry, undo })
          cut(entry)
          cut(entry.answer)
          entry = head.after
          continue
        }
        unmark(entry.operation)
        undo()
      }
      entry = entry.after
      continue
    }
    if (taken.length > most) {
      most = taken.length
      farthest = entry
      inTheWay = entry ? diary.inTheWay((operations[entry.operation] as Operation).step) : []
    }
    let last = taken.pop()
    // A step that changes nothing and could be taken is best taken at once: there is no use in trying without it.
    while (last && changesNothing.has((operations[last.entry.operation] as Operation).step.kind)) {
      goBack(last)
      last = taken.pop()
    }
    if (!last)
      return { isTrue: false, why: 'there is no order in which this could have happened', inTheWay, ...stuckIn(operations, farthest) }
    goBack(last)
    entry = last.entry.after
  }
}

/** The answer nobody could explain, and what happened meanwhile. */
function stuckIn(operations: readonly Operation[], entry: Entry | null): { stuckAt: Operation | null; around: Operation[] } {
  const stuckAt = entry ? (operations[entry.operation] ?? null) : null
  const around = stuckAt
    ? operations.filter((one) => one !== stuckAt && one.beganAt <= stuckAt.endedAt && one.endedAt >= stuckAt.beganAt).slice(0, 12)
    : []
  return { stuckAt, around }
}

/** A visit as it is stored. */
export interface Stored {
  id: string
  status: 'held' | 'booked' | 'cancelled'
  taken: { subject: string; from: number; to: number }[]
}

const inOrder = (taken: readonly { subject: string; from: number; to: number }[]): string => {
  const joined: { subject: string; from: number; to: number }[] = []
  for (const one of taken.toSorted((a, b) => (a.subject === b.subject ? a.from - b.from : a.subject < b.subject ? -1 : 1))) {
    const last = joined.at(-1)
    if (last?.subject === one.subject && one.from <= last.to) last.to = Math.max(last.to, one.to)
    else joined.push({ ...one })
  }
  return joined.map(({ subject, from, to }) => `${subject} ${from}-${to}`).join(', ')
}

/** Where the diary that was replayed and the stored one differ. */
export function compareWithStored(diary: Diary, stored: readonly Stored[]): string[] {
  const found: string[] = []
  const rows = new Map(stored.map((row) => [row.id, row]))
  for (const [id, visit] of diary.visits) {
    const row = rows.get(id)
    rows.delete(id)
    if (!row) found.push(`visit ${id} was acknowledged as ${visit.status} and is not stored`)
    else if (row.status !== visit.status) found.push(`visit ${id} should be ${visit.status} and is stored as ${row.status}`)
    else if (visit.status !== 'cancelled' && inOrder(visit.taken) !== inOrder(row.taken))
      found.push(`visit ${id} should take ${inOrder(visit.taken)} and takes ${inOrder(row.taken)}`)
  }
  for (const row of rows.values()) found.push(`visit ${row.id} is stored as ${row.status}, and nobody was told of it`)
  return found
}
