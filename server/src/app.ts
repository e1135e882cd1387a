/** buildApp(context): the explicit list of features, and the HTTP server around them. */
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { appointmentJobs } from '#/features/appointments/jobs.ts'
import { appointmentCallsServed } from '#/features/appointments/routes.ts'
import { groupSessionCallsServed } from '#/features/group-sessions/routes.ts'
import { bookingFills, bookingJobs } from '#/features/booking/jobs.ts'
import { availabilityCallsServed } from '#/features/availability/routes.ts'
import { businessCheckCallsServed } from '#/features/business-check/routes.ts'
import { busyCalendarJobs } from '#/features/busy-calendars/jobs.ts'
import { busyCalendarCallsServed } from '#/features/busy-calendars/routes.ts'
import { calendarJobs } from '#/features/calendars/jobs.ts'
import { calendarCallsServed } from '#/features/calendars/routes.ts'
import { checkoutJobs } from '#/features/checkout/jobs.ts'
import { reconciliationJobs } from '#/features/reconciliation/jobs.ts'
import { feeCallsServed } from '#/features/checkout/fee-routes.ts'
import { paymentCallsServed } from '#/features/checkout/routes.ts'
import { openingPages } from '#/features/checkout/service.ts'
import { chatJobs } from '#/features/chat/jobs.ts'
import { chatCallsServed } from '#/features/chat/routes.ts'
import { mountCrawlers } from '#/features/crawlers/routes.ts'
import { customerFills } from '#/features/customers/jobs.ts'
import { customerCallsServed } from '#/features/customers/routes.ts'
import { figuresOfMonth } from '#/features/dashboard/service.ts'
import { dashboardCallsServed } from '#/features/dashboard/routes.ts'
import { gapCallsServed } from '#/features/gaps/routes.ts'
import { leaveFills, leaveJobs } from '#/features/diary-entries/jobs.ts'
import { diaryCallsServed } from '#/features/diary/routes.ts'
import { exportCallsServed } from '#/features/exports/routes.ts'
import { fileFills, fileJobs } from '#/features/files/jobs.ts'
import { favouriteCallsServed } from '#/features/favourites/routes.ts'
import { mountFiles } from '#/features/files/routes.ts'
import { instituteSettingsCallsServed } from '#/features/institute-settings/routes.ts'
import { paymentAccountCallsServed } from '#/features/payment-accounts/routes.ts'
import { instituteCallsServed } from '#/features/institutes/routes.ts'
import { mountSignIn } from '#/features/identities/routes.ts'
import { leaveRequestCallsServed } from '#/features/leave-requests/routes.ts'
import { mountLocalProvider } from '#/features/local-provider/routes.ts'
import { mountMailbox } from '#/features/mails/mailbox-page.ts'
import { mailJobs } from '#/features/mails/service.ts'
import { notificationFills, notificationJobs } from '#/features/notifications/jobs.ts'
import { monthlyTotalJobs } from '#/features/monthly-totals/jobs.ts'
import { notificationCallsServed } from '#/features/notifications/routes.ts'
import { homeJobs } from '#/features/at-home/jobs.ts'
import { peopleJobs } from '#/features/people/jobs.ts'
import { memberCallsServed } from '#/features/people/routes.ts'
import { memberships } from '#/features/people/service.ts'
import { passwordJobs } from '#/features/password/jobs.ts'
import { passkeyCallsServed } from '#/features/passkeys/routes.ts'
import { passwordCallsServed } from '#/features/password/routes.ts'
import { placeFills } from '#/features/places/jobs.ts'
import { placeCallsServed } from '#/features/places/routes.ts'
import { rearrangingJobs } from '#/features/rearranging/jobs.ts'
import { rearrangingCallsServed } from '#/features/rearranging/routes.ts'
import { reviewFills, reviewJobs } from '#/features/reviews/jobs.ts'
import { reviewCallsServed } from '#/features/reviews/routes.ts'
import { saleCallsServed } from '#/features/sales/routes.ts'
import { salesOfMonth } from '#/features/sales/service.ts'
import { sandboxJobs } from '#/features/sandbox-payments/jobs.ts'
import { mountSandboxPages } from '#/features/sandbox-payments/routes.ts'
import { tillCallsServed } from '#/features/till/routes.ts'
import { voucherJobs } from '#/features/vouchers/jobs.ts'
import { giftCardCallsServed, packageCallsServed } from '#/features/vouchers/routes.ts'
import { securityJobs, watchSecurity } from '#/features/security/service.ts'
import { sessionJobs } from '#/features/session/jobs.ts'
import { serviceJobs } from '#/features/services/jobs.ts'
import { serviceCallsServed } from '#/features/services/routes.ts'
import { paymentAccountJobs } from '#/features/payment-accounts/jobs.ts'
import { payoutJobs } from '#/features/payouts/jobs.ts'
import { payoutCallsServed } from '#/features/payouts/routes.ts'
import { removedServiceCallsServed } from '#/features/removed-services/routes.ts'
import { homeAddressCallsServed } from '#/features/home-addresses/routes.ts'
import { seriesCallsServed } from '#/features/series/routes.ts'
import { sessionCallsServed } from '#/features/session/routes.ts'
import { authenticator } from '#/features/session/service.ts'
import { settingsCallsServed } from '#/features/settings/routes.ts'
import { setupCallsServed } from '#/features/setup/routes.ts'
import { suggestionCallsServed } from '#/features/suggestions/routes.ts'
import { summaryFills, summaryJobs } from '#/features/summary/jobs.ts'
import { searchLog, timeSearchJobs, watchSearches } from '#/features/time-searches/service.ts'
import { teamJobs } from '#/features/team/jobs.ts'
import { resourceCallsServed, teamCallsServed } from '#/features/team/routes.ts'
import { verificationCallsServed } from '#/features/verification/routes.ts'
import { waitingJobs } from '#/features/waiting/jobs.ts'
import { waitingCallsServed } from '#/features/waiting/routes.ts'
import { whatIfCallsServed } from '#/features/what-if/routes.ts'
import { visitFills } from '#/features/visits/jobs.ts'
import { budgetTable, costOf, inTurns, weightOfSearch } from '#/costs.ts'
import { grants } from '#/grants.ts'
import { bareHeaders, secureHeaders } from '#/headers.ts'
import { authoriser } from '#/platform/access.ts'
import { admit, slowRefusals } from '#/platform/admission.ts'
import { type Budgets, openBudgets } from '#/platform/budgets.ts'
import { type Db, forWork, onlyReading } from '#/platform/database.ts'
import { limitBodies, lookAtConnectionsMs, requestTimeoutMs } from '#/platform/body-deadline.ts'
import { mountCalls, type Served, serveWalled } from '#/platform/calls.ts'
import { finishBrokenOff, type WorkBeyond } from '#/platform/claimed-keys.ts'
import { brokenRequestHandler, failureHandler } from '#/platform/failures.ts'
import { readForwarded } from '#/platform/forwarded.ts'
import { type Fill, runFills } from '#/platform/fills.ts'
import { addJob, type Jobs } from '#/platform/jobs.ts'
import { isForSockets } from '#/platform/live.ts'
import { mountMetrics } from '#/platform/metrics.ts'
import { openapiDocument } from '#/platform/openapi.ts'
import { afterCommit, reactionJobs } from '#/platform/reactions.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { forgetOldReadiness, readinessOf } from '#/platform/readiness.ts'
import { refuse } from '#/platform/refuse.ts'
import { mountTrialClock } from '#/platform/trial-clock-routes.ts'
import { fieldText, refusalText } from '#/texts/refusal-texts.ts'

