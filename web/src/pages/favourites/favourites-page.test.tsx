import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cardOf } from '#/testing/cards.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import FavouritesPage from './favourites-page.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const today = cardOf('nails', new Date().toISOString(), 'Nacre')
const later = cardOf('hair', '2031-03-18T15:40:00.000Z', 'Boucle')

function server(marked: (typeof today)[]) {
  let kept = marked
  const asked: string[] = []
  fakeServer({
    me: () => client,
    favouriteIds: () => ({ ids: kept.map(({ _id }) => _id) }),
    favourites({ query }) {
      asked.push(`${query.get('page')} ${query.get('free') ?? 'any'}`)
      const items = query.get('free') === 'today' ? kept.filter((one) => one === today) : kept
      return { items, page: 1, pageSize: 50, total: items.length }
    },
    toggleFavourite({ params }) {
      kept = kept.filter(({ _id }) => _id !== params['id'])
      return { message: 'Removed from Favoris.', isFavourite: false }
    },
  })
  return asked
}
const names = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)

describe('Favoris', () => {
  it('[R-12] shows what was marked with its next times, and lets go what is tapped', async () => {
    server([today, later])
    renderPart(<FavouritesPage />, { at: '/wishlists' })
    expect(await screen.findByText('The 2 places you come back to.')).toBeTruthy()
    expect(names()).toEqual(['Nacre', 'Boucle'])
    const time = screen.getByRole('list', { name: 'Next times for Gel manicure at Boucle' }).querySelector('a')
    expect(time?.getAttribute('href')).toContain('/salon/boucle/book?service=')
    await userEvent.click(screen.getByRole('button', { name: 'Add Nacre to Favoris' }))
    await waitFor(() => expect(names()).toEqual(['Boucle']))
    expect(await screen.findByText('The place you come back to.')).toBeTruthy()
  })

  it('shows those that are free today alone, which the server finds among all of them', async () => {
    const asked = server([today, later])
    renderPart(<FavouritesPage />, { at: '/wishlists?show=today' })
    await waitFor(() => expect(names()).toEqual(['Nacre']))
    expect(asked).toEqual(['1 today'])
    expect(screen.getByText('The 2 places you come back to.')).toBeTruthy()
  })

  it('says that none is free today, and leads back to all of them', async () => {
    server([later])
    renderPart(<FavouritesPage />, { at: '/wishlists?show=today' })
    expect(await screen.findByText('None of them is free today.')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'No favourites yet' })).toBeNull()
    expect(screen.getByRole('link', { name: 'All' }).getAttribute('href')).toBe('/wishlists')
  })

  it('stays with those that are free today from page to page', async () => {
    fakeServer({
      me: () => client,
      favouriteIds: () => ({ ids: [later._id] }),
      favourites: ({ query }) => ({ items: query.get('page') === '1' ? [later] : [], page: 1, pageSize: 50, total: 1 }),
    })
    const { place } = renderPart(<FavouritesPage />, { at: '/wishlists?show=today&page=3' })
    await waitFor(() => expect(place()).toBe('/wishlists?show=today'))
  })

  it('leads on from a page that has none any more', async () => {
    fakeServer({
      me: () => client,
      favouriteIds: () => ({ ids: [later._id] }),
      favourites: ({ query }) => ({
        items: query.get('page') === '1' ? [later] : [],
        page: Number(query.get('page')),
        pageSize: 50,
        total: 1,
      }),
    })
    const { place } = renderPart(<FavouritesPage />, { at: '/wishlists?page=3' })
    await waitFor(() => expect(names()).toEqual(['Boucle']))
    expect(place()).toBe('/wishlists')
  })

  it('says what will be here when nothing is marked', async () => {
    server([])
    renderPart(<FavouritesPage />, { at: '/wishlists' })
    expect(await screen.findByRole('heading', { name: 'No favourites yet' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Find an institute' }).getAttribute('href')).toBe('/institutes')
  })
})
