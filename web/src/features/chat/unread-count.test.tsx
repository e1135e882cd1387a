import { cleanup, screen, waitFor } from '@testing-library/react'
import type { SessionUser } from '@soigne/contract/session'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { client, owner, professional, unverified } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { UnreadCount } from './unread-count.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each<[string, SessionUser, string[]]>([
  ['a client theirs', client, ['client']],
  ['a professional those of their institute', owner, ['institute']],
  ['one without an institute nothing', professional, []],
  ['whoever has not confirmed their email nothing', unverified(client), []],
])('counts for %s', async (_, user, sides) => {
  const seen = fakeServer({
    me: () => user,
    chats: () => ({ items: [], page: 1, pageSize: 10, total: 0, unread: 3 }),
    notifications: () => ({ items: [], page: 1, pageSize: 50, total: 0, unread: 0 }),
  })
  renderPart(
    <>
      <UnreadCount user={user} />
      <p>Beside it</p>
    </>,
  )
  expect(await screen.findByText('Beside it')).toBeTruthy()
  if (sides.length > 0) expect(await screen.findByText('3 unread')).toBeTruthy()
  await waitFor(() => expect(seen.some(({ name }) => name === 'me')).toBe(true))
  expect(seen.filter(({ name }) => name === 'chats').map(({ query }) => query.get('side'))).toEqual(sides)
})
