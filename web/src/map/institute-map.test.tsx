import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { createRoutesStub } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { gatherPins } from './gathered-pins.ts'
import { InstituteMap, type InstituteMapProps } from './institute-map.tsx'
import { loader } from './land-file.ts'
import type { MapPin } from './map-pin.tsx'
import { boxOfPin } from './pin-boxes.ts'
import { namesWithRoom, placeNames } from './place-names.ts'

const pin: MapPin = {
  id: 'nacre',
  point: { lat: 45.7752, lon: 4.8331 },
  text: '14:20',
  label: 'Atelier Nacre, Today 14:20',
  tone: 'soon',
  quarter: 'Croix-Rousse',
  city: 'Lyon',
}

const window = { width: 500, height: 600 }

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
  vi.stubGlobal('fetch', (address: string) => landFile(address.replace('/map/land/', '')))
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(window.width)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(window.height)
  vi.stubGlobal('ResizeObserver', ToldAtOnce)
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function landFile(name: string): Promise<Response> {
  return loader({ params: { '*': name } } as unknown as Parameters<typeof loader>[0])
}

function show(props: Partial<InstituteMapProps> = {}) {
  const Site = createRoutesStub([{ path: '/', Component: () => <InstituteMap label="Map" pins={[pin]} {...props} /> }])
  render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <Site />
    </I18nextProvider>,
  )
}

describe('the paper map', () => {
  it('carries pins with the next free time, chosen by mouse or keyboard', async () => {
    const onSelect = vi.fn()
    show({ onSelect })
    fireEvent.click(await screen.findByRole('button', { name: 'Atelier Nacre, Today 14:20' }))
    expect(onSelect).toHaveBeenCalledWith('nacre')
  })

  it('offers to search the shown area only after it was moved', async () => {
    show({ searchAreaPath: (area) => `/institutes?area=${area.map((edge) => edge.toFixed(2)).join(',')}` })
    const map = await screen.findByRole('group')
    expect(screen.queryByRole('link', { name: 'Search this area' })).toBeNull()
    fireEvent.keyDown(map, { key: 'ArrowRight' })
    expect(screen.getByRole('link', { name: 'Search this area' }).getAttribute('href')).toMatch(/^\/institutes\?area=4\.\d\d,45\./)
  })

  it('is a still picture of one place when asked', async () => {
    show({ fixed: true })
    expect(await screen.findByText('14:20')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('names quarters when near and towns when far', () => {
    expect(placeNames([pin], 13).map(({ name }) => name)).toEqual(['Croix-Rousse'])
    expect(placeNames([pin], 6).map(({ name }) => name)).toEqual(['Lyon'])
  })

  it('leaves out names that would lie on one of more places', () => {
    const ainay = { ...pin, id: 'ainay', quarter: 'Ainay', point: { lat: 45.7752, lon: 4.835 } }
    const pins = [pin, ainay, { ...ainay, id: 'second' }]
    const shown = (zoom: number) =>
      namesWithRoom(placeNames(pins, 13), [], new Set(), { ...pin.point, zoom }, window).map(({ name, y }) => `${name} ${Math.round(y)}`)
    expect(shown(16)).toEqual(['Ainay 314', 'Croix-Rousse 314'])
    expect(shown(12)).toEqual(['Ainay 314', 'Croix-Rousse 242'])
  })

  it('sets names clear of pins, and leaves one out that finds no room', () => {
    const view = { ...pin.point, zoom: 14 }
    const at = (down: number) => ({ ...pin, id: `p${down}`, point: { lat: pin.point.lat - down * 0.00003, lon: pin.point.lon } })
    const below = at(20)
    const [name] = namesWithRoom([{ name: 'Croix-Rousse', point: pin.point }], [pin, below], new Set(), view, window)
    const boxes = [pin, below].map((one) => boxOfPin(one, false, view, window))
    expect(boxes.some(({ top, bottom }) => (name?.y ?? 0) > top && (name?.y ?? 0) < bottom)).toBe(false)
    const wall = Array.from({ length: 30 }, (_, index) => at(index * 10 - 150))
    expect(namesWithRoom([{ name: 'Croix-Rousse', point: pin.point }], wall, new Set(), view, window)).toEqual([])
  })

  it('draws land and sea, and no street, park or river that nobody measured', async () => {
    show()
    await screen.findByText('14:20')
    expect(screen.getByRole('group').querySelectorAll(':scope > svg path')).toHaveLength(1)
  })
})

describe('pins from afar', () => {
  const paris = (id: string, lat: number): MapPin => ({ ...pin, id, label: id, city: 'Paris', quarter: null, point: { lat, lon: 2.35 } })
  const pins = [pin, paris('odeon', 48.85), paris('marais', 48.86), paris('pigalle', 48.88)]

  it('gather and say how many there are; a closer look parts them', async () => {
    const onSelect = vi.fn()
    show({ pins, onSelect })
    const gathering = await screen.findByRole('button', { name: '3 institutes in Paris' })
    expect(gathering.textContent).toBe('3')
    expect(screen.queryByRole('button', { name: 'odeon' })).toBeNull()
    fireEvent.click(gathering)
    expect(screen.getByRole('button', { name: 'odeon' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '3 institutes in Paris' })).toBeNull()
    expect(onSelect).not.toHaveBeenCalled()
  })

  it('of several towns are not said to be of one', async () => {
    show({ pins: [...pins, { ...paris('versailles', 48.87), city: 'Versailles' }], onSelect: () => undefined })
    expect(await screen.findByRole('button', { name: '4 institutes' })).toBeTruthy()
  })

  it('leave the chosen one by itself', async () => {
    show({ pins, selected: 'odeon', onSelect: () => undefined })
    expect(await screen.findByRole('button', { name: '2 institutes in Paris' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'odeon' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('point at the gathering that holds the institute under the mouse', () => {
    const far = { lat: 47, lon: 3, zoom: 5 }
    const { alone, gatherings } = gatherPins(pins, far, window, null)
    expect([alone.map(({ id }) => id), gatherings.map(({ pins: some }) => some.length)]).toEqual([['nacre'], [3]])
    expect(gatherPins(pins, { ...far, zoom: 13 }, window, null)).toEqual({ alone: pins, gatherings: [] })
  })
})

describe('a piece of land', () => {
  it('comes with its coast, cut to what was asked for', async () => {
    const answer = await landFile('9_35_11_38.json')
    const { area, rings } = (await answer.json()) as { area: number[]; rings: number[][] }
    expect(area).toEqual([9, 35, 11, 38])
    for (const ring of rings) {
      for (let index = 0; index < ring.length; index += 2) {
        expect(ring[index]).toBeGreaterThanOrEqual(9)
        expect(ring[index]).toBeLessThanOrEqual(11)
      }
    }
  })

  it.each(['x.json', '9_35_8_38.json', '-200_0_10_10.json', '9.5_35_11_38.json', ''])('is not found at %j', async (name) => {
    expect((await landFile(name)).status).toBe(404)
  })
})
