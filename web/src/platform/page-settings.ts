// The settings the root loader sends along with every page.
import { useRouteLoaderData } from 'react-router'
import type { PageServer } from './server-context.ts'
import type { ClockRules } from './time.ts'

export type PageSettings = Pick<PageServer, 'locale' | 'publicUrl' | 'map' | 'signIn' | 'development'> & { zones: ClockRules }

const without: PageSettings = {
  locale: 'en',
  publicUrl: '',
  map: { styleUrl: null, googleKey: null },
  signIn: null,
  development: false,
  zones: '',
}

/** Also answers on the error page of a root that could not load. */
export function usePageSettings(): PageSettings {
  return useRouteLoaderData<PageSettings>('root') ?? without
}
