import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { SearchBar } from './search-bar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('shows suggestions to a hand that had typed all of it before the scripts came', async () => {
  fakeServer({ suggestions: () => ({ items: [{ kind: 'service', name: 'Nail art' }] }), places: () => ({ items: [] }) })
  renderPart(<SearchBar filters={{}} now={Date.UTC(2026, 10, 23, 9)} zone="Europe/Paris" />)
  const plain = screen.getByLabelText('What')
  fireEvent.change(plain, { target: { value: 'nail' } })
  plain.focus()
  expect(await screen.findByRole('option', { name: /Nail art/ })).toBeTruthy()
})
