import type { Hold } from '@soigne/contract/appointments'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { holdAt } from '#/testing/visits.ts'
import { forgetHeldTime, holdTime, letHeldTimeGo } from './held-time.ts'

const at = '2031-03-18T15:40:00.000Z'
const later = '2031-03-18T16:00:00.000Z'
const lastMinute = 60_000
const wanted = (startsAt: string) => ({
  instituteId: nacre._id,
  services: [{ serviceId: gelManicure, staffId: null }],
  startsAt,
})

/** A server that keeps at most so many holds of one person. */
function openServer({ most = 2, holds = [] as Hold[] } = {}) {
  const state = { holds, made: 0 }
  const seen = fakeServer({
    currentHolds: () => ({ items: state.holds }),
    makeHold({ body }) {
      const { startsAt } = body as { startsAt: string }
      if (state.holds.length >= most) return refused(429, { code: 'too_many_holds', message: 'Two at most.' })
      state.made += 1
      const hold = holdAt(startsAt, 10 * lastMinute, { _id: `h${state.made}` })
      state.holds = [hold, ...state.holds]
      return hold
    },
    releaseHold({ params }) {
      state.holds = state.holds.filter(({ _id }) => _id !== params['id'])
      return { message: 'Let go.' }
    },
  })
  return { state, names: () => seen.map(({ name }) => name), ids: () => state.holds.map(({ _id }) => _id) }
}

beforeEach(() => {
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

describe('one visit', () => {
  it('is held once however often it is asked for, also at the same moment', async () => {
    const { state, names } = openServer()
    const [first, second] = await Promise.all([holdTime(wanted(at), 'a'), holdTime(wanted(at), 'b')])
    const third = await holdTime(wanted(at), 'c')
    expect([first.isNew, second.isNew, third.isNew]).toEqual([true, false, false])
    expect([second.hold._id, third.hold._id]).toEqual([first.hold._id, first.hold._id])
    expect(state.made).toBe(1)
    expect(names()).not.toContain('releaseHold')
  })

  it('is another one with somebody else', async () => {
    const { state } = openServer()
    await holdTime(wanted(at), 'a')
    await holdTime({ ...wanted(at), services: [{ serviceId: gelManicure, staffId: 'somebody-else' }] }, 'b')
    expect(state.made).toBe(2)
  })
})

describe('another visit', () => {
  it('takes the place of the one this window held', async () => {
    const { ids, names } = openServer({ most: 1 })
    await holdTime(wanted(at), 'a')
    await holdTime(wanted(later), 'b')
    expect(ids()).toEqual(['h2'])
    expect(names()).toEqual(['currentHolds', 'makeHold', 'currentHolds', 'releaseHold', 'makeHold'])
  })

  it('leaves alone what another window holds while there is room', async () => {
    const { ids } = openServer({ holds: [holdAt(at, lastMinute, { _id: 'elsewhere' })] })
    await holdTime(wanted(later), 'a')
    expect(ids()).toEqual(['h1', 'elsewhere'])
  })

  it('makes the oldest give way when a closed window left too many behind', async () => {
    const { ids } = openServer({ holds: [holdAt(at, lastMinute, { _id: 'newer' }), holdAt(at, lastMinute, { _id: 'oldest' })] })
    const { hold } = await holdTime(wanted(later), 'a')
    expect(hold.startsAt).toBe(later)
    expect(ids()).toEqual(['h1', 'newer'])
  })

  it('is refused as before when nothing can give way', async () => {
    openServer({ most: 0 })
    await expect(holdTime(wanted(at), 'a')).rejects.toMatchObject({ code: 'too_many_holds' })
  })
})

describe('letting go', () => {
  it('happens once, and the next hold waits for it, whatever becomes of it', async () => {
    const { names, state } = openServer()
    await holdTime(wanted(at), 'a')
    letHeldTimeGo()
    letHeldTimeGo()
    await holdTime(wanted(at), 'b')
    expect(names()).toEqual(['currentHolds', 'makeHold', 'releaseHold', 'currentHolds', 'makeHold'])
    expect(state.made).toBe(2)
  })

  it('is not tried for somebody who has signed out, nor once it is booked', async () => {
    const { names } = openServer()
    await holdTime(wanted(at), 'a')
    localStorage.clear()
    letHeldTimeGo()
    localStorage.setItem('AuthToken', 't')
    await holdTime(wanted(at), 'b')
    forgetHeldTime()
    letHeldTimeGo()
    expect(names()).not.toContain('releaseHold')
  })
})

describe('windows of one browser', () => {
  it('take turns by a lock, and do not wait for one that hangs', async () => {
    const { state } = openServer()
    const request = vi.fn<(name: string, options: unknown, begin: () => Promise<void>) => Promise<void>>(async (_name, _options, begin) =>
      begin(),
    )
    vi.stubGlobal('navigator', { locks: { request } })
    await holdTime(wanted(at), 'a')
    request.mockRejectedValueOnce(new DOMException('The signal timed out.', 'TimeoutError'))
    await holdTime(wanted(at), 'b')
    expect(request.mock.calls.map(([name]) => name)).toEqual(['held-time', 'held-time'])
    expect(state.made).toBe(1)
  })
})
