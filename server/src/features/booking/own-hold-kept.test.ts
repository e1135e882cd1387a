/** Somebody's own hold is let go where it is in the way of what they ask for, and nowhere else. */
import { describe, expect, it } from 'vitest'
import { hold, holdsPath, later, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'
import { systemScope } from '#/platform/access.ts'
import { parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { letGoInTheWay } from './service.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute({ at: '2026-11-20T11:00:00Z', institute: { members: 1 } }, (world) => ({ t, institute, client } = world))

const ten = wall('2026-11-24T10:00')
const isAlive = async (id: string): Promise<boolean> =>
  (await t.inject('PUT', `${holdsPath}/${id}/extend`, { token: client.token, body: {} })).status === 200
/** As after a refusal, when somebody else may have let the time go meanwhile; whether it is asked for again. */
const afterRefusal = (startsAt: string): Promise<boolean> =>
  letGoInTheWay(
    t.context,
    { scope: systemScope('test').user(client.id), locale: 'en', idempotencyKey: null },
    { instituteId: institute.id, cart: [{ serviceId: institute.services[0] ?? '', staffId: 'any' }], startsAt: parseInstant(startsAt) },
    refuse('slot_taken'),
  )

describe('a time that was refused', () => {
  it('and is free by now is asked for again, and what one holds at another hour stays', async () => {
    const own = await hold(t, client, institute, { startsAt: later(ten, 240) })
    expect(await afterRefusal(ten)).toBe(true)
    expect(await isAlive(own._id)).toBe(true)
  })

  it('because of one’s own hold takes its place', async () => {
    const own = await hold(t, client, institute, { startsAt: ten })
    expect(await afterRefusal(later(ten, 20))).toBe(true)
    expect(await isAlive(own._id)).toBe(false)
  })
})
