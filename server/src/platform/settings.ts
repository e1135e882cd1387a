/** Settings from the environment, checked at start; the list for people is docs/operations.md. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type Locale, locales } from '@soigne/contract/wire'
import * as z from 'zod'
import { keysOfSecret, type SealingKeys } from './sealed.ts'

const whole = (fallback: number, min: number, max: number) => z.coerce.number().int().min(min).max(max).default(fallback)

/** An address or a range of addresses, `10.0.0.0/8`. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}
/** A range that holds much of the world would let anybody say where they come from. */
function isNarrow(text: string): boolean {
  const [address = '', bits] = text.split('/')
  return bits === undefined || Number(bits) >= (isIP(address) === 4 ? 8 : 7)
}
const proxiesIn = (text: string): string[] => text.split(/[ ,]+/).filter(Boolean)

const environment = z.object({
  MODE: z.enum(['trial', 'production']).default('trial'),
  PORT: whole(3000, 0, 65_535),
  HOST: z.string().optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  OWNER_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  WORKER_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  DATABASE_POOL: whole(16, 2, 200),
  DATA_DIR: z.string().min(1).default('.data'),
  FILES_URL: z
    .url({ protocol: /^https?$/ })
    .refine((text) => /^\/[a-z0-9][a-z0-9.-]{2,62}(?:\/|$)/.test(new URL(text).pathname), 'must name the bucket after the host')
    .optional(),
  SEED: z.enum(['demo', 'none']).optional(),
  SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().min(3).optional(),
  TRUST_PROXY: z
    .string()
    .refine((text) => proxiesIn(text).every(isProxy), 'must be addresses or CIDR ranges, never a number of hops')
    .refine((text) => proxiesIn(text).every(isNarrow), 'must not trust everybody: name the proxies you run')
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 characters without spaces')
    .optional(),
  MAP_STYLE_URL: z.union([z.literal('none'), z.url({ protocol: /^https?$/ })]).optional(),
  GOOGLE_MAPS_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{20,80}$/, 'must be a key of the Google Maps Platform')
    .optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  CALENDAR_URL: z.url({ protocol: /^https?$/ }).optional(),
  TOKEN_KEYS: z
    .string()
    .regex(
      /^[a-z0-9]{1,20}:[A-Za-z0-9_-]{43}(?:,[a-z0-9]{1,20}:[A-Za-z0-9_-]{43})*$/,
      'must be NAME:KEY, a key being 32 bytes as base64url',
    )
    .optional(),
  CHECKOUT_MINUTES: whole(45, 10, 45),
  OFFER_MINUTES: whole(20, 5, 45),
  BUSY_CALENDAR_MINUTES: whole(15, 5, 1440),
  BUSY_CALENDARS_FROM: z.enum(['internet', 'anywhere']).default('internet'),
  SANDBOX_WORDS: z.enum(['prompt', 'late']).default('prompt'),
  SITE_LANGUAGES: z
    .string()
    .regex(/^(?:en|fr|ar)(?:,(?:en|fr|ar))*$/, 'must be en, fr and ar with commas between')
    .optional(),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(600).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  LIMITS: z.enum(['on', 'off']).default('on'),
  LIMIT_BUDGETS: whole(100, 10, 100_000_000),
  LIMIT_REGISTRATIONS: whole(60, 1, 1_000_000),
  LIMIT_LOGINS: whole(120, 1, 1_000_000),
  LIMIT_WRONG_PASSWORDS: whole(10, 1, 1_000_000),
  LIMIT_HOLDS: whole(2, 1, 1000),
  LIMIT_HOLDS_UNCONFIRMED: whole(1, 1, 1000),
  LIMIT_HOLD_SERVICES_UNCONFIRMED: whole(3, 1, 100),
})

/** Settings that hold passwords, or where one may have been pasted by mistake: never shown back. */
const secretNames: ReadonlySet<string> = new Set([
  'SECRET',
  'DATABASE_URL',
  'OWNER_DATABASE_URL',
  'WORKER_DATABASE_URL',
  'SMTP_URL',
  'GOOGLE_MAPS_KEY',
  'FILES_URL',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'TOKEN_KEYS',
])

/** More than anybody does. */
const unlimited = 1_000_000_000

