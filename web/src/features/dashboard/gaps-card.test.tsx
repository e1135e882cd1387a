import type { Gap, Gaps } from '@soigne/contract/gaps'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { GapsCard } from './gaps-card.tsx'

const pages = { '/mysalon': <GapsCard /> }
const gap: Gap = {
  member: { _id: 'm-1', name: 'Inès B.', imageUrl: '/art/face/m-1.svg' },
  startsAt: '2030-03-01T14:00:00Z',
  endsAt: '2030-03-01T15:40:00Z',
  services: ['Colour', 'Cut'],
  moreServices: 3,
  waiting: [
    { name: 'Rosa F.', services: ['Cut'] },
    { name: 'Lou S.', services: ['Cut', 'Colour'] },
  ],
  moreWaiting: 1,
}
const quiet: Gap = { ...gap, startsAt: '2030-03-02T09:00:00Z', endsAt: '2030-03-02T09:40:00Z', waiting: [], moreWaiting: 0 }
const told: Gaps = {
  now: '2030-03-01T13:06:00Z',
  timeZone: 'Africa/Tunis',
  day: '2030-03-01',
  isNight: false,
  items: [gap, quiet],
  more: 0,
  kept: { minutes: 190, bookings: 12 },
}
type Handlers = Parameters<typeof fakeServer>[0]
function server(given: Gaps = told, more: Handlers = {}, own = ['diary.read', 'diary.change']) {
  return fakeServer({
    me: () => owner,
    gaps: () => given,
    ownPermissions: () => ({ own, levels: [], permissions: [] }) as never,
    ...more,
  })
}
const offerButton = { name: 'Offer to 3 waiting: Today 15:00, Inès B.' }

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('gaps', () => {
  it('say when, how long, with whom and who waits; where nobody does there is nothing to press', async () => {
    server()
    renderSite('/mysalon', pages)
    const card = await screen.findByRole('region', { name: '2 gaps to fill' })
    expect(card.textContent).toMatch(/15:00Today1 h 40 with Inès B\.Rosa F\.: Cut.*Lou S\.: Cut, Colour.*1 more waiting/)
    expect(card.textContent).toMatch(/10:00Tomorrow40 min with Inès B\.Would fit: Colour, Cut, 3 moreNobody is waiting for it\./)
    await within(card).findByRole('button', offerButton)
    expect(within(card).getAllByRole('button')).toHaveLength(1)
  })

  it('say once that nobody waits where nobody waits for any', async () => {
    server({ ...told, items: told.items.map((one) => ({ ...one, waiting: [], moreWaiting: 0 })) })
    renderSite('/mysalon', pages)
    const card = await screen.findByRole('region', { name: '2 gaps to fill' })
    expect(card.textContent.match(/Nobody/g)).toHaveLength(1)
    expect(within(card).getByText('Nobody on the waiting list fits.')).toBeTruthy()
    expect(within(card).queryByRole('button')).toBeNull()
  })

  it('are three at first, and the others when asked for', async () => {
    const days = ['02', '03', '04', '05'].map((day) => ({ ...quiet, endsAt: `2030-03-${day}T09:40:00Z` }))
    server({ ...told, items: [gap, ...days], more: 4 })
    renderSite('/mysalon', pages)
    const card = await screen.findByRole('region', { name: '9 gaps to fill' })
    expect(within(card).getAllByText(/with Inès B\./)).toHaveLength(3)
    fireEvent.click(within(card).getByRole('button', { name: '6 more gaps' }))
    expect(within(card).getAllByText(/with Inès B\./)).toHaveLength(5)
    expect(within(card).getByText('4 more gaps')).toBeTruthy()
    expect(within(card).queryByRole('button', { name: /more gaps/ })).toBeNull()
  })

  it('are offered by one press, and for whom it is held is told', async () => {
    const seen = server(told, {
      offerGap: () => ({
        offers: [
          { name: 'Rosa F.', startsAt: gap.startsAt, until: '2030-03-01T13:26:00Z' },
          { name: 'Lou S.', startsAt: gap.startsAt, until: '2030-03-01T13:26:00Z' },
        ],
      }),
    })
    renderSite('/mysalon', pages)
    fireEvent.click(await screen.findByRole('button', offerButton))
    expect(await screen.findByText('Held for Rosa F. and Lou S. until 14:26')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'offerGap')?.body).toEqual({ staffId: 'm-1', startsAt: gap.startsAt, endsAt: gap.endsAt })
    await waitFor(() => expect(seen.filter(({ name }) => name === 'gaps').length).toBeGreaterThan(1))
  })

  it('say so when they were taken meanwhile, and are read again', async () => {
    const message = 'This time has been taken meanwhile.'
    const seen = server(told, { offerGap: () => refused(409, { code: 'gap_taken', message }) })
    renderSite('/mysalon', pages)
    fireEvent.click(await screen.findByRole('button', offerButton))
    expect(await screen.findByText(message)).toBeTruthy()
    await waitFor(() => expect(seen.filter(({ name }) => name === 'gaps').length).toBeGreaterThan(1))
  })

  it('have no button at night, nor for who may not change the diary', async () => {
    server({ ...told, isNight: true })
    renderSite('/mysalon', pages)
    expect(await screen.findByText('Offers go out from 8:00.')).toBeTruthy()
    expect(screen.queryByRole('button', offerButton)).toBeNull()
    cleanup()
    const seen = server(told, {}, ['diary.read'])
    renderSite('/mysalon', pages)
    await screen.findByRole('region', { name: '2 gaps to fill' })
    await waitFor(() => expect(seen.some(({ name }) => name === 'ownPermissions')).toBe(true))
    expect(screen.queryByRole('button', offerButton)).toBeNull()
  })

  it('tell what the rule saved with how that is counted, nothing where it is off', async () => {
    server()
    renderSite('/mysalon', pages)
    expect(await screen.findByText('Hiding times that leave gaps saved about 3 h 10 this week')).toBeTruthy()
    expect(screen.getByText(/^An estimate from 12 online bookings since Monday/)).toBeTruthy()
    cleanup()
    server({ ...told, kept: null, items: [] })
    renderSite('/mysalon', pages)
    expect((await screen.findByRole('region', { name: 'No gaps to fill' })).textContent).not.toContain('saved')
    cleanup()
    server({ ...told, kept: { minutes: 0, bookings: 0 } })
    renderSite('/mysalon', pages)
    expect(await screen.findByText('Hiding times that leave gaps has saved nothing yet this week')).toBeTruthy()
  })

  it('say so when they did not load', async () => {
    server(told, { gaps: () => refused(503, { code: 'unavailable', message: 'A part of us is away.' }) })
    renderSite('/mysalon', pages)
    expect(await screen.findByText('The gaps did not load.')).toBeTruthy()
  })
})
