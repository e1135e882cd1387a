import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner, professional } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import SalesPage from './sales-page.tsx'

const pages = { '/mysalon/invoices': <SalesPage /> }
const noChats = { chats: () => ({ items: [], page: 1, pageSize: 10, total: 0, unread: 0 }) }

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('says that nothing is paid here yet, and leads to the figures there are', async () => {
  fakeServer({ me: () => owner, ...noChats })
  renderSite('/mysalon/invoices', pages)
  expect(await screen.findByRole('heading', { level: 1, name: 'Sales' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'No sales yet.' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'See the figures' }).getAttribute('href')).toBe('/mysalon')
  expect(screen.queryByText(/€/)).toBeNull()
})

it('is the way into the setup for who has no institute yet', async () => {
  localStorage.setItem('skipRegistration', 'true')
  fakeServer({ me: () => professional })
  renderSite('/mysalon/invoices', pages)
  expect((await screen.findByRole('link', { name: 'Continue setup' })).getAttribute('href')).toBe('/institute-register')
  expect(screen.queryByRole('heading', { name: 'No sales yet.' })).toBeNull()
})
