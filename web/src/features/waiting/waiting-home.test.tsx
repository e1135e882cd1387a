import type { WaitingEntry } from '@soigne/contract/waiting'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { visitAt } from '#/testing/visits.ts'
import { WaitingOffers, WaitingRows } from './waiting-section.tsx'

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: Date.parse('2031-03-17T11:05:00Z'), toFake: ['Date'] })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const fourPm = '2031-03-20T15:00:00.000Z'
const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
const entry = (more: Partial<WaitingEntry>): WaitingEntry => ({
  _id: '019b0000-0000-7000-8000-00000000cccc',
  institute: { _id: nacre._id, slug: nacre.slug, name: nacre.name, timeZone: nacre.timeZone },
  services: [{ serviceId: gelManicure, name: 'Gel manicure', staffId: null, staffName: null }],
  fromDay: '2031-03-18',
  toDay: '2031-03-20',
  part: null,
  hours: null,
  visit: null,
  createdAt: '2031-03-17T11:00:00.000Z',
  offer: null,
  ...more,
})
const { segments, total, endsAt } = visitAt(fourPm)
const offer = { startsAt: fourPm, endsAt, until: '2031-03-17T11:20:00.000Z', total, segments }

describe('a visit at home that is waited for', () => {
  it.each([
    ['says where it would be', { atHome: true, home }, 'At your home · 8 rue des Acacias, 69100 Villeurbanne'],
    [
      'is where the visit is that is given back for it',
      { atHome: true, visit: { _id: 'v', startsAt: '2031-03-25T15:00:00Z' } },
      'At your home',
    ],
    ['is not told of one in the salon', {}, null],
  ] as const)('%s, while one waits and when a time is held', async (_what, more, told) => {
    localStorage.setItem('AuthToken', 't')
    fakeServer({ me: () => client })
    const pages = {
      '/waiting': <WaitingRows items={[entry(more)]} clockOffset={0} />,
      '/offered': <WaitingOffers items={[entry({ ...more, offer })]} clockOffset={0} />,
    }
    for (const page of ['/waiting', '/offered']) {
      renderSite(page, pages)
      await screen.findAllByText(/Gel manicure/)
      expect(screen.queryByText(/At your home/)?.textContent ?? null).toBe(told)
      cleanup()
    }
  })
})
