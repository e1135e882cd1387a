import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import type { Filters } from '#/search-filters.ts'
import { FilterBar } from './filter-bar.tsx'

/** A Thursday at 11:00 in Paris. */
const now = Date.parse('2026-11-19T10:00:00Z')
const chosen: Filters = { what: 'gel', place: 'Lyon', lat: '45.76', lon: '4.83', category: 'nails', day: '2026-11-20', part: 'evening' }

type Found = { currency?: string; typicalPrice?: number | undefined; onNear?: () => void }

function open(filters: Filters, found: Found = {}) {
  const context = { zone: 'Europe/Paris', currency: 'EUR', typicalPrice: 38, onNear: () => {}, ...found }
  return renderPart(<FilterBar filters={filters} now={now} {...context} />, { at: '/institutes' })
}
const taken = (name: string) => screen.getByRole('link', { name: `Remove ${name}` })
const menu = (name: string) => within(screen.getByText(name, { selector: 'summary' }).parentElement as HTMLElement)

afterEach(cleanup)

describe('the chips above the list', () => {
  it('[R-07] say what is chosen, and each takes away itself alone', () => {
    open(chosen)
    expect(queryOf(taken('Nails'))).toEqual({ what: 'gel', place: 'Lyon', lat: '45.76', lon: '4.83', day: '2026-11-20', part: 'evening' })
    expect(queryOf(taken('gel'))).not.toHaveProperty('what')
    expect(queryOf(taken('gel'))).toMatchObject({ category: 'nails', day: '2026-11-20' })
  })

  it('name a way to pay online as one', () => {
    open({ category: 'nails', paymentMethod: 'card' })
    expect(queryOf(taken('Card online'))).toEqual({ category: 'nails' })
  })

  it('tell when a pointer or the focus comes to all filters, so that they are there when they open', async () => {
    const onNear = vi.fn()
    open(chosen, { onNear })
    const [first, last] = screen.getAllByRole('link', { name: /^All filters/ })
    await userEvent.hover(first as HTMLElement)
    expect(onNear).toHaveBeenCalledTimes(1)
    act(() => last?.focus())
    expect(onNear).toHaveBeenCalledTimes(2)
  })

  it('the day and its part are one chip and go together', () => {
    open(chosen)
    expect(queryOf(taken('Tomorrow, in the evening'))).toEqual({ what: 'gel', place: 'Lyon', lat: '45.76', lon: '4.83', category: 'nails' })
  })

  it.each<[Filters, string]>([
    [{ audience: 'Kids' }, 'Kids'],
    [{ language: 'Arabic' }, 'Arabic'],
    [{ maxPrice: '80' }, 'Up to €80'],
    [{ minRating: '4.5' }, '4.5 and up'],
    [{ atHome: 'true' }, 'At your home'],
    [{ openNow: 'true' }, 'Open now'],
    [{ radiusKm: '2' }, 'Within 2 km'],
    [{ area: '4.8,45.7,4.9,45.8' }, 'Map area'],
    [{ day: '2026-11-19' }, 'Today'],
    [{ part: 'morning' }, 'in the morning'],
  ])('%o reads as a chip that leads to the list without it', (filters, name) => {
    open(filters)
    expect(taken(name).getAttribute('href')).toBe('/institutes')
  })

  it('a price is one of the place’s own currency', () => {
    open({ maxPrice: '80' }, { currency: 'GBP' })
    expect(taken('Up to £80')).toBeTruthy()
  })

  it('a value that is none of the list makes no chip', () => {
    open({ category: 'garden', language: 'Klingon' })
    expect(screen.queryByRole('link', { name: /^Take away/ })).toBeNull()
  })

  it('a filter in use is counted on All filters, and its quick menu is gone', () => {
    open({ category: 'nails', minRating: '4' })
    const [all] = screen.getAllByRole('link', { name: /^All filters/ })
    expect(all?.textContent).toBe('All filters2in use')
    expect(screen.queryByText('Category', { selector: 'summary' })).toBeNull()
    expect(screen.queryByText('Rating', { selector: 'summary' })).toBeNull()
    expect(screen.getByText('Audience', { selector: 'summary' })).toBeTruthy()
  })

  it('the quick menus offer every value of the search and begin at the first page', () => {
    open({ what: 'gel', page: '3' })
    expect(menu('Category').getAllByRole('link', { hidden: true })).toHaveLength(14)
    const men = menu('Audience').getByRole('link', { name: 'Men', hidden: true })
    expect(queryOf(men)).toEqual({ what: 'gel', audience: 'Men' })
    expect(menu('Audience').queryByRole('link', { name: 'All', hidden: true })).toBeNull()
    expect(queryOf(menu('Up to').getByRole('link', { name: 'Up to €50', hidden: true }))).toEqual({ what: 'gel', maxPrice: '50' })
  })

  it('offer no ceilings where no price is known', () => {
    open({ what: 'gel' }, { typicalPrice: undefined })
    expect(screen.queryByText('Up to', { selector: 'summary' })).toBeNull()
  })

  it('Escape closes an open menu and gives the focus back to what opened it', async () => {
    open({})
    const summary = screen.getByText('Language', { selector: 'summary' })
    const details = summary.parentElement as HTMLDetailsElement
    details.setAttribute('open', '')
    screen.getByRole('link', { name: 'French' }).focus()
    await userEvent.keyboard('{Escape}')
    expect(details.hasAttribute('open')).toBe(false)
    expect(document.activeElement).toBe(summary)
  })

  it('a press elsewhere closes it, and so does another page', async () => {
    const { router } = open({})
    const details = screen.getByText('Rating', { selector: 'summary' }).parentElement as HTMLDetailsElement
    details.setAttribute('open', '')
    await userEvent.click(document.body)
    expect(details.hasAttribute('open')).toBe(false)
    details.setAttribute('open', '')
    await userEvent.click(screen.getByRole('link', { name: '4.5 and up' }))
    await waitFor(() => expect(router.state.location.search).toBe('?minRating=4.5'))
    expect(details.hasAttribute('open')).toBe(false)
  })
})
