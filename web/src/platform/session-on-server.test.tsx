// @vitest-environment node
// What the session leaves behind on the server once a page is made.
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeQueryClient } from './query-client.ts'
import { SessionProvider, useSession } from './session.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function Kind() {
  return <p>{useSession().kind}</p>
}

it('is unread there, and no timer keeps the page', () => {
  const html = renderToString(
    <QueryClientProvider client={makeQueryClient()}>
      <SessionProvider>
        <Kind />
      </SessionProvider>
    </QueryClientProvider>,
  )
  expect(html).toBe('<p>unread</p>')
  expect(vi.getTimerCount()).toBe(0)
})
