import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeRequest, fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { reviewOf } from '#/testing/reviews.ts'
import { visitAt } from '#/testing/visits.ts'
import { OwnReview } from './own-review.tsx'

const visit = visitAt('2031-03-09T15:00:00.000Z', { attendance: 'done' })
const open = { review: null, isHidden: false, mayReview: true, reason: null, until: '2031-06-07T16:00:00.000Z', author: 'Camille R.' }

beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: File) => `blob:${file.name}`, revokeObjectURL: () => {} }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const choose = async (question: string, grade: RegExp): Promise<void> =>
  userEvent.click(within(screen.getByRole('radiogroup', { name: question })).getByRole('radio', { name: grade }))
const chooseAll = async (): Promise<void> => {
  await choose('Welcoming', /^5 of 5/)
  await choose('Hygiene', /^5 of 5/)
  await choose('Atmosphere', /^4 of 5, Lovely/)
  await choose('Service quality', /^4 of 5/)
}
const form = async (writeReview: (request: FakeRequest) => ReturnType<typeof refused> | ReturnType<typeof reviewOf>) => {
  const seen = fakeServer({ ownReview: () => open, writeReview })
  renderPart(<OwnReview appointment={visit} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Write a review' }))
  await screen.findByRole('radiogroup', { name: 'Welcoming' })
  return seen
}
const sentBy = (seen: readonly { name: string; body: unknown }[]): FormData => {
  const sent = seen.find(({ name }) => name === 'writeReview')
  if (!(sent?.body instanceof FormData)) throw new Error('no review was sent')
  return sent.body
}
const publish = () => userEvent.click(screen.getByRole('button', { name: 'Publish' }))

describe('a visit of which it is not known whether it can be reviewed', () => {
  it('says so, and asks once more', async () => {
    let isAway = true
    fakeServer({ ownReview: () => (isAway ? refused(503, { code: 'unavailable', message: 'Away.' }) : open) })
    renderPart(<OwnReview appointment={visit} />)
    const again = await screen.findByRole('button', { name: 'Try again' })
    isAway = false
    await userEvent.click(again)
    expect(await screen.findByRole('button', { name: 'Write a review' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

describe('a visit that can be reviewed', () => {
  it('[P-04] takes four grades and words, and then shows what was written', async () => {
    const seen = await form(() => reviewOf())
    expect(screen.getByText(/until Saturday 7 June/)).toBeTruthy()
    await chooseAll()
    await userEvent.type(screen.getByRole('textbox', { name: 'In your words' }), 'Three weeks later, not a chip.')
    await publish()
    const card = await screen.findByRole('article', { name: 'Camille R.' })
    expect(card.textContent).toContain('Three weeks later, not a chip.')
    expect(seen.find(({ name }) => name === 'writeReview')?.body).toEqual({
      welcoming: 5,
      hygiene: 5,
      atmosphere: 4,
      serviceQuality: 4,
      text: 'Three weeks later, not a chip.',
    })
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
  })

  it('is not sent while a grade is missing: it is named and takes the focus', async () => {
    const seen = await form(() => reviewOf())
    await choose('Welcoming', /^5 of 5/)
    await choose('Atmosphere', /^3 of 5/)
    expect(screen.getByText('Still missing: Hygiene and Service quality.')).toBeTruthy()
    await publish()
    expect(screen.getAllByText('Choose a grade.')).toHaveLength(2)
    expect(within(screen.getByRole('radiogroup', { name: 'Hygiene' })).getAllByRole('radio')[0]).toBe(document.activeElement)
    expect(seen.map(({ name }) => name)).not.toContain('writeReview')
  })

  it('is chosen by the keyboard alone', async () => {
    await form(() => reviewOf())
    const [first] = within(screen.getByRole('radiogroup', { name: 'Welcoming' })).getAllByRole<HTMLInputElement>('radio')
    first?.focus()
    await userEvent.keyboard(' ')
    expect(first?.checked).toBe(true)
    expect(screen.getByText('Poor')).toBeTruthy()
  })

  it('loses nothing when the server refuses, and names the picture it could not open', async () => {
    const seen = await form(() =>
      refused(415, {
        code: 'wrong_type',
        message: 'This type of file isn’t accepted.',
        details: { fields: { 'pictures.1': 'We can’t open this.' } },
      }),
    )
    await chooseAll()
    await userEvent.type(screen.getByRole('textbox', { name: 'In your words' }), 'Mine.')
    const files = ['a.jpg', 'b.jpg'].map((name) => new File(['x'], name, { type: 'image/jpeg' }))
    await userEvent.upload(screen.getByLabelText(/^Add pictures/), files)
    await publish()
    expect((await screen.findByRole('alert')).textContent).toContain('This type of file isn’t accepted.')
    const pictures = within(screen.getByRole('list', { name: 'Your pictures' })).getAllByRole('listitem')
    expect(pictures.map(({ textContent }) => textContent)).toEqual(['', 'We can’t open this.'])
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'In your words' }).value).toBe('Mine.')
    expect(sentBy(seen).getAll('pictures')).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Remove picture 2' }))
    expect(screen.queryByText('We can’t open this.')).toBeNull()
    expect(screen.getAllByRole('img', { name: /^Picture/ })).toHaveLength(1)
  })

  it('takes four pictures that are pictures, and says why not others', async () => {
    await form(() => reviewOf())
    const input = screen.getByLabelText<HTMLInputElement>(/^Add pictures/)
    const large = new File([new Uint8Array(10_000_001)], 'large.jpg', { type: 'image/jpeg' })
    await userEvent.upload(input, large)
    expect(screen.getByText('“large.jpg” is too large: 10 MB at most.')).toBeTruthy()
    await userEvent.upload(
      input,
      ['1', '2', '3', '4', '5'].map((name) => new File(['x'], `${name}.png`, { type: 'image/png' })),
    )
    expect(screen.getByText('4 pictures at most.')).toBeTruthy()
    expect(screen.getAllByRole('img', { name: /^Picture/ })).toHaveLength(4)
  })

  it('that was sent before is found when the answer was lost', async () => {
    let isWritten = false
    fakeServer({
      ownReview: () => (isWritten ? { ...open, review: reviewOf(), mayReview: false } : open),
      writeReview: () => {
        isWritten = true
        return refused(409, { code: 'already_reviewed', message: 'You’ve already reviewed this visit.' })
      },
    })
    renderPart(<OwnReview appointment={visit} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Write a review' }))
    await screen.findByRole('radiogroup', { name: 'Welcoming' })
    await chooseAll()
    await publish()
    expect(await screen.findByRole('article', { name: 'Camille R.' })).toBeTruthy()
  })
})

describe('a visit that cannot be reviewed', () => {
  it('says until when it could, or nothing at all', async () => {
    fakeServer({ ownReview: () => ({ ...open, mayReview: false, reason: 'too_late' }) })
    renderPart(<OwnReview appointment={visit} />)
    expect(await screen.findByText(/^Reviews could be written until/)).toBeTruthy()
    cleanup()
    const seen = fakeServer({ ownReview: () => ({ ...open, mayReview: false, reason: 'not_yet' }) })
    const { container } = renderPart(<OwnReview appointment={visit} />)
    await waitFor(() => expect(seen).toHaveLength(1))
    expect(container.querySelector('section[aria-labelledby="own-review"]')).toBeNull()
  })

  it('says that an operator took its review off the page', async () => {
    fakeServer({ ownReview: () => ({ ...open, review: reviewOf(), mayReview: false, isHidden: true }) })
    renderPart(<OwnReview appointment={visit} />)
    expect(await screen.findByText(/was taken off the page/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'See it on the page' })).toBeNull()
  })
})
