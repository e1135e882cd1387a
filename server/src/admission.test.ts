import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { costOf, weightOfSearch } from './costs.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => void (t = await openTestApp({ settings: { LIMIT_BUDGETS: '10' } })))
afterAll(async () => t.close())

const search = '/api/v1/client/institutes?what=cut'
const statusOf = async (url: string, address = '203.0.113.7'): Promise<number> =>
  (await t.app.inject({ url, remoteAddress: address })).statusCode

describe('one door for all', () => {
  it('who has spent the searches of a network is told when to come back, and still reads, signs in and books', async () => {
    const statuses: number[] = []
    let last: Awaited<ReturnType<typeof t.app.inject>> | undefined
    for (let n = 0; n < 1000; n++) {
      last = await t.app.inject({ url: `${search}&maxPrice=${n}`, remoteAddress: '203.0.113.7' })
      statuses.push(last.statusCode)
      if (last.statusCode === 429) break
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20)
    expect([last?.statusCode, last?.json()]).toEqual([429, expect.objectContaining({ code: 'too_many_requests' })])
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect(await statusOf('/api/v1/client/institutes/nowhere')).toBe(404)
    expect(await statusOf('/api/v1/client/home')).toBe(200)
    expect(await statusOf('/api/v1/secure/user/profile')).not.toBe(429)
    const hold = await t.app.inject({ method: 'POST', url: '/api/v1/secure/appointments/holds', remoteAddress: '203.0.113.7', payload: {} })
    expect(hold.statusCode).toBe(401)
    expect(await statusOf(search, '203.0.113.8')).toBe(200)
  })

  it('a network is a house: all of an IPv6 subscriber is one, whatever headers claim', async () => {
    const statuses = new Set<number>()
    for (let n = 0; n < 1000 && !statuses.has(429); n++) {
      const { statusCode } = await t.app.inject({
        url: search,
        remoteAddress: `2001:db8:1:2::${n.toString(16)}`,
        headers: { 'x-forwarded-for': `198.51.100.${n}` },
      })
      statuses.add(statusCode)
    }
    expect(statuses).toContain(429)
  })

  it('nothing was asked of the database for who is refused', async () => {
    let refused: number | undefined
    for (let n = 0; n < 1000 && refused === undefined; n++) {
      const before = t.context.database.statements()
      if ((await statusOf(search, '203.0.113.9')) === 429) refused = t.context.database.statements() - before
    }
    expect(refused).toBe(0)
  })

  it('health and readiness are never refused', async () => {
    for (let n = 0; n < 300; n++) expect(await statusOf('/health')).toBe(200)
  })
})

describe('what things cost', () => {
  it('every call has a class: what hashes, searches, books and takes files is none of the cheap ones', () => {
    const costs = Object.groupBy([...t.served.values()], (one) => costOf(one))
    const names = (cost: keyof typeof costs) => (costs[cost] ?? []).map(({ name }) => name).toSorted()
    expect(names('free')).toEqual([])
    expect(names('search')).toEqual(['searchInstitutes'])
    expect(names('signing')).toEqual(
      [
        'beginPasskey',
        'beginPasskeySignIn',
        'changeOwnPassword',
        'eraseAccount',
        'login',
        'register',
        'requestPasswordReset',
        'resendVerification',
        'resetPassword',
        'signInAtProvider',
        'signInByPasskey',
        'validateResetToken',
        'verifyEmail',
      ].toSorted(),
    )
    expect(names('booking')).toEqual(
      [
        'acceptOffer',
        'acceptProposal',
        'book',
        'cancelAppointment',
        'cancelSeries',
        'correctHome',
        'declineOffer',
        'declineProposal',
        'extendHold',
        'joinWaitingList',
        'makeHold',
        'makeSeries',
        'releaseHold',
        'removeVisitService',
        'rescheduleAppointment',
      ].toSorted(),
    )
    for (const { call, name } of t.served.values()) if (call.files) expect([name, costOf({ name, call })]).toEqual([name, 'upload'])
  })

  it('a search over a continent counts as several', () => {
    expect([{}, { area: '4.8,45.7,4.9,45.8' }, { area: '-10,36,11,60' }].map(weightOfSearch)).toEqual([1, 1, 1])
    expect([{ area: '-180,-90,180,90' }, { area: '5,-90,4,90' }, { area: '170,-40,-100,40' }].map(weightOfSearch)).toEqual([4, 4, 4])
  })
})
