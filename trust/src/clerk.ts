/** Somebody at the desk with the calendar of the institute on screen: books who phones and walks in, overbooks, moves, cancels, keeps time and opens classes, by the calls of the dashboard. */
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '@soigne/contract/time'
import type { Random } from '@soigne/demo/random'
import type { Class, Page } from './journal.ts'
import { takenOf } from './model.ts'
import type { Segment, Step, Taken } from './steps.ts'
import type { Answer, Client, HttpRequest } from './wire.ts'

export const dashboard = '/api/v1/secure/mysalon'

/** One person of the institute, what they ask and what is noted of it. */
export class Clerk {
  /** Answers nobody should get. */
  readonly odd: string[] = []
  asked = 0
  readonly #by: string
  readonly #client: Client
  readonly #random: Random
  readonly #servers: readonly { url: string }[]

  constructor(by: string, client: Client, random: Random, servers: readonly { url: string }[]) {
    this.#by = by
    this.#client = client
    this.#random = random
    this.#servers = servers
  }

  ask(method: HttpRequest['method'], path: string, body?: unknown): Promise<Answer> {
    this.asked++
    const key = method === 'GET' ? {} : { key: this.#random.uuid(Date.now()) }
    return this.#client.send(this.#random.pick(this.#servers).url, { method, path: `${dashboard}${path}`, body, ...key })
  }

  note(page: Page, { beganAt, endedAt }: Answer, step: Step): void {
    page.operations.push({ by: this.#by, step, beganAt, endedAt })
  }

  oddity(what: string, { status, body }: Answer): void {
    this.odd.push(`${what} was answered ${status} ${body.code ?? ''} ${body.message ?? ''}`)
  }
}

/** A visit as the calendar shows it. */
interface Shown {
  _id: string
  status: string
  isHeld: boolean
  startsAt: string
  version: number
  overbooked: string | null
  sessionId: string | null
  segments: Segment[]
}
const isAway = ({ body }: Answer): boolean => body.code === 'not_offered' && body.details?.reason === 'on_leave'

export class Reception {
  readonly #clerk: Clerk
  readonly #random: Random
  readonly #pages: readonly Page[]
  /** What this person takes back later. */
  readonly #blocks: { id: string; page: Page }[] = []
  readonly #classes: { id: string; page: Page; told: Class }[] = []

  constructor(clerk: Clerk, random: Random, pages: readonly Page[]) {
    this.#clerk = clerk
    this.#random = random
    this.#pages = pages
  }

  async run(until: number): Promise<void> {
    const acts = [this.#book, this.#book, this.#overbook, this.#move, this.#move, this.#cancel, this.#cancel, this.#block, this.#openClass]
    while (Date.now() < until) {
      const page = this.#random.pick(this.#pages)
      await this.#random.pick(acts).call(this, page)
      await sleep(30 + this.#random.whole(200))
    }
  }

  /** Between nine and four, of somebody, and what it would take. */
  #wish(
    page: Page,
    isClass = false,
  ): { serviceId: string; staffId: string; startsAt: string; service: number; member: number; taken: Taken[] } {
    const { institute, day } = page
    const member = this.#random.whole(institute.members.length)
    const found = this.#random.pick(institute.services.filter(({ rule }) => (rule.seats !== undefined) === isClass))
    const startsAt = new Date(day + (540 + 5 * this.#random.whole(84)) * minuteMs).toISOString()
    const line = { serviceId: found.id, staffId: institute.members[member] ?? '', startsAt }
    return { ...line, service: institute.services.indexOf(found), member, taken: takenOf(institute, [line]) }
  }

  async #book(page: Page): Promise<void> {
    const { serviceId, staffId, startsAt, service, member, taken } = this.#wish(page)
    const answer = await this.#clerk.ask('POST', '/appointments', { services: [{ serviceId, staffId }], startsAt })
    const [start, code] = [Date.parse(startsAt), answer.body.code ?? '']
    if (answer.status === 201 && answer.body._id)
      this.#clerk.note(page, answer, { kind: 'walk in', visit: answer.body._id, taken, startsAt: start })
    else if (code === 'slot_taken' || code === 'not_offered')
      this.#clerk.note(page, answer, { kind: 'no time', request: { startsAt: start, lines: [[service, member]] } })
    else this.#clerk.oddity('booking at the desk', answer)
  }

  async #overbook(page: Page): Promise<void> {
    const { serviceId, staffId, startsAt, taken } = this.#wish(page)
    const overbook = { reason: 'She waits' }
    const answer = await this.#clerk.ask('POST', '/appointments', { services: [{ serviceId, staffId }], startsAt, overbook })
    if (answer.status === 201 && answer.body._id)
      this.#clerk.note(page, answer, { kind: 'overbook', visit: answer.body._id, taken, startsAt: Date.parse(startsAt) })
    else if (isAway(answer)) this.#clerk.note(page, answer, { kind: 'no overbook', taken })
    else this.#clerk.oddity('overbooking', answer)
  }

  /** Some visit of the day that is nobody's seat; what is read of it must be true as well. */
  async #look(page: Page): Promise<Shown | null> {
    const answer = await this.#clerk.ask('GET', `/diary?from=${new Date(page.day).toISOString().slice(0, 10)}`)
    const all = (answer.body as { visits?: Shown[] }).visits
    if (!all) {
      this.#clerk.oddity('the calendar', answer)
      return null
    }
    const visits = all.filter(({ isHeld, sessionId }) => !isHeld && sessionId === null)
    if (visits.length === 0) return null
    const seen = this.#random.pick(visits)
    const status = seen.status === 'cancelled' ? 'cancelled' : 'booked'
    this.#clerk.note(page, answer, { kind: 'read', visit: seen._id, status, startsAt: Date.parse(seen.startsAt) })
    return status === 'booked' ? seen : null
  }

  async #move(page: Page): Promise<void> {
    const { institute } = page
    const seen = await this.#look(page)
    const [segment, ...others] = seen?.segments ?? []
    if (!seen || !segment || others.length > 0 || seen.overbooked !== null) return
    const { startsAt } = this.#wish(page)
    const lines = [
      [institute.services.findIndex(({ id }) => id === segment.serviceId), institute.members.indexOf(segment.staffId)] as const,
    ]
    const answer = await this.#clerk.ask('PUT', `/appointments/${seen._id}/move`, { startsAt, version: seen.version })
    const [start, code] = [Date.parse(startsAt), answer.body.code ?? '']
    if (answer.status === 200 && answer.body.segments) {
      const taken = takenOf(institute, answer.body.segments)
      this.#clerk.note(page, answer, { kind: 'move', visit: seen._id, taken, startsAt: start })
    } else if (code === 'slot_taken' || code === 'not_offered')
      this.#clerk.note(page, answer, { kind: 'no time', request: { startsAt: start, lines }, visit: seen._id })
    else if (code === 'wrong_state') this.#clerk.note(page, answer, { kind: 'not booked', visit: seen._id })
    else if (code !== 'changed_meanwhile') this.#clerk.oddity('a move at the desk', answer)
  }

  async #cancel(page: Page): Promise<void> {
    const seen = await this.#look(page)
    if (!seen) return
    const answer = await this.#clerk.ask('PUT', `/appointments/${seen._id}/cancel`, {})
    if (answer.status === 200) this.#clerk.note(page, answer, { kind: 'cancel', visit: seen._id })
    else if (answer.body.code === 'wrong_state') this.#clerk.note(page, answer, { kind: 'not booked', visit: seen._id })
    else this.#clerk.oddity('a cancellation at the desk', answer)
  }

  /** Keeps half an hour to an hour and a half; a third one gives the first back. */
  async #block(page: Page): Promise<void> {
    const old = this.#blocks.length > 2 ? this.#blocks.shift() : undefined
    if (old) {
      const answer = await this.#clerk.ask('DELETE', `/blocked-times/${old.id}`)
      if (answer.status === 200) return this.#clerk.note(old.page, answer, { kind: 'unblock', block: old.id })
      return this.#clerk.oddity('unblocking', answer)
    }
    const { staffId, startsAt } = this.#wish(page)
    const from = Date.parse(startsAt) / minuteMs
    const taken = { subject: staffId, from, to: from + 30 + 5 * this.#random.whole(12) }
    const answer = await this.#clerk.ask('POST', '/blocked-times', {
      staffId,
      startsAt,
      endsAt: new Date(taken.to * minuteMs).toISOString(),
    })
    if (answer.status === 201 && answer.body._id) {
      this.#blocks.push({ id: answer.body._id, page })
      this.#clerk.note(page, answer, { kind: 'block', block: answer.body._id, taken })
    } else if (answer.body.code === 'time_taken') this.#clerk.note(page, answer, { kind: 'no block', taken })
    else this.#clerk.oddity('blocking', answer)
  }

  /** Opens a class; a third one cancels the first. */
  async #openClass(page: Page): Promise<void> {
    const old = this.#classes.length > 2 ? this.#classes.shift() : undefined
    if (old) {
      old.page.classes = old.page.classes?.filter((one) => one !== old.told) ?? []
      const answer = await this.#clerk.ask('PUT', `/sessions/${old.id}/cancel`, {})
      if (answer.status === 200) return this.#clerk.note(old.page, answer, { kind: 'close', session: old.id })
      return this.#clerk.oddity('cancelling a class', answer)
    }
    const { serviceId, staffId, startsAt, service, taken } = this.#wish(page, true)
    const answer = await this.#clerk.ask('POST', '/sessions', { serviceId, staffId, startsAt })
    if (answer.status === 201 && answer.body._id) {
      const told = { member: staffId, startsAt: Date.parse(startsAt) }
      const capacity = page.institute.services[service]?.rule.seats ?? 1
      this.#clerk.note(page, answer, { kind: 'open', session: answer.body._id, taken, ...told, capacity })
      this.#classes.push({ id: answer.body._id, page, told })
      page.classes = [...(page.classes ?? []), told]
    } else if (answer.body.code === 'time_taken' || isAway(answer)) this.#clerk.note(page, answer, { kind: 'no open', taken })
    else this.#clerk.oddity('a class', answer)
  }
}
