import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { createRoutesStub } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { forgetGoogle, googleArrives, googleScript, holdScripts, paneMiddle } from '#/testing/fake-google.ts'
import type { InstituteMapProps } from './institute-map.tsx'
import type { MapPin } from './map-pin.tsx'

const key = 'AIza_made-up-0123456789'
const nacre: MapPin = {
  id: 'nacre',
  point: { lat: 45.7752, lon: 4.8331 },
  text: '14:20',
  label: 'Atelier Nacre, Today 14:20',
  tone: 'soon',
  quarter: 'Croix-Rousse',
  city: 'Lyon',
}
const verveine: MapPin = {
  ...nacre,
  id: 'verveine',
  point: { lat: 45.7552, lon: 4.8531 },
  text: 'Sat',
  label: 'Maison Verveine, Saturday 10:00',
  tone: 'later',
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
  // Whether Google came is remembered for a visit; each test is a visit of its own.
  vi.resetModules()
  holdScripts()
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')))
  vi.stubGlobal('ResizeObserver', ToldAtOnce)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
})

afterEach(() => {
  cleanup()
  forgetGoogle()
  vi.unstubAllGlobals()
})

async function show(props: Partial<InstituteMapProps> = {}, googleKey: string | null = key) {
  const { InstituteMap } = await import('./institute-map.tsx')
  const settings = { locale: 'en', publicUrl: '', map: { styleUrl: null, googleKey }, development: false }
  const Site = createRoutesStub([
    {
      id: 'root',
      path: '/',
      loader: () => settings,
      Component: () => {
        const [pins, setPins] = useState<readonly MapPin[]>([nacre, verveine])
        return (
          <>
            <InstituteMap label="Map" pins={pins} onSelect={() => undefined} {...props} />
            <button type="button" onClick={() => setPins([nacre])}>
              Other results
            </button>
          </>
        )
      },
    },
  ])
  render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <Site hydrationData={{ loaderData: { root: settings } }} />
    </I18nextProvider>,
  )
  await screen.findByText('14:20')
}

function choose() {
  fireEvent.click(screen.getByRole('button', { name: 'Use Google Maps' }))
}

async function showGoogle(props: Partial<InstituteMapProps> = {}) {
  await show(props)
  choose()
  const fake = googleArrives()
  await waitFor(() => expect(fake.maps).toHaveLength(1))
  await waitFor(() => expect(screen.getByText('14:20').closest('div')?.parentElement).toBe(fake.maps[0]?.pane))
  const [map] = fake.maps
  if (!map) throw new Error('no map was made')
  return map
}

const isOwnMap = () => screen.queryByRole('group') !== null

