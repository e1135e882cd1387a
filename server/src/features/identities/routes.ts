/** The way to the provider: a plain address, so that it is followed without scripts, and a cookie no script can read. */
import { sessionCalls } from '@soigne/contract/session'
import { role } from '@soigne/contract/wire'
import { sitePath } from '@soigne/contract/site-routes'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#/platform/app-context.ts'
import { beginAtProvider, cookieName } from './service.ts'

const cookiePath = '/api/v1'
/** A booking with all its services and people; still a cookie that browsers keep. */
const longestFrom = 1500

/** A path of this site, so that nobody is led to another. */
const pathOf = (from: unknown): string | null =>
  typeof from === 'string' && from.length <= longestFrom && /^\/(?![/\\])[\x20-\x7e]*$/.test(from) && !from.includes('\\') ? from : null

export function mountSignIn(app: FastifyInstance, context: AppContext): void {
  const secure = context.publicUrl().startsWith('https:') ? '; Secure' : ''
  const cookie = (value: string, seconds: number): string =>
    `${cookieName}=${value}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  app.get<{ Querystring: Record<string, unknown> }>(
    `${sessionCalls.signInAtProvider.path}/start`,
    { config: { cost: 'signing' } },
    async ({ query, host, url }, reply) => {
      // A trial is opened under several names; the way back leads to one, where the cookie has to be.
      if (context.settings.mode === 'trial' && query['moved'] === undefined && host !== new URL(context.publicUrl()).host)
        return reply.redirect(`${context.publicUrl()}${url}&moved=1`, 303)
      const asked = role.safeParse(query['role'])
      const from = pathOf(query['from'])
      reply.header('cache-control', 'no-store')
      try {
        const begun = await beginAtProvider(context, { role: asked.data ?? 'isClient', from, forCalendar: query['for'] === 'calendar' })
        return reply.header('set-cookie', cookie(begun.cookie, begun.seconds)).redirect(begun.address, 303)
      } catch {
        // A person follows this, not a program: they come back to a page that says so.
        return reply.redirect(`${sitePath('login')}?${new URLSearchParams({ error: 'unavailable', ...(from !== null && { from }) })}`, 303)
      }
    },
  )
  // What is kept is good for one return.
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.config.call === 'signInAtProvider' || request.routeOptions.config.call === 'connectCalendar')
      reply.header('set-cookie', cookie('', 0))
  })
}
