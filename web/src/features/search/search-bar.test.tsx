import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Place } from '@soigne/contract/places'
import type { Suggestion } from '@soigne/contract/suggestions'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import type { Filters } from '#/search-filters.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { ResultsTools } from './results-tools.tsx'
import { SearchBar } from './search-bar.tsx'
import { dayOptions } from './when-fields.tsx'

/** A Thursday at 11:00 in Paris. */
const now = Date.parse('2026-11-19T10:00:00Z')

const lyon: Place = {
  kind: 'town',
  _id: 'g1',
  name: 'Lyon',
  region: 'Rhône',
  country: 'France',
  countryCode: 'FR',
  lat: 45.7485,
  lon: 4.8467,
  radiusKm: 10,
  timeZone: 'Europe/Paris',
}

function open(filters: Filters = {}) {
  const part = renderPart(<SearchBar filters={filters} now={now} zone="Europe/Paris" />)
  return { ...part, query: () => Object.fromEntries(new URLSearchParams(part.place().split('?')[1])) }
}
const send = () => userEvent.click(screen.getByRole('button', { name: 'Find a time' }))

/** Turning to the field brings the suggesting one. */
async function whatField(): Promise<HTMLInputElement> {
  await userEvent.click(screen.getByLabelText('What'))
  return screen.findByRole<HTMLInputElement>('combobox', { name: 'What' })
}

afterEach(() => {
  cleanup()
  act(dismissAllToasts)
  vi.unstubAllGlobals()
})