describe('Google’s map', () => {
  it('[C-29] is offered only by a site that has a key', async () => {
    await show({}, null)
    expect(screen.queryByRole('button', { name: 'Use Google Maps' })).toBeNull()
    expect(isOwnMap()).toBe(true)
  })

  it('[C-29] is asked for once, with the key and its places, and not before somebody wants it', async () => {
    await show()
    expect(googleScript()).toBeNull()
    choose()
    const { origin, pathname, searchParams } = new URL(googleScript()?.src ?? '')
    expect(origin + pathname).toBe('https://maps.googleapis.com/maps/api/js')
    expect(Object.fromEntries(searchParams)).toMatchObject({ key, libraries: 'places', loading: 'async', v: 'weekly', language: 'en' })
    expect(document.head.querySelectorAll('script[src*="googleapis"]')).toHaveLength(1)
  })

  it('[C-29] carries the same pins, which are buttons, where the places lie', async () => {
    const onSelect = vi.fn()
    const onHighlight = vi.fn()
    const map = await showGoogle({ onSelect, onHighlight, selected: 'verveine' })
    expect(isOwnMap()).toBe(false)
    expect(map.options.zoom).toBeGreaterThan(10)
    const pin = screen.getByRole('button', { name: 'Atelier Nacre, Today 14:20' })
    fireEvent.click(pin)
    expect(onSelect).toHaveBeenCalledWith('nacre')
    fireEvent.focus(pin)
    expect(onHighlight).toHaveBeenCalledWith('nacre')
    expect(screen.getByRole('button', { name: /Maison Verveine/ }).getAttribute('aria-pressed')).toBe('true')
    const [x = 0, y = 0] = (pin.closest('li')?.style.transform.match(/-?[\d.]+(?=px)/g) ?? []).map(Number)
    // North-west of the middle between both, on Google's pane.
    expect([x < paneMiddle.x, y < paneMiddle.y]).toEqual([true, true])
    expect(Math.hypot(x - paneMiddle.x, y - paneMiddle.y)).toBeLessThan(300)
  })

  it('[C-29] offers to search the area the visitor moved it to, and not the one it opened with', async () => {
    const searchAreaPath = (area: readonly number[]) => `/institutes?area=${area.map((edge) => edge.toFixed(2)).join(',')}`
    const map = await showGoogle({ searchAreaPath })
    expect(screen.queryByRole('link', { name: 'Search this area' })).toBeNull()
    act(() => map.moveCamera({ center: { lat: 48.86, lng: 2.35 }, zoom: 13 }))
    expect(screen.getByRole('link', { name: 'Search this area' }).getAttribute('href')).toMatch(
      /^\/institutes\?area=2\.3\d,48\.8\d,2\.\d\d,48\.\d\d$/,
    )
    expect(screen.queryByRole('button', { name: /Nacre/ })).toBeNull()
  })

  it('[C-29] goes where other results are, which is no move of the visitor', async () => {
    const searchAreaPath = () => '/institutes'
    const map = await showGoogle({ searchAreaPath })
    act(() => map.moveCamera({ center: { lat: 48.86, lng: 2.35 }, zoom: 13 }))
    fireEvent.click(screen.getByRole('button', { name: 'Other results' }))
    await waitFor(() => expect(map.getCenter().lat()).toBeCloseTo(nacre.point.lat, 3))
    expect(screen.queryByRole('link', { name: 'Search this area' })).toBeNull()
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
  })

  it('[C-29] comes closer by our buttons', async () => {
    const map = await showGoogle()
    const before = map.getZoom()
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }))
    await waitFor(() => expect(map.getZoom()).toBeCloseTo(before + 1))
  })

  it('[C-29] stands still where it is a picture of one place', async () => {
    const map = await showGoogle({ fixed: true, pins: [nacre] })
    expect(map.options).toMatchObject({ gestureHandling: 'none', keyboardShortcuts: false })
  })

  it('[C-29] gives way to our own as soon as the visitor says so', async () => {
    await showGoogle()
    fireEvent.click(screen.getByRole('button', { name: 'Our own map' }))
    expect(isOwnMap()).toBe(true)
    expect(document.cookie).not.toContain('map=google')
  })
})

describe('our own map stands in for Google’s', () => {
  it('[C-29] while the script is on its way, and for good when it cannot be reached', async () => {
    await show()
    choose()
    expect(isOwnMap()).toBe(true)
    act(() => void googleScript()?.dispatchEvent(new Event('error')))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Our own map' })).toBeNull())
    expect(isOwnMap()).toBe(true)
    expect(screen.getByRole('button', { name: 'Atelier Nacre, Today 14:20' })).toBeTruthy()
  })

  it('[C-29] when it throws', async () => {
    await show()
    choose()
    googleArrives({ breaks: true })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Our own map' })).toBeNull())
    expect(isOwnMap()).toBe(true)
  })

  it('[C-29] when the key is refused after the map was drawn', async () => {
    await showGoogle()
    act(() => window.gm_authFailure?.())
    expect(isOwnMap()).toBe(true)
    expect(screen.getByRole('button', { name: 'Atelier Nacre, Today 14:20' })).toBeTruthy()
  })
})
