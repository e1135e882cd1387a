import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useLoaderData } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FreshPage } from './fresh-page.tsx'
import { makeQueryClient } from './query-client.ts'

let free = '9:00'
let isServerThere = true
let isHidden = false

function Page() {
  const { data } = useQuery({ queryKey: ['availability', 'x'], queryFn: async () => free, initialData: free })
  const { data: other } = useQuery({ queryKey: ['session'], queryFn: async () => free, initialData: free })
  return <p>{`list ${useLoaderData<string>()}, panel ${data}, other ${other}`}</p>
}

async function open() {
  const router = createMemoryRouter([
    {
      path: '/',
      loader: () => {
        if (!isServerThere) throw new Error('no way to the server')
        return free
      },
      hydrateFallbackElement: <p />,
      errorElement: <p>broken</p>,
      element: (
        <>
          <Page />
          <FreshPage queries={['availability']} />
        </>
      ),
    },
  ])
  const queries = makeQueryClient()
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await after(0)
}

/** The page after some seconds. */
async function after(seconds: number): Promise<string> {
  await act(async () => vi.advanceTimersByTimeAsync(seconds * 1000))
  return screen.getByText(/list|broken/).textContent ?? ''
}

async function showOrHide(hidden: boolean): Promise<void> {
  isHidden = hidden
  await act(async () => document.dispatchEvent(new Event('visibilitychange')))
}

beforeEach(() => {
  free = '9:00'
  isServerThere = true
  isHidden = false
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden)
  vi.stubGlobal('fetch', async () => {
    if (!isServerThere) throw new TypeError('no way to the server')
    return new Response('{}')
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('a page that stays open', () => {
  it('is asked for again some seconds after it came, since it may have come old', async () => {
    await open()
    free = '10:00'
    expect(await after(4)).toBe('list 9:00, panel 9:00, other 9:00')
    expect(await after(2)).toBe('list 10:00, panel 10:00, other 9:00')
  })

  it('is asked for again and again while somebody looks at it', async () => {
    await open()
    await after(10)
    for (const time of ['11:00', '12:00']) {
      free = time
      expect(await after(31)).toContain(`list ${time}, panel ${time}`)
    }
  })

  it('rests while nobody looks, and is asked for at once when they come back', async () => {
    await open()
    await showOrHide(true)
    free = '10:00'
    expect(await after(120)).toContain('list 9:00, panel 9:00')
    await showOrHide(false)
    expect(await after(0)).toContain('list 10:00, panel 10:00')
  })

  it('is asked for when it is taken out of the browser’s drawer', async () => {
    await open()
    free = '10:00'
    await act(async () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })))
    expect(await after(0)).toContain('list 10:00, panel 10:00')
  })

  it('stays as it is while the server cannot be reached, and catches up after', async () => {
    await open()
    isServerThere = false
    free = '10:00'
    expect(await after(40)).toContain('list 9:00, panel 9:00')
    isServerThere = true
    expect(await after(30)).toContain('list 10:00, panel 10:00')
  })
})
