/** A client of the trials: books, moves, cancels, lets go, and answers what is proposed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '@soigne/contract/time'
import type { Random } from '@soigne/demo/random'
import type pg from 'pg'
import { bringEndForward } from './front-desk.ts'
import type { Journal, Mine, Page } from './journal.ts'
import type { VisitRequest } from './steps.ts'
import type { Institute } from './world.ts'

/** Starts between nine and four: far from where the day begins and ends, so that only other visits and leave say no. */
export const someStart = (random: Random, day: number): number => day + (540 + 5 * random.whole(84)) * minuteMs

/** The colour comes last: what follows one may be done while it works in, and the diary with a pencil does not plan that far. */
export function someLines(random: Random, institute: Institute): VisitRequest['lines'] {
  const lines = Array.from({ length: random.chance(0.25) ? 2 : 1 }, (): [number, number | 'any'] => [
    random.whole(institute.services.filter(({ rule }) => rule.seats === undefined).length),
    random.chance(0.4) ? 'any' : random.whole(institute.members.length),
  ])
  return lines.toSorted(([a], [b]) => a - b)
}

/** One client, one question at a time. */
export class Guest {
  readonly #journal: Journal
  readonly #random: Random
  readonly #pages: readonly Page[]
  readonly #db: pg.Pool
  #mine: Mine[] = []

  readonly #answers: boolean

  /** `answers` looks for proposals before anything else. */
  constructor(journal: Journal, random: Random, pages: readonly Page[], db: pg.Pool, { answers = false } = {}) {
    this.#answers = answers
    this.#journal = journal
    this.#random = random
    this.#pages = pages
    this.#db = db
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) {
      await this.#step()
      await sleep(20 + this.#random.whole(160))
    }
  }

  #drop(mine: Mine): void {
    this.#mine = this.#mine.filter((one) => one !== mine)
  }

  async #step(): Promise<void> {
    const random = this.#random
    const held = this.#mine.find(({ status }) => status === 'held')
    if (held) return this.#decide(held)
    const booked = this.#mine.length > 0 ? random.pick(this.#mine) : null
    const dice = random.next()
    if (booked && this.#answers && (await this.#journal.isProposed(booked))) return this.#answer(booked)
    if (!booked || dice < 0.35) return this.#want()
    if (dice < 0.55 && !booked.isSeat) return this.#journal.move(booked, someStart(random, booked.page.day))
    if (dice < 0.75 || this.#mine.length > 4) {
      await this.#journal.cancel(booked)
      this.#drop(booked)
      return this.#journal.read(booked)
    }
    if (dice < 0.87) return this.#journal.read(booked)
    const page = random.pick(this.#pages)
    return this.#journal.look(
      page,
      someLines(random, page.institute),
      [1, 2, 3].map(() => someStart(random, page.day)),
    )
  }

  async #answer(booked: Mine): Promise<void> {
    if (this.#random.chance(0.6)) return this.#journal.accept(booked)
    if (this.#random.chance(0.5) && (await this.#journal.decline(booked))) this.#drop(booked)
  }

  async #want(): Promise<void> {
    const page = this.#random.pick(this.#pages)
    const { classes = [] } = page
    if (classes.length > 0 && this.#random.chance(0.5)) {
      const seat = await this.#journal.seat(page, this.#random.pick(classes))
      return seat ? void this.#mine.push(seat) : undefined
    }
    const mine = await this.#journal.hold(page, {
      startsAt: someStart(this.#random, page.day),
      lines: someLines(this.#random, page.institute),
    })
    if (mine) this.#mine.push(mine)
  }

  /** Books, lets go, or lets it run out, sometimes trying to book at the last moment. */
  async #decide(held: Mine): Promise<void> {
    const dice = this.#random.next()
    if (dice < 0.65) return void ((await this.#journal.book(held)) || this.#drop(held))
    this.#drop(held)
    // A seat that nobody books is kept until the class is cancelled.
    if (held.isSeat) return
    if (dice < 0.85) return this.#journal.release(held)
    const end = Date.now() + 40 + this.#random.whole(300)
    const asked = await bringEndForward(this.#db, held.id, new Date(end))
    if (!asked) return
    // It ends then, or when the new end is written if that takes longer.
    held.page.operations.push({
      by: 'time',
      step: { kind: 'expire', visit: held.id },
      beganAt: end - 1,
      endedAt: Math.max(end, Date.now()) + 1,
    })
    if (this.#random.chance(0.5)) return
    await sleep(this.#random.whole(400))
    if (await this.#journal.book(held)) this.#mine.push(held)
  }
}
