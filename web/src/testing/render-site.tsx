// Renders the site around a page as the browser does: routes, guards, session, words and overlays.
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { siteRoutes } from '@soigne/contract/site-routes'
import DashboardLayout from '#/dashboard-layout.tsx'
import SiteLayout from '#/site-layout.tsx'
import { Overlays } from '#/overlays.tsx'
import { makeQueryClient } from '#/platform/query-client.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import { SessionProvider } from '#/platform/session.tsx'
import { PlaceOnScreen, ReportPlace } from './place-on-screen.tsx'
import { sitePages } from './site-pages.ts'

function Root({ shown }: { shown: PlaceOnScreen }) {
  return (
    <SessionProvider>
      <ReportPlace onPlace={shown.tell} />
      <Outlet />
      <Overlays />
    </SessionProvider>
  )
}

/** Pages by path of the table; every other one shows itself as a heading. */
export function renderSite(address: string, pages: Readonly<Record<`/${string}`, ReactNode>> = {}) {
  const other = <h1>The page asked for</h1>
  const ownPaths = (Object.keys(pages) as `/${string}`[]).filter((path) => !sitePages.some((page) => page.path === path))
  const underLayout = [
    ...sitePages.map((page) => ({ ...page, element: pages[page.path] ?? other })),
    ...ownPaths.map((path) => ({ path, element: pages[path] })),
    { path: '*', element: other },
  ]
  const isOfDashboard = ({ path }: { path: string }) => path.startsWith(siteRoutes.mySalon.path)
  const layouts = [
    { element: <SiteLayout />, children: underLayout.filter((one) => !isOfDashboard(one)) },
    { element: <DashboardLayout />, children: underLayout.filter(isOfDashboard) },
  ]
  const shown = new PlaceOnScreen()
  const routes = [{ path: '/', element: <Root shown={shown} />, children: layouts }]
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const queries = makeQueryClient()
  render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nextProvider>,
  )
  return { router, queries, place: shown.address }
}