describe('the search bar', () => {
  it('[R-07] asks for what, when and which part of it', async () => {
    const { query, place } = open()
    fakeServer({ suggestions: () => ({ items: [] }) })
    await userEvent.type(await whatField(), ' gel manicure ')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Tomorrow')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Part of the day' }), 'in the evening')
    await send()
    await waitFor(() => expect(place()).toMatch(/^\/institutes\?/))
    await waitFor(() => expect(query()).toEqual({ what: 'gel manicure', day: '2026-11-20', part: 'evening' }))
  })

  it('Enter in the field is enough', async () => {
    fakeServer({ suggestions: () => ({ items: [] }) })
    const { query } = open()
    await userEvent.type(await whatField(), 'beard{Enter}')
    await waitFor(() => expect(query()).toEqual({ what: 'beard' }))
  })

  it('keeps filters chosen elsewhere, but neither the page nor the part of the map', async () => {
    const { query } = open({ what: 'gel', category: 'nails', minRating: '4', sort: 'price', page: '4', area: '4.8,45.7,4.9,45.8' })
    await send()
    await waitFor(() => expect(query()).toEqual({ what: 'gel', category: 'nails', minRating: '4', sort: 'price' }))
  })

  it('searches by a name that is only typed', async () => {
    const { query } = open()
    fakeServer({ places: () => ({ items: [] }) })
    await userEvent.click(screen.getByLabelText('Where'))
    await userEvent.type(await screen.findByRole('combobox', { name: 'Where' }), 'Ville')
    await send()
    await waitFor(() => expect(query()).toEqual({ place: 'Ville' }))
  })

  it('sends the point of a suggestion chosen with the keyboard, and no more once another name is typed', async () => {
    fakeServer({ places: () => ({ items: [lyon] }) })
    const { query } = open()
    await userEvent.click(screen.getByLabelText('Where'))
    const field = await screen.findByRole('combobox', { name: 'Where' })
    await userEvent.type(field, 'lyo')
    await screen.findByRole('option', { name: /Lyon/ })
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect((field as HTMLInputElement).value).toBe('Lyon'))
    await send()
    await waitFor(() => expect(query()).toEqual({ place: 'Lyon', lat: '45.7485', lon: '4.8467' }))
    await userEvent.type(screen.getByRole('combobox', { name: 'Where' }), 's')
    await send()
    await waitFor(() => expect(query()).toEqual({ place: 'Lyons' }))
  })

  it('suggestions that do not come leave what is typed', async () => {
    fakeServer({ places: () => refused(503, { code: 'unavailable', message: 'Away.' }) })
    const { query } = open()
    await userEvent.click(screen.getByLabelText('Where'))
    await userEvent.type(await screen.findByRole('combobox', { name: 'Where' }), 'Brest')
    await send()
    await waitFor(() => expect(query()).toEqual({ place: 'Brest' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is a form that works before the scripts do', () => {
    const { container } = open({ what: 'gel', category: 'nails' })
    const form = container.querySelector('form')
    expect([form?.getAttribute('action'), form?.method]).toEqual(['/institutes', 'get'])
    expect(Object.fromEntries(new FormData(form as HTMLFormElement))).toMatchObject({ what: 'gel', category: 'nails', place: '' })
  })
})

describe('suggestions for What', () => {
  const all: Suggestion[] = [
    { kind: 'category', category: 'nails' },
    { kind: 'service', name: 'Nail art' },
    { kind: 'institute', slug: 'nailed', name: 'Nailed', city: 'Lyon' },
  ]
  async function suggested(filters: Filters = {}) {
    const seen = fakeServer({ suggestions: () => ({ items: all }), places: () => ({ items: [] }) })
    const part = open(filters)
    const field = await whatField()
    await userEvent.type(field, 'nail')
    await screen.findByRole('option', { name: /Nail art/ })
    return { ...part, field, seen }
  }

  it('stand under their kinds, and none is asked for by one letter', async () => {
    const { field, seen } = await suggested()
    const groups = screen
      .getAllByRole('group')
      .map((group) => [group.getAttribute('aria-label'), within(group).getByRole('option').textContent])
    expect(groups).toEqual([
      ['Categories', 'Nails '],
      ['Services', 'Nail art '],
      ['Institutes', 'Nailed Lyon'],
    ])
    expect(field.getAttribute('aria-expanded')).toBe('true')
    expect(seen.map(({ query }) => query.get('q')).filter((q) => (q?.length ?? 0) < 2)).toEqual([])
  })

  it('a service becomes the words, and the other fields come next', async () => {
    const { field, query, place } = await suggested()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(field.value).toBe('Nail art')
    expect(field.getAttribute('aria-expanded')).toBe('false')
    expect(place()).not.toMatch(/institutes/)
    await send()
    await waitFor(() => expect(query()).toEqual({ what: 'Nail art' }))
  })

  it('a category becomes the filter at once, in place of the words, beside all other fields', async () => {
    const { field, query } = await suggested({ place: 'Brest', category: 'hair', minRating: '4' })
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(query()).toEqual({ category: 'nails', place: 'Brest', minRating: '4' }))
    expect(field.value).toBe('')
  })

  it('an institute opens', async () => {
    const { place } = await suggested()
    await userEvent.click(screen.getByRole('option', { name: /Nailed/ }))
    await waitFor(() => expect(place()).toBe('/salon/nailed'))
  })

  it('Enter with none chosen searches for what is typed, and Escape closes them and keeps it', async () => {
    const { field, query } = await suggested()
    await userEvent.keyboard('{Escape}')
    expect([field.getAttribute('aria-expanded'), field.value]).toEqual(['false', 'nail'])
    await userEvent.type(field, 's')
    await screen.findByRole('option', { name: /Nail art/ })
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(query()).toEqual({ what: 'nails' }))
    expect(screen.queryByRole('option', { name: /Nail art/ })).toBeNull()
  })

  it('that do not come leave what is typed', async () => {
    fakeServer({ suggestions: () => refused(503, { code: 'unavailable', message: 'Away.' }) })
    const { query } = open()
    await userEvent.type(await whatField(), 'gel')
    await send()
    await waitFor(() => expect(query()).toEqual({ what: 'gel' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('Near me', () => {
  const locate = (answer: (resolve: PositionCallback, reject: PositionErrorCallback) => void) =>
    vi.stubGlobal('navigator', { ...navigator, userAgent: navigator.userAgent, geolocation: { getCurrentPosition: answer } })
  const here = { coords: { latitude: 45.77123, longitude: 4.83456 } } as GeolocationPosition

  it('names the place around and sends its point, no nearer than a hundred metres', async () => {
    locate((resolve) => resolve(here))
    const seen = fakeServer({ nearestPlace: () => ({ ...lyon, name: 'Croix-Rousse' }) })
    const { query } = open()
    await userEvent.click(screen.getByRole('button', { name: 'Near me' }))
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Where' }).value).toBe('Croix-Rousse'))
    expect(Object.fromEntries(seen[0]?.query ?? [])).toEqual({ lat: '45.771', lon: '4.835' })
    await send()
    await waitFor(() => expect(query()).toEqual({ place: 'Croix-Rousse', lat: '45.771', lon: '4.835' }))
  })

  it('[U-11] says so when the place stays unknown, and leaves what was typed', async () => {
    locate((_resolve, reject) => reject({ code: 1 } as GeolocationPositionError))
    open({ place: 'Lyon' })
    const button = screen.getByRole('button', { name: 'Near me' })
    await userEvent.click(button)
    expect(await screen.findByText('We couldn’t find where you are.')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Where' }).value).toBe('Lyon')
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'))
  })
})

describe('the days of When', () => {
  it('are two weeks from the day of the place, today and tomorrow by these names', () => {
    const days = dayOptions(Date.parse('2026-11-22T22:50:00Z'), 'Europe/Paris', 'en')
    expect(days).toHaveLength(14)
    expect(days.slice(0, 2)).toEqual([
      { value: '2026-11-22', label: 'Today' },
      { value: '2026-11-23', label: 'Tomorrow' },
    ])
    expect(dayOptions(Date.parse('2026-11-22T22:50:00Z'), 'Asia/Tokyo', 'en')[0]).toEqual({ value: '2026-11-23', label: 'Today' })
  })

  it('a chosen day that lies further ahead stays among them', () => {
    expect(dayOptions(now, 'Europe/Paris', 'en', '2027-01-05').at(-1)?.value).toBe('2027-01-05')
    expect(dayOptions(now, 'Europe/Paris', 'en', '2026-11-20')).toHaveLength(14)
  })

  it('no day is left out or doubled where the clock changes', () => {
    const days = dayOptions(Date.parse('2026-10-20T10:00:00Z'), 'Europe/Paris', 'en').map(({ value }) => value)
    expect(new Set(days).size).toBe(14)
    expect(days).toContain('2026-10-25')
    expect(days).toContain('2026-10-26')
  })
})

describe('order and page size', () => {
  it('[K-01] offer every order and 10 to 50 on a page, from the first page on', () => {
    renderPart(<ResultsTools filters={{ what: 'gel', sort: 'price', page: '3' }} pageSize={20} />)
    const [order, size] = screen.getAllByRole('list', { hidden: true }).map((list) => within(list).getAllByRole('link', { hidden: true }))
    expect(order?.map(({ textContent }) => textContent)).toEqual(['Recommended', 'Next free time', 'Nearest', 'Best rated', 'Lowest price'])
    expect(order?.find((link) => link.getAttribute('aria-current'))?.textContent).toBe('Lowest price')
    expect(order?.[0]?.getAttribute('href')).toBe('/institutes?what=gel')
    expect(size?.map(({ textContent }) => textContent)).toEqual(['10', '20', '30', '40', '50'])
    expect(size?.find((link) => link.getAttribute('aria-current'))?.textContent).toBe('20')
    expect(queryOf(size?.[4] as HTMLElement)).toEqual({ what: 'gel', sort: 'price', pageSize: '50' })
  })

  it('an order that is none reads as recommended', () => {
    renderPart(<ResultsTools filters={{ sort: 'alphabet' }} pageSize={10} />)
    expect(screen.getByText('Recommended', { selector: 'summary' })).toBeTruthy()
  })
})
