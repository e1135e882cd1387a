import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { Locale } from '@soigne/contract/wire'
import { I18nextProvider } from 'react-i18next'
import { createRoutesStub, useLocation } from 'react-router'
import { afterEach, describe, expect, it } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { cardOf, cardsNow, nacreCard } from '#/testing/cards.ts'
import InstitutesPage from './institutes-page.tsx'
import type { Found } from '#/features/institutes/results-map.tsx'
import { readFilters } from '#/search-filters.ts'

afterEach(cleanup)

const full: Found = {
  items: [nacreCard, cardOf('massage', '2026-11-21T08:00:00Z', 'Maison Verveine')],
  page: 1,
  pageSize: 10,
  total: 38,
  origin: { name: 'Lyon', lat: 45.76, lon: 4.83 },
  place: null,
  otherPlaces: [],
  relax: [],
}

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

async function open(address: string, found: Found = full, locale: Locale = 'en') {
  const Site = createRoutesStub([
    {
      path: '/institutes',
      Component: () => (
        <>
          <InstitutesPage />
          <Address />
        </>
      ),
      loader: ({ request }) => ({ found, filters: readFilters(new URL(request.url).searchParams), now: cardsNow }),
    },
  ])
  render(
    <I18nextProvider i18n={serverTranslator(locale)}>
      <Site initialEntries={[address]} />
    </I18nextProvider>,
  )
  await screen.findByRole('heading', { level: 1 })
}

function hrefOf(name: string | RegExp): string {
  return screen.getByRole('link', { name }).getAttribute('href') ?? ''
}

const belvedere = {
  _id: 'quarter:MA:Casablanca:Belvédère',
  kind: 'quarter' as const,
  name: 'Belvédère',
  region: 'Casablanca',
  country: 'Morocco',
  countryCode: 'MA',
  lat: 33.59,
  lon: -7.58,
  radiusKm: 3,
  timeZone: 'Africa/Casablanca',
}
const leBelvedere = { ...belvedere, _id: 'quarter:TN:Tunis:Le Belvédère', name: 'Le Belvédère', region: 'Tunis', country: 'Tunisia' }

describe('[R-12] the place of a list', () => {
  it('says which quarter it took, and offers the other that may be meant', async () => {
    const origin = { name: 'Belvédère', lat: 33.59, lon: -7.58 }
    await open('/institutes?place=belvedere&category=nails', { ...full, origin, place: belvedere, otherPlaces: [leBelvedere] })
    expect(screen.getByText(/Around Belvédère, Casablanca, Morocco/)).toBeTruthy()
    expect(hrefOf('Le Belvédère, Tunis, Tunisia')).toBe('/institutes?place=Le+Belv%C3%A9d%C3%A8re%2C+Tunis&category=nails')
  })

  it('[C-29] joins the parts of a place by the comma of Arabic', async () => {
    const gueliz = { ...belvedere, name: 'جليز', region: 'مراكش', country: 'المغرب' }
    const other = { ...leBelvedere, name: 'البلفدير', region: 'تونس', country: 'تونس' }
    await open('/institutes?place=x', { ...full, place: gueliz, otherPlaces: [other] }, 'ar')
    expect(screen.getByText(/^حول \u2068جليز، مراكش، المغرب\u2069/)).toBeTruthy()
    expect(new URL(hrefOf('البلفدير، تونس، تونس'), 'http://soigne.test').searchParams.get('place')).toBe('البلفدير، تونس')
  })

  it('says so when it knows no such place, keeps the name typed, and offers what is like it', async () => {
    const town = { ...belvedere, _id: '1', kind: 'town' as const, name: 'Sohodol', region: 'Alba', country: 'Romania', lat: 46.3, lon: 23 }
    await open('/institutes?place=Soho', { ...full, items: [], total: 0, origin: null, otherPlaces: [town] })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('We don’t know “Soho”')
    expect(await screen.findByText(/Check the spelling, or try a town, an area or a postcode/)).toBeTruthy()
    expect(hrefOf('Sohodol, Alba, Romania')).toBe('/institutes?place=Sohodol&lat=46.3000&lon=23.0000')
    expect(screen.getAllByDisplayValue('Soho').length).toBeGreaterThan(0)
  })

  it('a town by its own name needs no second line', async () => {
    const place = { ...belvedere, kind: 'town' as const, name: 'Lyon', region: null, country: 'France' }
    await open('/institutes?place=lyon', { ...full, place })
    expect(screen.queryByText(/Around/)).toBeNull()
  })
})