/** How long requests under way may take once the server closes; longer than an answer takes. */
const halfOpenMs = 5000

export interface BuiltApp {
  app: FastifyInstance
  /** Every call by name, to be called in the process by server-rendered pages. */
  served: Map<string, Served>
  jobs: Jobs
  budgets: Budgets
  /** From now on `/ready` says that nobody new should be sent here. */
  beginDraining(): void
}

/** What gives new columns their values after an upgrade; one that is done everywhere may go with the next release. */
export const fills: readonly Fill[] = [
  ...visitFills,
  ...bookingFills,
  ...fileFills,
  ...leaveFills,
  ...placeFills,
  ...summaryFills,
  ...notificationFills,
  ...reviewFills,
  ...customerFills,
]

const periodicJobs = [
  'tell_of_changes',
  'tidy_bookings',
  'tidy_sessions',
  'tidy_security',
  'tidy_time_searches',
  'tidy_links',
  'tidy_invitations',
  'tidy_home_addresses',
  'tidy_events',
  'tidy_files',
  'tidy_mails',
  'tidy_readiness',
  'tidy_notifications',
  'send_reminders',
  'ask_for_reviews',
  'write_of_unread',
  'offer_waiting',
  'reckon_leave',
  'end_members',
  'catch_up',
  'rank_services',
  'apply_prices',
  'end_vouchers',
  'read_busy_calendars',
  'settle_checkouts',
  'send_refunds',
  'charge_fees',
  'reconcile_payments',
  'read_payouts',
  'read_payment_accounts',
  'fill_columns',
  'finish_keys',
  'keep_sandbox',
]
/** All of them every minute. */
export const crontab = periodicJobs.map((name) => `* * * * * ${name}`).join('\n')
/** Begins them now: at a start, and when the clock of a trial was moved. */
export async function beginPeriodicJobs(db: Db): Promise<void> {
  for (const name of periodicJobs) await addJob(db, name, {}, { key: name })
}

