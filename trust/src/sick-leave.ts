/** Somebody falls ill for a day: they are marked away, each client who is hit is proposed another time, and later they are back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, minuteMs, minutesOfDay } from '@soigne/contract/time'
import type { Random } from '@soigne/demo/random'
import type pg from 'pg'
import type { Clerk } from './clerk.ts'
import type { Page } from './journal.ts'
import { spanOf, takenOf } from './model.ts'
import type { Segment, Taken } from './steps.ts'
import type { Institute } from './world.ts'

interface Option {
  startsAt: string
  staff: { staffId: string }[]
}
interface Hit {
  visit: { _id: string; segments: Segment[]; customer: { hasAccount: boolean } }
  options: Option[]
}
interface Kept {
  _id: string
  before: { startsAt: string }
  proposed: Option | null
}

/** What the services of a visit would take then, one after the other. */
function takenThen(institute: Institute, segments: readonly Segment[], { startsAt, staff }: Option): Taken[] {
  let start = Date.parse(startsAt)
  const lines = segments.map(({ serviceId }, at) => {
    const line = { serviceId, staffId: staff[at]?.staffId ?? '', startsAt: new Date(start).toISOString() }
    const rule = institute.services.find(({ id }) => id === serviceId)?.rule
    start += (rule ? spanOf(rule) : 0) * minuteMs
    return line
  })
  return takenOf(institute, lines)
}

export class SickLeave {
  /** How often somebody was away. */
  times = 0
  readonly #clerk: Clerk
  readonly #random: Random
  readonly #pages: readonly Page[]

  constructor(clerk: Clerk, random: Random, pages: readonly Page[]) {
    this.#clerk = clerk
    this.#random = random
    this.#pages = pages
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) {
      const page = this.#random.pick(this.#pages)
      const member = this.#random.pick(page.institute.members)
      const leave = `${member} ${++this.times}`
      if (await this.#goAway(page, member, leave)) {
        await this.#propose(page, member)
        await sleep(400 + this.#random.whole(2500))
        await this.#comeBack(page, member, leave)
      }
      await sleep(this.#random.whole(800))
    }
  }

  #mark(page: Page, member: string, status: 'sick_leave' | 'available') {
    const day = new Date(page.day).toISOString().slice(0, 10)
    return this.#clerk.ask('PUT', `/staff/${member}/availability`, { status, fromDay: day, toDay: day })
  }

  async #goAway(page: Page, member: string, leave: string): Promise<boolean> {
    const answer = await this.#mark(page, member, 'sick_leave')
    const hits = answer.body.appointments?.map(({ _id }) => _id)
    if (answer.status !== 200 || !hits) {
      this.#clerk.oddity('going away', answer)
      return false
    }
    const from = page.day / minuteMs
    this.#clerk.note(page, answer, { kind: 'leave', leave, taken: { subject: member, from, to: from + minutesOfDay }, hits })
    return true
  }

  async #comeBack(page: Page, member: string, leave: string): Promise<void> {
    const answer = await this.#mark(page, member, 'available')
    if (answer.status === 200) this.#clerk.note(page, answer, { kind: 'return', leave })
    else this.#clerk.oddity('coming back', answer)
  }

  /** What fits on the same day: pages of other days are kept apart. Who has no account is called, and keeps the time. */
  async #propose(page: Page, member: string): Promise<void> {
    const day = new Date(page.day).toISOString().slice(0, 10)
    const answer = await this.#clerk.ask('GET', `/rearrangements/proposals?staffId=${member}&fromDay=${day}&toDay=${day}`)
    if (answer.status !== 200) return this.#clerk.oddity('proposals', answer)
    for (const { visit, options } of (answer.body.items ?? []) as Hit[]) {
      const fitting = options.filter(({ startsAt }) => Date.parse(startsAt) >= page.day && Date.parse(startsAt) < page.day + dayMs)
      if (visit.customer.hasAccount && fitting.length > 0) await this.#send(page, visit, this.#random.pick(fitting))
    }
  }

  async #send(page: Page, visit: Hit['visit'], option: Option): Promise<void> {
    const item = { appointmentId: visit._id, how: 'propose', startsAt: option.startsAt, staff: option.staff.map(({ staffId }) => staffId) }
    const answer = await this.#clerk.ask('POST', '/rearrangements', { items: [item] })
    const taken = takenThen(page.institute, visit.segments, option)
    const [kept] = (answer.body.items ?? []) as Kept[]
    if (answer.status === 201 && kept?.proposed) {
      const times = { startsAt: Date.parse(kept.proposed.startsAt), before: Date.parse(kept.before.startsAt) }
      this.#clerk.note(page, answer, { kind: 'propose', visit: visit._id, hold: kept._id, taken, ...times })
    } else if (['slot_taken', 'not_offered', 'wrong_state'].includes(answer.body.code ?? ''))
      this.#clerk.note(page, answer, { kind: 'no propose', visit: visit._id, taken })
    else this.#clerk.oddity('a proposal', answer)
  }
}

const staleProposals = `select count(*)::int as n from rearrangements r join appointments a on a.id = r.appointment_id
  where r.state = 'sent' and (a.starts_at <> r.before_starts_at or coalesce(a.life, a.status) = 'cancelled')`

/** What was settled another way is tidied up by a job: until it has. False when it never does. */
export async function tidied(db: pg.Pool, withinMs = minuteMs): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(250)) {
    const { rows } = await db.query<{ n: number }>(staleProposals)
    if (rows[0]?.n === 0) return true
  }
  return false
}

/** Gives what was kept the name it is stored by, and writes down what was tidied up: nobody is answered when that happens. */
export async function completeProposals(db: pg.Pool, pages: readonly Page[]): Promise<void> {
  const { rows: named } = await db.query<{ id: string; hold: string }>(
    `select payload ->> 'rearrangementId' as id, payload ->> 'holdId' as hold from events where kind = 'visit.proposed'`,
  )
  const holds = new Map(named.map(({ id, hold }) => [id, hold]))
  const { rows: open } = await db.query<{ visit: string }>(`select appointment_id as visit from rearrangements where state = 'sent'`)
  const now = Date.now() + 1
  for (const { operations } of pages) {
    const left = new Map<string, { since: number; count: number }>()
    const count = (visit: string, by: number, since = Infinity): void => {
      const was = left.get(visit) ?? { since, count: 0 }
      left.set(visit, { since: Math.min(was.since, since), count: was.count + by })
    }
    for (const { step, beganAt } of operations) {
      if (step.kind === 'propose') {
        step.hold = holds.get(step.hold) ?? step.hold
        count(step.visit, 1, beganAt)
      } else if (step.kind === 'accept' || step.kind === 'decline') count(step.visit, -1)
    }
    for (const { visit } of open) if (left.has(visit)) count(visit, -1)
    for (const [visit, { since, count: times }] of left)
      for (let n = 0; n < times; n++) operations.push({ by: 'a job', step: { kind: 'tidy', visit }, beganAt: since, endedAt: now })
  }
}
