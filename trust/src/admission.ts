/** Forty guests do their worst; somebody who books waits no more than twice as long, and a salon of three keeps its time. */
import { dayMs, minuteMs } from '@soigne/contract/time'
import { openStage, type Stage } from './stage.ts'
import { percentile, type Trial } from './trial.ts'
import { type Client, holdsPath, openClient, visitsPath } from './wire.ts'
import { holdBody, type Institute, makeInstitute, makePeople, type Person } from './world.ts'
import { badly } from './bad-guests.ts'

const guests = 40
/** Bookings measured while it is quiet and under attack, one after the other, by people from a hundred networks. */
const samples = 200
/** Both measurements end by themselves. */
const longestMs = 90_000

/** Holds and confirms one time after the other; how long each took. */
async function bookings(stage: Stage, clients: readonly Client[], day: number): Promise<{ took: number[]; failed: string[] }> {
  const url = stage.servers[0]?.url ?? ''
  const institute = await makeInstitute(stage.db, { members: 2, services: [{ active: 30 }] })
  const until = performance.now() + longestMs
  const took: number[] = []
  const failed: string[] = []
  for (const [n, client] of clients.entries()) {
    if (performance.now() > until) break
    const startsAt = new Date(day + dayMs * (1 + Math.floor(n / 20)) + (8 * 60 + 30 * (n % 20)) * minuteMs).toISOString()
    const began = performance.now()
    const held = await client.send(url, { method: 'POST', path: holdsPath, body: holdBody(institute, startsAt, [[0, n % 2]]) })
    const booked =
      held.status === 201 ? await client.send(url, { method: 'POST', path: visitsPath, body: { holdId: held.body._id } }) : held
    if (booked.status === 201) took.push(performance.now() - began)
    else failed.push(`${booked.status} ${booked.body.code ?? ''}`)
  }
  return { took, failed }
}

/** How long it takes to be told that an email and its password do not belong together: as long as to be let in. */
async function signIns(stage: Stage): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < 10; n++) {
    const client = openClient('', `203.0.113.${100 + n}`)
    const began = performance.now()
    const body = { email: `nobody-${n}@trust.test`, password: 'quiet-river-8841', role: 'isClient' }
    const { status } = await client.send(stage.servers[0]?.url ?? '', { method: 'POST', path: '/api/v1/client/auth/login', body })
    took.push(status === 401 ? performance.now() - began : Number.POSITIVE_INFINITY)
    client.close()
  }
  return percentile(took, 0.5)
}

/** Free starts of the next seven days, of every member. */
async function freeStarts(stage: Stage, institute: Institute): Promise<number> {
  const client = openClient('')
  let count = 0
  for (const member of institute.members) {
    const path = `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]?.id}&staff=${member}&days=7`
    const { body } = await client.send(stage.servers[0]?.url ?? '', { method: 'GET', path })
    for (const { times } of body.days ?? []) count += times.length
  }
  client.close()
  return count
}

/** Accounts of guests: half of them have confirmed their email. */
async function accounts(stage: Stage): Promise<Person[]> {
  const people = await makePeople(stage.db, guests)
  // Every second of each kind.
  const unconfirmed = people.filter((_, n) => Math.floor(n / 4) % 2 === 0).map(({ id }) => id)
  await stage.db.query('update users set email_verified_at = null where id = any($1::uuid[])', [unconfirmed])
  return people
}

export const admission: Trial = async ({ say, random }) => {
  const stage = await openStage({
    servers: 1,
    // The demo, so that a search has something to find; the limits as they are delivered.
    env: {
      SEED: 'demo',
      LIMIT_BUDGETS: '100',
      LIMIT_HOLDS: '2',
      LIMIT_LOGINS: '120',
      LIMIT_REGISTRATIONS: '60',
      TRUST_PROXY: '127.0.0.1',
    },
  })
  const clients: Client[] = []
  try {
    clients.push(...(await makePeople(stage.db, samples)).map(({ token }, n) => openClient(token, `203.0.113.${n % 100}`)))
    const salon = await makeInstitute(stage.db, { members: 3, services: [{ active: 40 }, { active: 90 }] })
    const today = Math.floor(Date.now() / dayMs) * dayMs
    await bookings(stage, clients.slice(0, 10), today)
    const quiet = await bookings(stage, clients, today)
    const before = await freeStarts(stage, salon)
    say(`quiet p95 ${percentile(quiet.took, 0.95)} ms`)

    const { rows } = await stage.db.query<{ slug: string }>(
      `select slug from institutes where slug not like 'trust-%' order by slug limit 200`,
    )
    const slugs = rows.map(({ slug }) => slug)
    const attack = badly(stage, { people: await accounts(stage), salon, slugs, random })
    await attack.begun
    const attacked = await bookings(stage, clients, today)
    const signIn = await signIns(stage)
    const after = await freeStarts(stage, salon)
    const answers = await attack.stop()
    const share = before === 0 ? 0 : after / before
    const [slow, usual] = [percentile(attacked.took, 0.95), percentile(quiet.took, 0.95)]
    const violations = [
      ...[...quiet.failed, ...attacked.failed].map((words) => `a booking was answered ${words}`),
      ...(slow > 2 * usual ? [`p95 of hold and confirm is ${slow} ms under attack and ${usual} ms without`] : []),
      ...(share < 0.8 ? [`a salon of three keeps ${Math.round(100 * share)} % of its free starts`] : []),
      ...(attacked.took.length < samples ? [`${attacked.took.length} of ${samples} bookings in ${longestMs / 1000} s`] : []),
      ...Object.entries(answers).flatMap(([what, count]) => (/ (?:500|0)$/.test(what) ? [`${count} × ${what}`] : [])),
    ]
    const figures = {
      guests,
      'quiet p95 ms': usual,
      'attacked p95 ms': slow,
      'attacked sign-in ms': Math.round(signIn),
      'free starts kept %': Math.round(100 * share),
      ...answers,
    }
    return { figures, violations }
  } finally {
    for (const one of clients) one.close()
    await stage.close()
  }
}
