/** Stripe behind the port: hosted pages of Checkout on the account of the institute, which is who sells: docs/decisions/094. */
import type Stripe from 'stripe'
import { minuteMs } from '@soigne/contract/time'
import type { ChargeOrder, ChargeState, PageOrder, PaymentProvider, RefundAnswer, RefundOrder } from '#/platform/payment-provider.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { accountsOf, isDisconnected } from './accounts.ts'
import { canTake, toStripe } from './amounts.ts'
import { chargeOf, intent, markOf, payment, refund, refundStateOf, refusalOf, session, stateOf } from './objects.ts'
import { movesOf } from './moves.ts'
import { movesOfPayout, payoutsOf, waitingOf } from './payouts.ts'
import { readerOf } from './words.ts'

/** Stripe lets a page live for at least half an hour, so it ends so long after it is asked to; it is to be closed before. Of `until` alone: the same key has to say the same. */
const lifeMs = 31 * minuteMs
/** Patience for each try of a question, and how often one is tried again. */
const patience = { timeout: 10_000, maxNetworkRetries: 2 }

type Site = Pick<AppContext, 'settings' | 'trialClock'>
type StripeSettings = NonNullable<Site['settings']['stripe']>

const onAccount = (accountId: string | null): { stripeAccount?: string } => (accountId === null ? {} : { stripeAccount: accountId })

/** What the site keeps of a payment: a part where it is on an institute's account, rounded down. */
const feeOf = (amount: number, accountId: string | null, { feeBasisPoints }: StripeSettings): number =>
  accountId === null ? 0 : Math.floor((amount * feeBasisPoints) / 10_000)

function connect(Sdk: typeof Stripe, { secretKey, apiBase }: StripeSettings, limits: typeof patience): Stripe {
  const at = apiBase === null ? null : new URL(apiBase)
  return new Sdk(secretKey, {
    ...limits,
    telemetry: false,
    ...(at && {
      protocol: at.protocol === 'http:' ? 'http' : 'https',
      host: at.hostname,
      port: at.port === '' ? (at.protocol === 'http:' ? 80 : 443) : at.port,
    }),
  })
}

function sessionOf(order: PageOrder, mark: string, aheadMs: number, stripe: StripeSettings): Stripe.Checkout.SessionCreateParams {
  const common = {
    allowed_payment_method_types: [order.method],
    client_reference_id: order.checkoutId,
    metadata: { mark },
    // Stripe speaks no Arabic; the browser's language comes nearest.
    locale: order.locale === 'ar' ? ('auto' as const) : order.locale,
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
    expires_at: Math.floor((order.until - aheadMs + lifeMs) / 1000),
    ...(order.email !== null && { customer_email: order.email }),
    // A card is kept for somebody.
    ...(order.keepsCard && { customer_creation: 'always' as const }),
  }
  if (order.amount === 0) return { ...common, mode: 'setup', currency: order.currency.toLowerCase() }
  const amount = toStripe(order.amount, order.currency)
  const fee = feeOf(amount, order.accountId, stripe)
  const name = order.description.slice(0, 250)
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: order.currency.toLowerCase(), unit_amount: amount, product_data: { name } } }],
    ...common,
    // What is asked is taken, in the currency of the institute's prices.
    adaptive_pricing: { enabled: false },
    payment_intent_data: {
      // The payment says whose it is by itself, when all of an account are listed.
      metadata: { page: order.checkoutId, mark },
      ...(fee > 0 && { application_fee_amount: fee }),
      ...(order.keepsCard && { setup_future_usage: 'off_session' }),
    },
  }
}

/** A card is kept for a customer; both stand in its name. */
function partsOf(token: string): { customer: string; payment_method: string } {
  const [customer = '', method = ''] = token.split('/')
  return { customer, payment_method: method }
}

/** While its owner is away: a bank that wants them says so at once. */
async function charge(
  Sdk: typeof Stripe,
  stripe: Stripe,
  { checkoutId, accountId, token, amount, currency, description }: ChargeOrder,
  { key, mark, of }: { key: string; mark: string; of: StripeSettings },
): Promise<ChargeState> {
  // It would be asked for again and again, and is refused before anything is taken.
  if (!canTake(amount, currency)) return { state: 'failed' }
  const taken = toStripe(amount, currency)
  const fee = feeOf(taken, accountId, of)
  const asked = {
    ...partsOf(token),
    amount: taken,
    currency: currency.toLowerCase(),
    ...(fee > 0 && { application_fee_amount: fee }),
    confirm: true,
    off_session: true,
    description: description.slice(0, 250),
    metadata: { charge: checkoutId, mark },
  }
  try {
    return chargeOf(intent.parse(await stripe.paymentIntents.create(asked, { idempotencyKey: key, ...onAccount(accountId) })))
  } catch (error) {
    if (error instanceof Sdk.errors.StripeCardError) return { state: error.code === 'authentication_required' ? 'asks' : 'failed' }
    // The card is there no more: it would say so every time.
    if (error instanceof Sdk.errors.StripeInvalidRequestError) return { state: 'failed' }
    throw error
  }
}

