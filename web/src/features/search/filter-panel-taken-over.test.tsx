/** The panel of filters as it came with the document, whose place the dialog takes. */
import { act, cleanup, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { hydrateRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { FilterPanel } from './filter-panel.tsx'

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})

const context = { filters: {}, now: Date.parse('2026-11-19T10:00:00Z'), zone: 'Europe/Paris', currency: 'EUR' }
const atHome = (): HTMLInputElement => screen.getByRole('switch', { name: /^At your home/ })

/** Chooses while the page around the panel is still on its way to being taken over. */
function Hand({ choose }: { choose: () => void }) {
  choose()
  return null
}

it('what is chosen while the page is taken over is chosen in the dialog', async () => {
  const page = (choose: () => void) => {
    const element = (
      <>
        <FilterPanel {...context} />
        <Hand choose={choose} />
      </>
    )
    const router = createMemoryRouter([{ path: '/institutes', element }], { initialEntries: ['/institutes?filters=open'] })
    return (
      <I18nextProvider i18n={serverTranslator('en')}>
        <RouterProvider router={router} />
      </I18nextProvider>
    )
  }
  const place = document.body.appendChild(document.createElement('div'))
  place.innerHTML = renderToString(page(() => {}))
  expect(atHome().checked).toBe(false)
  await act(
    async () =>
      void hydrateRoot(
        place,
        page(() => {
          if (document.querySelector('dialog') === null) atHome().checked = true
        }),
      ),
  )
  expect(document.querySelector('dialog')).not.toBeNull()
  expect(atHome().checked).toBe(true)
})
