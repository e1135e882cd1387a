/** An institute's diary as one person with a pencil would keep it: one step after the other. Every true history must read like this in some order. */
import { minuteMs } from '@soigne/contract/time'
import type { Segment, Step, Taken, VisitRequest } from './steps.ts'
import type { Institute, Service } from './world.ts'

export interface Visit {
  status: 'held' | 'booked' | 'cancelled'
  startsAt: number
  taken: readonly Taken[]
  /** Where it has a seat; then the time is the session's. */
  session?: string
}

export interface Session {
  member: string
  startsAt: number
  capacity: number
  taken: readonly Taken[]
  /** Visits that hold or have a seat. */
  seated: Set<string>
}

interface Proposal {
  hold: string
  /** When the visit began as it was proposed. */
  before: number
}

const isOver = (a: Taken, b: Taken): boolean => a.subject === b.subject && a.from < b.to && b.from < a.to
/** Minutes from start to end as the client sees it. */
export const spanOf = ({ active, idle = 0, after = 0 }: Service): number => active + idle + after

/** What one line takes from its member, buffers included. */
function partsOf(rule: Service, start: number): { from: number; to: number }[] {
  const { active, idle = 0, after = 0, bufferBefore = 0, bufferAfter = 0 } = rule
  const from = start - bufferBefore
  const to = start + spanOf(rule) + bufferAfter
  return idle > 0 && after > 0
    ? [
        { from, to: start + active },
        { from: start + active + idle, to },
      ]
    : [{ from, to }]
}

function takenBy(institute: Institute, rule: Service, member: string, start: number): Taken[] {
  const parts = partsOf(rule, start).map((part) => ({ subject: member, ...part }))
  const machines = institute.resources.filter(({ type }) => type === rule.resource)
  // With one machine of a type nobody has to choose; trials with more count instead.
  const machine = machines.length === 1 ? machines[0] : undefined
  return machine
    ? [...parts, { subject: machine.id, from: start - (rule.bufferBefore ?? 0), to: start + spanOf(rule) + (rule.bufferAfter ?? 0) }]
    : parts
}

/** What a visit takes, from the segments of its answer. */
export const takenOf = (institute: Institute, segments: readonly Segment[]): Taken[] =>
  segments.flatMap(({ serviceId, staffId, startsAt }) => {
    const service = institute.services.find(({ id }) => id === serviceId)
    return service ? takenBy(institute, service.rule, staffId, Date.parse(startsAt) / minuteMs) : []
  })

export class Diary {
  readonly visits = new Map<string, Visit>()
  readonly leaves = new Map<string, Taken>()
  /** Blocked time, by its id. */
  readonly blocks = new Map<string, readonly Taken[]>()
  readonly sessions = new Map<string, Session>()
  /** What is kept for whose visit, by the visit; open until it is answered or tidied up. */
  readonly proposals = new Map<string, Proposal>()
  /** Busy time of other calendars, by calendar and day. */
  readonly calendars = new Map<string, readonly Taken[]>()
  readonly #institute: Institute
  /** Who takes what from whom, by subject and then by visit, blocked time or calendar. */
  readonly #bySubject = new Map<string, Map<string, Taken[]>>()

  constructor(institute: Institute) {
    this.#institute = institute
  }

  /** Takes the step and tells how to take it back; null when it cannot be taken now. */
  take(step: Step): (() => void) | null {
    switch (step.kind) {
      case 'hold':
        return this.visits.has(step.visit) || !this.#isFree(step.taken) || !this.#isAtWork(step.taken)
          ? null
          : this.#put(step.visit, { status: 'held', startsAt: step.startsAt, taken: step.taken })
      case 'no time':
        return this.#hasRoom(step.request, step.visit) || (step.visit !== undefined && !this.#is(step.visit, 'booked')) ? null : nothing
      case 'book':
        return this.#turn(step.visit, 'held', 'booked')
      case 'release':
        return this.#turn(step.visit, 'held', null)
      case 'cancel':
        return this.#turn(step.visit, 'booked', 'cancelled')
      case 'not held':
        return this.#is(step.visit, 'held') ? null : nothing
      case 'not booked':
        return this.#is(step.visit, 'booked') ? null : nothing
      case 'move': {
        const free = this.#is(step.visit, 'booked') && this.#isFree(step.taken, step.visit) && this.#isAtWork(step.taken)
        return free ? this.#put(step.visit, { status: 'booked', startsAt: step.startsAt, taken: step.taken }) : null
      }
      case 'expire':
        return this.#is(step.visit, 'held') ? this.#turn(step.visit, 'held', null) : nothing
      default:
        return this.#takeOther(step)
    }
  }

