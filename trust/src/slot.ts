/** `slot`: five hundred clients want one time at the same moment, again and again. */
import { afterwards, deadlocks } from './invariants.ts'
import { openStage } from './stage.ts'
import { largest, percentile, type Trial } from './trial.ts'
import { type Answer, type Client, holdsPath, openClient } from './wire.ts'
import { dayAhead, holdBody, instant, makePeople, makeInstitute } from './world.ts'

const clients = 500
const rounds = 20
const roundLimitMs = 2000

/** Exactly one has the time; everybody else learns it in words, with other times. */
export function judgeRound(answers: readonly Answer[], startsAt: string, winners: number): string[] {
  const found: string[] = []
  const won = answers.filter(({ status }) => status === 201).length
  if (won !== winners) found.push(`${won} of ${answers.length} have ${startsAt}, ${winners} should`)
  for (const { status, body } of answers) {
    if (status === 201) continue
    const nearest = body.details?.nearest
    if (status !== 409 || body.code !== 'slot_taken') found.push(`a loser of ${startsAt} was answered ${status} ${body.code ?? ''}`)
    else if (!nearest || nearest.length === 0 || nearest.some((time) => time.startsAt === startsAt))
      found.push(`a loser of ${startsAt} was offered ${JSON.stringify(nearest)}`)
  }
  return found
}

export const slot: Trial = async ({ random, say }) => {
  const stage = await openStage({ servers: 1 })
  const crowd: Client[] = []
  try {
    const url = stage.servers[0]?.url ?? ''
    const people = await makePeople(stage.db, clients)
    crowd.push(...people.map(({ token }) => openClient(token)))
    const institute = await makeInstitute(stage.db, { members: 1, services: [{ active: 30 }] })
    const before = await deadlocks(stage.db)
    const violations: string[] = []
    const lasted: number[] = []
    const waited: number[] = []
    // Connections are made and the program is warm before it counts.
    await Promise.all(crowd.map((client) => client.send(url, { method: 'GET', path: '/ready' })))
    for (let round = -1; round < rounds; round++) {
      const startsAt = instant(dayAhead(14), 480 + (round + 1) * 30)
      const body = holdBody(institute, startsAt, [[0, 0]])
      const began = performance.now()
      const answers = await Promise.all(
        crowd.map((client) => client.send(url, { method: 'POST', path: holdsPath, body, key: random.uuid(Date.now()) })),
      )
      const ms = performance.now() - began
      violations.push(...judgeRound(answers, startsAt, 1))
      if (round < 0) continue
      lasted.push(ms)
      waited.push(...answers.map(({ beganAt, endedAt }) => endedAt - beganAt))
      if (ms > roundLimitMs) violations.push(`round ${round + 1} lasted ${Math.round(ms)} ms, at most ${roundLimitMs} are allowed`)
    }
    say(`rounds of ${percentile(lasted, 0.5)} ms`)
    const { violations: more, summary } = await afterwards(stage, before)
    return {
      figures: {
        clients,
        rounds,
        'round p50 ms': percentile(lasted, 0.5),
        'round max ms': largest(lasted),
        'answer p99 ms': percentile(waited, 0.99),
        summary,
      },
      violations: [...violations, ...more],
    }
  } finally {
    for (const client of crowd) client.close()
    await stage.close()
  }
}
