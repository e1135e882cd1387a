/** Somebody's own hold is let go where it is in the way of what they ask for, and nowhere else. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hold, holdsPath, later, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'

/** What happens between a refusal and what is done about it. */
const after = vi.hoisted(() => ({ refusal: null as (() => Promise<unknown>) | null }))
vi.mock('./hold-lane.ts', async (original) => {
  const real = await original<typeof import('./hold-lane.ts')>()
  const holdInLane: typeof real.holdInLane = (context, asked) =>
    real.holdInLane(context, asked).catch(async (error: unknown) => {
      await after.refusal?.()
      throw error
    })
  return { ...real, holdInLane }
})

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute({ at: '2026-11-20T11:00:00Z', institute: { members: 1 } }, (world) => ({ t, institute, client } = world))
afterEach(() => (after.refusal = null))

const ten = wall('2026-11-24T10:00')
const alive = async (id: string): Promise<number> =>
  (await t.inject('PUT', `${holdsPath}/${id}/extend`, { token: client.token, body: {} })).status

describe('a time that somebody else lets go at that moment', () => {
  it('is had, and what one holds at another hour stays', async () => {
    const other = await makeUser(t.db)
    const theirs = await hold(t, other, institute, { startsAt: ten })
    const own = await hold(t, client, institute, { startsAt: later(ten, 240) })
    after.refusal = () => t.inject('DELETE', `${holdsPath}/${theirs._id}`, { token: other.token })
    const got = await hold(t, client, institute, { startsAt: ten })
    expect(got.startsAt).toBe(ten)
    expect(await alive(own._id)).toBe(200)
  })
})
