import { onlineManager } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { nacreCard } from '#/testing/cards.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { useUser } from '#/platform/session.tsx'
import { Heart } from './heart.tsx'
import { PendingFavourite } from './pending-favourite.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  onlineManager.setOnline(true)
  dismissAllToasts()
  vi.unstubAllGlobals()
})

const { _id } = nacreCard
const heart = () => screen.getByRole('button', { name: 'Add Atelier Nacre to Favoris' })
const isMarked = () => heart().getAttribute('aria-pressed') === 'true'

/** A server that remembers, and the hearts it was asked to change. */
function server(marked: string[], toggle?: () => ReturnType<typeof refused>, isAway: () => boolean = () => false) {
  const kept = new Set(marked)
  return fakeServer({
    me: () => client,
    favouriteIds: () => (isAway() ? refused(503, { code: 'unavailable', message: 'Briefly away.' }) : { ids: [...kept] }),
    toggleFavourite({ params, query }) {
      if (toggle) return toggle()
      const isFavourite = query.get('favourite') === 'true'
      if (isFavourite) kept.add(params['id'] ?? '')
      else kept.delete(params['id'] ?? '')
      return { message: isFavourite ? 'Added to Favoris.' : 'Removed from Favoris.', isFavourite }
    },
  })
}

describe('a heart', () => {
  it('[E-28] is marked after it is known what somebody marked, and is let go by a tap', async () => {
    localStorage.setItem('AuthToken', 't')
    const seen = server([_id])
    renderPart(<Heart institute={nacreCard} />)
    expect(isMarked()).toBe(false)
    await waitFor(() => expect(isMarked()).toBe(true))
    await userEvent.click(heart())
    expect(isMarked()).toBe(false)
    expect(await screen.findByText('Removed from Favoris.')).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'toggleFavourite').map(({ query }) => query.get('favourite'))).toEqual(['false'])
  })

  it('is the same button before and after it is known who looks, so that no tap and no focus is lost', async () => {
    localStorage.setItem('AuthToken', 't')
    const seen = server([_id])
    renderPart(<Heart institute={nacreCard} />)
    const before = heart()
    before.focus()
    await waitFor(() => expect(isMarked()).toBe(true))
    expect(heart()).toBe(before)
    expect(document.activeElement).toBe(before)
    expect(seen.some(({ name }) => name === 'toggleFavourite')).toBe(false)
  })

  it('goes back when the server refuses, and says why', async () => {
    localStorage.setItem('AuthToken', 't')
    server([], () => refused(404, { code: 'not_found', message: 'This is not here any more.' }))
    renderPart(<Heart institute={nacreCard} />)
    await userEvent.click(heart())
    expect(await screen.findByText('This is not here any more.')).toBeTruthy()
    expect(isMarked()).toBe(false)
  })

  it('asks once more where it is not known what is marked, and says so where that fails too', async () => {
    localStorage.setItem('AuthToken', 't')
    let isAway = true
    const seen = server([], undefined, () => isAway)
    const asked = () => seen.filter(({ name }) => name === 'favouriteIds').length
    renderPart(<Heart institute={nacreCard} />)
    await waitFor(() => expect(asked()).toBe(1))
    await userEvent.click(heart())
    expect(await screen.findByText('Briefly away.')).toBeTruthy()
    expect([asked(), isMarked()]).toEqual([2, false])
    isAway = false
    await userEvent.click(heart())
    expect(await screen.findByText('Added to Favoris.')).toBeTruthy()
    expect(isMarked()).toBe(true)
    expect(seen.filter(({ name }) => name === 'toggleFavourite')).toHaveLength(1)
  })

  it('without a line says so at once', async () => {
    localStorage.setItem('AuthToken', 't')
    onlineManager.setOnline(false)
    const seen = fakeServer({
      me: () => client,
      favouriteIds: () => {
        throw new TypeError('Failed to fetch')
      },
    })
    renderPart(<Heart institute={nacreCard} />)
    await waitFor(() => expect(seen.some(({ name }) => name === 'favouriteIds')).toBe(true))
    await userEvent.click(heart())
    expect(await screen.findByText('Failed to fetch')).toBeTruthy()
  })

  it('of a guest asks the server for nothing, and leads to sign-in with the way back', async () => {
    const seen = server([])
    const { place } = renderPart(<Heart institute={nacreCard} />, { at: '/institutes?what=nails' })
    await userEvent.click(heart())
    await waitFor(() => expect(place()).toBe(`/login?${new URLSearchParams({ from: `/institutes?what=nails#favourite=${_id}` })}`))
    expect(seen).toEqual([])
  })

  it('[P-02] is set once the guest who tapped it has come back signed in, and the address is clean again', async () => {
    localStorage.setItem('AuthToken', 't')
    const seen = server([])
    function Page() {
      const user = useUser()
      return (
        <>
          <Heart institute={nacreCard} />
          {user && <PendingFavourite user={user} />}
        </>
      )
    }
    const { router } = renderPart(<Page />, { at: `/institutes?what=nails#favourite=${_id}` })
    await waitFor(() => expect(isMarked()).toBe(true))
    expect(router.state.location).toMatchObject({ pathname: '/institutes', search: '?what=nails', hash: '' })
    expect(seen.filter(({ name }) => name === 'toggleFavourite')).toHaveLength(1)
  })
})
