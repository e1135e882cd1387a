/** `mix`: fifty clients book, move, cancel and let go for minutes, while front desks take leave, block time, overbook and bring other calendars along; a checker replays everything that was answered. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { checkHistory, compareEntries, compareWithStored, type Operation, type Stored, type StoredEntry } from './checker.ts'
import { Desk, Receptionist } from './desk.ts'
import { bringEndForward } from './front-desk.ts'
import { afterwards, deadlocks } from './invariants.ts'
import { Journal, type Mine, type Page } from './journal.ts'
import type { VisitRequest } from './model.ts'
import type { Random } from '@soigne/demo/random'
import { dayMs, minuteMs } from '@soigne/contract/time'
import { openStage, root, type Stage } from './stage.ts'
import type { Trial } from './trial.ts'
import { openClient } from './wire.ts'
import { dayAhead, makePeople, makeInstitute, type Institute } from './world.ts'

const clients = 50
const institutes = 2
const receptionists = 4
const days = 3

/** Whatever takes time in another way: alone, with a buffer, around idle time and with a machine, in a class. */
const menu = [
  { active: 30 },
  { active: 20, bufferAfter: 10 },
  { active: 20, idle: 20, after: 20, resource: 'chair' },
  { active: 25, seats: 3 },
]

/** Starts between nine and four: far from where the day begins and ends, so that only other visits and leave say no. */
const someStart = (random: Random, day: number): number => day + (540 + 5 * random.whole(84)) * minuteMs

/** The colour comes last: what follows one may be done while it works in, and the diary with a pencil does not plan that far. */
function someLines(random: Random, institute: Institute): VisitRequest['lines'] {
  const lines = Array.from({ length: random.chance(0.25) ? 2 : 1 }, (): [number, number | 'any'] => [
    random.whole(institute.services.filter(({ rule }) => rule.seats === undefined).length),
    random.chance(0.4) ? 'any' : random.whole(institute.members.length),
  ])
  return lines.toSorted(([a], [b]) => a - b)
}

/** One client, one question at a time. */
class Guest {
  readonly #journal: Journal
  readonly #random: Random
  readonly #pages: readonly Page[]
  readonly #db: pg.Pool
  #mine: Mine[] = []

  constructor(journal: Journal, random: Random, pages: readonly Page[], db: pg.Pool) {
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

async function storedOn(db: pg.Pool, page: Page): Promise<Stored[]> {
  const { rows } = await db.query<{ id: string; status: string; taken: Stored['taken'] | null }>(
    `select a.id, a.status, (select json_agg(json_build_object('subject', o.subject_id, 'from', floor(extract(epoch from lower(o.during)) / 60), 'to', floor(extract(epoch from upper(o.during)) / 60)))
       from (select subject_id, during, appointment_id from occupations union all select subject_id, during, appointment_id from soft_occupations) o where o.appointment_id = a.id) as taken
     from appointments a where a.institute_id = $1 and a.starts_at >= $2 and a.starts_at < $3 and (a.status <> 'held' or a.expires_at > now())`,
    [page.institute.id, new Date(page.day), new Date(page.day + dayMs)],
  )
  return rows.map(({ id, status, taken }) => ({
    id,
    status: status === 'held' || status === 'cancelled' ? status : 'booked',
    taken: taken ?? [],
  }))
}

/** Leave, blocked time and the busy time of other calendars of a day. */
async function entriesOn(db: pg.Pool, page: Page): Promise<StoredEntry[]> {
  const { rows } = await db.query<StoredEntry>(
    `with entries as (
       select 'leave' as what, absence_id::text as id, member_id as subject, piece as during from leave_times, unnest(during) as piece where institute_id = $1
       union all select 'session', source_id::text, subject_id, during from occupations where institute_id = $1 and kind = 'session'
       union all select 'blocked time', id::text, subject_id, during from blocked_times where institute_id = $1
       union all select 'busy time', source_id || ' ' || $4, subject_id, during from soft_occupations where institute_id = $1 and kind = 'external')
     select what, id, json_agg(json_build_object('subject', subject, 'from', floor(extract(epoch from lower(during)) / 60), 'to', floor(extract(epoch from upper(during)) / 60))) as taken
     from entries where during && tstzrange($2, $3) group by what, id`,
    [page.institute.id, new Date(page.day), new Date(page.day + dayMs), String(page.day)],
  )
  return rows
}

/** A history that is no true one is kept whole, for people who look for the reason. */
function keepPage(page: Page, number: number): void {
  const directory = join(root, 'trust/reports')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `history-${number}.json`), JSON.stringify(page))
}

