import { RouterContextProvider, type LoaderFunctionArgs } from 'react-router'
import { expect, it } from 'vitest'
import { serverContext, type PageServer } from '#/platform/server-context.ts'
import { nacre } from '#/testing/institutes.ts'
import * as booking from './booking/booking-page.tsx'
import * as home from './home/home-page.tsx'
import * as institute from './institute/institute-page.tsx'
import * as institutes from './institutes/institutes-page.tsx'

const moved = Date.parse('2031-05-01T21:00:00Z')
const answers: Record<string, unknown> = { home: { freeToday: [], freeNext: [] }, institute: nacre }

it.each([
  ['home', home],
  ['the list', institutes],
  ['a salon', institute],
  ['the booking', booking],
] as const)('%s counts its days by the clock of the server', async (_, page) => {
  const context = new RouterContextProvider()
  context.set(serverContext, { now: moved, locale: 'en', call: async (name: string) => answers[name] ?? {} } as unknown as PageServer)
  const asked = { request: new Request('http://soigne.test/'), params: { slug: nacre.slug }, context }
  const load: (args: LoaderFunctionArgs) => Promise<unknown> = page.loader
  expect(await load(asked as unknown as LoaderFunctionArgs)).toMatchObject({ now: moved })
})
