import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { cardsNow, windowOf } from '#/testing/cards.ts'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import { CategoryStrip } from './category-strip.tsx'
import { FreeToday, type FreeTodayProps } from './free-today.tsx'
import { GapBoard } from './gap-board.tsx'
import { GradesPanel } from './grades-panel.tsx'
import { HeroWindows, windowsOf } from './hero-windows.tsx'
import { proRegisterPath, ProView } from './pro-view.tsx'

type Home = Answer<Calls['home']>
const lyon = { name: 'Lyon', lat: 45.748461, lon: 4.846709 }

const gap = (startsAt: string, part: Partial<Home['gaps'][number]> = {}): Home['gaps'][number] =>
  ({
    startsAt,
    timeZone: 'Europe/Paris',
    institute: { _id: 'i1', slug: 'atelier-nacre', name: 'Atelier Nacre', quarter: 'Croix-Rousse' },
    service: { _id: 's1', name: 'Gel manicure', durationMinutes: 40, price: { amount: 3800, currency: 'EUR' } },
    staff: { _id: startsAt, name: 'Inès', imageUrl: '/art/face/ines.svg' },
    ...part,
  }) as Home['gaps'][number]

afterEach(cleanup)

describe('the board of gaps', () => {
  const board = (gaps: Home['gaps'], withinTwoHours = true) => renderPart(<GapBoard home={{ gaps, withinTwoHours }} now={cardsNow} />)

  it('[P-01] books the very gap: service, person and time', () => {
    board([gap('2026-11-19T11:20:00Z')])
    const book = screen.getByRole('link', { name: 'Book Gel manicure at Atelier Nacre, Today at 12:20' })
    expect(book.getAttribute('href')).toMatch(/^\/salon\/atelier-nacre\/book\?/)
    expect(queryOf(book)).toEqual({ service: 's1', staff: '2026-11-19T11:20:00Z', at: '2026-11-19T11:20:00Z' })
  })

  it('says what, where, with whom, how long and how much', () => {
    board([gap('2026-11-19T11:20:00Z')])
    const line = screen.getByRole('listitem').textContent
    for (const text of ['12:20', 'Gel manicure', 'Atelier Nacre · Croix-Rousse', 'with Inès', '40 min', '€38']) expect(line).toContain(text)
    expect(line).not.toContain('Today')
  })

  it('a gap of another day says which', () => {
    board([gap('2026-11-20T08:20:00Z')], false)
    expect(screen.getByRole('listitem').textContent).toContain('Tomorrow9:20')
    expect(screen.getByRole('heading', { name: 'The next to open up' })).toBeTruthy()
  })

  it('the day is that of the place', () => {
    board([gap('2026-11-19T16:00:00Z', { timeZone: 'Asia/Tokyo' })], false)
    expect(screen.getByRole('listitem').textContent).toContain('Tomorrow1:00')
  })

  it('promises two hours only when they are', () => {
    board([gap('2026-11-19T11:20:00Z')])
    expect(screen.getByRole('heading', { name: 'Within the next two hours' })).toBeTruthy()
  })

  it('without a gap there is no board', () => {
    board([])
    expect(screen.queryByRole('heading')).toBeNull()
  })

  it('a place without a quarter is named alone, and a service without a price shows none', () => {
    const { institute, service } = gap('2026-11-19T11:20:00Z')
    board([gap('2026-11-19T11:20:00Z', { institute: { ...institute, quarter: null }, service: { ...service, price: null } })])
    expect(screen.getByText('Atelier Nacre')).toBeTruthy()
    expect(screen.getByRole('listitem').textContent).not.toContain('€')
  })
})

