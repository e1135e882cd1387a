/** The headers of every answer. */
import helmet from '@fastify/helmet'
import { sessionCalls } from '@soigne/contract/session'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#/platform/app-context.ts'

/** What pages of ours may use, and those they would show may not. Passkeys are asked for by our own pages alone. */
const permissions =
  'camera=(), microphone=(), payment=(self), geolocation=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)'
/** Headers of answers to addresses so broken that no hook runs. */
export const bareHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
}

/** Headers of every other answer. */
export async function secureHeaders(app: FastifyInstance, context: AppContext): Promise<void> {
  await app.register(helmet, {
    // Pages set their own policy; everything else may load nothing.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] },
    },
    strictTransportSecurity: context.publicUrl().startsWith('https:') ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (request, reply) => {
    reply.header('permissions-policy', permissions)
    // What was read while somebody was signed in is not for whoever uses the browser next.
    if (request.routeOptions.url === sessionCalls.logout.path && reply.statusCode === 200) reply.header('clear-site-data', '"cache"')
  })
}
