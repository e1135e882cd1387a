import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { createRoutesStub } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { InstituteMap, type InstituteMapProps } from './institute-map.tsx'
import { loader } from './land-file.ts'
import type { MapPin } from './map-pin.tsx'
import { namesWithRoom, placeNames } from './paper-map.tsx'

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
    const names = placeNames([pin, ainay, { ...ainay, id: 'second' }], 13)
    const shown = (zoom: number) => namesWithRoom(names, { ...pin.point, zoom }, window).map(({ name }) => name)
    expect(shown(16)).toEqual(['Ainay', 'Croix-Rousse'])
    expect(shown(12)).toEqual(['Ainay'])
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