describe('the list of institutes', () => {
  it('[R-07] shows each with rating, price, distance and its next free times', async () => {
    await open('/institutes?place=Lyon&day=2026-11-19')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Institutes near Lyon, 38 free today')
    const row = screen.getByRole('heading', { name: 'Atelier Nacre' }).closest('article')
    expect(row?.textContent).toContain('4.9 of 5, 218 reviews')
    expect(row?.textContent).toContain('0.4 km')
    expect(row?.textContent).toContain('Gel manicure · €28')
    const times = within(screen.getByRole('list', { name: 'Next times for Gel manicure at Atelier Nacre' }))
    expect(times.getAllByRole('link').map((link) => link.textContent)).toEqual(['Today14:20', 'Today16:40', 'Tomorrow9:20', 'More times'])
  })

  it('shows a place known from open data as listed, without times, languages or a promise that it is free', async () => {
    const listed = {
      ...nacreCard,
      claimed: false,
      rating: { average: 0, count: 0 },
      priceFrom: null,
      service: null,
      nextTimes: [],
      atHome: false,
    }
    await open('/institutes?place=Lyon', { ...full, items: [listed], total: 1, listed: 1 })
    expect(screen.getByRole('heading', { level: 1 }).textContent?.trim()).toBe('Institutes near Lyon, 1 found')
    const row = screen.getByRole('heading', { name: 'Atelier Nacre' }).closest('article')
    expect(row?.textContent).toContain('From open data')
    expect(row?.textContent).toContain('Not bookable here yet')
    expect(row?.textContent).not.toContain('New here')
    expect(within(row as HTMLElement).getAllByRole('link')).toHaveLength(1)
    expect(row?.textContent).not.toContain('French')
    expect(screen.getByRole('link', { name: '© OpenStreetMap contributors' }).getAttribute('href')).toBe(
      'https://www.openstreetmap.org/copyright',
    )
    cleanup()
    await open('/institutes?place=Lyon')
    expect(screen.queryByRole('link', { name: '© OpenStreetMap contributors' })).toBeNull()
  })

  it('leads from a time straight into its booking', async () => {
    await open('/institutes')
    const times = within(screen.getByRole('list', { name: /Atelier Nacre/ }))
    expect(times.getAllByRole('link')[0]?.getAttribute('href')).toBe(
      `/salon/atelier-nacre/book?service=${nacreCard.service?._id}&at=2026-11-19T13%3A20%3A00Z`,
    )
  })

  it('[K-01] offers pages of 10, 20, 30, 40 and 50', async () => {
    await open('/institutes?category=nails')
    const sizes = within(screen.getByRole('navigation', { name: 'Institutes on a page' })).getAllByRole('link')
    expect(sizes.map((link) => link.textContent)).toEqual(['10', '20', '30', '40', '50'])
    expect(sizes[4]?.getAttribute('href')).toBe('/institutes?category=nails&pageSize=50')
    expect(hrefOf('Next page')).toBe('/institutes?category=nails&page=2')
  })

  it('takes one filter away with one tap and keeps the others', async () => {
    await open('/institutes?category=nails&maxPrice=80&day=2026-11-19&part=evening')
    expect(hrefOf('Remove Up to €80')).toBe('/institutes?day=2026-11-19&part=evening&category=nails')
    expect(hrefOf('Remove Today, in the evening')).toBe('/institutes?category=nails&maxPrice=80')
  })

  it('shows the asked words above the list, where a phone has no search bar', async () => {
    await open('/institutes?what=gel+manicure&place=Lyon')
    expect(hrefOf('Remove gel manicure')).toBe('/institutes?place=Lyon')
  })

  it('names the category and how many are free', async () => {
    await open('/institutes?category=nails&place=Lyon&day=2026-11-20', { ...full, total: 12 })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Nails near Lyon, 12 free tomorrow')
  })

  it('says which filter to relax and how many it brings back', async () => {
    const relax = [
      { filter: 'part', total: 100 },
      { filter: 'day', total: 14 },
      { filter: 'maxPrice', total: 1 },
    ]
    await open('/institutes?day=2026-11-19&part=evening&maxPrice=20', { ...full, items: [], total: 0, relax })
    expect(await screen.findByText('No institute is free at that time.')).toBeTruthy()
    expect(hrefOf('100 institutes or more without the part of the day')).toBe('/institutes?day=2026-11-19&maxPrice=20')
    expect(hrefOf('14 institutes without the day')).toBe('/institutes?part=evening&maxPrice=20')
    expect(hrefOf('1 institute without the price')).toBe('/institutes?day=2026-11-19&part=evening')
  })

  it('speaks of prices and days as they are where nothing was found', async () => {
    const none = { ...full, items: [], total: 0, origin: { name: 'Tokyo', lat: 35.69, lon: 139.69 } }
    const local = { timeZone: 'Asia/Tokyo', currency: 'JPY' }
    await open('/institutes?place=Tokyo&maxPrice=300&day=2026-11-19', { ...none, local })
    expect(screen.getByRole('link', { name: 'Remove Up to ¥300' })).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Institutes near Tokyo, nothing free')
  })

  it('offers ceilings of prices that are such as things cost there', async () => {
    const priced = [22_000, 19_000, 33_000].map((amount) => ({ ...nacreCard, _id: String(amount), priceFrom: { amount, currency: 'MAD' } }))
    await open('/institutes?place=Marrakech', { ...full, items: priced })
    expect(hrefOf(/^Up to MAD\s500$/)).toBe('/institutes?place=Marrakech&maxPrice=500')
  })

  it.each([
    ['2026-11-17', undefined, 'That day has passed.'],
    ['2026-11-18', undefined, 'No institute is free at that time.'],
    ['2026-11-19', { timeZone: 'Pacific/Kiritimati', currency: 'AUD' }, 'That day has passed.'],
  ])('says of %s in %o that it has passed, once it has there', async (day, local, title) => {
    await open(`/institutes?day=${day}`, { ...full, items: [], total: 0, ...(local && { local }) })
    expect(await screen.findByRole('heading', { level: 2, name: title })).toBeTruthy()
  })

  it('leads back to the first page from beyond the last', async () => {
    await open('/institutes?category=nails&page=9', { ...full, items: [], page: 9 })
    await screen.findByRole('link', { name: 'To the first page' })
    expect(hrefOf('To the first page')).toBe('/institutes?category=nails')
  })

  it('sends all filters of the panel as one address', async () => {
    await open('/institutes?place=Lyon&panel=filters')
    const panel = within(await screen.findByRole('dialog', { name: 'Filters' }))
    fireEvent.click(panel.getByRole('radio', { name: 'Massage' }))
    fireEvent.click(panel.getByRole('switch', { name: /Open now/ }))
    fireEvent.click(panel.getByRole('button', { name: 'Show institutes' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.querySelector('output')?.textContent).toBe('/institutes?place=Lyon&category=massage&openNow=true')
  })
})

describe('a word that nothing answers', () => {
  it('is named as left out above what answers the others', async () => {
    await open('/institutes?what=coupe+femme', { ...full, leftOut: ['femme'] })
    expect(screen.getByText('No match for “femme”, so we left that out.')).toBeTruthy()
    cleanup()
    await open('/institutes?what=coupe', { ...full, leftOut: [] })
    expect(screen.queryByText(/left that out/)).toBeNull()
  })
})
