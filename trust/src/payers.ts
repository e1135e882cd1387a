/** Clients who pay deposits on the pages of the sandbox, as people do: once, twice at once, after a refusal, another way than they began, too late, and regretting it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@soigne/demo/random'
import type pg from 'pg'
import { bringEndForward } from './front-desk.ts'
import { type Answer, type Client, holdsPath, type HttpRequest, openClient, visitsPath } from './wire.ts'
import { dayAhead, holdBody, instant, type Institute, type Person } from './world.ts'

const minutesEach = 10
const visitsADay = 72
/** After the last kill: a word that a killed server was telling is told again after a minute. */
const patienceMs = 180_000

/** What has become of a hold in the end: a visit, one that was cancelled with all of it back, or none. */
export type End = 'booked' | 'cancelled' | 'none'

export interface Paid {
  /** Payments that somebody pressed for, however often. */
  pressed: number
  unanswered: number
  /** Answers that somebody else was at it under the same key. */
  running: number
  ends: Map<string, End>
  kinds: Record<string, number>
  odd: string[]
}

interface Slot {
  member: number
  startsAt: string
}
const kinds = ['once', 'twice', 'declined', 'other way', 'too late', 'regretted'] as const
type Kind = (typeof kinds)[number]
/** Out of a hundred, in their order. */
const shares: readonly number[] = [52, 12, 10, 8, 9, 9]

function someKind(random: Random): Kind {
  let rest = random.whole(100)
  return kinds.find((_, at) => (rest -= shares[at] ?? 0) < 0) ?? 'once'
}

interface World {
  institute: Institute
  urlOf: () => string
  killedAt: () => number
  db: pg.Pool
  /** So many payments, and no more are begun. */
  wanted: number
}

export class Payers {
  readonly paid: Paid = { pressed: 0, unanswered: 0, running: 0, ends: new Map(), kinds: {}, odd: [] }
  readonly #running: Promise<unknown>
  readonly #opened: Client[] = []
  readonly #world: World

