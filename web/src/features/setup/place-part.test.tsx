import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type { Place } from '@soigne/contract/places'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loader } from '#/map/land-file.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { initialDraft, type SetupDraft } from './draft/draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { PlacePart } from './place-part.tsx'
import { renderDraft, renderKept } from '#/testing/render-draft.tsx'

const auckland: Place = {
  _id: 'p1',
  kind: 'town',
  name: 'Auckland',
  region: 'Auckland',
  country: 'New Zealand',
  countryCode: 'NZ',
  lat: -36.85,
  lon: 174.76,
  radiusKm: 20,
  timeZone: 'Pacific/Auckland',
}
const croixRousse: Place = {
  _id: 'quarter:FR:Lyon:Croix-Rousse',
  kind: 'quarter',
  name: 'Croix-Rousse',
  region: 'Lyon',
  country: 'France',
  countryCode: 'FR',
  lat: 45.77315,
  lon: 4.8329,
  radiusKm: 3,
  timeZone: 'Europe/Paris',
}

const placePart = (draft: SetupDraft, change: DraftChange) => <PlacePart draft={draft} change={change} />

/** The map under the pin has its files beside the calls of the server. */
function withLand() {
  const calls = fetch
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
    address.startsWith('/map/land/')
      ? loader({ params: { '*': address.replace('/map/land/', '') } } as unknown as Parameters<typeof loader>[0])
      : calls(address, init),
  )
}

