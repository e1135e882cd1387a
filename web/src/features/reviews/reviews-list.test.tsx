import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { storageKeys } from '#/platform/storage.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { mayDo } from '#/testing/sales.ts'
import { reviewOf, reviewPageOf } from '#/testing/reviews.ts'
import { ReviewsList } from './reviews-list.tsx'

const many = Array.from({ length: 12 }, (_, index) => reviewOf({ _id: `r${index}`, author: `Person ${index}.`, text: `Words ${index}` }))
const first = { ...reviewPageOf(many.slice(0, 4), { rating: { average: 4.5, count: 12 } }), total: 12 }

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const authors = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))

describe('the reviews of an institute', () => {
  it('[P-04] are the first few, and how many have how many stars, without asking for more', () => {
    const seen = fakeServer({})
    renderPart(<ReviewsList institute={nacre} page={first} />)
    expect(authors()).toEqual(['Person 0.', 'Person 1.', 'Person 2.', 'Person 3.'])
    expect(within(screen.getByRole('list', { name: 'Reviews by stars' })).getAllByRole('button')).toHaveLength(5)
    expect(screen.getByRole('link', { name: 'How reviews work' }).getAttribute('href')).toBe('/reviews-policy')
    expect(screen.getAllByText('Gel manicure with Inès', { exact: false })).toHaveLength(4)
    expect(seen).toEqual([])
  })

  it('are all there when asked for, ten and then the rest', async () => {
    const seen = fakeServer({
      instituteReviews: ({ query }) =>
        query.get('page') === '2' ? reviewPageOf(many.slice(10), { page: 2, total: 12 }) : reviewPageOf(many.slice(0, 10), { total: 12 }),
    })
    renderPart(<ReviewsList institute={nacre} page={first} />)
    await userEvent.click(screen.getByRole('button', { name: 'Read all 12 reviews' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(authors()).toHaveLength(12))
    expect(screen.getByText('12 of 12 shown')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(seen.map(({ query }) => query.get('page'))).toEqual(['1', '2'])
  })

  it('that do not come when more are asked for are said to be missing, and asked for once more', async () => {
    let isAway = true
    fakeServer({
      instituteReviews({ query }) {
        if (query.get('page') === '1') return reviewPageOf(many.slice(0, 10), { total: 12 })
        return isAway ? refused(503, { code: 'unavailable', message: 'Away.' }) : reviewPageOf(many.slice(10), { page: 2, total: 12 })
      },
    })
    renderPart(<ReviewsList institute={nacre} page={first} />)
    await userEvent.click(screen.getByRole('button', { name: 'Read all 12 reviews' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('The reviews didn’t load.')).toBeTruthy()
    expect(authors()).toHaveLength(10)
    isAway = false
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(authors()).toHaveLength(12))
    expect(screen.queryByText('The reviews didn’t load.')).toBeNull()
  })

  it('are those with so many stars, in another order, or in one language', async () => {
    const seen = fakeServer({ instituteReviews: () => reviewPageOf([], { total: 0 }) })
    const languages = [
      { language: 'en', count: 9 },
      { language: 'fr', count: 3 },
    ] as const
    renderPart(<ReviewsList institute={nacre} page={{ ...first, languages: [...languages] }} />)
    await userEvent.click(screen.getByRole('button', { name: '5 stars 4' }))
    expect(await screen.findByText('No review fits these filters.')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'Lowest first' }))
    await userEvent.click(screen.getByRole('radio', { name: 'In French' }))
    await waitFor(() => expect(seen).toHaveLength(3))
    expect(Object.fromEntries(seen.at(-1)?.query ?? [])).toEqual({ page: '1', pageSize: '10', sort: 'lowest', stars: '5', language: 'fr' })
  })

  it('that do not come say so and can be asked for again', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    renderPart(<ReviewsList institute={nacre} page={first} />)
    await userEvent.click(screen.getByRole('button', { name: 'Read all 12 reviews' }))
    expect(await screen.findByText('The reviews didn’t load.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('[P-12] keep the language and the direction of whoever wrote', () => {
    fakeServer({})
    renderPart(<ReviewsList institute={nacre} page={reviewPageOf([reviewOf({ language: 'ar', text: 'مكان هادئ' })])} />)
    const words = screen.getByText('مكان هادئ')
    expect([words.getAttribute('lang'), words.getAttribute('dir')]).toEqual(['ar', 'auto'])
  })
})

const deskOf = { ...owner, institute: { _id: nacre._id, slug: nacre.slug, name: nacre.name } }

describe('what can be done about a review', () => {
  it('a guest is led to signing in and back', () => {
    fakeServer({})
    renderPart(<ReviewsList institute={nacre} page={reviewPageOf([reviewOf()])} />, { at: '/salon/atelier-nacre' })
    const link = screen.getByRole('link', { name: 'Report' })
    expect(link.getAttribute('href')).toBe('/login?from=%2Fsalon%2Fatelier-nacre%23reviews')
  })

  it('its institute answers it and says why it should not stand', async () => {
    localStorage.setItem(storageKeys.token, 'token')
    const reply = { text: 'Thank you, Camille.', createdAt: '2031-03-11T09:00:00.000Z' }
    const seen = fakeServer({
      me: () => deskOf,
      ownPermissions: () => mayDo('reviews.answer'),
      replyToReview: () => reviewOf({ reply }),
      contestReview: () => ({ message: 'Thank you. We’ll look at this review.' }),
    })
    renderPart(<ReviewsList institute={nacre} page={reviewPageOf([reviewOf()])} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Reply' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Publish reply' }))
    expect(screen.getByText('Write your reply first.')).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox', { name: 'Your reply' }), ' Thank you, Camille. ')
    await userEvent.click(screen.getByRole('button', { name: 'Publish reply' }))
    expect(await screen.findByText('Thank you, Camille.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'replyToReview')?.body).toEqual({ text: 'Thank you, Camille.' })
    await userEvent.click(screen.getByRole('button', { name: 'Contest' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Send' }))
    expect(screen.getByText('Tell us what is wrong.')).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox', { name: 'What should we know?' }), 'Nobody of this name came.')
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(seen.find(({ name }) => name === 'contestReview')?.body).toEqual({ reason: 'not_a_visit', note: 'Nobody of this name came.' })
  })

  it('is offered to nobody of the institute who may not', async () => {
    localStorage.setItem(storageKeys.token, 'token')
    const seen = fakeServer({ me: () => deskOf, ownPermissions: () => mayDo('diary.read') })
    renderPart(<ReviewsList institute={nacre} page={reviewPageOf([reviewOf()])} />)
    await waitFor(() => expect(seen.some(({ name }) => name === 'ownPermissions')).toBe(true))
    expect(screen.queryByRole('button', { name: /Reply|Contest|Report/ })).toBeNull()
  })
})
