// The language of everything below it, and the place its popovers are drawn in.
import type { Locale } from '@soigne/contract/wire'
import { useRef, type ReactNode } from 'react'
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider'
import { I18nProvider } from 'react-aria-components'

/** The tags of the pages: 24 hours in English, digits of the Maghreb and months of our calendar in Arabic. */
const tags: Readonly<Record<Locale, string>> = { en: 'en-GB', fr: 'fr', ar: 'ar-u-ca-gregory-nu-latn' }

export type KitProviderProps = { locale: Locale; children: ReactNode }

/** Around the app of the dashboard, or of settings. */
export function KitProvider({ locale, children }: KitProviderProps) {
  return <I18nProvider locale={tags[locale]}>{children}</I18nProvider>
}

/** Directly inside a modal dialog: what lies outside a native one is inert, popovers too. */
export function KitInDialog({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  return (
    <PortalProvider getContainer={() => place.current}>
      {children}
      <div ref={place} />
    </PortalProvider>
  )
}
