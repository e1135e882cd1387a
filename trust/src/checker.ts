/**
 * Looks for an order of everything that was answered, true to real time, in which a diary kept one step after the other gives the same answers.
 * The search is Wing and Gong's with Lowe's memory, as late as it can be: the first answer that is still to be explained is taken next, or something
 * that touches it and was asked before it was given; what changes nothing is taken at once. Goes back when stuck.
 */
import { randomInt } from 'node:crypto'
import { Diary } from './model.ts'
import type { Step, Taken } from './steps.ts'
import { Touching } from './touching.ts'
import type { Institute } from './world.ts'

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

const changesNothing: ReadonlySet<Step['kind']> = new Set([
  'no time',
  'not held',
  'not booked',
  'no leave',
  'no block',
  'no overbook',
  'no open',
  'no seat',
  'no propose',
  'not proposed',
  'read',
  'look',
])

/** How many steps may be tried before the search gives up; true histories need little more than one for each operation. */
const patience = (operations: number): number => 1_000_000 + 200 * operations

/** One moment of the search: what was taken without a choice, what can be tried next, and how far that has come. */
interface Frame {
  undo: (() => void)[]
  choices: number[]
  tried: number
}

class Search {
  readonly diary: Diary
  steps = 0
  farthest: { urgent: number; inTheWay: string[] } | null = null
  readonly #operations: readonly Operation[]
  readonly #touches: Touching
  /** Places in the order of asking, and of answering. */
  readonly #byQuestion: number[]
  readonly #byAnswer: number[]
  readonly #isTaken: Uint8Array
  readonly #names: Int32Array
  readonly #seen = new Set<string>()
  #high = 0
  #low = 0
  #open: number
  #most = -1
  #count = 0

  constructor(institute: Institute, operations: readonly Operation[]) {
    this.diary = new Diary(institute)
    this.#operations = operations
    this.#touches = new Touching(institute, operations)
    const places = operations.map((_, place) => place)
    this.#byQuestion = places.toSorted((a, b) => this.#at(a).beganAt - this.#at(b).beganAt)
    this.#byAnswer = places.toSorted((a, b) => this.#at(a).endedAt - this.#at(b).endedAt)
    this.#isTaken = new Uint8Array(operations.length)
    this.#names = Int32Array.from({ length: operations.length * 2 }, () => randomInt(2 ** 32) | 0)
    this.#open = operations.filter(({ endedAt }) => endedAt !== Infinity).length
  }

