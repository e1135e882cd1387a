/** `mix`: fifty clients book, move, cancel and let go for minutes, while front desks take leave, block time, overbook and bring other calendars along; a checker replays everything that was answered. */
import type pg from 'pg'
import { Desk, Receptionist } from './desk.ts'
import { Guest } from './guest.ts'
import { afterwards, deadlocks } from './invariants.ts'
import { Journal, type Page } from './journal.ts'
import { minuteMs } from '@soigne/contract/time'
import { judge, kindsOf } from './pages.ts'
import { openStage } from './stage.ts'
import type { Trial } from './trial.ts'
import { openClient } from './wire.ts'
import { dayAhead, makePeople, makeInstitute } from './world.ts'

const clients = 50
const institutes = 2
const receptionists = 4
const days = 3

/** Whatever takes time in another way: alone, with a buffer, around idle time and with a machine, in a class. */
export const menu = [
  { active: 30 },
  { active: 20, bufferAfter: 10 },
  { active: 20, idle: 20, after: 20, resource: 'chair' },
  { active: 25, seats: 3 },
]

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
    const { violations, steps, operations } = await judge(stage.db, pages)
    const odd = [...journals.map(({ journal }) => journal), ...reception].flatMap((one) => one.odd)
    const { violations: more, summary } = await afterwards(stage, before)
    return {
      figures: {
        minutes,
        clients,
        servers: 2,
        requests: journals.reduce((sum, { journal }) => sum + journal.asked, 0),
        'steps replayed': operations,
        'steps tried': steps,
        'asked by front desks': desk.asked,
        kinds: kindsOf(pages),
        summary,
      },
      violations: [...violations, ...odd, ...more],
    }
  } finally {
    for (const one of opened) await one.close()
    await stage.close()
  }
}
