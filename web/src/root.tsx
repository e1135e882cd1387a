// The document around every page, and what all pages share.
import { QueryClientProvider } from '@tanstack/react-query'
import { siteDocuments } from '@soigne/contract/site-documents'
import type { SiteRouteName } from '@soigne/contract/site-routes'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Links, Meta, Outlet, ScrollRestoration, useMatches, type LoaderFunctionArgs } from 'react-router'
import '#/theme/base.css'
import './root.css'
import { contentId } from '#/content-id.ts'
import { useSiteRoute } from '#/guards.ts'
import { carriedCataloguesJson, catalogueElementId, type RouteHandle } from '#/platform/catalogues.ts'
import { formattedElementId, formattedPlace } from '#/platform/formatted.ts'
import { FreshPage } from '#/platform/fresh-page.tsx'
import { directionOf } from '#/platform/locale.ts'
import { type PageSettings, usePageSettings } from '#/platform/page-settings.ts'
import { earlyHandsScript, repeatEarlyHands } from '#/platform/early-hands.ts'
import { PageScripts } from '#/platform/patient-scripts.tsx'
import { makeQueryClient } from '#/platform/query-client.ts'
import { serverContext } from '#/platform/server-context.ts'
import { sessionMarkScript } from '#/platform/session-mark.ts'
import { SessionProvider } from '#/platform/session.tsx'
import { trustZones } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { arabicFontUrls, latinFontUrls } from '#/theme/fonts.ts'
import { lazily } from '#/ui/lazily.tsx'

const Overlays = lazily(async () => (await import('./overlays.tsx')).Overlays)

export async function loader({ context }: LoaderFunctionArgs): Promise<PageSettings> {
  const server = context.get(serverContext)
  const { locale, publicUrl, map, signIn, development } = server
  return { locale, publicUrl, map, signIn, development, zones: await server.zones() }
}

/** Settings do not change while a page is open. */
export function shouldRevalidate() {
  return false
}

function isRouteHandle(handle: unknown): handle is RouteHandle {
  return typeof handle === 'object' && handle !== null && 'namespaces' in handle
}

/** The words of this document's routes, for the browser to start with; data, never run. */
function CarriedCatalogues() {
  const { i18n } = useTranslation()
  const namespaces = useMatches().flatMap(({ handle }) => (isRouteHandle(handle) ? handle.namespaces : []))
  const [json] = useState(() => carriedCataloguesJson(i18n, ['site', ...namespaces]))
  return <script type="application/json" id={catalogueElementId} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />
}

/** The dates and prices of this document, put in once all of them are written. */
function CarriedFormatted() {
  return (
    <script type="application/json" id={formattedElementId} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: formattedPlace }} />
  )
}

/** Pages that are read before they are used; those made of forms get their scripts at once. */
function areScriptsPatient(route: SiteRouteName | null): boolean {
  return import.meta.env.SSR && import.meta.env.PROD && route !== null && siteDocuments[route].scripts === 'after-paint'
}

export function Layout({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const patient = areScriptsPatient(useSiteRoute())
  const direction = directionOf(i18n.language)
  // On a slow line each face takes as much of it as the sheet that the first word waits for: a third one cost Arabic half a second.
  const fonts = direction === 'rtl' ? arabicFontUrls : latinFontUrls
  return (
    <html lang={i18n.language} dir={direction} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#faf7f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#181216" media="(prefers-color-scheme: dark)" />
        <script dangerouslySetInnerHTML={{ __html: sessionMarkScript }} />
        <script dangerouslySetInnerHTML={{ __html: earlyHandsScript }} />
        {fonts.map((url) => (
          <link key={url} rel="preload" href={url} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        {/* Parts of a header that comes in pieces would move aside for those after them. */}
        <link rel="expect" href={`#${contentId}`} blocking="render" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/app-180.png" />
        <link rel="manifest" href={`/app.${i18n.language}.webmanifest`} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <CarriedCatalogues />
        <CarriedFormatted />
        <ScrollRestoration />
        <PageScripts patient={patient} />
      </body>
    </html>
  )
}

export default function App() {
  trustZones(usePageSettings().zones)
  const [queries] = useState(makeQueryClient)
  useEffect(() => void repeatEarlyHands(), [])
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <Outlet />
        <FreshPage queries={queryKeys.availability.all} />
        <Suspense>
          <Overlays />
        </Suspense>
      </SessionProvider>
    </QueryClientProvider>
  )
}
