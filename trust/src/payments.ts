/** `payments`: deposits are paid on the pages of the sandbox while the server is killed in the middle; what was taken is compared with what is booked and what went back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '@soigne/contract/time'
import type pg from 'pg'
import { afterwards, checkLedger, deadlocks } from './invariants.ts'
import { Payers } from './payers.ts'
import { deposit, judgeMoney, unseenFaults } from './payment-judge.ts'
import { openStage, type Server, type Stage } from './stage.ts'
import type { Trial } from './trial.ts'
import { makeInstitute, makePeople } from './world.ts'

const members = 24
/** Payments between one kill and the next. */
const paymentsAKill = 20
/** What a killed server had begun is gone on with after two minutes at most. */
const settledWithinMs = 300_000
/** No run is longer, whatever happens. */
const longestMs = 30 * minuteMs

/** Words are told, refunds sent and keys answered by jobs; how long after the last kill all of it is done. */
async function untilSettled(db: pg.Pool): Promise<{ violations: string[]; lateMs: number }> {
  for (const began = Date.now(); ; await sleep(500)) {
    const { rows } = await db.query<Record<'words' | 'checkouts' | 'refunds' | 'keys', number>>(`select
      (select count(*)::int from sandbox_words where due_at is not null) as words,
      (select count(*)::int from checkouts k join sandbox_pages p on p.checkout_id = k.id::text where k.state = 'open' and p.state = 'paid') as checkouts,
      (select count(*)::int from refunds where state = 'waiting') as refunds,
      (select count(*)::int from idempotency_keys where body is null) as keys`)
    const lateMs = Date.now() - began
    if (rows[0] && Object.values(rows[0]).every((left) => left === 0)) return { violations: [], lateMs }
    if (lateMs > settledWithinMs) return { violations: [`not settled after ${lateMs} ms: ${JSON.stringify(rows[0])}`], lateMs }
  }
}

async function figuresOf(db: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await db.query<Record<string, number>>(`select
    (select count(*)::int from sandbox_pages where state = 'paid') as "payments taken",
    (select count(*)::int from appointments where life = 'booked') as booked,
    (select count(*)::int from checkouts where state = 'refund_due') as "came too late",
    (select count(*)::int from refunds) as "went back",
    (select count(*)::int from sandbox_pages where state not in ('open', 'paid')) as "pages that took nothing",
    (select coalesce(sum(told), 0)::int from sandbox_words) as "words told",
    (select count(*)::int from payment_words) as "words heard"`)
  return rows[0] ?? {}
}

/** Kills the server whenever some more have paid; how often, in the end. */
async function killOn(
  stage: Stage,
  work: Payers,
  asked: { kills: number; pause(): number; say(words: string): void; serve(server: Server, killedAt: number): void },
) {
  const until = Date.now() + longestMs
  let server = stage.servers[0] as Server
  const port = new URL(server.url).port
  let kill = 0
  while (kill < asked.kills && Date.now() < until) {
    if (work.paid.pressed < kill * paymentsAKill) {
      await sleep(10)
      continue
    }
    await sleep(asked.pause())
    const killedAt = Date.now()
    await server.kill()
    server = await stage.start({ PORT: port })
    asked.serve(server, killedAt)
    kill++
    if (kill % 10 === 0) asked.say(`${kill} kills, ${work.paid.pressed} pressed to pay`)
  }
  return kill
}

export const payments: Trial = async ({ random, kills, say }) => {
  const stage = await openStage({ servers: 1 })
  const people = await makePeople(stage.db, 2 * members)
  let server = stage.servers[0] as Server
  let killedAt = 0
  const institute = await makeInstitute(stage.db, { members, services: [{ active: 10 }] })
  await stage.db.query(
    "update institutes set deposit_kind = 'fixed', deposit_amount = $2, payment_methods = '{card,paypal}' where id = $1",
    [institute.id, deposit],
  )
  const before = await deadlocks(stage.db)
  const world = { institute, urlOf: () => server.url, killedAt: () => killedAt, db: stage.db, wanted: Math.max(1, kills) * paymentsAKill }
  const work = new Payers(people, random, world)
  try {
    const serve = (next: Server, at: number): void => {
      server = next
      killedAt = at
    }
    const killed = await killOn(stage, work, { kills, pause: () => random.whole(1500), say, serve })
    const paid = await work.end()
    const { violations: late, lateMs } = await untilSettled(stage.db)
    const violations = [
      ...paid.odd,
      ...late,
      ...(await judgeMoney(stage.db, paid.ends)),
      ...(await unseenFaults(stage.db)),
      ...(await checkLedger(stage)),
    ]
    const { violations: more, summary } = await afterwards(stage, before)
    if (killed < kills) violations.push(`killed ${killed} times within the time, not ${kills}`)
    return {
      figures: {
        kills: killed,
        'pressed to pay': paid.pressed,
        ...paid.kinds,
        ...(await figuresOf(stage.db)),
        'questions unanswered': paid.unanswered,
        'answered that it is being done': paid.running,
        'all settled after ms': lateMs,
        ledger: 'verified',
        summary,
      },
      violations: [...violations, ...more],
    }
  } finally {
    work.close()
    await stage.close()
  }
}
