/** The front desk: a process that does to diaries what has no call, by the commands of the product, and what it was answered as steps of a diary. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, minuteMs } from '@soigne/contract/time'
import type { Random } from '@soigne/demo/random'
import type { Class, Page } from './journal.ts'
import { takenOf } from './model.ts'
import type { Step, Taken } from './steps.ts'
import { root, type Stage } from './stage.ts'

interface DeskAnswer {
  done?: { id?: string; startsAt?: string; hits?: { id: string }[] } | null
  refused?: string
  details?: { reason?: string } | null
  failed?: string
  /** Milliseconds since the epoch, widened outwards to whole ones. */
  beganAt: number
  endedAt: number
}

/** One process beside the servers, with connections of its own. */
export class Desk {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting = new Map<number, { beganAt: number; resolve(answer: DeskAnswer): void }>()
  readonly #ready: Promise<void>
  #asked = 0
  asked = 0

  constructor({ databaseUrl }: Stage) {
    this.#child = spawn(process.execPath, [join(root, 'server/src/testing/desk-process.ts'), databaseUrl], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'] },
    })
    const lines = createInterface({ input: this.#child.stdout })
    this.#ready = new Promise((ready, fail) => {
      this.#child.once('exit', (code) => {
        fail(new Error(`the front desk ended with ${code}`))
        for (const { beganAt, resolve } of this.#waiting.values()) resolve({ failed: 'it ended', beganAt, endedAt: Infinity })
      })
      lines.on('line', (line) => {
        if (line === 'ready') return ready()
        const { n, ...answer } = JSON.parse(line) as Omit<DeskAnswer, 'beganAt' | 'endedAt'> & { n: number }
        const one = this.#waiting.get(n)
        this.#waiting.delete(n)
        one?.resolve({ ...answer, beganAt: one.beganAt, endedAt: Date.now() + 1 })
      })
    })
    this.#ready.catch(() => {})
  }

  async ask(page: Page, command: string, asked: object): Promise<DeskAnswer> {
    await this.#ready
    const n = ++this.#asked
    this.asked++
    return new Promise((resolve) => {
      this.#waiting.set(n, { beganAt: Date.now(), resolve })
      this.#child.stdin.write(`${JSON.stringify({ n, instituteId: page.institute.id, command, asked })}\n`)
    })
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.stdin.end()
    await ended
  }
}

const by = 'front desk'
const changes = ['holiday', 'sick', 'block', 'overbook', 'sync', 'class'] as const

interface Made {
  /** What it is, and how it is undone. */
  undo: { command: string; asked: object; step: Step }
  /** Told to clients until it is undone. */
  told?: Class
}

/** One person at the front desk: makes something of a kind, and undoes it after a while. */
export class Receptionist {
  /** Answers nobody should get. */
  readonly odd: string[] = []
  readonly #desk: Desk
  readonly #random: Random
  readonly #pages: readonly Page[]
  readonly #customers: ReadonlyMap<string, string>
  /** Of the calendar this person brings along. */
  readonly #calendar: string

  constructor(desk: Desk, random: Random, pages: readonly Page[], customers: ReadonlyMap<string, string>) {
    this.#desk = desk
    this.#random = random
    this.#pages = pages
    this.#customers = customers
    this.#calendar = random.uuid(Date.now())
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) {
      const page = this.#random.pick(this.#pages)
      const made = await this.#make(page, this.#random.pick(changes))
      if (made) {
        await sleep((made.told ? 3 : 1) * (300 + this.#random.whole(1500)))
        await this.#undo(page, made)
      }
      await sleep(this.#random.whole(200))
    }
  }

  #note(page: Page, { beganAt, endedAt }: DeskAnswer, step: Step): null {
    page.operations.push({ by, step, beganAt, endedAt })
    return null
  }

  #oddity(what: string, { refused, failed }: DeskAnswer): null {
    this.odd.push(`${what} was answered ${refused ?? ''} ${failed ?? ''}`)
    return null
  }

