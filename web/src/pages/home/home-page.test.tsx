import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { createRoutesStub } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeQueryClient } from '#/platform/query-client.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import * as sessions from '#/platform/session.tsx'
import { fakeServer } from '#/testing/fake-server.ts'
import { cardsNow, nacreCard, windowOf } from '#/testing/cards.ts'
import HomePage from './home-page.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const place = { name: 'Lyon', lat: 45.76, lon: 4.84 }
const gap = {
  startsAt: '2026-11-19T13:20:00Z',
  timeZone: 'Europe/Paris',
  institute: { _id: nacreCard._id, slug: nacreCard.slug, name: nacreCard.name, quarter: nacreCard.quarter },
  service: { _id: 'gel', name: 'Gel manicure', durationMinutes: 40, price: { amount: 3800, currency: 'EUR' } },
  staff: { _id: 'ines', name: 'Inès', imageUrl: '/art/face/ines.svg' },
}
const client = {
  view: 'client',
  home: {
    place,
    freeToday: [nacreCard],
    freeNext: [] as (typeof nacreCard)[],
    gaps: [gap],
    withinTwoHours: true,
    windows: [windowOf('nails', gap.startsAt)],
  },
  grades: null,
  now: cardsNow,
}

async function open(address: string, data: unknown = client) {
  const Site = createRoutesStub([{ path: '/', Component: HomePage, loader: () => data }])
  render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <Site initialEntries={[address]} />
    </I18nextProvider>,
  )
  await screen.findByRole('heading', { level: 1 })
}

describe('home', () => {
  it('[U-15] shows the fourteen categories, each with its own icon', async () => {
    await open('/')
    const links = within(screen.getByRole('navigation', { name: 'Categories' })).getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual([
      'Barbering',
      'Massage',
      'Body',
      'Counseling',
      'Fillers',
      'Nails',
      'Skincare',
      'Fitness',
      'Eyebrows',
      'Tattoo',
      'Medical',
      'Hair',
      'Hair removal',
      'Makeup',
    ])
    expect(new Set(links.map((link) => link.querySelector('svg')?.innerHTML)).size).toBe(14)
    expect(links[9]?.getAttribute('href')).toContain('category=tatto')
  })

  it('finds a time with an ordinary form, place already filled in', async () => {
    await open('/')
    const form = screen.getByRole('search')
    expect([form.getAttribute('action'), form.getAttribute('method')]).toEqual(['/institutes', 'get'])
    expect(new FormData(form as HTMLFormElement).get('place')).toBe('Lyon')
  })

  it('leads from a gap of the board to its member, service and time', async () => {
    await open('/')
    expect(screen.getByRole('heading', { name: 'Within the next two hours' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Book Gel manicure at Atelier Nacre, Today at 14:20' }).getAttribute('href')).toBe(
      '/salon/atelier-nacre/book?service=gel&staff=ines&at=2026-11-19T13%3A20%3A00Z',
    )
  })

  it('says so when the next gaps are not within two hours', async () => {
    await open('/', { ...client, home: { ...client.home, withinTwoHours: false } })
    expect(screen.queryByRole('heading', { name: 'Within the next two hours' })).toBeNull()
    expect(screen.getByRole('heading', { name: 'The next to open up' })).toBeTruthy()
  })

  it('leads to all institutes of the place, on whatever day they are free', async () => {
    await open('/')
    const { pathname, searchParams } = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'All institutes' }).href)
    expect([pathname, searchParams.get('day')]).toEqual(['/institutes', null])
  })

  it('offers tomorrow when nothing more is free today', async () => {
    await open('/', { ...client, home: { ...client.home, freeToday: [] } })
    expect(screen.getByText('Nothing more is free near Lyon today.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See tomorrow' }).getAttribute('href')).toContain('day=2026-11-20')
  })

  it('shows at night who is free tomorrow', async () => {
    const nextTimes = [{ startsAt: '2026-11-20T08:00:00Z' }]
    await open('/', { ...client, home: { ...client.home, freeToday: [], freeNext: [{ ...nacreCard, nextTimes }] } })
    expect(screen.getByRole('heading', { name: 'Near you, and free tomorrow' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: nacreCard.name })).toBeTruthy()
    expect(screen.queryByText('Nothing more is free near Lyon today.')).toBeNull()
  })

  it('[E-09] asks four questions, without figures that are nobody’s', async () => {
    await open('/')
    const grades = screen.getByRole('region', { name: /Four things that matter/ })
    expect(
      within(grades)
        .getAllByRole('definition')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Were you greeted, and was the time kept?',
      'Were hands, tools and room clean?',
      'Was it a good place to be for an hour?',
      'Did you leave with what you came for?',
    ])
    expect(grades.textContent).not.toMatch(/\d/)
  })

  it('[N-09] shows guests the professionals’ view, whose way in has the role chosen', async () => {
    await open('/?view=pro', { view: 'pro' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Your hands')
    expect(screen.getByRole('link', { name: 'Start your setup' }).getAttribute('href')).toBe('/register?role=isPro')
  })

  it('[N-09] brings who is signed in from the professionals’ view to the one home', async () => {
    vi.spyOn(sessions, 'useSession').mockReturnValue({ kind: 'user', user: { firstName: 'Camille' } as never })
    fakeServer({ appointments: () => ({ items: [], page: 1, pageSize: 10, total: 0 }) })
    const Site = createRoutesStub([
      { path: '/', Component: HomePage, loader: ({ request }) => (request.url.includes('view=pro') ? { view: 'pro' } : client) },
    ])
    render(
      <I18nextProvider i18n={serverTranslator('en')}>
        <QueryClientProvider client={makeQueryClient()}>
          <Site initialEntries={['/?view=pro']} />
        </QueryClientProvider>
      </I18nextProvider>,
    )
    expect(await screen.findByText('Camille')).toBeTruthy()
  })
})