/** What is done beyond the database under a key, so that a job can finish what was broken off. */
const worksBeyond = (context: AppContext): readonly WorkBeyond<never, unknown, unknown>[] => [openingPages(context)]

/** The calls of each feature. */
const features: readonly ((context: AppContext) => Served[])[] = [
  sessionCallsServed,
  verificationCallsServed,
  businessCheckCallsServed,
  passwordCallsServed,
  passkeyCallsServed,
  placeCallsServed,
  suggestionCallsServed,
  instituteCallsServed,
  (context) => availabilityCallsServed(onlyReading(context), searchLog(context)),
  appointmentCallsServed,
  paymentCallsServed,
  feeCallsServed,
  diaryCallsServed,
  groupSessionCallsServed,
  memberCallsServed,
  notificationCallsServed,
  favouriteCallsServed,
  reviewCallsServed,
  settingsCallsServed,
  calendarCallsServed,
  chatCallsServed,
  waitingCallsServed,
  removedServiceCallsServed,
  homeAddressCallsServed,
  payoutCallsServed,
  seriesCallsServed,
  teamCallsServed,
  busyCalendarCallsServed,
  leaveRequestCallsServed,
  resourceCallsServed,
  customerCallsServed,
  serviceCallsServed,
  setupCallsServed,
  rearrangingCallsServed,
  dashboardCallsServed,
  gapCallsServed,
  saleCallsServed,
  tillCallsServed,
  giftCardCallsServed,
  packageCallsServed,
  exportCallsServed,
  instituteSettingsCallsServed,
  whatIfCallsServed,
  paymentAccountCallsServed,
]
/** All calls of all features. */
const servedCalls = (context: AppContext): Served[] => features.flatMap((served) => serveWalled(context, served))

const aboutApi = {
  title: 'Soigné',
  description: 'A booking marketplace for salons. Every call sends Accept-Language; secure calls carry a bearer token.',
}

