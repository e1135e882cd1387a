/** `desk`: two receptionists, the public site and somebody who falls ill and comes back, all at once for minutes; a checker replays everything that was answered. */
import { minuteMs } from '@soigne/contract/time'
import { Clerk, Reception } from './clerk.ts'
import { Guest } from './guest.ts'
import { afterwards, deadlocks } from './invariants.ts'
import { Journal, type Page } from './journal.ts'
import { menu } from './mix.ts'
import { judge, kindsOf } from './pages.ts'
import { completeProposals, SickLeave, tidied } from './sick-leave.ts'
import { openStage, type Stage } from './stage.ts'
import type { Random } from '@soigne/demo/random'
import type { Trial } from './trial.ts'
import { type Client, openClient } from './wire.ts'
import { dayAhead, makeInstitute, makePeople } from './world.ts'

const clients = 24
const receptionists = 2
const days = 3

interface Opened {
  pages: Page[]
  /** The receptionists, and who marks people away. */
  staff: string[]
}

/** One institute with everybody who works at its desk. */
async function open({ db }: Stage): Promise<Opened> {
  const people = await makePeople(db, receptionists + 1, 'isPro')
  const [owner, ...others] = people
  const options = { members: 4, services: menu, resources: [{ type: 'chair', count: 1 }] }
  const institute = await makeInstitute(db, { ...options, ...(owner && { ownerId: owner.id }) })
  await db.query(`insert into institute_people (institute_id, user_id, level) select $1, unnest($2::uuid[]), 'manager'`, [
    institute.id,
    others.map(({ id }) => id),
  ])
  const pages = Array.from({ length: days }, (_, day): Page => ({ institute, day: dayAhead(14 + day), operations: [], classes: [] }))
  return { pages, staff: people.map(({ token }) => token).toReversed() }
}

function guestsOf(stage: Stage, pages: readonly Page[], people: readonly Client[], random: Random) {
  return people.map((client, n) => {
    const own = random.fork(`guest ${n}`)
    const journal = new Journal(
      client,
      `guest ${n}`,
      () => own.pick(stage.servers).url,
      () => own.uuid(Date.now()),
    )
    return { journal, guest: new Guest(journal, own, pages, stage.db, { answers: true }) }
  })
}

export const desk: Trial = async ({ random, minutes, say }) => {
  const stage = await openStage({ servers: 2 })
  const opened: Client[] = []
  const enter = (token: string): Client => {
    const client = openClient(token)
    opened.push(client)
    return client
  }
  try {
    const { pages, staff } = await open(stage)
    const people = await makePeople(stage.db, clients)
    const before = await deadlocks(stage.db)
    const guests = guestsOf(
      stage,
      pages,
      people.map(({ token }) => enter(token)),
      random,
    )
    const clerks = staff.map((token, n) => new Clerk(`desk ${n}`, enter(token), random.fork(`clerk ${n}`), stage.servers))
    const [absent] = clerks.slice(receptionists).map((clerk) => new SickLeave(clerk, random.fork('sick'), pages))
    const reception = clerks.slice(0, receptionists).map((clerk, n) => new Reception(clerk, random.fork(`desk ${n}`), pages))
    const until = Date.now() + minutes * minuteMs
    const ticking = setInterval(() => say(`${pages.reduce((sum, { operations }) => sum + operations.length, 0)} steps`), minuteMs)
    await Promise.all([...guests.map(({ guest }) => guest), ...reception, ...(absent ? [absent] : [])].map((one) => one.run(until)))
    clearInterval(ticking)
    const isTidy = await tidied(stage.db)
    await completeProposals(stage.db, pages)
    const { violations, steps, operations } = await judge(stage.db, pages)
    const odd = [...guests.map(({ journal }) => journal), ...clerks].flatMap((one) => one.odd)
    const { violations: more, summary } = await afterwards(stage, before)
    const sum = (some: readonly { asked: number }[]): number => some.reduce((all, { asked }) => all + asked, 0)
    return {
      figures: {
        minutes,
        clients,
        receptionists,
        servers: 2,
        'asked by clients': sum(guests.map(({ journal }) => journal)),
        'asked at the desk': sum(clerks),
        'times away': absent?.times ?? 0,
        'steps replayed': operations,
        'steps tried': steps,
        kinds: kindsOf(pages),
        summary,
      },
      violations: [
        ...violations,
        ...odd,
        ...more,
        ...(isTidy ? [] : ['a proposal is still open for a visit that was settled another way']),
      ],
    }
  } finally {
    for (const client of opened) client.close()
    await stage.close()
  }
}
