import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cardOf, nacreCard } from '#/testing/cards.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { MapToggle, readArea, ResultsMap, type DrawMap, type Found } from './results-map.tsx'

const found: Found = {
  items: [nacreCard, cardOf('hair', '2026-11-19T13:20:00Z', 'Bleu volet')],
  page: 1,
  pageSize: 10,
  total: 2,
  center: null,
  place: null,
  relax: [],
} as unknown as Found

/** As wide as asked; tells when that changes. */
function windowOf(isWide: boolean) {
  let tell = (): void => {}
  const query = {
    matches: isWide,
    addEventListener: (_: string, listener: () => void) => void (tell = listener),
    removeEventListener: () => {},
  }
  vi.stubGlobal('matchMedia', () => query)
  return (wide: boolean) => {
    query.matches = wide
    act(() => tell())
  }
}

const drawMap: DrawMap = ({ label, area, selected, onSelect, card, searchAreaPath }) => (
  <section aria-label={label}>
    <p>area {area ? area.join(' ') : 'none'}</p>
    <p>selected {selected ?? 'none'}</p>
    <button onClick={() => onSelect(nacreCard._id)}>pin</button>
    <button onClick={() => onSelect('gone')}>pin of another list</button>
    <a href={searchAreaPath([4.81239, 45.7, 4.9, 45.8])}>search here</a>
    {card}
  </section>
)
const open = (isOpen: boolean, filters = {}) => renderPart(<ResultsMap found={found} filters={filters} isOpen={isOpen} drawMap={drawMap} />)
const map = () => screen.queryByRole('region', { name: 'Map of the institutes found' })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the map beside the list', () => {
  it('is drawn where there is room, and only there', () => {
    const resize = windowOf(true)
    open(false)
    expect(map()).not.toBeNull()
    resize(false)
    expect(map()).toBeNull()
    resize(true)
    expect(map()).not.toBeNull()
  })

  it('on a phone it comes when it is asked for', () => {
    windowOf(false)
    open(true)
    expect(map()).not.toBeNull()
  })

  it('a chosen pin shows its institute, which can be closed again', async () => {
    windowOf(true)
    open(false)
    await userEvent.click(screen.getByRole('button', { name: 'pin' }))
    expect(screen.getByText(`selected ${nacreCard._id}`)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Atelier Nacre' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Close the card of Atelier Nacre' }))
    expect(screen.getByText('selected none')).toBeTruthy()
    expect(screen.queryByRole('article')).toBeNull()
  })

  it('a pin that is no longer in the list selects nothing', async () => {
    windowOf(true)
    open(false)
    await userEvent.click(screen.getByRole('button', { name: 'pin of another list' }))
    expect(screen.getByText('selected none')).toBeTruthy()
  })

  it('searching what it shows gives up the distance and keeps the rest', () => {
    windowOf(true)
    open(false, { what: 'gel', radiusKm: '5', page: '3' })
    expect(decodeURIComponent(screen.getByRole('link', { name: 'search here' }).getAttribute('href') ?? '')).toBe(
      '/institutes?what=gel&area=4.8124,45.7000,4.9000,45.8000',
    )
  })

  it('on a phone the map stays open over what it finds', () => {
    windowOf(false)
    open(true)
    expect(screen.getByRole('link', { name: 'search here' }).getAttribute('href')).toMatch(/&view=map$/)
  })

  it.each([
    ['4.8,45.7,4.9,45.8', [4.8, 45.7, 4.9, 45.8]],
    ['179,-20,-179,-10', [179, -20, -179, -10]],
    ['4.8,45.7,4.9', null],
    ['a,b,c,d', null],
    [undefined, null],
  ])('the area %s is read as %o', (text, area) => {
    expect(readArea(text)).toEqual(area)
  })
})

describe('the button that changes list and map', () => {
  it('says what it leads to and whether it is pressed', async () => {
    const onToggle = vi.fn<() => void>()
    renderPart(<MapToggle isOpen={false} onToggle={onToggle} />)
    const button = screen.getByRole('button', { name: 'Map' })
    expect(button.getAttribute('aria-pressed')).toBe('false')
    await userEvent.click(button)
    expect(onToggle).toHaveBeenCalledOnce()
    cleanup()
    renderPart(<MapToggle isOpen onToggle={onToggle} />)
    expect(screen.getByRole('button', { name: 'List' }).getAttribute('aria-pressed')).toBe('true')
  })
})
