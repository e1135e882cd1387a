/** The HTTP server below the calls: what it takes of a request, in which order, and how it ends. */
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { watchSecurity } from '#/features/security/service.ts'
import { watchSearches } from '#/features/time-searches/service.ts'
import { bareHeaders, secureHeaders } from '#/headers.ts'
import { admit, slowRefusals } from '#/platform/admission.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { limitBodies, lookAtConnectionsMs, requestTimeoutMs } from '#/platform/body-deadline.ts'
import type { Budgets } from '#/platform/budgets.ts'
import { brokenRequestHandler, failureHandler } from '#/platform/failures.ts'
import { readForwarded } from '#/platform/forwarded.ts'
import { isForSockets } from '#/platform/live.ts'
import { refuse } from '#/platform/refuse.ts'
import { fieldText, refusalText } from '#/texts/refusal-texts.ts'

/** How long requests under way may take once the server closes; longer than an answer takes. */
const halfOpenMs = 5000

const wording = { refusal: refusalText, field: fieldText }
const fail = failureHandler(wording)

/** Answers whatever is not there. */
export const nothingHere = async (): Promise<never> => {
  throw refuse('not_found')
}

const bareServer = ({ settings, log }: AppContext): FastifyInstance =>
  Fastify({
    frameworkErrors: (error, request, reply) => void fail(error, request, reply.headers(bareHeaders)),
    clientErrorHandler: brokenRequestHandler(wording),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy === false ? false : settings.trustProxy,
    bodyLimit: 200_000,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 30_000,
    http: {
      connectionsCheckingInterval: lookAtConnectionsMs,
      // Only sockets become another protocol. Whoever asks for one elsewhere is answered as if they had not; otherwise they were hung up on without a word.
      shouldUpgradeCallback: ({ url }) => isForSockets(url),
    },
    routerOptions: { maxParamLength: 300 },
    genReqId: () => crypto.randomUUID(),
  })

/** A connection whose answer was under way when the closing began would stay open, and keep the process, for as long as the client likes. */
function endConnections(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    // Whoever does not send the rest of a request would keep it for a minute.
    setTimeout(() => app.server.closeAllConnections(), halfOpenMs).unref()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}

/** Which bodies are read, and as what. */
async function readBodies(app: FastifyInstance): Promise<void> {
  // Its limits come from each call.
  await app.register(multipart)
  // Calls without payload accept an empty body whatever its content type says.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      const value = JSON.parse(String(body)) as unknown
      if (/"(?:__proto__|constructor)"\s*:/.test(String(body))) throw refuse('bad_input')
      done(null, value)
    } catch {
      done(refuse('bad_input'), undefined)
    }
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    body === '' ? done(null, undefined) : done(refuse('wrong_type'), undefined),
  )
}

/** The server with nothing to serve yet. What comes first here looks first at a request. */
export async function openHttpServer(context: AppContext, budgets: Budgets): Promise<FastifyInstance> {
  const app = bareServer(context)
  // Node refuses an expectation it does not know without a word; it may as well be overlooked.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
  limitBodies(app)
  readForwarded(app)
  admit(app, budgets)
  if (context.settings.limits.budgets !== Number.POSITIVE_INFINITY) slowRefusals(app)
  app.setErrorHandler(fail)
  app.decorateRequest('userId', null)
  watchSecurity(app, context)
  watchSearches(app, context)
  endConnections(app)
  app.setNotFoundHandler(nothingHere)
  await secureHeaders(app, context)
  await readBodies(app)
  return app
}