  async #undo(page: Page, { undo, told }: Made): Promise<void> {
    const answer = await this.#desk.ask(page, undo.command, undo.asked)
    if (told) page.classes = page.classes?.filter((one) => one !== told) ?? []
    if (answer.done === undefined) this.#oddity(undo.command, answer)
    else this.#note(page, answer, undo.step)
  }

  /** Half an hour to an hour and a half of somebody, far from where the day begins and ends. */
  #stretch(page: Page, subject: string): Taken & { startsAt: string; endsAt: string } {
    const from = page.day / minuteMs + 540 + 5 * this.#random.whole(90)
    const to = from + 30 + 5 * this.#random.whole(12)
    const at = (minute: number): string => new Date(minute * minuteMs).toISOString()
    return { subject, from, to, startsAt: at(from), endsAt: at(to) }
  }

  #make(page: Page, what: (typeof changes)[number]): Promise<Made | null> {
    const { institute } = page
    const member = this.#random.pick(institute.members)
    if (what === 'overbook') return this.#overbook(page, member)
    if (what === 'sync') return this.#sync(page, member)
    if (what === 'class') return this.#open(page, member)
    if (what !== 'block') return this.#leave(page, member, what)
    const machines = institute.resources.map(({ id }) => id)
    return this.#block(page, machines.length > 0 && this.#random.chance(0.25) ? this.#random.pick(machines) : member)
  }

  async #leave(page: Page, memberId: string, what: 'holiday' | 'sick'): Promise<Made | null> {
    const { startsAt: _from, endsAt: _to, ...taken } = this.#stretch(page, memberId)
    const day = new Date(page.day).toISOString().slice(0, 10)
    const part = { opensAt: taken.from - page.day / minuteMs, closesAt: taken.to - page.day / minuteMs }
    const kind = what === 'sick' ? 'sick_leave' : 'on_holiday'
    const answer = await this.#desk.ask(page, 'leave', { memberId, kind, fromDay: day, toDay: day, part })
    const leave = answer.done?.id
    if (leave !== undefined) {
      const hits = what === 'sick' ? { hits: answer.done?.hits?.map(({ id }) => id) ?? [] } : {}
      this.#note(page, answer, { kind: 'leave', leave, taken, ...hits })
      return { undo: { command: 'return', asked: { id: leave }, step: { kind: 'return', leave } } }
    }
    return what === 'holiday' && answer.refused === 'time_taken'
      ? this.#note(page, answer, { kind: 'no leave', taken })
      : this.#oddity(what, answer)
  }

  async #block(page: Page, subject: string): Promise<Made | null> {
    const { startsAt, endsAt, ...taken } = this.#stretch(page, subject)
    const kind = page.institute.members.includes(subject) ? 'member' : 'resource'
    const answer = await this.#desk.ask(page, 'block', { subject: { kind, id: subject }, startsAt, endsAt })
    const block = answer.done?.id
    if (block !== undefined) {
      this.#note(page, answer, { kind: 'block', block, taken })
      return { undo: { command: 'unblock', asked: { id: block }, step: { kind: 'unblock', block } } }
    }
    return answer.refused === 'time_taken' ? this.#note(page, answer, { kind: 'no block', taken }) : this.#oddity('blocking', answer)
  }

  async #overbook(page: Page, staffId: string): Promise<Made | null> {
    const { institute } = page
    const { startsAt } = this.#stretch(page, staffId)
    const serviceId = this.#random.pick(institute.services.filter(({ rule }) => rule.seats === undefined)).id
    const taken = takenOf(institute, [{ serviceId, staffId, startsAt }])
    const customerId = this.#customers.get(institute.id)
    const answer = await this.#desk.ask(page, 'overbook', { customerId, services: [{ serviceId, staffId }], startsAt, reason: 'She waits' })
    const visit = answer.done?.id
    if (visit !== undefined) {
      this.#note(page, answer, { kind: 'overbook', visit, taken, startsAt: Date.parse(startsAt) })
      return { undo: { command: 'cancel', asked: { id: visit }, step: { kind: 'cancel', visit } } }
    }
    const isAway = answer.refused === 'not_offered' && answer.details?.reason === 'on_leave'
    return isAway ? this.#note(page, answer, { kind: 'no overbook', taken }) : this.#oddity('overbooking', answer)
  }

  async #open(page: Page, member: string): Promise<Made | null> {
    const { startsAt } = this.#stretch(page, member)
    const service = page.institute.services.find(({ rule }) => rule.seats !== undefined)
    if (!service) return null
    const taken = takenOf(page.institute, [{ serviceId: service.id, staffId: member, startsAt }])
    const answer = await this.#desk.ask(page, 'open', { serviceId: service.id, memberId: member, startsAt })
    const session = answer.done?.id
    const isAway = answer.refused === 'not_offered' && answer.details?.reason === 'on_leave'
    if (session === undefined)
      return isAway || answer.refused === 'time_taken'
        ? this.#note(page, answer, { kind: 'no open', taken })
        : this.#oddity('a class', answer)
    const told = { member, startsAt: Date.parse(startsAt) }
    this.#note(page, answer, { kind: 'open', session, taken, ...told, capacity: service.rule.seats ?? 1 })
    page.classes = [...(page.classes ?? []), told]
    return { told, undo: { command: 'close', asked: { id: session }, step: { kind: 'close', session } } }
  }

  /** What another calendar says of a whole day; it says so until it says something else. */
  async #sync(page: Page, memberId: string): Promise<Made | null> {
    const busy = Array.from({ length: 1 + this.#random.whole(3) }, () => this.#stretch(page, memberId))
    // Days of different people come from different calendars.
    const sourceId = `${this.#calendar.slice(0, 24)}${memberId.slice(24)}`
    const window = { memberId, sourceId, startsAt: new Date(page.day).toISOString(), endsAt: new Date(page.day + dayMs).toISOString() }
    const source = `${sourceId} ${page.day}`
    const answer = await this.#desk.ask(page, 'sync', { ...window, busy: busy.map(({ startsAt, endsAt }) => ({ startsAt, endsAt })) })
    if (!answer.done) return this.#oddity('a sync', answer)
    this.#note(page, answer, { kind: 'sync', source, busy: busy.map(({ subject, from, to }) => ({ subject, from, to })) })
    return { undo: { command: 'sync', asked: { ...window, busy: [] }, step: { kind: 'sync', source, busy: [] } } }
  }
}
