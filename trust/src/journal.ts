/** What one client asks and is told, written down as steps of a diary. */
import { dayMs } from '@soigne/contract/time'
import type { Operation } from './checker.ts'
import { takenOf } from './model.ts'
import type { Step, VisitRequest } from './steps.ts'
import { type Answer, type Client, holdsPath, visitsPath, type HttpRequest } from './wire.ts'
import { holdBody, type Institute } from './world.ts'

/** One institute on one day: nothing that happens there touches another. */
export interface Page {
  institute: Institute
  /** Midnight UTC. */
  day: number
  operations: Operation[]
  /** Classes that clients know of. */
  classes?: Class[]
}

/** A member and a start. */
export interface Class {
  member: string
  startsAt: number
}

export interface Mine {
  id: string
  page: Page
  lines: VisitRequest['lines']
  status: 'held' | 'booked'
  startsAt: number
  /** In a class, which can be cancelled with all its visits. */
  isSeat?: true
}

const noTime: ReadonlySet<string> = new Set(['slot_taken', 'not_offered'])

export class Journal {
  /** Answers that are no step of any diary: server faults, limits, refusals nobody should get. */
  readonly odd: string[] = []
  asked = 0
  readonly #client: Client
  readonly #by: string
  readonly #servers: () => string
  readonly #key: () => string

  constructor(client: Client, by: string, servers: () => string, key: () => string) {
    this.#client = client
    this.#by = by
    this.#servers = servers
    this.#key = key
  }

