// Fees that are not settled, above the sales.
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { euros } from '#/testing/sales.ts'
import { OpenFees } from './open-fees.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const fee = (id: string, state: 'due' | 'unpaid', client: string) => ({
  _id: id,
  visitId: `v-${id}`,
  client,
  kind: 'no_show' as const,
  amount: euros(21),
  held: euros(0),
  card: null,
  state,
  dueAt: '2026-11-25T09:16:00.000Z',
  startsAt: '2026-11-24T09:00:00.000Z',
})

describe('open fees', () => {
  it('say when each is charged, or that it could not be, and lead to the sale', async () => {
    fakeServer({ me: () => owner, openFees: () => ({ items: [fee('1', 'due', 'Paul Roux'), fee('2', 'unpaid', '')] }) })
    renderPart(<OpenFees zone="Europe/Paris" />)
    const link = await screen.findByRole('link', { name: /Paul Roux, Did not come/ })
    expect(link.getAttribute('href')).toMatch(/v-1$/)
    expect(link.textContent).toMatch(/unless it is waived before.*€21\.00$/)
    expect(screen.getByText('Unpaid: the card was declined')).toBeTruthy()
  })

  it.each([
    ['there are none', () => ({ items: [] })],
    ['they are not for who asks', () => refused(403, { code: 'forbidden', message: 'Not for you.' })],
  ])('are nothing where %s', async (_why, openFees) => {
    const seen = fakeServer({ me: () => owner, openFees })
    renderPart(<OpenFees zone="Europe/Paris" />)
    await waitFor(() => expect(seen.some(({ name }) => name === 'openFees')).toBe(true))
    expect(screen.queryByText('Open fees')).toBeNull()
  })
})