/** The page has a size from the start. */
class ToldAtOnce {
  private readonly told: () => void
  constructor(told: () => void) {
    this.told = told
  }
  observe() {
    this.told()
  }
  disconnect() {
    return undefined
  }
}

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('ResizeObserver', ToldAtOnce)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360)
  vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockReturnValue(undefined)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the place', () => {
  const lyon = { name: 'Lyon', lat: 45.7, lon: 4.8, timeZone: 'Europe/Paris', countryCode: 'FR', currency: 'EUR' }
  const inLyon = { city: 'Lyon', countryCode: 'FR', country: 'France', timeZone: 'Europe/Paris', currency: 'EUR', today: '2026-11-29' }
  const inAuckland = {
    city: 'Auckland',
    countryCode: 'NZ',
    country: 'New Zealand',
    timeZone: 'Pacific/Auckland',
    currency: 'NZD',
    today: '2026-11-27',
  }
  function open(initial: Partial<SetupDraft> = {}, more: Parameters<typeof fakeServer>[0] = {}) {
    const seen = fakeServer({
      places: () => ({ items: [auckland] }),
      setupPlace: () => inAuckland,
      setupListings: () => ({ items: [] }),
      ...more,
    })
    withLand()
    const { kept } = renderDraft(initial, placePart)
    return { seen, kept, field: screen.getByRole<HTMLInputElement>('combobox', { name: 'Town' }) }
  }

  it('is chosen from the gazetteer and brings its zone and currency unasked', async () => {
    const { field, kept } = open()
    await userEvent.type(field, 'auck')
    await userEvent.click(await screen.findByRole('option', { name: 'Auckland, Auckland, New Zealand' }))
    await waitFor(() =>
      expect(kept().place).toEqual({
        name: 'Auckland',
        lat: -36.85,
        lon: 174.76,
        timeZone: 'Pacific/Auckland',
        countryCode: 'NZ',
        currency: 'NZD',
      }),
    )
    expect(field.value).toBe('Auckland')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Town in the address' }).value).toBe('Auckland')
  })

  it('one letter asks for nothing yet', async () => {
    const { seen, field } = open()
    await userEvent.type(field, 'a')
    expect(screen.queryByRole('option')).toBeNull()
    expect(seen).toEqual([])
  })

  it('typing on takes the place away, since another one is meant', async () => {
    const { field, kept } = open({ place: lyon })
    await userEvent.type(field, 's')
    expect(kept().place).toBeNull()
  })

  it('a listed institute of a like name fills in what it tells, and can be left alone', async () => {
    const week = { ...initialDraft('u').openingHours, Friday: [{ opensAt: '10:00', closesAt: '18:00' }] }
    const listed = {
      _id: 'l-1',
      name: 'Salon Vaise',
      categories: ['hair' as const],
      phone: '+33 4',
      address: { line: '1 rue', quarter: null, postalCode: '69009', city: 'Lyon', countryCode: 'FR' },
      location: { lat: 45.78, lon: 4.81 },
      openingHours: week,
      attribution: '© OpenStreetMap contributors',
    }
    const { kept } = open({ place: lyon, name: 'Salon Vaise' }, { setupListings: () => ({ items: [listed] }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, claim it' }))
    expect(kept()).toMatchObject({ claims: { id: 'l-1', name: 'Salon Vaise' }, address: '1 rue', categories: ['hair'], openingHours: week })
    expect(kept().place).toMatchObject({ lat: 45.78, timeZone: 'Europe/Paris' })
    await userEvent.click(screen.getByRole('button', { name: 'This isn’t us' }))
    expect(kept().claims).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'No' }))
    expect(screen.queryByText('Is this you?')).toBeNull()
  })

  it('[U-02] of a quarter is kept as quarter, with its town, zone and currency, across a reload', async () => {
    // The nearest town of the gazetteer may be another one than the quarter's own.
    const { field, kept } = open(
      {},
      { places: () => ({ items: [croixRousse] }), setupPlace: () => ({ ...inLyon, city: 'Caluire-et-Cuire' }) },
    )
    await userEvent.type(field, 'croix')
    await userEvent.click(await screen.findByRole('option', { name: 'Croix-Rousse, Lyon, France' }))
    await waitFor(() => expect(kept().place).toEqual({ ...lyon, lat: croixRousse.lat, lon: croixRousse.lon }))
    expect(kept().quarter).toBe('Croix-Rousse')
    expect(field.value).toBe('Croix-Rousse')
    expect(screen.queryByRole('option')).toBeNull()
    expect((await screen.findByText('Europe/Paris · Euro')).textContent).toBe('Europe/Paris · Euro')
    cleanup()
    renderKept(placePart)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Quarter' }).value).toBe('Croix-Rousse')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Town in the address' }).value).toBe('Lyon')
  })

  it('of another town leaves the quarter of the one before behind', async () => {
    const { field, kept } = open({ place: lyon, quarter: 'Croix-Rousse' })
    await userEvent.clear(field)
    await userEvent.type(field, 'auck')
    await userEvent.click(await screen.findByRole('option'))
    await waitFor(() => expect(kept().place).toMatchObject({ name: 'Auckland', currency: 'NZD' }))
    expect(kept().quarter).toBe('')
  })

  it('[C-29] follows the pin: the point is asked about, and its zone and currency come unasked', async () => {
    const { seen, kept } = open({ place: { ...lyon, timeZone: 'Europe/Zurich', currency: 'CHF' } }, { setupPlace: () => inLyon })
    const pin = await screen.findByRole('button', { name: /^Pin/ })
    fireEvent.pointerDown(pin, { pointerId: 1, clientX: 100, clientY: 100 })
    fireEvent.pointerMove(pin, { pointerId: 1, clientX: 130, clientY: 90 })
    fireEvent.pointerUp(pin, { pointerId: 1 })
    await screen.findByText('Europe/Paris · Euro')
    const { place } = kept()
    expect(place).toMatchObject({ name: 'Lyon', timeZone: 'Europe/Paris', currency: 'EUR' })
    expect(place!.lat).toBeGreaterThan(lyon.lat)
    expect(place!.lon).toBeGreaterThan(lyon.lon)
    const asked = seen.filter(({ name }) => name === 'setupPlace').map(({ query }) => Object.fromEntries(query))
    expect(asked).toEqual([{ lat: String(place!.lat), lon: String(place!.lon), countryCode: 'FR' }])
  })

  it('stays where the last key put the pin, whatever is answered about an earlier point, and keeps what was typed meanwhile', async () => {
    const answers: ((answer: typeof inLyon) => void)[] = []
    const { kept } = open({ place: lyon }, { setupPlace: () => new Promise((resolve) => answers.push(resolve)) })
    const pin = await screen.findByRole('button', { name: /^Pin/ })
    fireEvent.keyDown(pin, { key: 'ArrowRight' })
    fireEvent.keyDown(pin, { key: 'ArrowRight' })
    const { lon } = kept().place!
    expect(lon).toBeGreaterThan(lyon.lon)
    const town = screen.getByRole('textbox', { name: 'Town in the address' })
    fireEvent.change(town, { target: { value: 'Lyon 4e' } })
    await waitFor(() => expect(answers).toHaveLength(2))
    await act(async () => answers[1]!({ ...inLyon, timeZone: 'Europe/Zurich', currency: 'CHF' }))
    await act(async () => answers[0]!(inLyon))
    await screen.findByText('Europe/Zurich · Swiss Franc')
    expect(kept().place).toMatchObject({ name: 'Lyon 4e', lon, timeZone: 'Europe/Zurich', currency: 'CHF' })
  })

  it('[P-12] says its zone and currency in Arabic without Latin words', async () => {
    fakeServer({ setupListings: () => ({ items: [] }) })
    withLand()
    renderDraft({ place: lyon }, placePart, { locale: 'ar' })
    expect((await screen.findByText(/يورو/)).textContent?.replace(/[\u2068\u2069]/g, '')).toBe('توقيت فرنسا · يورو')
  })
})