/** The default street map: an open, keyless provider. */
const openMapStyle = 'https://tiles.openfreemap.org/styles/positron'

export interface Settings {
  mode: 'trial' | 'production'
  port: number
  host: string
  /** Fixed by PUBLIC_URL, else known once the port is. */
  publicUrl: string | null
  databaseUrl: string | null
  /** The same database as whoever owns its schema reaches it, and as whoever does jobs; null: as everybody. */
  ownerDatabaseUrl: string | null
  workerDatabaseUrl: string | null
  databasePool: number
  dataDir: string
  /** Where files are kept; null: in `dataDir`. Carries the key to it. */
  filesUrl: string | null
  seed: 'demo' | 'none'
  secret: string
  smtpUrl: string | null
  mailFrom: string
  trustProxy: string[] | false
  /** What opens /metrics; null: nothing does, but the machine itself in a trial. */
  metricsToken: string | null
  mapStyleUrl: string | null
  /** Seen by every visitor, as Google means it to be; who may use it is limited at Google. */
  googleMapsKey: string | null
  /** Who says who somebody is; null: in a trial the server's own stand-in, in production nobody. */
  provider: { issuer: string; clientId: string; clientSecret: string } | null
  /** Where calendars of others are written to; null: a trial's own stand-in. */
  calendarUrl: string | null
  /** What tokens of others are sealed with. */
  tokenKeys: SealingKeys
  logLevel: string
  /** How long a hold waits for its payment, from its making. */
  checkoutMinutes: number
  /** How long a time that fell free is held for whoever waits for it. */
  offerMinutes: number
  /** How often calendars that say when somebody is busy are read, and whether also from this machine and its networks, which a trial may. */
  busyCalendars: { minutes: number; anywhere: boolean }
  /** In trials: whether the sandbox tells of payments at once, or after the client is back and a refund is told. */
  sandboxWords: 'prompt' | 'late'
  /** Languages documents may be in; null: those that are finished. */
  siteLanguages: readonly Locale[] | null
  /** How long `/ready` says 503 before the socket closes. */
  drainSeconds: number
  limits: {
    /** Of the budgets of `costs.ts`: 1 as they stand there, Infinity for none. */
    budgets: number
    registrations: number
    logins: number
    wrongPasswords: number
    holds: number
    /** Before the email is confirmed: live holds, and services of one. */
    holdsUnconfirmed: number
    holdServicesUnconfirmed: number
  }
}

/** The start cannot go on; the message says what to set. */
export class SettingsError extends Error {}

function secretIn(dataDir: string): string {
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}

function productionGaps(env: z.output<typeof environment>): string[] {
  const gaps: string[] = []
  if (!env.PUBLIC_URL) gaps.push('PUBLIC_URL: the address people type, such as https://soigne.example')
  else if (!env.PUBLIC_URL.startsWith('https:'))
    gaps.push('PUBLIC_URL: https://, since passwords and tokens are sent to it; the proxy before the server ends TLS')
  if (!env.TRUST_PROXY) gaps.push('TRUST_PROXY: the proxies before the server, such as 127.0.0.1; without it everybody shares one limit')
  if (!env.SECRET) gaps.push('SECRET: at least 32 random characters')
  if (!env.SMTP_URL) gaps.push('SMTP_URL: the mail server, such as smtps://user:password@mail.example')
  if (!env.MAIL_FROM) gaps.push('MAIL_FROM: the sender, such as "Soigné <bonjour@soigne.example>"')
  if (env.OIDC_CLIENT_ID && !env.TOKEN_KEYS)
    gaps.push('TOKEN_KEYS: what tokens of the provider are sealed with, such as a:KEY, a key being 32 random bytes as base64url')
  if (env.BUSY_CALENDARS_FROM === 'anywhere')
    gaps.push('BUSY_CALENDARS_FROM: anywhere is for trials, since it opens your own network to whoever types an address; leave it out')
  if (env.LIMITS === 'off') gaps.push('LIMITS: off is for trials; leave it out')
  if (env.SEED === 'demo') gaps.push('SEED: the demo has known passwords; leave it out or set none')
  return gaps
}

const google = { issuer: 'https://accounts.google.com', calendarUrl: 'https://www.googleapis.com/calendar/v3' } as const