const words = ({ by, step, beganAt, endedAt }: Operation, zero: number): string =>
  `${by} ${beganAt - zero}…${endedAt - zero} ms ${JSON.stringify(step)}`

/** Replays every page and compares where it ends with what is stored. */
async function judge(stage: Stage, pages: readonly Page[]): Promise<{ violations: string[]; steps: number; operations: number }> {
  const violations: string[] = []
  let steps = 0
  let operations = 0
  for (const page of pages) {
    operations += page.operations.length
    const verdict = checkHistory(page.institute, page.operations)
    if (verdict.isTrue) {
      steps += verdict.steps
      violations.push(...compareWithStored(verdict.diary, await storedOn(stage.db, page)))
      violations.push(...compareEntries(verdict.diary, await entriesOn(stage.db, page)))
      continue
    }
    const zero = verdict.stuckAt?.beganAt ?? 0
    const meanwhile = verdict.around.map((one) => `    ${words(one, zero)}`).join('\n')
    violations.push(
      `${verdict.why}: ${verdict.stuckAt ? words(verdict.stuckAt, zero) : ''} (in the way: ${verdict.inTheWay.join(', ')})\n${meanwhile}`,
    )
    keepPage(page, pages.indexOf(page))
  }
  return { violations, steps, operations }
}

/** Somebody at each institute who is overbooked. */
async function makeCustomers(db: pg.Pool, pages: readonly Page[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ institute: string; id: string }>(
    `insert into customers (institute_id, first_name) select distinct unnest($1::uuid[]), 'Jo' returning institute_id as institute, id`,
    [pages.map(({ institute }) => institute.id)],
  )
  return new Map(rows.map(({ institute, id }) => [institute, id]))
}

export const mix: Trial = async ({ random, minutes, say }) => {
  const stage = await openStage({ servers: 2 })
  const opened: { close(): unknown }[] = []
  try {
    const people = await makePeople(stage.db, clients)
    const pages: Page[] = []
    for (let n = 0; n < institutes; n++) {
      const institute = await makeInstitute(stage.db, { members: 3, services: menu, resources: [{ type: 'chair', count: 1 }] })
      for (let day = 0; day < days; day++) pages.push({ institute, day: dayAhead(14 + day), operations: [], classes: [] })
    }
    const before = await deadlocks(stage.db)
    const until = Date.now() + minutes * minuteMs
    const journals = people.map(({ token }, n) => {
      const client = openClient(token)
      opened.push(client)
      const own = random.fork(`guest ${n}`)
      const journal = new Journal(
        client,
        `guest ${n}`,
        () => own.pick(stage.servers).url,
        () => own.uuid(Date.now()),
      )
      return { journal, guest: new Guest(journal, own, pages, stage.db) }
    })
    const desk = new Desk(stage)
    opened.push(desk)
    const customers = await makeCustomers(stage.db, pages)
    const reception = Array.from({ length: receptionists }, (_, n) => new Receptionist(desk, random.fork(`desk ${n}`), pages, customers))
    const ticking = setInterval(() => say(`${pages.reduce((sum, { operations }) => sum + operations.length, 0)} steps`), minuteMs)
    await Promise.all([...journals.map(({ guest }) => guest), ...reception].map((one) => one.run(until)))
    clearInterval(ticking)
    const { violations, steps, operations } = await judge(stage, pages)
    const odd = [...journals.map(({ journal }) => journal), ...reception].flatMap((one) => one.odd)
    const { violations: more, summary } = await afterwards(stage, before)
    const kinds = new Map<string, number>()
    for (const { step } of pages.flatMap((page) => page.operations)) kinds.set(step.kind, (kinds.get(step.kind) ?? 0) + 1)
    return {
      figures: {
        minutes,
        clients,
        servers: 2,
        requests: journals.reduce((sum, { journal }) => sum + journal.asked, 0),
        'steps replayed': operations,
        'steps tried': steps,
        'asked by front desks': desk.asked,
        kinds: [...kinds].map(([kind, count]) => `${kind} ${count}`).join(' '),
        summary,
      },
      violations: [...violations, ...odd, ...more],
    }
  } finally {
    for (const one of opened) await one.close()
    await stage.close()
  }
}
