/** Visits that change places: two by two, fifty in a ring, and moved while they are cancelled. */
import { minuteMs } from '@soigne/contract/time'
import type { Ground } from './processes.ts'
import type { Answer } from './wire.ts'
import { dayAhead, type Institute } from './world.ts'

const day = dayAhead(14)
const atMinute = (minute: number): number => day + minute * minuteMs
const text = (minute: number): string => new Date(atMinute(minute)).toISOString()

async function bookAt(ground: Ground, n: number, institute: Institute, minute: number, member: number): Promise<string> {
  const held = await ground.hold(n, institute, { startsAt: atMinute(minute), lines: [[0, member]] })
  await ground.book(n, held.body._id ?? '')
  return held.body._id ?? ''
}

/** Where the visits are stored, by id, with how often their time is. */
async function storedPlaces(
  ground: Ground,
  institute: Institute,
): Promise<Map<string, { startsAt: number; status: string; times: number }>> {
  const { rows } = await ground.stage.db.query<{ id: string; startsAt: Date; status: string; times: number }>(
    `select a.id, a.starts_at as "startsAt", a.status, (select count(*)::int from occupations o where o.appointment_id = a.id) as times from appointments a where a.institute_id = $1`,
    [institute.id],
  )
  return new Map(rows.map(({ id, startsAt, status, times }) => [id, { startsAt: Number(startsAt), status, times }]))
}

/** Whoever was told of a new time has it, everybody else what they had, and everybody exactly one. */
async function judgeMoves(
  ground: Ground,
  institute: Institute,
  moves: { id: string; from: number; to: number; answer: Answer }[],
  what: string,
): Promise<string[]> {
  const found: string[] = []
  const places = await storedPlaces(ground, institute)
  for (const { id, from, to, answer } of moves) {
    const place = places.get(id)
    if (answer.status !== 200 && answer.body.code !== 'slot_taken')
      found.push(`${what}: a move was answered ${answer.status} ${answer.body.code ?? ''}`)
    const should = atMinute(answer.status === 200 ? to : from)
    if (place?.startsAt !== should || place.times !== 1 || place.status === 'cancelled')
      found.push(`${what}: a visit told to be at ${should} is ${JSON.stringify(place)}`)
  }
  return found
}

async function pairs(ground: Ground): Promise<{ found: string[]; moved: number }> {
  const found: string[] = []
  let moved = 0
  for (let round = 0; round < 20; round++) {
    const institute = await ground.institute({ members: 1, services: [{ active: 30 }] })
    const [a, b] = await Promise.all([bookAt(ground, 0, institute, 600, 0), bookAt(ground, 1, institute, 630, 0)])
    const [first, second] = await Promise.all([ground.move(0, a, text(630)), ground.move(1, b, text(600))])
    found.push(
      ...(await judgeMoves(
        ground,
        institute,
        [
          { id: a, from: 600, to: 630, answer: first },
          { id: b, from: 630, to: 600, answer: second },
        ],
        'two who swap',
      )),
    )
    moved += [first, second].filter(({ status }) => status === 200).length
  }
  return { found, moved }
}

/** Fifty in a row over two members with one place free: each wants the next place, all at once, from both servers. */
async function ring(ground: Ground): Promise<{ found: string[]; moved: number }> {
  const found: string[] = []
  let moved = 0
  for (let round = 0; round < 4; round++) {
    const institute = await ground.institute({ members: 1, services: [{ active: 10 }] })
    const visits = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => ({ id: await bookAt(ground, n, institute, 500 + 10 * n, 0), from: 500 + 10 * n })),
    )
    const moves = await Promise.all(
      visits.map(async ({ id, from }, n) => {
        // The last one's next place is the first's, or in every other round one that is free.
        const to = n < 49 ? from + 10 : round % 2 === 0 ? 500 : 1000
        return { id, from, to, answer: await ground.move(n, id, text(to)) }
      }),
    )
    found.push(...(await judgeMoves(ground, institute, moves, 'fifty in a ring')))
    const went = moves.filter(({ answer }) => answer.status === 200).length
    moved += went
    if (round % 2 === 1 && went === 0) found.push('fifty in a ring: nobody moved though a place was free')
    if (round % 2 === 0 && went > 0) found.push(`fifty in a ring: ${went} moved though no place was free`)
  }
  return { found, moved }
}

async function cancelAndMove(ground: Ground): Promise<{ found: string[]; moved: number }> {
  const found: string[] = []
  let moved = 0
  for (let round = 0; round < 20; round++) {
    const institute = await ground.institute({ members: 1, services: [{ active: 30 }] })
    const id = await bookAt(ground, round, institute, 600, 0)
    const client = ground.crowd[round % ground.crowd.length]
    if (!client) continue
    const [move, cancel] = await Promise.all([ground.move(round, id, text(700), round), ground.cancel(round, id, round + 1)])
    const place = (await storedPlaces(ground, institute)).get(id)
    if (move.status === 200) moved++
    if (cancel.status !== 200 || (move.status !== 200 && move.body.code !== 'wrong_state'))
      found.push(`cancelled and moved: answered ${cancel.status} and ${move.status} ${move.body.code ?? ''}`)
    if (place?.status !== 'cancelled' || place.times !== 0) found.push(`cancelled and moved: stored is ${JSON.stringify(place)}`)
  }
  return { found, moved }
}

export async function swapRounds(ground: Ground): Promise<{ figures: Record<string, number>; violations: string[] }> {
  const two = await pairs(ground)
  const fifty = await ring(ground)
  const gone = await cancelAndMove(ground)
  return {
    figures: {
      'swaps rounds': 20,
      'swaps moved': two.moved,
      'rings of 50': 4,
      'ring moved': fifty.moved,
      'cancel with move rounds': 20,
      'moved before cancel': gone.moved,
    },
    violations: [...two.found, ...fifty.found, ...gone.found],
  }
}
