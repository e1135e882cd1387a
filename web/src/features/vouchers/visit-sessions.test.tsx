import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { VisitSessions } from './visit-sessions.tsx'

afterEach(cleanup)

it.each([
  ['used', 'Paid with a session of Five cuts'],
  ['back', 'The session is back on Five cuts'],
  ['gone', 'The session of Five cuts is gone'],
] as const)('tells of a session that is %s', async (state, words) => {
  renderPart(<VisitSessions sessions={[{ name: 'Five cuts', count: 1, state }]} />)
  expect(await screen.findByText(words)).toBeTruthy()
})

it('tells in Arabic of two, and nothing where there are none', async () => {
  renderPart(<VisitSessions sessions={[{ name: 'Five cuts', count: 2, state: 'back' }]} />, { locale: 'ar' })
  expect(await screen.findByText(/^عادت إلى الباقة .?Five cuts.?: جلستان$/)).toBeTruthy()
  cleanup()
  renderPart(<VisitSessions sessions={undefined} />)
  expect(screen.queryByRole('list')).toBeNull()
})
