// Renders a part of a page as the site does: in a router, with words of a language, questions to the server, messages and dialogs.
import type { Locale } from '@soigne/contract/wire'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { Overlays } from '#/overlays.tsx'
import { makeQueryClient } from '#/platform/query-client.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import { SessionProvider } from '#/platform/session.tsx'
import { PlaceOnScreen, ReportPlace } from './place-on-screen.tsx'

function Root({ shown }: { shown: PlaceOnScreen }) {
  return (
    <SessionProvider>
      <ReportPlace onPlace={shown.tell} />
      <Outlet />
      <Overlays />
    </SessionProvider>
  )
}

/** The part stays on screen wherever its links lead; `place` says where that is. */
export function renderPart(part: ReactNode, { at = '/here', locale = 'en' }: { at?: string; locale?: Locale } = {}) {
  const settings = { locale, publicUrl: '', map: { styleUrl: null, googleKey: null }, signIn: 'Google', development: false, zones: '' }
  const shown = new PlaceOnScreen()
  const router = createMemoryRouter(
    [
      {
        id: 'root',
        path: '/',
        loader: () => settings,
        shouldRevalidate: () => false,
        element: <Root shown={shown} />,
        children: [{ path: '*', element: part }],
      },
    ],
    { initialEntries: [at], hydrationData: { loaderData: { root: settings } } },
  )
  const queries = makeQueryClient()
  const { container, unmount } = render(
    <I18nextProvider i18n={serverTranslator(locale)}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nextProvider>,
  )
  return { container, unmount, router, queries, place: shown.path }
}

/** Where a link leads, as its parts. */
export function queryOf(link: HTMLElement): Record<string, string> {
  return Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://soigne.test').searchParams)
}