  async #ask(request: HttpRequest): Promise<Answer> {
    this.asked++
    return this.#client.send(this.#servers(), request)
  }

  #note(page: Page, { beganAt, endedAt }: Answer, step: Step): void {
    page.operations.push({ by: this.#by, step, beganAt, endedAt })
  }

  /** The steps of a refusal: there was no time, and of those offered instead the first was really free. */
  #noteNoTime(page: Page, answer: Answer, request: VisitRequest, visit?: string): void {
    this.#note(page, answer, { kind: 'no time', request, ...(visit !== undefined && { visit }) })
    const other = answer.body.details?.nearest?.find(
      ({ startsAt }) => Date.parse(startsAt) - page.day < dayMs && Date.parse(startsAt) >= page.day,
    )
    if (other && visit === undefined)
      this.#note(page, answer, { kind: 'look', request: { startsAt: Date.parse(other.startsAt), lines: request.lines }, isOffered: true })
  }

  #oddity(what: string, { status, body }: Answer): void {
    this.odd.push(`${what} was answered ${status} ${body.code ?? ''} ${body.message ?? ''}`)
  }

  async hold(page: Page, request: VisitRequest): Promise<Mine | null> {
    const { institute } = page
    const body = holdBody(institute, new Date(request.startsAt).toISOString(), request.lines)
    const answer = await this.#ask({ method: 'POST', path: holdsPath, body, key: this.#key() })
    if (answer.status === 201 && answer.body._id && answer.body.segments) {
      const visit = answer.body._id
      this.#note(page, answer, {
        kind: 'hold',
        visit,
        taken: takenOf(institute, answer.body.segments),
        startsAt: request.startsAt,
      })
      return { id: visit, page, lines: request.lines, status: 'held', startsAt: request.startsAt }
    }
    if (noTime.has(answer.body.code ?? '')) this.#noteNoTime(page, answer, request)
    else this.#oddity('a hold', answer)
    return null
  }

  /** Holds a seat of a class, if it still has one. */
  async seat(page: Page, { member, startsAt }: Class): Promise<Mine | null> {
    const { institute } = page
    const services = institute.services.filter(({ rule }) => rule.seats !== undefined).map(({ id }) => ({ serviceId: id, staffId: member }))
    const body = { instituteId: institute.id, services, startsAt: new Date(startsAt).toISOString() }
    const answer = await this.#ask({ method: 'POST', path: holdsPath, body, key: this.#key() })
    if (answer.status === 201 && answer.body._id) {
      const visit = answer.body._id
      this.#note(page, answer, { kind: 'seat', visit, member, startsAt })
      return { id: visit, page, lines: [], status: 'held', startsAt, isSeat: true }
    }
    if (noTime.has(answer.body.code ?? '')) this.#note(page, answer, { kind: 'no seat', member, startsAt })
    else this.#oddity('a seat', answer)
    return null
  }

  /** False when the hold had run out. */
  async book(mine: Mine): Promise<boolean> {
    const answer = await this.#ask({ method: 'POST', path: visitsPath, body: { holdId: mine.id }, key: this.#key() })
    if (answer.status === 201) {
      this.#note(mine.page, answer, { kind: 'book', visit: mine.id })
      mine.status = 'booked'
      return true
    }
    if (answer.body.code === 'hold_expired' || answer.body.code === 'not_found')
      this.#note(mine.page, answer, { kind: 'not held', visit: mine.id })
    else this.#oddity('a booking', answer)
    return false
  }

  async release(mine: Mine): Promise<void> {
    const answer = await this.#ask({ method: 'DELETE', path: `${holdsPath}/${mine.id}` })
    if (answer.status === 200) this.#note(mine.page, answer, { kind: 'release', visit: mine.id })
    else this.#oddity('a release', answer)
  }

  async cancel(mine: Mine): Promise<void> {
    const answer = await this.#ask({ method: 'PUT', path: `${visitsPath}/${mine.id}/cancel`, body: {}, key: this.#key() })
    if (answer.status === 200) this.#note(mine.page, answer, { kind: 'cancel', visit: mine.id })
    else if (answer.body.code === 'wrong_state') this.#note(mine.page, answer, { kind: 'not booked', visit: mine.id })
    else this.#oddity('a cancellation', answer)
  }

  async move(mine: Mine, startsAt: number): Promise<void> {
    // As wished when it was booked; without a wish it would stay with who does it now.
    const at = new Date(startsAt).toISOString()
    const staff = holdBody(mine.page.institute, at, mine.lines).services.map(({ staffId }) => staffId ?? 'any')
    const body = { startsAt: at, staff }
    const answer = await this.#ask({ method: 'PUT', path: `${visitsPath}/${mine.id}/reschedule`, body, key: this.#key() })
    if (answer.status === 200 && answer.body.segments) {
      const taken = takenOf(mine.page.institute, answer.body.segments)
      this.#note(mine.page, answer, { kind: 'move', visit: mine.id, taken, startsAt })
      mine.startsAt = startsAt
    } else if (noTime.has(answer.body.code ?? '')) this.#noteNoTime(mine.page, answer, { startsAt, lines: mine.lines }, mine.id)
    else if (answer.body.code === 'wrong_state') this.#note(mine.page, answer, { kind: 'not booked', visit: mine.id })
    else this.#oddity('a move', answer)
  }

  /** Whether another time is proposed for it now. */
  async isProposed(mine: Mine): Promise<boolean> {
    const answer = await this.#ask({ method: 'GET', path: `${visitsPath}/${mine.id}/proposal` })
    if (answer.status !== 200) this.#oddity('a look at a proposal', answer)
    return Boolean(answer.body.proposal)
  }

  /** Takes the time that is proposed, whichever it is by then. */
  async accept(mine: Mine): Promise<void> {
    const answer = await this.#ask({ method: 'PUT', path: `${visitsPath}/${mine.id}/proposal/accept`, key: this.#key() })
    if (answer.status === 200 && answer.body.startsAt) {
      mine.startsAt = Date.parse(answer.body.startsAt)
      this.#note(mine.page, answer, { kind: 'accept', visit: mine.id, startsAt: mine.startsAt })
    } else this.#noteNotProposed(mine, answer)
  }

  /** Gives the visit up. */
  async decline(mine: Mine): Promise<boolean> {
    const answer = await this.#ask({ method: 'PUT', path: `${visitsPath}/${mine.id}/proposal/decline`, key: this.#key() })
    if (answer.status === 200) this.#note(mine.page, answer, { kind: 'decline', visit: mine.id })
    else this.#noteNotProposed(mine, answer)
    return answer.status === 200
  }

  #noteNotProposed(mine: Mine, answer: Answer): void {
    if (answer.body.code === 'wrong_state' || answer.body.code === 'hold_expired')
      this.#note(mine.page, answer, { kind: 'not proposed', visit: mine.id })
    else this.#oddity('an answer to a proposal', answer)
  }

  async read(mine: { id: string; page: Page }): Promise<void> {
    const answer = await this.#ask({ method: 'GET', path: `${visitsPath}/${mine.id}` })
    const { status, startsAt } = answer.body
    if (answer.status === 200 && status && startsAt) {
      const told = status === 'cancelled' ? 'cancelled' : 'booked'
      this.#note(mine.page, answer, { kind: 'read', visit: mine.id, status: told, startsAt: Date.parse(startsAt) })
    } else this.#oddity('a reading', answer)
  }

  /** Looks at the day's free times; remembers whether these starts were among them. */
  async look(page: Page, lines: VisitRequest['lines'], starts: readonly number[]): Promise<void> {
    const query = new URLSearchParams({ from: new Date(page.day).toISOString().slice(0, 10), days: '1' })
    for (const [service, member] of lines) {
      query.append('service', page.institute.services[service]?.id ?? '')
      query.append('staff', member === 'any' ? 'any' : (page.institute.members[member] ?? ''))
    }
    const answer = await this.#ask({ method: 'GET', path: `/api/v1/client/institutes/${page.institute.id}/availability?${query}` })
    const times = answer.body.days?.[0]?.times
    if (!times) return this.#oddity('a look', answer)
    const offered = new Set(times.map(({ startsAt }) => Date.parse(startsAt)))
    for (const startsAt of starts)
      this.#note(page, answer, { kind: 'look', request: { startsAt, lines }, isOffered: offered.has(startsAt) })
  }
}
