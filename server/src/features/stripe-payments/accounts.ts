/** Accounts of institutes: each has its own dashboard at Stripe, pays Stripe's fees and bears its losses, and tells Stripe itself what it has to know. */
import type Stripe from 'stripe'
import type { PaymentAccounts } from '#/platform/payment-provider.ts'
import { account, page } from './objects.ts'

const ofItself = {
  fees: { payer: 'account' },
  losses: { payments: 'stripe' },
  requirement_collection: 'stripe',
  stripe_dashboard: { type: 'full' },
} as const satisfies Stripe.AccountCreateParams.Controller

/** Its owner took this site's access away, or closed it; what a key of the site may not do is told in another code. */
export const isDisconnected = (Sdk: typeof Stripe, error: unknown): boolean =>
  error instanceof Sdk.errors.StripePermissionError && error.code === 'account_invalid'

export const accountsOf = (Sdk: typeof Stripe, stripe: Stripe): PaymentAccounts => ({
  async make({ instituteId, countryCode }, key) {
    const asked = { controller: ofItself, country: countryCode, metadata: { institute: instituteId } }
    return account.parse(await stripe.accounts.create(asked, { idempotencyKey: key })).id
  },
  async onboardingUrl(accountId, returnUrl) {
    const asked = { account: accountId, type: 'account_onboarding', return_url: returnUrl, refresh_url: returnUrl } as const
    return page.parse(await stripe.accountLinks.create(asked)).url
  },
  async read(accountId) {
    try {
      const found = account.parse(await stripe.accounts.retrieve(accountId))
      return { takesPayments: found.charges_enabled === true, paysOut: found.payouts_enabled === true }
    } catch (error) {
      // Its owner took this site's access away, or closed it.
      if (error instanceof Sdk.errors.StripePermissionError) return null
      throw error
    }
  },
})
