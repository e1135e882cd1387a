import type { Appointment } from '@soigne/contract/appointments'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { createRoutesStub } from 'react-router'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeQueryClient } from '#/platform/query-client.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import { SessionProvider } from '#/platform/session.tsx'
import { bookAgainPath } from '#/features/appointments/visit-row.tsx'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { cardsNow, nacreCard } from '#/testing/cards.ts'
import { client } from '#/testing/people.ts'
import { visitAt } from '#/testing/visits.ts'
import HomePage from './home-page.tsx'
import { bookedBefore, partOfDay } from './returning.tsx'

const place = { name: 'Lyon', lat: 45.76, lon: 4.84 }
const home = {
  view: 'client',
  home: { place, freeToday: [nacreCard], freeNext: [], windows: [], gaps: [], withinTwoHours: false },
  grades: null,
  now: cardsNow,
}
const ahead = visitAt('2031-03-18T15:40:00.000Z', { _id: 'ahead' })
const behind = visitAt('2024-03-18T15:40:00.000Z', { _id: 'behind', status: 'completed' })

function site() {
  const Site = createRoutesStub([{ path: '/', Component: HomePage, loader: () => home }])
  return (
    <I18nextProvider i18n={serverTranslator('en')}>
      <QueryClientProvider client={makeQueryClient()}>
        <SessionProvider>
          <Site hydrationData={{ loaderData: { '0': home } }} />
        </SessionProvider>
      </QueryClientProvider>
    </I18nextProvider>
  )
}

const visits = (upcoming: readonly Appointment[], past: readonly Appointment[]) => ({
  me: () => client,
  appointments: ({ query }: { query: URLSearchParams }) => {
    const items = query.get('when') === 'upcoming' ? [...upcoming] : [...past]
    return { items, page: 1, pageSize: 10, total: items.length }
  },
})

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('home for who comes back', () => {
  it('greets by name and shows the next visit with the way there', async () => {
    fakeServer(visits([visitAt('2031-03-17T09:00:00.000Z', { status: 'cancelled' }), ahead], []))
    render(site())
    const next = within(await screen.findByRole('region', { name: 'Your next visit' }))
    expect(next.getByText('Gel manicure')).toBeTruthy()
    expect(next.getByText(/with Inès at Atelier Nacre/i)).toBeTruthy()
    expect(next.getByRole('link', { name: 'Directions' }).getAttribute('href')).toContain('45.7')
    expect(next.getByRole('link', { name: 'See details' }).getAttribute('href')).toContain('ahead')
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toMatch(/^Good (?:morning|afternoon|evening),/)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(client.firstName)
  })

  it('offers each booking of before once, to be booked again with one tap', async () => {
    fakeServer(visits([], [behind, { ...behind, _id: 'older' }]))
    render(site())
    const again = within(await screen.findByRole('region', { name: 'Book again' })).getAllByRole('link')
    expect(again.map((link) => link.getAttribute('href'))).toEqual([bookAgainPath(behind)])
    expect(screen.queryByRole('region', { name: 'Your next visit' })).toBeNull()
  })

  it('shows what guests see where there is no visit yet, or none could be read', async () => {
    fakeServer(visits([], []))
    render(site())
    expect(await screen.findByRole('list', { name: 'Free times near Lyon' })).toBeTruthy()
    cleanup()
    fakeServer({ ...visits([], []), appointments: () => refused(500, 'down') })
    render(site())
    expect(await screen.findByRole('list', { name: 'Free times near Lyon' }, { timeout: 60_000 })).toBeTruthy()
  })

  it('is the same page for everybody as the server makes it, and asks for nothing personal', () => {
    const seen = fakeServer({})
    const markup = renderToString(site())
    expect(markup).toContain('An hour')
    expect(markup).not.toContain(client.firstName)
    expect(seen).toEqual([])
  })
})

describe('what was booked before', () => {
  it('leaves out what was cancelled and what was booked the same, and ends in time', () => {
    const other = { ...behind, institute: { ...behind.institute, slug: 'autre' } }
    const third = { ...behind, institute: { ...behind.institute, slug: 'troisieme' } }
    expect(bookedBefore([{ ...behind, status: 'cancelled' }], 4)).toEqual([])
    expect(bookedBefore([behind, behind, other, third], 2)).toEqual([behind, other])
  })

  it.each([
    [3, 'evening'],
    [4, 'morning'],
    [11, 'morning'],
    [12, 'afternoon'],
    [18, 'evening'],
  ])('at %i it is %s', (hour, part) => {
    expect(partOfDay(hour)).toBe(part)
  })
})

describe('favourites at home', () => {
  const marked = (ids: string[]) => ({
    ...visits([], []),
    favouriteIds: () => ({ ids }),
    // As the server: a page of another size is refused.
    favourites: ({ query }: { query: URLSearchParams }) =>
      query.get('pageSize') === '10' ? { items: [nacreCard], page: 1, pageSize: 10, total: ids.length } : refused(400, 'validation'),
  })

  it('[C-24] are shown with their next free times and the way to all of them', async () => {
    fakeServer(marked([nacreCard._id]))
    render(site())
    const own = within(await screen.findByRole('region', { name: 'Your favourites' }))
    expect(own.getByText(nacreCard.name)).toBeTruthy()
    expect(own.getByRole('link', { name: 'All your favourites' }).getAttribute('href')).toBe('/wishlists')
  })

  it('are no question for who marked none', async () => {
    let asked = 0
    fakeServer({
      ...marked([]),
      favourites() {
        asked += 1
        return { items: [nacreCard], page: 1, pageSize: 10, total: 1 }
      },
    })
    render(site())
    expect(await screen.findByText(client.firstName, {}, { timeout: 60_000 })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Your favourites' })).toBeNull()
    expect(asked).toBe(0)
  })
})