  #at(place: number): Operation {
    return this.#operations[place] as Operation
  }

  /** Takes a step and tells how to take it back; null when it cannot be taken now. */
  #take(place: number): (() => void) | null {
    this.steps++
    const undo = this.diary.take(this.#at(place).step)
    if (!undo) return null
    const isOpen = this.#at(place).endedAt === Infinity ? 0 : 1
    const mark = (by: 1 | -1): void => {
      this.#isTaken[place] = by === 1 ? 1 : 0
      this.#high ^= this.#names[2 * place] ?? 0
      this.#low ^= this.#names[2 * place + 1] ?? 0
      this.#open -= by * isOpen
      this.#count += by
    }
    mark(1)
    return () => {
      undo()
      mark(-1)
    }
  }

  /** Everything asked before the first answer that is still to be explained; that one first. */
  #pending(): number[] {
    const urgent = this.#byAnswer.find((place) => this.#isTaken[place] === 0)
    if (urgent === undefined) return []
    const until = this.#at(urgent).endedAt
    const pending = [urgent]
    for (const place of this.#byQuestion) {
      if (this.#at(place).beganAt > until) break
      if (place !== urgent && this.#isTaken[place] === 0) pending.push(place)
    }
    return pending
  }

  /** Takes whatever changes nothing and can be taken: there is no use in waiting with it. Then says what there is to choose from. */
  #enter(): Frame {
    const pending = this.#pending()
    const undo: (() => void)[] = []
    for (const place of pending) {
      if (!changesNothing.has(this.#at(place).step.kind)) continue
      const back = this.#take(place)
      if (back) undo.push(back)
    }
    const [urgent] = pending
    if (urgent === undefined) return { undo, choices: [], tried: 0 }
    // If the urgent one is through, others may be asked by now that change nothing either.
    if (this.#isTaken[urgent] === 1) {
      const more = this.#enter()
      return { undo: [...undo, ...more.undo], choices: more.choices, tried: 0 }
    }
    const left = pending.filter((place) => this.#isTaken[place] === 0)
    if (this.#count > this.#most) {
      this.#most = this.#count
      this.farthest = { urgent, inTheWay: this.diary.inTheWay(this.#at(urgent).step) }
    }
    // What touches neither the urgent one nor anything that touches it can be taken later as well as now.
    const choices = this.#touches.componentOf(urgent, left).filter((place) => !changesNothing.has(this.#at(place).step.kind))
    return { undo, choices: choices.toSorted((a, b) => this.#at(a).endedAt - this.#at(b).endedAt), tried: 0 }
  }

  /** Whether there is an order; null when patience ran out. */
  run(): boolean | null {
    const frames: Frame[] = [this.#enter()]
    while (this.#open > 0) {
      if (this.steps > patience(this.#operations.length)) return null
      const frame = frames.at(-1)
      if (!frame) return false
      const choice = frame.choices[frame.tried++]
      if (choice === undefined) {
        for (const undo of frame.undo.toReversed()) undo()
        frames.pop()
        continue
      }
      const undo = this.#take(choice)
      if (!undo) continue
      const name = `${this.#high},${this.#low}`
      if (this.#seen.has(name)) {
        undo()
        continue
      }
      this.#seen.add(name)
      const next = this.#enter()
      frames.push({ ...next, undo: [undo, ...next.undo] })
    }
    return true
  }
}

export function checkHistory(institute: Institute, operations: readonly Operation[]): Verdict {
  const search = new Search(institute, operations)
  const found = search.run()
  if (found === true) return { isTrue: true, diary: search.diary, steps: search.steps }
  const why = found === null ? `no order was found in ${search.steps} steps` : 'there is no order in which this could have happened'
  const stuckAt = search.farthest ? (operations[search.farthest.urgent] ?? null) : null
  const around = stuckAt
    ? operations.filter((one) => one !== stuckAt && one.beganAt <= stuckAt.endedAt && one.endedAt >= stuckAt.beganAt).slice(0, 12)
    : []
  return { isTrue: false, why, stuckAt, around, inTheWay: search.farthest?.inTheWay ?? [] }
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

/** What takes time and is no visit, as it is stored. */
export interface StoredEntry {
  what: 'leave' | 'blocked time' | 'busy time' | 'session'
  id: string
  taken: Stored['taken']
}

/** The same of leave, blocked time, sessions and the busy time of other calendars. */
export function compareEntries(diary: Diary, stored: readonly StoredEntry[]): string[] {
  const meant = new Map<string, string>()
  const mean = (what: StoredEntry['what'], id: string, taken: readonly Taken[]): void => void meant.set(`${what} ${id}`, inOrder(taken))
  for (const [id, taken] of diary.leaves) mean('leave', id, [taken])
  for (const [id, taken] of diary.blocks) mean('blocked time', id, taken)
  for (const [id, taken] of diary.calendars) mean('busy time', id, taken)
  for (const [id, { taken }] of diary.sessions) mean('session', id, taken)
  const found: string[] = []
  for (const { what, id, taken } of stored) {
    const name = `${what} ${id}`
    if (meant.get(name) !== inOrder(taken)) found.push(`${name} should take ${meant.get(name) ?? 'nothing'} and takes ${inOrder(taken)}`)
    meant.delete(name)
  }
  return [...found, ...[...meant].map(([name, taken]) => `${name} should take ${taken} and is not stored`)]
}
