// Public holidays within days that are closed together: one of them is opened, the others stay closed.
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { Closures } from './closures.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

it('opens that day alone, and the whole of a closure by its row', async () => {
  const together = {
    _id: 'c-1',
    fromDay: '2030-12-24',
    toDay: '2031-01-03',
    part: null,
    reason: 'Winter break',
    visits: 0,
    isBookable: true,
  }
  const christmas = { day: '2030-12-25', name: 'Christmas', closureId: 'c-1', isOpenDay: true }
  const seen = fakeServer({
    me: () => owner,
    closures: () => ({ items: [together], holidays: { country: 'FR', countryName: 'France', region: null, items: [christmas] } }),
    reopen: () => ({ message: 'Open again.' }),
  })
  renderPart(<Closures timeZone="Europe/Paris" />)
  const asked = () => seen.flatMap(({ name, query }) => (name === 'reopen' ? [query.get('day')] : []))
  await userEvent.click(await screen.findByRole('switch', { name: 'Closed on Christmas' }))
  await waitFor(() => expect(asked()).toEqual(['2030-12-25']))
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Closed on Christmas' }).disabled).toBe(false))
  await userEvent.click(screen.getByRole('button', { name: 'Open again: Winter break' }))
  await waitFor(() => expect(asked()).toEqual(['2030-12-25', null]))
})