  /** What keeps a step from being taken, for people who look for the reason. */
  inTheWay(step: Step): string[] {
    const taken = 'taken' in step ? [step.taken].flat() : []
    return taken.flatMap((one) => [
      ...this.#over([one]).map((id) => `${id} (${this.visits.get(id)?.status ?? (this.blocks.has(id) ? 'blocked' : 'busy elsewhere')})`),
      ...[...this.leaves].filter(([, away]) => isOver(away, one)).map(([id]) => `${id} (leave)`),
    ])
  }

  #takeOther(step: Step): (() => void) | null {
    switch (step.kind) {
      case 'leave':
        return this.#goAway(step)
      case 'no leave':
        return this.#bookedOver([step.taken]).length > 0 ? nothing : null
      case 'block':
        return this.#isBlockable(step.taken) ? this.#enter(this.blocks, step.block, [step.taken]) : null
      case 'no block':
        return this.#isBlockable(step.taken) ? null : nothing
      case 'unblock':
        return this.blocks.has(step.block) ? this.#enter(this.blocks, step.block, []) : null
      case 'walk in':
        return this.visits.has(step.visit) || !this.#isFree(step.taken) || !this.#isAtWork(step.taken)
          ? null
          : this.#put(step.visit, { status: 'booked', startsAt: step.startsAt, taken: step.taken })
      case 'overbook':
        return this.visits.has(step.visit) || !this.#isAtWork(step.taken)
          ? null
          : this.#put(step.visit, { status: 'booked', startsAt: step.startsAt, taken: step.taken })
      case 'no overbook':
        return this.#isAtWork(step.taken) ? null : nothing
      case 'open':
        return this.#open(step)
      case 'no open':
        return step.taken.every((one) => this.#isBlockable(one)) ? null : nothing
      case 'close':
        return this.#close(step.session)
      case 'seat': {
        // Asked for again where all is full, one's own hold is answered.
        const held = this.visits.get(step.visit)
        if (held) return held.status === 'held' && held.startsAt === step.startsAt ? nothing : null
        const session = this.#withSeats(step.member, step.startsAt)
        if (session === undefined) return null
        return this.#put(step.visit, { status: 'held', startsAt: step.startsAt, taken: [], session })
      }
      case 'no seat':
        return this.#withSeats(step.member, step.startsAt) === undefined ? nothing : null
      case 'sync':
        return this.#enter(this.calendars, step.source, step.busy)
      case 'return': {
        const was = this.leaves.get(step.leave)
        if (!was) return null
        this.leaves.delete(step.leave)
        return () => void this.leaves.set(step.leave, was)
      }
      case 'read': {
        const visit = this.visits.get(step.visit)
        return visit?.status === step.status && (step.status === 'cancelled' || visit.startsAt === step.startsAt) ? nothing : null
      }
      case 'look':
        return this.#hasRoom(step.request) === step.isOffered ? nothing : null
      default:
        return this.#takeProposal(step)
    }
  }

