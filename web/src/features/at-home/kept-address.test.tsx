// What is kept of an address in this window, as a page finds it that was loaded anew.
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'

const whole = { line: '8 rue des Acacias', postalCode: '69003', city: 'Lyon', lat: 45.76, lon: 4.85 }

beforeEach(() => {
  vi.resetModules()
  sessionStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function shown(kept: string | null): Promise<string | null> {
  if (kept !== null) sessionStorage.setItem('homeAddress', kept)
  const { homeText, useHomeAddress } = await import('./home-address.ts')
  function Kept() {
    const address = useHomeAddress()
    return <p data-testid="kept">{address === null ? 'none' : homeText(address)}</p>
  }
  renderPart(<Kept />)
  return (await screen.findByTestId('kept')).textContent
}

it('is read again after the way to an account and back', async () => {
  expect(await shown(JSON.stringify(whole))).toBe('8 rue des Acacias, 69003 Lyon')
})

it.each([
  ['nothing', null],
  ['what is no JSON', '{line'],
  ['what is nothing in JSON', 'null'],
  ['a text', '"8 rue des Acacias"'],
  ['one without its place', JSON.stringify({ ...whole, lat: undefined })],
  ['one whose place is a text', JSON.stringify({ ...whole, lon: '4.85' })],
  ['one of a release without postcodes', JSON.stringify({ ...whole, postalCode: undefined })],
])('is none where %s is kept', async (_what, kept) => {
  expect(await shown(kept)).toBe('none')
})

it('is known for as long as the page is open where nothing can be kept', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const { keepHomeAddress } = await import('./home-address.ts')
  keepHomeAddress(whole)
  expect(await shown(null)).toBe('8 rue des Acacias, 69003 Lyon')
})

it('is left to nobody by who signs out, and kept where only something else changes', async () => {
  const { forgetWindow, removeStored, storageKeys } = await import('#/platform/storage.ts')
  expect(await shown(JSON.stringify(whole))).toBe('8 rue des Acacias, 69003 Lyon')
  act(() => removeStored(storageKeys.token))
  expect(screen.getByTestId('kept').textContent).toBe('8 rue des Acacias, 69003 Lyon')
  act(() => {
    forgetWindow()
    removeStored(storageKeys.token)
  })
  expect(screen.getByTestId('kept').textContent).toBe('none')
})
