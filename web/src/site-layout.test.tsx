import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forget, keep, listKept } from '#/features/day-sheet/kept-json.ts'
import { ownerOf } from '#/features/day-sheet/sheet.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'

const key = `${ownerOf(owner)}/w1`
const kept = () => listKept('desk-1', `${ownerOf(owner)}/`)

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(async () => {
  cleanup()
  act(dismissAllToasts)
  localStorage.clear()
  await forget('desk-1', key)
  vi.unstubAllGlobals()
})

async function pressLogout(): Promise<ReturnType<typeof fakeServer>> {
  const seen = fakeServer({ me: () => owner, logout: () => ({ message: 'Bye.' }) })
  renderSite('/terms', { '/terms': <h1>Terms</h1> })
  await userEvent.click(await screen.findByRole('button', { name: /^Account of/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  return seen
}
const isOut = () => waitFor(() => expect(localStorage.getItem('AuthToken')).toBeNull())

it('signing out on a page of the site asks about what waits at the desk, and keeps it for who stays', async () => {
  const change = {
    kind: 'attendance',
    id: 'w1',
    owner: ownerOf(owner),
    madeAt: '2031-03-18T09:00:00.000Z',
    visitId: 'v1',
    attendance: 'arrived',
    was: 'expected',
  }
  await keep('desk-1', key, { ...change, key: 'k', keyedAt: change.madeAt, isTried: false, refusal: null })
  const seen = await pressLogout()
  expect(await screen.findByRole('alertdialog')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^cancle$/i }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect([localStorage.getItem('AuthToken'), (await kept()).length]).toEqual(['t', 1])

  await userEvent.click(await screen.findByRole('button', { name: /^Account of/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  await userEvent.click(await screen.findByRole('button', { name: /^confirm$/i }))
  await isOut()
  expect([await kept(), seen.filter(({ name }) => name === 'logout').length]).toEqual([[], 1])
})

it('signs out at once where nothing waits', async () => {
  const seen = await pressLogout()
  await isOut()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(seen.filter(({ name }) => name === 'logout')).toHaveLength(1)
})
