import type { OwnPackage } from '@soigne/contract/vouchers'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { OwnPackages } from './own-packages.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const five: OwnPackage = {
  _id: 'h1',
  name: 'Five cuts',
  sessions: 5,
  left: 3,
  validUntil: '2099-06-05',
  state: 'valid',
  services: [
    { _id: 's1', name: 'Cut' },
    { _id: 's2', name: 'Beard' },
  ],
  institute: { slug: 'atelier-nacre', name: 'Atelier Nacre' },
}
const open = (items: OwnPackage[], locale: 'en' | 'ar' = 'en') => {
  const seen = fakeServer({ ownPackages: () => ({ items }) })
  return { seen, ...renderPart(<OwnPackages />, { locale }) }
}

it('tells what is left of each package, of what, where and until when', async () => {
  open([five])
  expect(await screen.findByText('3 sessions left of 5')).toBeTruthy()
  expect(screen.getByText('Cut, Beard')).toBeTruthy()
  const link = screen.getByRole('link', { name: /^Atelier Nacre, until .*2099/ })
  expect(link.getAttribute('href')).toContain('atelier-nacre')
})

it('says it in Arabic, two in its own form', async () => {
  open([{ ...five, left: 2 }], 'ar')
  expect(await screen.findByText('بقيت جلستان من 5')).toBeTruthy()
})

it('is nothing where there are none', async () => {
  const { seen } = open([])
  await waitFor(() => expect(seen.some(({ name }) => name === 'ownPackages')).toBe(true))
  expect(screen.queryByRole('heading')).toBeNull()
})
