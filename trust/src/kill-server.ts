/** `kill-server`: sixteen clients book while the server is killed in the middle, again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Back, tooLate, waitUntilBack } from './back-again.ts'
import { afterwards, deadlocks } from './invariants.ts'
import { openStage, type Server } from './stage.ts'
import { largest, percentile, type Trial } from './trial.ts'
import { openClient } from './wire.ts'
import { makePeople } from './world.ts'
import { compareAcknowledged, lettersLeft, makeWritersInstitute, Writers, writers } from './writers.ts'

export const killServer: Trial = async ({ random, kills, say }) => {
  const stage = await openStage({ servers: 1 })
  const clients = (await makePeople(stage.db, writers)).map(({ token }) => openClient(token))
  try {
    let server = stage.servers[0] as Server
    const port = new URL(server.url).port
    const institute = await makeWritersInstitute(stage.db)
    const before = await deadlocks(stage.db)
    const work = new Writers(clients, institute, () => server.url, random)
    const backs: Back[] = []
    await sleep(500)
    for (let kill = 1; kill <= kills; kill++) {
      await sleep(20 + random.whole(231))
      const killedAt = Date.now()
      await server.kill()
      server = await stage.start({ PORT: port })
      backs.push(await waitUntilBack(() => server.url, killedAt, work.written.bookedAt))
      if (kill % 10 === 0) say(`${kill} kills, ${work.written.acknowledged.length} booked`)
    }
    const written = await work.stop()
    const letters = await lettersLeft(stage.db, institute)
    const violations = [...written.odd, ...(await compareAcknowledged(stage.db, institute, written.acknowledged)), ...tooLate(backs)]
    const { violations: more, summary } = await afterwards(stage, before)
    return {
      figures: {
        kills,
        booked: written.acknowledged.length,
        'questions unanswered': written.unanswered,
        'answered yes when asked again': written.resolved,
        'letters all sent after ms': letters.lateMs,
        'ready again p50 ms': percentile(
          backs.map(({ readyMs }) => readyMs),
          0.5,
        ),
        'ready again max ms': largest(backs.map(({ readyMs }) => readyMs)),
        'booked again p50 ms': percentile(
          backs.map(({ bookedMs }) => bookedMs),
          0.5,
        ),
        'booked again max ms': largest(backs.map(({ bookedMs }) => bookedMs)),
        summary,
      },
      violations: [...violations, ...letters.violations, ...more],
    }
  } finally {
    for (const client of clients) client.close()
    await stage.close()
  }
}
