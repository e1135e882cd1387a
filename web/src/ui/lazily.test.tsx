import { act, cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { lazily, unloadedStore } from './lazily.tsx'

const Hello = ({ name }: { name: string }) => <p>Hello {name}</p>

afterEach(cleanup)

describe('a part that loads when it is shown', () => {
  it('comes as any other', async () => {
    const Part = lazily(() => Promise.resolve(Hello))
    render(
      <Suspense fallback="one moment">
        <Part name="Inès" />
      </Suspense>,
    )
    expect(await screen.findByText('Hello Inès')).toBeTruthy()
  })

  it('leaves the page as it is without a connection, says so, and comes with the connection', async () => {
    let connected = false
    const Part = lazily(() => (connected ? Promise.resolve(Hello) : Promise.reject(new TypeError('Failed to fetch'))))
    render(
      <>
        <h1>Your visit</h1>
        <Suspense fallback="one moment">
          <Part name="Inès" />
        </Suspense>
      </>,
    )
    await vi.waitFor(() => expect(unloadedStore.get()).toBe(1), { timeout: 60_000 })
    expect(screen.getByRole('heading', { name: 'Your visit' })).toBeTruthy()
    expect(screen.queryByText('one moment')).toBeNull()
    connected = true
    await act(async () => {
      dispatchEvent(new Event('online'))
    })
    expect(await screen.findByText('Hello Inès')).toBeTruthy()
    expect(unloadedStore.get()).toBe(1)
  })
})