async function detach(Sdk: typeof Stripe, stripe: Stripe, token: string, accountId: string | null): Promise<void> {
  try {
    await stripe.paymentMethods.detach(partsOf(token).payment_method, {}, onAccount(accountId))
  } catch (error) {
    // Gone before.
    if (!(error instanceof Sdk.errors.StripeInvalidRequestError)) throw error
  }
}

async function makeRefund(
  stripe: Stripe,
  { refundId, accountId, reference, amount, currency }: RefundOrder,
  { key, mark }: { key: string; mark: string },
): Promise<RefundAnswer> {
  const paid = payment.parse(await stripe.paymentIntents.retrieve(reference, {}, onAccount(accountId)))
  const given = refund.parse(
    await stripe.refunds.create(
      {
        payment_intent: reference,
        amount: toStripe(amount, currency),
        metadata: { refundId, mark },
        // The site gives back its part too.
        ...((paid.application_fee_amount ?? 0) > 0 && { refund_application_fee: true }),
      },
      { idempotencyKey: key, ...onAccount(accountId) },
    ),
  )
  return { reference: given.id, state: refundStateOf(given), why: refusalOf(given) }
}

/** Where the money has gone already Stripe says so every time: the bank took it back, or somebody gave it back there by hand. */
const gone: Readonly<Record<string, RefundAnswer['why']>> = { charge_disputed: 'disputed', charge_already_refunded: null }

/** On an account that this site may use no more nothing can be made either. */
async function giveBack(Sdk: typeof Stripe, ...asked: Parameters<typeof makeRefund>): Promise<RefundAnswer> {
  try {
    return await makeRefund(...asked)
  } catch (error) {
    if (isDisconnected(Sdk, error)) return { reference: null, state: 'failed', why: 'disconnected' }
    const why = error instanceof Sdk.errors.StripeInvalidRequestError ? gone[error.code ?? ''] : undefined
    if (why === undefined) throw error
    return { reference: null, state: 'failed', why }
  }
}

/** The library takes most of a second to load, so only who has a key loads it. */
export async function openStripe({ settings, trialClock }: Site, limits = patience): Promise<PaymentProvider> {
  const { stripe: of } = settings
  if (!of) throw new Error('there is no key of Stripe')
  const { default: Sdk } = await import('stripe')
  const stripe = connect(Sdk, of, limits)
  const aheadMs = (): number => trialClock?.aheadMs() ?? 0
  const page = async (pageId: string, accountId: string | null) =>
    session.parse(
      await stripe.checkout.sessions.retrieve(
        pageId,
        { expand: ['payment_intent.payment_method', 'setup_intent.payment_method'] },
        onAccount(accountId),
      ),
    )
  return {
    name: 'stripe',
    accounts: accountsOf(Sdk, stripe),
    canTake,
    async openPage(order, key) {
      const mark = markOf(settings.secret, order.accountId, order.checkoutId)
      const made = session.parse(
        await stripe.checkout.sessions.create(sessionOf(order, mark, aheadMs(), of), {
          idempotencyKey: key,
          ...onAccount(order.accountId),
        }),
      )
      if (!made.url) throw new Error(`the page ${made.id} is nowhere`)
      return { pageId: made.id, url: made.url }
    },
    async closePage(pageId, accountId) {
      try {
        await stripe.checkout.sessions.expire(pageId, {}, onAccount(accountId))
      } catch (error) {
        // One that is paid or over already cannot be ended: what it became is asked for.
        if (!(error instanceof Sdk.errors.StripeInvalidRequestError)) throw error
      }
      return stateOf(await page(pageId, accountId))
    },
    pageState: async (pageId, accountId) => stateOf(await page(pageId, accountId)),
    charge: (order, key) => charge(Sdk, stripe, order, { key, mark: markOf(settings.secret, order.accountId, order.checkoutId), of }),
    forgetCard: (token, accountId) => detach(Sdk, stripe, token, accountId),
    refund: (order, key) => giveBack(Sdk, stripe, order, { key, mark: markOf(settings.secret, order.accountId, order.refundId) }),
    moves: (accountId, from, until) => movesOf({ stripe, accountId, siteSecret: settings.secret, aheadMs: aheadMs() }, from, until),
    // What is on the account of the site goes to the site's bank.
    payouts: async ({ accountId }, from) => (accountId === null ? [] : payoutsOf({ stripe, accountId, aheadMs: aheadMs() }, from)),
    waiting: async ({ accountId }) => (accountId === null ? null : waitingOf({ stripe, accountId })),
    payoutMoves: async ({ accountId }, reference) =>
      accountId === null ? null : movesOfPayout({ stripe, accountId, aheadMs: aheadMs() }, reference),
    readWord: readerOf({
      stripe,
      secrets: of.webhookSecrets,
      live: /^[sr]k_live_/.test(of.secretKey),
      siteSecret: settings.secret,
      aheadMs,
    }),
  }
}