  #takeProposal(step: Step): (() => void) | null {
    switch (step.kind) {
      case 'propose': {
        const visit = this.visits.get(step.visit)
        if (visit?.startsAt !== step.before) return null
        // Whoever has a seat may be proposed one in another class that is open at that time.
        const session = visit.session === undefined ? undefined : this.#withSeats(step.taken[0]?.subject ?? '', step.startsAt)
        if (session === undefined && !this.#isProposable(step)) return null
        return both(
          this.#put(step.hold, {
            status: 'held',
            startsAt: step.startsAt,
            ...(session === undefined ? { taken: step.taken } : { taken: [], session }),
          }),
          this.#keep(step.visit, { hold: step.hold, before: step.before }),
        )
      }
      case 'no propose':
        return this.#isProposable(step) ? null : nothing
      case 'accept': {
        const held = this.#proposedTo(step.visit)
        if (held?.startsAt !== step.startsAt) return null
        return both(this.#endProposal(step.visit), this.#put(step.visit, { ...held, status: 'booked' }))
      }
      case 'decline':
        return this.#proposedTo(step.visit) ? both(this.#endProposal(step.visit), this.#turn(step.visit, 'booked', 'cancelled')) : null
      case 'not proposed':
        return this.#proposedTo(step.visit) ? null : nothing
      case 'tidy': {
        const open = this.proposals.get(step.visit)
        const isAsItWas = this.#is(step.visit, 'booked') && this.visits.get(step.visit)?.startsAt === open?.before
        return open && !isAsItWas ? this.#endProposal(step.visit) : null
      }
      default:
        return null
    }
  }

  /** Nobody is asked twice at a time. */
  #isProposable({ visit, taken }: { visit: string; taken: readonly Taken[] }): boolean {
    return this.#is(visit, 'booked') && !this.proposals.has(visit) && this.#isFree(taken) && this.#isAtWork(taken)
  }

  /** What is kept for a visit that still stands where it did. */
  #proposedTo(visit: string): Visit | undefined {
    const open = this.proposals.get(visit)
    return open && this.#is(visit, 'booked') && this.visits.get(visit)?.startsAt === open.before ? this.visits.get(open.hold) : undefined
  }

  #keep(visit: string, proposal: Proposal | undefined): () => void {
    const was = this.proposals.get(visit)
    if (proposal) this.proposals.set(visit, proposal)
    else this.proposals.delete(visit)
    return () => void this.#keep(visit, was)
  }

  #endProposal(visit: string): () => void {
    const hold = this.proposals.get(visit)?.hold ?? ''
    return both(this.#put(hold, null), this.#keep(visit, undefined))
  }

  #open({ session, taken, member, startsAt, capacity }: Step & { kind: 'open' }): (() => void) | null {
    if (!taken.every((one) => this.#isBlockable(one))) return null
    this.sessions.set(session, { member, startsAt, capacity, taken, seated: new Set() })
    this.#index(session, taken)
    return () => {
      this.#unindex(session, taken)
      this.sessions.delete(session)
    }
  }

  #close(id: string): (() => void) | null {
    const session = this.sessions.get(id)
    if (!session) return null
    const undo = [...session.seated].flatMap((visit) => {
      const isHeld = this.#is(visit, 'held')
      return this.#turn(visit, isHeld ? 'held' : 'booked', isHeld ? null : 'cancelled') ?? []
    })
    this.#unindex(id, session.taken)
    this.sessions.delete(id)
    return () => {
      this.sessions.set(id, session)
      this.#index(id, session.taken)
      for (const back of undo.toReversed()) back()
    }
  }

  /** A session with a seat left; whoever is away gives none, and the session stays. */
  #withSeats(member: string, startsAt: number): string | undefined {
    for (const [id, session] of this.sessions)
      if (
        session.member === member &&
        session.startsAt === startsAt &&
        session.seated.size < session.capacity &&
        this.#isAtWork(session.taken)
      )
        return id
    return undefined
  }

  #goAway({ leave, taken, hits }: Step & { kind: 'leave' }): (() => void) | null {
    const visits = this.#bookedOver([taken])
    const isTrue = hits ? visits.length === hits.length && hits.every((id) => visits.includes(id)) : visits.length === 0
    if (!isTrue) return null
    this.leaves.set(leave, taken)
    return () => void this.leaves.delete(leave)
  }

  /** Another calendar asks nobody and is asked by nobody but bookers. */
  #isBlockable(taken: Taken): boolean {
    return this.#isAtWork([taken]) && this.#over([taken]).every((id) => this.calendars.has(id))
  }

  /** What takes time and is no visit, in place of what it took before; nothing takes it away. */
  #enter(all: Map<string, readonly Taken[]>, id: string, taken: readonly Taken[]): () => void {
    const was = all.get(id)
    if (was) this.#unindex(id, was)
    if (taken.length > 0) all.set(id, taken)
    else all.delete(id)
    this.#index(id, taken)
    return () => void this.#enter(all, id, was ?? [])
  }

  #is(id: string, status: Visit['status']): boolean {
    return this.visits.get(id)?.status === status
  }

  #put(id: string, visit: Visit | null): () => void {
    const was = this.visits.get(id)
    if (was) this.#leave(id, was)
    if (visit) this.visits.set(id, visit)
    else this.visits.delete(id)
    if (visit && visit.status !== 'cancelled') this.#come(id, visit)
    return () => void this.#put(id, was ?? null)
  }

  #turn(id: string, from: Visit['status'], to: Visit['status'] | null): (() => void) | null {
    const visit = this.visits.get(id)
    if (visit?.status !== from) return null
    return this.#put(id, to === null ? null : { ...visit, status: to })
  }

  #come(id: string, { taken, session }: Visit): void {
    this.#index(id, taken)
    if (session !== undefined) this.sessions.get(session)?.seated.add(id)
  }

  #leave(id: string, { taken, session }: Visit): void {
    this.#unindex(id, taken)
    if (session !== undefined) this.sessions.get(session)?.seated.delete(id)
  }

  #index(id: string, taken: readonly Taken[]): void {
    for (const one of taken) {
      const all = this.#bySubject.get(one.subject) ?? new Map<string, Taken[]>()
      this.#bySubject.set(one.subject, all)
      all.set(id, [...(all.get(id) ?? []), one])
    }
  }

  #unindex(id: string, taken: readonly Taken[]): void {
    for (const { subject } of taken) this.#bySubject.get(subject)?.delete(id)
  }

  /** Everything that takes some of it. */
  #over(wanted: readonly Taken[]): string[] {
    const found = wanted.flatMap((one) =>
      [...(this.#bySubject.get(one.subject) ?? [])].filter(([, taken]) => taken.some((other) => isOver(other, one))).map(([id]) => id),
    )
    return [...new Set(found)]
  }

  /** Visits, holds and sessions. */
  #bookedOver(wanted: readonly Taken[]): string[] {
    return this.#over(wanted).filter((id) => this.visits.has(id) || this.sessions.has(id))
  }

  #isFree(wanted: readonly Taken[], ignored?: string): boolean {
    return this.#over(wanted).every((id) => id === ignored)
  }

  /** Nobody on leave works, nor cleans up. Leaves of one person may overlap. */
  #isAtWork(taken: readonly Taken[]): boolean {
    for (const away of this.leaves.values()) if (taken.some((one) => isOver(away, one))) return false
    return true
  }

  /** Whether somebody could do every line, each beginning when the one before ends. */
  #hasRoom({ startsAt, lines }: VisitRequest, ignored?: string): boolean {
    let start = startsAt / minuteMs
    for (const [service, member] of lines) {
      const rule = this.#institute.services[service]?.rule
      if (!rule) return false
      const at = start
      const candidates = member === 'any' ? this.#institute.members : [this.#institute.members[member] ?? '']
      const can = (one: string): boolean => {
        const taken = takenBy(this.#institute, rule, one, at)
        return this.#isFree(taken, ignored) && this.#isAtWork(taken)
      }
      if (!candidates.some(can)) return false
      start += spanOf(rule)
    }
    return true
  }
}

const nothing = (): void => {}
const both = (first: () => void, second: (() => void) | null): (() => void) => {
  return () => {
    second?.()
    first()
  }
}