export async function buildApp(context: AppContext): Promise<BuiltApp> {
  const { settings, log, database } = context
  const wording = { refusal: refusalText, field: fieldText }
  const fail = failureHandler(wording)
  const app = Fastify({
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
  // Node refuses an expectation it does not know without a word; it may as well be overlooked.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
  limitBodies(app)
  const budgets = openBudgets(budgetTable, settings.limits.budgets)
  readForwarded(app)
  admit(app, budgets)
  if (settings.limits.budgets !== Number.POSITIVE_INFINITY) slowRefusals(app)
  app.setErrorHandler(fail)
  app.decorateRequest('userId', null)
  watchSecurity(app, context)
  watchSearches(app, context)
  // A connection whose answer was under way when the closing began would stay open, and keep the process, for as long as the client likes.
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    // Whoever does not send the rest of a request would keep it for a minute.
    setTimeout(() => app.server.closeAllConnections(), halfOpenMs).unref()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
  const nothingHere = async (): Promise<never> => {
    throw refuse('not_found')
  }
  app.setNotFoundHandler(nothingHere)
  await secureHeaders(app, context)
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
  const served = inTurns(servedCalls(context), context)
  const weightOf = ({ name }: Served) => (name === 'searchInstitutes' ? weightOfSearch : undefined)
  mountSignIn(app, context)
  mountCalls(app, served, {
    authenticate: authenticator(context),
    authorise: authoriser(grants, memberships(context)),
    guard: (work) => database.guard(work),
    spending: { budgets, costOf, weightOf },
  })
  mountFiles(app, context)
  mountCrawlers(app, context)
  mountMetrics(app, context)
  let document: ReturnType<typeof openapiDocument> | null = null
  app.get('/api/openapi.json', async () => (document ??= openapiDocument(served, context.publicUrl(), aboutApi)))
  app.get('/health', async () => ({ status: 'ok' }))
  let isDraining = false
  const canBook = readinessOf(context)
  app.get('/ready', async (_request, reply) => {
    if (isDraining) return reply.code(503).header('cache-control', 'no-store').send({ status: 'draining' })
    await database.guard(canBook)
    return reply.send({ status: 'ready' })
  })
  if (settings.mode === 'trial') {
    mountMailbox(app, context)
    mountSandboxPages(app, context)
    if (settings.provider === null) mountLocalProvider(app, context)
    mountTrialClock(app, context, () => beginPeriodicJobs(database.db))
  }
  const work = forWork(context)
  // Pages take every other address: unknown calls must not become pages.
  app.all('/api', nothingHere)
  app.all('/api/*', nothingHere)
  return {
    app,
    served: new Map(served.map((one) => [one.name, one])),
    budgets,
    jobs: {
      ...mailJobs(work),
      ...appointmentJobs(work),
      ...bookingJobs(work),
      ...checkoutJobs(work),
      ...reconciliationJobs(work),
      ...payoutJobs(work),
      ...paymentAccountJobs(work),
      ...sessionJobs(work),
      ...securityJobs(work),
      ...timeSearchJobs(work),
      ...passwordJobs(work),
      ...peopleJobs(work),
      ...homeJobs(work),
      ...teamJobs(work),
      ...reactionJobs(work, afterCommit(context.reactions)),
      ...summaryJobs(work),
      ...fileJobs(work),
      ...leaveJobs(work),
      ...notificationJobs(work),
      ...reviewJobs(work),
      ...chatJobs(work),
      ...calendarJobs(work),
      ...waitingJobs(work),
      ...rearrangingJobs(work),
      ...serviceJobs(work),
      ...monthlyTotalJobs(work, [figuresOfMonth, salesOfMonth]),
      ...voucherJobs(work),
      ...busyCalendarJobs(work),
      ...sandboxJobs(work),
      fill_columns: () => runFills(work.database.db, fills),
      tidy_readiness: async () => void (await forgetOldReadiness(work.database.db)),
      finish_keys: async () => void (await finishBrokenOff(work.database.db, worksBeyond(work), log)),
    },
    beginDraining: () => void (isDraining = true),
  }
}