describe('the windows', () => {
  const today = (hour: number) => `2026-11-19T${hour}:20:00Z`

  it('those with a time come first, in the order of their times', () => {
    const windows = [windowOf('hair', today(16)), windowOf('massage', today(12)), windowOf('fitness', today(11))]
    expect(windowsOf(windows).map(({ category, free }) => [category, free !== null])).toEqual([
      ['fitness', true],
      ['massage', true],
      ['hair', true],
      ['nails', false],
      ['eyebrows', false],
    ])
  })

  it('are five, however many are free', () => {
    const windows = (['nails', 'hair', 'massage', 'eyebrows', 'body', 'skincare'] as const).map((one, at) => windowOf(one, today(11 + at)))
    expect(windowsOf(windows)).toHaveLength(5)
  })

  it('book a treatment of their own category, named with its price, or lead to the category when no time is left', () => {
    renderPart(<HeroWindows windows={[windowOf('massage', '2026-11-19T13:20:00Z')]} place="Lyon" now={cardsNow} />)
    const links = within(screen.getByRole('list', { name: 'Free times near Lyon' })).getAllByRole('link')
    expect(links).toHaveLength(5)
    expect(links[0]?.textContent).toBe('14:20 Massage Best massage · €28, Today, at Atelier Nacre')
    expect(queryOf(links[0] as HTMLElement)).toEqual({ service: 'massage', at: '2026-11-19T13:20:00Z' })
    expect(queryOf(links[1] as HTMLElement)).toEqual({ category: 'nails', place: 'Lyon' })
  })
})

describe('the other parts of home', () => {
  it('[R-06] every category leads to its search near the place', () => {
    renderPart(<CategoryStrip categories={['nails', 'tatto', 'hair-removal']} place={lyon} />)
    const links = within(screen.getByRole('navigation', { name: 'Categories' })).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['Nails', 'Tattoo', 'Hair removal'])
    expect(queryOf(links[1] as HTMLElement)).toEqual({ category: 'tatto', place: 'Lyon', lat: '45.7485', lon: '4.8467' })
  })

  it('free today shows the cards and which day they are of, or the way to tomorrow', () => {
    const open = (free: FreeTodayProps['free']) =>
      renderPart(
        <FreeToday place="Lyon" allPath="/institutes?day=today" tomorrowPath="/institutes?day=tomorrow" free={free}>
          <p>a card</p>
        </FreeToday>,
      )
    for (const [free, title] of [
      ['tomorrow', 'Near you, and free tomorrow'],
      ['later', 'Near you, the next free times'],
    ] as const) {
      open(free)
      expect(screen.getByRole('heading').textContent).toBe(title)
      cleanup()
    }
    open('today')
    expect(screen.getByText('a card')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'All institutes' }).getAttribute('href')).toBe('/institutes?day=today')
    cleanup()
    open(null)
    expect(screen.queryByText('a card')).toBeNull()
    expect(screen.getByRole('heading').textContent).toBe('Nothing more is free near Lyon today.')
    expect(screen.getByRole('link', { name: 'See tomorrow' }).getAttribute('href')).toBe('/institutes?day=tomorrow')
  })

  it('[E-09] grades are somebody’s real ones with their source, else the questions alone', () => {
    renderPart(
      <GradesPanel
        grades={{ name: 'Atelier Nacre', slug: 'atelier-nacre', welcoming: 4.9, hygiene: 5, atmosphere: 4.25, serviceQuality: 4.8 }}
      />,
    )
    const section = screen.getByRole('region', { name: /Four things that matter/ })
    for (const figure of ['4.9', '5.0', '4.2', '4.8']) expect(section.textContent).toContain(figure)
    expect(screen.getByRole('link').getAttribute('href')).toBe('/salon/atelier-nacre')
    cleanup()
    renderPart(<GradesPanel grades={null} />)
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'Welcoming',
      'Hygiene',
      'Atmosphere',
      'Service quality',
    ])
    expect(screen.getByRole('region', { name: /Four things that matter/ }).textContent).not.toMatch(/\d\.\d/)
  })

  it('[N-09] the view of professionals leads into registration with their role, and shows the six steps', () => {
    renderPart(<ProView />)
    expect(screen.getByRole('link', { name: 'Start your setup' }).getAttribute('href')).toBe(proRegisterPath)
    expect(proRegisterPath).toBe('/register?role=isPro')
    const steps = within(screen.getByRole('region', { name: /Six steps/ })).getAllByRole('listitem')
    expect(steps.map((step) => step.textContent?.match(/^\d(General|Services|Team|Gallery|Payment|Let's Review!)/)?.[1])).toEqual([
      'General',
      'Services',
      'Team',
      'Gallery',
      'Payment',
      "Let's Review!",
    ])
    // What is not built yet is promised nowhere.
    expect(document.body.textContent).not.toMatch(/deposit|klarna|paypal|the till|sales|twelve minutes|sick leave|drag a visit/i)
    expect(screen.getByRole('link', { name: 'See the six steps' }).getAttribute('href')).toBe('#steps')
  })
})
