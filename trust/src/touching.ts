/** Which operations could matter to one another: those about one visit, and those about one stretch of time of one institute. */
import { minuteMs } from '@soigne/contract/time'
import type { Operation } from './checker.ts'
import { spanOf } from './model.ts'
import type { Step, VisitRequest } from './steps.ts'
import type { Institute } from './world.ts'

interface Stretch {
  from: number
  to: number
}

/** Buffers of the trials are shorter. */
const bufferMinutes = 15

function stretchOfRequest(institute: Institute, { startsAt, lines }: VisitRequest): Stretch {
  const start = startsAt / minuteMs
  const minutes = lines.reduce((sum, [service]) => sum + spanOf(institute.services[service]?.rule ?? { active: 0 }), 0)
  return { from: start - bufferMinutes, to: start + minutes + bufferMinutes }
}

const around = (all: readonly Stretch[]): Stretch => ({
  from: Math.min(...all.map(({ from }) => from)),
  to: Math.max(...all.map(({ to }) => to)),
})

function namedBy(step: Step): string | undefined {
  if ('visit' in step) return step.visit
  if ('leave' in step) return step.leave
  if ('block' in step) return step.block
  if ('session' in step) return step.session
  return 'source' in step ? step.source : undefined
}

function ownStretch(institute: Institute, step: Step): Stretch[] {
  switch (step.kind) {
    case 'hold':
    case 'move':
    case 'overbook':
    case 'walk in':
    case 'propose':
    case 'no propose':
    case 'open':
    case 'no open':
    case 'no overbook':
      return [around(step.taken)]
    case 'no time':
    case 'look':
      return [stretchOfRequest(institute, step.request)]
    case 'leave':
    case 'no leave':
    case 'block':
    case 'no block':
      return [step.taken]
    case 'seat':
    case 'no seat':
      return [{ from: step.startsAt / minuteMs, to: step.startsAt / minuteMs + 1 }]
    case 'sync':
      return [...step.busy]
    default:
      return []
  }
}

export class Touching {
  readonly #stretches: Stretch[][]
  readonly #names: (string | undefined)[]

  constructor(institute: Institute, operations: readonly Operation[]) {
    // A visit is wherever it ever was: cancelling it may free any of its times.
    const ofName = new Map<string, Stretch[]>()
    for (const { step } of operations) {
      const name = namedBy(step)
      if (name !== undefined) ofName.set(name, [...(ofName.get(name) ?? []), ...ownStretch(institute, step)])
    }
    this.#names = operations.map(({ step }) => namedBy(step))
    this.#stretches = operations.map(({ step }) => {
      const name = namedBy(step)
      return name === undefined ? ownStretch(institute, step) : (ofName.get(name) ?? [])
    })
  }

  #isTouching(a: number, b: number): boolean {
    if (this.#names[a] !== undefined && this.#names[a] === this.#names[b]) return true
    return (this.#stretches[a] ?? []).some((one) => (this.#stretches[b] ?? []).some(({ from, to }) => one.from < to && from < one.to))
  }

  /** The operation and all of the others that touch it, directly or by way of one another. */
  componentOf(place: number, others: readonly number[]): number[] {
    const found = [place]
    const rest = new Set(others)
    rest.delete(place)
    for (const one of found)
      for (const other of rest)
        if (this.#isTouching(one, other)) {
          found.push(other)
          rest.delete(other)
        }
    return found
  }
}
