import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { createBrowserRouter, Outlet, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { contentId } from '#/content-id.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import { NavigationHint } from './navigation-hint.tsx'

const shown = () => document.getElementById(contentId)

function Frame() {
  return (
    <>
      <NavigationHint />
      <button type="button">Bell</button>
      <main id={contentId} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  history.replaceState(null, '', '/')
})

async function open() {
  const router = createBrowserRouter([
    {
      element: <Frame />,
      children: ['/', '/list'].map((path) => ({ path, element: <p>{path}</p> })),
    },
  ])
  render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <RouterProvider router={router} />
    </I18nextProvider>,
  )
  const press = () => {
    const bell = screen.getByRole('button', { name: 'Bell' })
    fireEvent.pointerDown(bell)
    bell.focus()
  }
  press()
  return { go: () => act(async () => router.navigate('/list')), press }
}

it('focus goes to a page that has come', async () => {
  const { go } = await open()
  await go()
  act(() => void vi.advanceTimersByTime(60))
  expect(screen.getByText('/list').parentElement).toBe(shown())
  expect(document.activeElement).toBe(shown())
})

it('who presses something else meanwhile keeps the focus', async () => {
  const { go, press } = await open()
  await go()
  press()
  act(() => void vi.advanceTimersByTime(60))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Bell' }))
})
