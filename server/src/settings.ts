/** Settings of what Soigné does, beside those of any process (`platform/settings.ts`); the list for people is docs/operations.md. */
import * as z from 'zod'
import {
  googleIssuer,
  type Limits,
  type ProcessSettings,
  type Settings,
  SettingsError,
  settingsReader,
  unlimited,
  whole,
} from './platform/settings.ts'

interface OwnSettings {
  /** Where calendars of others are written to; null: a trial's own stand-in. */
  calendarUrl: string | null
  /** How long a hold waits for its payment, from its making. */
  checkoutMinutes: number
  /** How long a time that fell free is held for whoever waits for it. */
  offerMinutes: number
  /** How often calendars that say when somebody is busy are read, and whether also from this machine and its networks, which a trial may. */
  busyCalendars: { minutes: number; anywhere: boolean }
  /** Who takes money for institutes; null: in a trial the sandbox, in production nobody. */
  stripe: {
    secretKey: string
    /** Of the site's own account, and of those of institutes. */
    webhookSecrets: readonly string[]
    /** A stand-in; null: Stripe itself. */
    apiBase: string | null
    /** Hundredths of a percent of a payment that the site keeps. */
    feeBasisPoints: number
  } | null
  /** In trials: whether the sandbox tells of payments at once, or after the client is back and a refund is told. */
  sandboxWords: 'prompt' | 'late'
}
interface HoldLimits {
  holds: number
  /** Before the email is confirmed: live holds, and services of one. */
  holdsUnconfirmed: number
  holdServicesUnconfirmed: number
}

declare module './platform/settings.ts' {
  interface Limits extends HoldLimits {}
  interface Settings extends OwnSettings {}
}

const environment = z.object({
  CALENDAR_URL: z.url({ protocol: /^https?$/ }).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(?:live|test)_[A-Za-z0-9]{8,250}$/, 'must be a secret or restricted key of Stripe')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=]{8,200}(?:,whsec_[A-Za-z0-9+/=]{8,200})*$/, 'must be whsec_…, several with commas between')
    .optional(),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).optional(),
  STRIPE_FEE_BASIS_POINTS: whole(0, 0, 5000),
  CHECKOUT_MINUTES: whole(45, 10, 45),
  OFFER_MINUTES: whole(20, 5, 45),
  BUSY_CALENDAR_MINUTES: whole(15, 5, 1440),
  BUSY_CALENDARS_FROM: z.enum(['internet', 'anywhere']).default('internet'),
  SANDBOX_WORDS: z.enum(['prompt', 'late']).default('prompt'),
  LIMIT_HOLDS: whole(2, 1, 1000),
  LIMIT_HOLDS_UNCONFIRMED: whole(1, 1, 1000),
  LIMIT_HOLD_SERVICES_UNCONFIRMED: whole(3, 1, 100),
})
type Environment = z.output<typeof environment>

function productionGaps(env: Environment): string[] {
  const gaps: string[] = []
  if (env.BUSY_CALENDARS_FROM === 'anywhere')
    gaps.push('BUSY_CALENDARS_FROM: anywhere is for trials, since it opens your own network to whoever types an address; leave it out')
  if (env.STRIPE_API_BASE) gaps.push('STRIPE_API_BASE: a stand-in of Stripe is for trials; leave it out')
  return gaps
}

function stripeOf(env: Environment): OwnSettings['stripe'] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets } = env
  if (!secretKey !== !webhookSecrets) throw new SettingsError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: set both or neither')
  if (!secretKey || !webhookSecrets) return null
  const [apiBase, feeBasisPoints] = [env.STRIPE_API_BASE ?? null, env.STRIPE_FEE_BASIS_POINTS]
  return { secretKey, webhookSecrets: webhookSecrets.split(','), apiBase, feeBasisPoints }
}

const calendarUrlOf = (env: Environment, { provider }: ProcessSettings): string | null =>
  env.CALENDAR_URL ?? (provider?.issuer === googleIssuer ? 'https://www.googleapis.com/calendar/v3' : null)

const limitsOf = (env: Environment, { limits }: ProcessSettings): Limits =>
  limits.budgets === Number.POSITIVE_INFINITY
    ? { ...limits, holds: unlimited, holdsUnconfirmed: unlimited, holdServicesUnconfirmed: unlimited }
    : {
        ...limits,
        holds: env.LIMIT_HOLDS,
        holdsUnconfirmed: Math.min(env.LIMIT_HOLDS, env.LIMIT_HOLDS_UNCONFIRMED),
        holdServicesUnconfirmed: env.LIMIT_HOLD_SERVICES_UNCONFIRMED,
      }

/** Reads and checks the environment. @throws SettingsError naming every setting that is wrong or missing */
export const readSettings: (variables: Record<string, string | undefined>) => Settings = settingsReader({
  environment,
  secretNames: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  productionGaps,
  read: (env, process): OwnSettings & { limits: Limits } => ({
    calendarUrl: calendarUrlOf(env, process),
    checkoutMinutes: env.CHECKOUT_MINUTES,
    offerMinutes: env.OFFER_MINUTES,
    busyCalendars: { minutes: env.BUSY_CALENDAR_MINUTES, anywhere: env.BUSY_CALENDARS_FROM === 'anywhere' },
    stripe: stripeOf(env),
    sandboxWords: env.SANDBOX_WORDS,
    limits: limitsOf(env, process),
  }),
})