  /** Two people for each member of the team: the second takes what the first lets go. */
  constructor(people: readonly Person[], random: Random, world: World) {
    this.#world = world
    const open = ({ token }: Person): Client => {
      const client = openClient(token)
      this.#opened.push(client)
      return client
    }
    const { members } = world.institute
    this.#running = Promise.all(
      members.map((_, n) => {
        const [first, second] = people.slice(2 * n, 2 * n + 2).map(open)
        if (!first || !second) throw new Error('everybody of the team needs two clients')
        return this.#payOn(first, second, n, random.fork(`payer ${n}`))
      }),
    )
  }

  async end(): Promise<Paid> {
    await this.#running
    return this.paid
  }

  close(): void {
    for (const client of this.#opened) client.close()
  }

  async #insist(client: Client, call: HttpRequest): Promise<Answer> {
    for (;;) {
      const answer = await client.send(this.#world.urlOf(), call, 10_000)
      // What a killed server had begun under this key is gone on with after a minute.
      const isRunning = answer.status === 409 && answer.body.details?.isRunning === true
      if (answer.status !== 0 && answer.status !== 503 && !isRunning) return answer
      if (isRunning) this.paid.running++
      else this.paid.unanswered++
      await sleep(isRunning ? 1000 : 100)
    }
  }

  /** Null, and noted, when it was not answered as it should be. */
  async #post(client: Client, random: Random, path: string, body: unknown): Promise<Answer['body'] | null> {
    const answer = await this.#insist(client, { method: 'POST', path, body, key: random.uuid(Date.now()) })
    if (answer.status === 201) return answer.body
    this.paid.odd.push(
      `POST ${path} was answered ${answer.status} ${answer.body.code ?? ''} ${JSON.stringify(answer.body.details ?? null)}`,
    )
    return null
  }

  async #hold(client: Client, random: Random, { startsAt, member }: Slot): Promise<string | null> {
    const held = await this.#post(client, random, holdsPath, holdBody(this.#world.institute, startsAt, [[0, member]]))
    return held?._id ?? null
  }

  /** The path of its page. */
  async #page(client: Client, random: Random, holdId: string, paymentMethod: 'card' | 'paypal' = 'card'): Promise<string | null> {
    const booked = await this.#post(client, random, visitsPath, { holdId, paymentMethod })
    if (booked === null) return null
    if (booked.payment?.url !== undefined) return new URL(booked.payment.url).pathname
    this.paid.odd.push(`hold ${holdId} was booked without a payment`)
    return null
  }

  async #press(client: Client, page: string, answer: 'pay' | 'decline'): Promise<void> {
    const { status } = await this.#insist(client, { method: 'POST', path: page, form: { answer, card: 'good' } })
    if (status !== 303) this.paid.odd.push(`pressing ${answer} was answered ${status}`)
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<boolean> {
    const began = Date.now()
    for (; Date.now() - Math.max(began, this.#world.killedAt()) < patienceMs; await sleep(50)) if (await isSo()) return true
    this.paid.odd.push(`${what} not within ${patienceMs} ms after the last kill`)
    return false
  }

  async #payOn(first: Client, second: Client, member: number, random: Random): Promise<void> {
    for (let n = 0; this.paid.pressed < this.#world.wanted; n++) {
      const startsAt = instant(dayAhead(3 + Math.floor(n / visitsADay)), 480 + (n % visitsADay) * minutesEach)
      const kind = someKind(random)
      this.paid.kinds[kind] = (this.paid.kinds[kind] ?? 0) + 1
      const id = await this.#hold(first, random, { member, startsAt })
      const page = id === null ? null : await this.#page(first, random, id, kind === 'regretted' && random.chance(0.5) ? 'paypal' : 'card')
      if (id !== null && page !== null) await this.#pay(kind, { first, second, random, id, page, slot: { member, startsAt } })
    }
  }

  async #pay(kind: Kind, asked: { first: Client; second: Client; random: Random; id: string; page: string; slot: Slot }): Promise<void> {
    const { first, second, random, id, page, slot } = asked
    const { ends } = this.paid
    ends.set(id, 'booked')
    this.paid.pressed++
    if (kind === 'once') return this.#press(first, page, 'pay')
    if (kind === 'twice') return void (await Promise.all([this.#press(first, page, 'pay'), this.#press(second, page, 'pay')]))
    if (kind === 'regretted') return this.#regret(first, id, page)
    if (kind === 'too late') {
      ends.set(id, 'none')
      await bringEndForward(this.#world.db, id, new Date(Date.now() - 1))
      const taken = await this.#hold(second, random, slot)
      const other = taken === null ? null : await this.#page(second, random, taken)
      await Promise.all([this.#press(first, page, 'pay'), other === null ? null : this.#press(second, other, 'pay')])
      if (taken === null) return
      ends.set(taken, 'booked')
      this.paid.pressed++
      return
    }
    if (kind === 'declined') {
      await this.#press(first, page, 'decline')
      const path = `${holdsPath}/${id}/payment`
      const isOver = async () => (await this.#insist(first, { method: 'GET', path })).body.checkout?.state !== 'open'
      if (!(await this.#until('a refused payment was heard of', isOver))) return void ends.set(id, 'none')
    }
    const again = await this.#page(first, random, id, 'paypal')
    // The page of before is closed: nothing is taken there.
    if (again !== null) await Promise.all([this.#press(first, again, 'pay'), this.#press(second, page, 'pay')])
  }

  async #regret(client: Client, id: string, page: string): Promise<void> {
    await this.#press(client, page, 'pay')
    const path = `${visitsPath}/${id}`
    const isBooked = async () => (await this.#insist(client, { method: 'GET', path })).body.status === 'deposit_paid'
    if (!(await this.#until(`visit ${id} was booked`, isBooked))) return
    const { status } = await this.#insist(client, { method: 'PUT', path: `${path}/cancel` })
    // Cancelled by the question that was not answered.
    if (status !== 200 && status !== 409) this.paid.odd.push(`cancelling ${id} was answered ${status}`)
    this.paid.ends.set(id, 'cancelled')
  }
}
