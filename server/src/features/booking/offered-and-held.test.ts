/** What is shown as free can be held, what is not shown cannot, and what a refusal proposes can: for random visits in a busy diary. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { detailsOf, holdsPath, later, overlaps, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { type InstituteOptions, type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_120)
const members = 3
const options: InstituteOptions = {
  members,
  grid: 10,
  notice: 90,
  horizon: 6,
  maxWait: 20,
  services: [
    { name: 'Cut', active: 30, bufferAfter: 10 },
    { name: 'Colour', active: 20, idle: 40, after: 30, resourceType: 'basin', latestStart: 960 },
    { name: 'Brows', active: 20, performedBy: [0, 2] },
    { name: 'Facial', active: 60, bufferBefore: 10, resourceType: 'cabin' },
  ],
  resources: [
    { type: 'basin', name: 'Basin' },
    { type: 'cabin', name: 'Cabin one' },
    { type: 'cabin', name: 'Cabin two' },
  ],
}
type Lines = [service: number, member: number | 'any'][]
const member = fc.oneof({ weight: 2, arbitrary: fc.constant('any' as const) }, { weight: 1, arbitrary: fc.nat(members - 1) })
const lines: fc.Arbitrary<Lines> = fc.array(fc.tuple(fc.nat(3), member), { minLength: 1, maxLength: 3 })

let t: TestApp
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T08:00:00Z', settings: { LIMIT_HOLDS: '1000' } })
  client = await makeUser(t.db)
})
afterAll(() => t.close())

async function offered(institute: MadeInstitute, cart: Lines, day: string): Promise<string[]> {
  const query = new URLSearchParams({ from: day, days: '1' })
  for (const [service, who] of cart) {
    query.append('service', institute.services[service] ?? '')
    query.append('staff', who === 'any' ? 'any' : (institute.members[who] ?? ''))
  }
  const answer = await t.inject('GET', `/api/v1/client/institutes/${institute.id}/availability?${query.toString()}`)
  expect(answer.status).toBe(200)
  return (answer.body['days'] as unknown as { times: { startsAt: string }[] }[]).flatMap(({ times }) =>
    times.map(({ startsAt }) => startsAt),
  )
}

async function holdAndRelease(institute: MadeInstitute, cart: Lines, startsAt: string): Promise<number> {
  const answer = await tryHold(t, client, institute, { startsAt, lines: cart })
  if (answer.status === 201) await t.inject('DELETE', `${holdsPath}/${String(answer.body['_id'])}`, { token: client.token })
  return answer.status
}

it.each(['off', 'hide'])(`in a diary with the gap rule '%s' (seed ${seed})`, async (gapPolicy) => {
  const institute = await makeInstitute(t.db, { ...options, gapPolicy })
  for (const [index, [service, who]] of fc.sample(fc.tuple(fc.nat(3), member), { numRuns: 40, seed }).entries()) {
    const held = await tryHold(t, client, institute, {
      startsAt: later(wall('2026-11-20T10:30'), (index % 4) * 1440 + 10 * ((index * 17) % 44)),
      lines: [[service, who]],
    })
    if (held.status === 201) await tryConfirm(t, client, String(held.body['_id']))
  }
  let free = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(7), fc.nat(), fc.nat(56), async (cart, dayIndex, pick, step) => {
      const day = later(wall('2026-11-20T08:40'), dayIndex * 1440).slice(0, 10)
      const times = await offered(institute, cart, day)
      const some = times[pick % Math.max(1, times.length)]
      if (some !== undefined) {
        free++
        expect([some, await holdAndRelease(institute, cart, some)]).toEqual([some, 201])
      }
      const other = later(wall(`${day}T08:40`), step * 10)
      if (times.includes(other)) return
      refused++
      const answer = await tryHold(t, client, institute, { startsAt: other, lines: cart })
      expect([other, [409, 422].includes(answer.status)]).toEqual([other, true])
      for (const { startsAt } of (detailsOf(answer).nearest ?? []).slice(0, 2))
        expect([startsAt, await holdAndRelease(institute, cart, startsAt)]).toEqual([startsAt, 201])
    }),
    { numRuns: 60, seed, endOnFailure: true },
  )
  expect(free).toBeGreaterThan(15)
  expect(refused).toBeGreaterThan(15)
  expect(await overlaps(t.db)).toBe(0)
})
