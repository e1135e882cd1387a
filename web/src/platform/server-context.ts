// What the server gives to the pages it renders: calls as a guest, and the few settings a page shows.
import type { Calls } from '@soigne/contract/calls'
import type { Answer, Input } from '@soigne/contract/define'
import type { Locale } from '@soigne/contract/wire'
import { createContext } from 'react-router'
import type { ClockRules } from './time.ts'

export interface PageServer {
  /** Answers as the call would over HTTP to a guest, in the page's language; throws an ApiError. */
  call<K extends keyof Calls>(name: K, input: Input<Calls[K]>): Promise<Answer<Calls[K]>>
  locale: Locale
  /** Origin of the site without a slash at the end. */
  publicUrl: string
  map: { styleUrl: string | null; googleKey: string | null }
  /** What the provider of identities is called; null where there is none. */
  signIn: string | null
  development: boolean
  /** The time of the server, milliseconds since the Unix epoch. */
  now: number
  /** The clock rules of the zones in use, as the server has them. */
  zones(): Promise<ClockRules>
}

export const serverContext = createContext<PageServer>()
