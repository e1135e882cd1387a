/** buildApp(context): everything that is served, and the work beside it. The features that answer calls are listed in `served-calls.ts`, jobs in `jobs.ts`. */
import type { FastifyInstance } from 'fastify'
import { mountCrawlers } from '#/features/crawlers/routes.ts'
import { mountFiles } from '#/features/files/routes.ts'
import { mountSignIn } from '#/features/identities/routes.ts'
import { mountLocalProvider } from '#/features/local-provider/routes.ts'
import { mountMailbox } from '#/features/mails/mailbox-page.ts'
import { memberships } from '#/features/people/service.ts'
import { mountSandboxPages } from '#/features/sandbox-payments/routes.ts'
import { authenticator } from '#/features/session/service.ts'
import { budgetTable, costOf, inTurns, weightOfSearch } from '#/costs.ts'
import { grants } from '#/grants.ts'
import { nothingHere, openHttpServer } from '#/http-server.ts'
import { beginPeriodicJobs, jobsOf } from '#/jobs.ts'
import { authoriser } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Budgets, openBudgets } from '#/platform/budgets.ts'
import { mountCalls, type Served } from '#/platform/calls.ts'
import type { Jobs } from '#/platform/jobs.ts'
import { mountMetrics } from '#/platform/metrics.ts'
import { openapiDocument } from '#/platform/openapi.ts'
import { readinessOf } from '#/platform/readiness.ts'
import { mountTrialClock } from '#/platform/trial-clock-routes.ts'
import { servedCalls } from '#/served-calls.ts'

export interface BuiltApp {
  app: FastifyInstance
  /** Every call by name, to be called in the process by server-rendered pages. */
  served: Map<string, Served>
  jobs: Jobs
  budgets: Budgets
  /** From now on `/ready` says that nobody new should be sent here. */
  beginDraining(): void
}

const aboutApi = {
  title: 'Soigné',
  description: 'A booking marketplace for salons. Every call sends Accept-Language; secure calls carry a bearer token.',
}

function mountApi(app: FastifyInstance, context: AppContext, served: Served[], budgets: Budgets): void {
  const weightOf = ({ name }: Served) => (name === 'searchInstitutes' ? weightOfSearch : undefined)
  mountCalls(app, served, {
    authenticate: authenticator(context),
    authorise: authoriser(grants, memberships(context)),
    guard: (work) => context.database.guard(work),
    spending: { budgets, costOf, weightOf },
  })
}

function mountDocument(app: FastifyInstance, context: AppContext, served: Served[]): void {
  let document: ReturnType<typeof openapiDocument> | null = null
  app.get('/api/openapi.json', async () => (document ??= openapiDocument(served, context.publicUrl(), aboutApi)))
}

/** What whoever runs the process asks it. @returns what makes `/ready` say no */
function mountHealth(app: FastifyInstance, context: AppContext): () => void {
  app.get('/health', async () => ({ status: 'ok' }))
  let isDraining = false
  const canBook = readinessOf(context)
  app.get('/ready', async (_request, reply) => {
    if (isDraining) return reply.code(503).header('cache-control', 'no-store').send({ status: 'draining' })
    await context.database.guard(canBook)
    return reply.send({ status: 'ready' })
  })
  return () => void (isDraining = true)
}

/** What stands in for the houses of others. */
function mountTrial(app: FastifyInstance, context: AppContext): void {
  mountMailbox(app, context)
  mountSandboxPages(app, context)
  if (context.settings.provider === null) mountLocalProvider(app, context)
  mountTrialClock(app, context, () => beginPeriodicJobs(context.database.db))
}

export async function buildApp(context: AppContext): Promise<BuiltApp> {
  const { settings } = context
  const budgets = openBudgets(budgetTable, settings.limits.budgets)
  const app = await openHttpServer(context, budgets)
  const served = inTurns(servedCalls(context), context)
  mountSignIn(app, context)
  mountApi(app, context, served, budgets)
  mountFiles(app, context)
  mountCrawlers(app, context)
  mountMetrics(app, context)
  mountDocument(app, context, served)
  const beginDraining = mountHealth(app, context)
  if (settings.mode === 'trial') mountTrial(app, context)
  // Pages take every other address: unknown calls must not become pages.
  app.all('/api', nothingHere)
  app.all('/api/*', nothingHere)
  return { app, served: new Map(served.map((one) => [one.name, one])), budgets, jobs: jobsOf(context), beginDraining }
}
