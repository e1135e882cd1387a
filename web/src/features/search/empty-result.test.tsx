import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import type { Filters } from '#/search-filters.ts'
import { EmptyResult, PastTheEnd } from './empty-result.tsx'

afterEach(cleanup)

describe('a search that finds nothing', () => {
  it('offers what to give up, with how many that brings back', () => {
    const filters: Filters = { what: 'gel', place: 'Lyon', lat: '45.76', lon: '4.83', radiusKm: '2', maxPrice: '10' }
    const relax = [
      { filter: 'maxPrice', total: 12 },
      { filter: 'place', total: 1 },
      { filter: 'minRating', total: 0 },
      { filter: 'unheard', total: 9 },
    ]
    renderPart(<EmptyResult filters={filters} relax={relax} title={null} />)
    expect(screen.getByRole('heading', { name: 'Nothing matches all your filters.' })).toBeTruthy()
    const links = screen.getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['12 institutes without the price', '1 institute without the place'])
    expect(queryOf(links[0] as HTMLElement)).not.toHaveProperty('maxPrice')
    expect(queryOf(links[1] as HTMLElement)).toEqual({ what: 'gel', maxPrice: '10' })
  })

  it('speaks of no filter where there is none: nobody is there yet', () => {
    const relax = [{ filter: 'place', total: 64 }]
    renderPart(<EmptyResult filters={{ place: 'Reykjavik' }} relax={relax} title={null} />)
    expect(screen.getByRole('heading', { name: 'No institute here yet.' })).toBeTruthy()
    expect(screen.getByText('There are some elsewhere:')).toBeTruthy()
    cleanup()
    renderPart(<EmptyResult filters={{ place: 'Lyon', radiusKm: '0.1' }} relax={relax} title={null} />)
    expect(screen.getByRole('heading', { name: 'Nothing matches all your filters.' })).toBeTruthy()
  })

  it('speaks of the hour when one was asked for', () => {
    renderPart(<EmptyResult filters={{ day: '2026-11-20' }} relax={[]} title={null} />)
    expect(screen.getByRole('heading', { name: 'No institute is free at that time.' })).toBeTruthy()
  })

  it('says why where that is known', () => {
    renderPart(<EmptyResult filters={{ place: 'Atlantis' }} relax={[]} title="No place of that name is known." />)
    expect(screen.getByRole('heading', { name: 'No place of that name is known.' })).toBeTruthy()
  })

  it('leads to everything when nothing alone helps', () => {
    renderPart(<EmptyResult filters={{ what: 'zzz' }} relax={[]} title={null} />)
    expect(screen.getByRole('link', { name: 'See all institutes' }).getAttribute('href')).toBe('/institutes')
  })

  it('a page past the end leads to the first of the same search', () => {
    renderPart(<PastTheEnd filters={{ what: 'gel', page: '99' }} />)
    expect(screen.getByRole('link', { name: 'To the first page' }).getAttribute('href')).toBe('/institutes?what=gel')
  })
})
