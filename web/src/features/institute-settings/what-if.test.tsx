// What the last weeks would have been: when it is asked, what is told, and what is said where little is known.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import type { Turned, WhatIf, WhatIfReason } from '@soigne/contract/what-if'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { changedRules, WhatIfPanel } from './what-if.tsx'

const rules: InstituteSettings['rules'] = {
  gridMinutes: 20,
  noticeMinutes: 60,
  horizonDays: 90,
  maxWaitMinutes: 0,
  gapPolicy: 'rank',
  serviceOrder: 'given',
  cancelWindowMinutes: 120,
  rescheduleWindowMinutes: 360,
}
const turned = (count: number, reason: WhatIfReason): Turned => ({
  count,
  reasons: count > 0 ? [{ reason, count }] : [],
  examples: count > 0 ? [{ askedAt: '2030-12-01T09:00:00Z', startsAt: '2030-12-04T09:20:00Z', services: ['Cut'], reason }] : [],
})
const replayed: WhatIf = {
  timeZone: 'Europe/Paris',
  since: '2030-10-09T09:00:00Z',
  bookings: { total: 42, replayed: 42, counted: 40, lost: turned(3, 'grid') },
  searches: { total: 900, replayed: 600, counted: 12, foundNothing: 5, areFew: true, won: turned(2, 'notice'), lost: turned(0, 'hours') },
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('what if', () => {
  it('asks for what decides what can be booked, and for nothing else', async () => {
    expect(changedRules(rules, { ...rules, cancelWindowMinutes: null })).toBeNull()
    const seen = fakeServer({ whatIf: () => replayed })
    renderPart(<WhatIfPanel asked={changedRules(rules, { ...rules, gridMinutes: 30 })} />)
    await screen.findByRole('region', { name: 'Bookings lost' })
    expect(seen.filter(({ name }) => name === 'whatIf').map(({ body }) => body)).toEqual([{ rules: { ...rules, gridMinutes: 30 } }])
  })

  it('tells what is lost and won with reasons and examples, and that little is known', async () => {
    fakeServer({ whatIf: () => replayed })
    renderPart(<WhatIfPanel asked={{ rules }} />)
    const lost = within(await screen.findByRole('region', { name: 'Bookings lost' }))
    expect(lost.getByText('of 40 bookings made online')).toBeTruthy()
    expect(lost.getByText('Not on the grid of times').parentElement?.textContent).toBe('Not on the grid of times 3')
    expect(lost.getByText('10:20', { exact: false })).toBeTruthy()
    const won = within(screen.getByRole('region', { name: 'Searches won' }))
    expect(won.getByText('Refused by today’s rules')).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'Searches lost' })).getByText('of 7 that found a time')).toBeTruthy()
    expect(screen.getByText('Too few searches to judge by.')).toBeTruthy()
    expect(screen.getByText('600 of 900 searches were replayed, evenly spread.')).toBeTruthy()
  })

  it('asks nothing where nothing is changed, and can be asked again where it went wrong', async () => {
    const seen = fakeServer({ whatIf: () => refused(429, { code: 'too_many_requests', message: 'Later' }) })
    const { unmount } = renderPart(<WhatIfPanel asked={null} />)
    expect(screen.getByText(/^Change something above/)).toBeTruthy()
    expect(seen.some(({ name }) => name === 'whatIf')).toBe(false)
    unmount()
    renderPart(<WhatIfPanel asked={{ rules }} />)
    expect(await screen.findByText('The replay did not work.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})
