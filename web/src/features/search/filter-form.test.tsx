import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import type { Filters } from '#/search-filters.ts'
import { FilterForm } from './filter-form.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { filterPanelPath, isFilterPanelOpen } from './filter-panel-path.ts'

/** A Thursday at 11:00 in Paris. */
const now = Date.parse('2026-11-19T10:00:00Z')
const context = { now, zone: 'Europe/Paris', currency: 'EUR' }

afterEach(cleanup)

function openForm(filters: Filters = {}) {
  const sent = vi.fn<(filters: Filters) => void>()
  renderPart(
    <>
      <FilterForm id="filters" filters={filters} onSend={sent} {...context} />
      <button type="submit" form="filters">
        Show
      </button>
    </>,
  )
  return { sent, show: () => userEvent.click(screen.getByRole('button', { name: 'Show' })) }
}
const choose = (group: string, name: string | RegExp) =>
  userEvent.click(within(screen.getByRole('group', { name: group })).getByRole('radio', { name }))

describe('the form of all filters', () => {
  it('[R-07] sends what was chosen and nothing that is as usual', async () => {
    const { sent, show } = openForm()
    await choose('Category', 'Massage')
    await choose('Date and time', 'Tomorrow')
    await choose('Part of the day', 'Evening')
    await choose('Distance', '5 km')
    await choose('Audience', 'Kids')
    await choose('Language spoken', 'Arabic')
    await userEvent.type(screen.getByRole('spinbutton', { name: /up to/i }), '80')
    await choose('Rating', '4.5 and up')
    await choose('Pay online', 'PayPal')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Lowest price')
    await show()
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      category: 'massage',
      day: '2026-11-20',
      part: 'evening',
      radiusKm: '5',
      audience: 'Kids',
      language: 'Arabic',
      maxPrice: '80',
      minRating: '4.5',
      paymentMethod: 'paypal',
      sort: 'price',
    })
  })

  it('left as it is it asks for nothing at all', async () => {
    const { sent, show } = openForm()
    await show()
    expect(sent).toHaveBeenCalledExactlyOnceWith({})
  })

  it('shows what the address has chosen and keeps what it has no control for', async () => {
    const filters: Filters = { what: 'gel', category: 'nails', openNow: 'true', minRating: '4', area: '4.8,45.7,4.9,45.8', pageSize: '20' }
    const { sent, show } = openForm(filters)
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'What' }).value).toBe('gel')
    expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Open now/ }).checked).toBe(true)
    await show()
    expect(sent).toHaveBeenCalledExactlyOnceWith(filters)
  })

  it('a chosen filter can be taken back to any', async () => {
    const { sent, show } = openForm({ category: 'nails', audience: 'Men' })
    await choose('Category', 'Any')
    await choose('Audience', 'All')
    await show()
    expect(sent).toHaveBeenCalledExactlyOnceWith({})
  })

  it('offers today, tomorrow and the days of the weekend', () => {
    openForm()
    const days = within(screen.getByRole('group', { name: 'Date and time' })).getAllByRole<HTMLInputElement>('radio')
    expect(days.map(({ value }) => value)).toEqual(['', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'])
  })

  it('on a Sunday the weekend is today and the next Saturday', () => {
    renderPart(
      <FilterForm id="f" filters={{}} onSend={() => {}} now={Date.parse('2026-11-22T22:50:00Z')} zone="Europe/Paris" currency="EUR" />,
    )
    const days = within(screen.getByRole('group', { name: 'Date and time' })).getAllByRole<HTMLInputElement>('radio')
    expect(days.map(({ value }) => value)).toEqual(['', '2026-11-22', '2026-11-23', '2026-11-28'])
  })

  it('at ten to midnight in Paris it is Monday in Auckland already', () => {
    renderPart(
      <FilterForm id="f" filters={{}} onSend={() => {}} now={Date.parse('2026-11-22T22:50:00Z')} zone="Pacific/Auckland" currency="NZD" />,
    )
    const days = within(screen.getByRole('group', { name: 'Date and time' })).getAllByRole<HTMLInputElement>('radio')
    expect(days[1]?.value).toBe('2026-11-23')
  })

  it('any other day is picked from a calendar that begins today, and stays when it is shown again', async () => {
    const { sent, show } = openForm({ day: '2026-12-24' })
    const other = screen.getByLabelText<HTMLInputElement>('Another day')
    expect([other.value, other.min]).toEqual(['2026-12-24', '2026-11-19'])
    await show()
    expect(sent).toHaveBeenCalledExactlyOnceWith({ day: '2026-12-24' })
  })

  it('a price that is none is left out', async () => {
    const { sent, show } = openForm()
    await userEvent.type(screen.getByRole('spinbutton', { name: /up to/i }), '-5')
    screen.getByRole<HTMLInputElement>('spinbutton', { name: /up to/i }).removeAttribute('min')
    await show()
    expect(sent).toHaveBeenCalledExactlyOnceWith({})
  })
})

describe('the panel of filters', () => {
  const filters: Filters = { what: 'gel', category: 'nails', page: '2' }

  it('is open when the address says so, and the page stays', () => {
    const path = filterPanelPath(filters)
    const query = new URLSearchParams(path.split('?')[1])
    expect(isFilterPanelOpen(query)).toBe(true)
    expect(query.get('page')).toBe('2')
    expect(isFilterPanelOpen(new URLSearchParams('panel=other'))).toBe(false)
    expect(filterPanelPath({})).toBe('/institutes?panel=filters')
  })

  it('Close leads to the same list', async () => {
    const { place } = renderPart(<FilterPanel filters={filters} {...context} />, { at: filterPanelPath(filters) })
    await userEvent.click(await screen.findByRole('link', { name: 'Close' }))
    await waitFor(() => expect(place()).toBe('/institutes?what=gel&category=nails&page=2'))
  })

  it('coming from the list, closing goes back instead of making a second copy', async () => {
    const { router, place } = renderPart(<FilterPanel filters={filters} {...context} />, { at: '/institutes?what=gel' })
    await act(() => router.navigate(filterPanelPath(filters), { state: { fromList: true } }))
    await userEvent.click(await screen.findByRole('link', { name: 'Close' }))
    await waitFor(() => expect(place()).toBe('/institutes?what=gel'))
  })

  it('Show institutes leads to what was chosen, from the first page', async () => {
    const { place } = renderPart(<FilterPanel filters={filters} {...context} />, { at: filterPanelPath(filters) })
    await screen.findByRole('heading', { name: 'Filters' })
    await choose('Rating', '4.8 and up')
    await userEvent.click(screen.getByRole('button', { name: 'Show institutes' }))
    await waitFor(() =>
      expect(Object.fromEntries(new URLSearchParams(place().split('?')[1]))).toEqual({ what: 'gel', category: 'nails', minRating: '4.8' }),
    )
  })

  it('Clear all keeps the words and the place', async () => {
    const all: Filters = { ...filters, place: 'Lyon', minRating: '4', openNow: 'true' }
    renderPart(<FilterPanel filters={all} {...context} />, { at: filterPanelPath(all) })
    const clear = await screen.findByRole('link', { name: 'Clear all' })
    expect(clear.getAttribute('href')).toBe('/institutes?what=gel&place=Lyon')
  })
})