function providerOf(env: z.output<typeof environment>): Pick<Settings, 'provider' | 'calendarUrl'> {
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (!clientId !== !clientSecret) throw new SettingsError('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set both or neither')
  const provider = clientId && clientSecret ? { issuer: env.OIDC_ISSUER ?? google.issuer, clientId, clientSecret } : null
  return { provider, calendarUrl: env.CALENDAR_URL ?? (provider?.issuer === google.issuer ? google.calendarUrl : null) }
}

const keysIn = (text: string): SealingKeys =>
  text.split(',').map((one) => {
    const [id = '', key = ''] = one.split(':')
    return { id, key: Buffer.from(key, 'base64url') }
  })

const limitsOf = (env: z.output<typeof environment>): Settings['limits'] =>
  env.LIMITS === 'off'
    ? {
        budgets: Number.POSITIVE_INFINITY,
        registrations: unlimited,
        logins: unlimited,
        wrongPasswords: unlimited,
        holds: unlimited,
        holdsUnconfirmed: unlimited,
        holdServicesUnconfirmed: unlimited,
      }
    : {
        budgets: env.LIMIT_BUDGETS / 100,
        registrations: env.LIMIT_REGISTRATIONS,
        logins: env.LIMIT_LOGINS,
        wrongPasswords: env.LIMIT_WRONG_PASSWORDS,
        holds: env.LIMIT_HOLDS,
        holdsUnconfirmed: Math.min(env.LIMIT_HOLDS, env.LIMIT_HOLDS_UNCONFIRMED),
        holdServicesUnconfirmed: env.LIMIT_HOLD_SERVICES_UNCONFIRMED,
      }

/** Reads and checks the environment. @throws SettingsError naming every setting that is wrong or missing */
export function readSettings(variables: Record<string, string | undefined>): Settings {
  // A variable left empty, as in files of variables, counts as absent.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const shown = (name: string): string => (secretNames.has(name) ? '' : ` (is '${given[name] ?? ''}')`)
    throw new SettingsError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}${shown(String(path[0]))}`).join('\n'),
    )
  }
  const env = parsed.data
  if (env.MODE === 'production') {
    const gaps = productionGaps(env)
    if (gaps.length > 0) throw new SettingsError(`MODE=production needs\n${gaps.join('\n')}`)
  }
  const dataDir = resolve(env.DATA_DIR)
  const secret = env.SECRET ?? secretIn(dataDir)
  return {
    mode: env.MODE,
    port: env.PORT,
    host: env.HOST ?? '127.0.0.1',
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    databaseUrl: env.DATABASE_URL ?? null,
    ownerDatabaseUrl: env.OWNER_DATABASE_URL ?? null,
    workerDatabaseUrl: env.WORKER_DATABASE_URL ?? null,
    databasePool: env.DATABASE_POOL,
    dataDir,
    filesUrl: env.FILES_URL ?? null,
    seed: env.SEED ?? (env.MODE === 'production' ? 'none' : 'demo'),
    secret,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? 'Soigné <bonjour@soigne.test>',
    trustProxy: env.TRUST_PROXY ? proxiesIn(env.TRUST_PROXY) : false,
    metricsToken: env.METRICS_TOKEN ?? null,
    mapStyleUrl: env.MAP_STYLE_URL === 'none' ? null : (env.MAP_STYLE_URL ?? openMapStyle),
    googleMapsKey: env.GOOGLE_MAPS_KEY ?? null,
    ...providerOf(env),
    tokenKeys: env.TOKEN_KEYS ? keysIn(env.TOKEN_KEYS) : keysOfSecret(secret),
    logLevel: env.LOG_LEVEL,
    checkoutMinutes: env.CHECKOUT_MINUTES,
    offerMinutes: env.OFFER_MINUTES,
    busyCalendars: { minutes: env.BUSY_CALENDAR_MINUTES, anywhere: env.BUSY_CALENDARS_FROM === 'anywhere' },
    sandboxWords: env.SANDBOX_WORDS,
    siteLanguages: env.SITE_LANGUAGES ? locales.filter((locale) => env.SITE_LANGUAGES?.split(',').includes(locale)) : null,
    drainSeconds: env.DRAIN_SECONDS ?? (env.MODE === 'production' ? 5 : 0),
    limits: limitsOf(env),
  }
}
