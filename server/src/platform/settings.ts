/**
 * Settings of the process from the environment, checked at start. What a product adds is read beside them (`settings.ts`), so that everything that is
 * wrong is told at once; the list for people is docs/operations.md.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type Locale, locales } from '@soigne/contract/wire'
import * as z from 'zod'
import { keysOfSecret, type SealingKeys } from './sealed.ts'

/** A whole number within limits. */
export const whole = (fallback: number, min: number, max: number) => z.coerce.number().int().min(min).max(max).default(fallback)

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
  TOKEN_KEYS: z
    .string()
    .regex(
      /^[a-z0-9]{1,20}:[A-Za-z0-9_-]{43}(?:,[a-z0-9]{1,20}:[A-Za-z0-9_-]{43})*$/,
      'must be NAME:KEY, a key being 32 bytes as base64url',
    )
    .optional(),
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
export const unlimited = 1_000_000_000

/** The default street map: an open, keyless provider. */
const openMapStyle = 'https://tiles.openfreemap.org/styles/positron'

interface ProcessLimits {
  /** Of the budgets of `costs.ts`: 1 as they stand there, Infinity for none. */
  budgets: number
  registrations: number
  logins: number
  wrongPasswords: number
}

export interface ProcessSettings {
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
  /** What tokens of others are sealed with. */
  tokenKeys: SealingKeys
  logLevel: string
  /** Languages documents may be in; null: those that are finished. */
  siteLanguages: readonly Locale[] | null
  /** How long `/ready` says 503 before the socket closes. */
  drainSeconds: number
  limits: ProcessLimits
}

/** With those of the product, which says here which there are (`settings.ts`). */
export interface Limits extends ProcessLimits {}
export interface Settings extends ProcessSettings {
  limits: Limits
}

/** What a product adds: how it is read, and what of it may not be shown back. */
interface MoreSettings<Environment, More> {
  environment: z.ZodType<Environment>
  secretNames: readonly string[]
  /** What production misses or may not have, each with what to set. */
  productionGaps(env: Environment): string[]
  read(env: Environment, process: ProcessSettings): More
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
  if (env.LIMITS === 'off') gaps.push('LIMITS: off is for trials; leave it out')
  if (env.SEED === 'demo') gaps.push('SEED: the demo has known passwords; leave it out or set none')
  return gaps
}

/** Who says who somebody is, unless another is named. */
export const googleIssuer = 'https://accounts.google.com'

function providerOf(env: z.output<typeof environment>): ProcessSettings['provider'] {
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (!clientId !== !clientSecret) throw new SettingsError('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set both or neither')
  return clientId && clientSecret ? { issuer: env.OIDC_ISSUER ?? googleIssuer, clientId, clientSecret } : null
}

const keysIn = (text: string): SealingKeys =>
  text.split(',').map((one) => {
    const [id = '', key = ''] = one.split(':')
    return { id, key: Buffer.from(key, 'base64url') }
  })

const limitsOf = (env: z.output<typeof environment>): ProcessLimits =>
  env.LIMITS === 'off'
    ? { budgets: Number.POSITIVE_INFINITY, registrations: unlimited, logins: unlimited, wrongPasswords: unlimited }
    : {
        budgets: env.LIMIT_BUDGETS / 100,
        registrations: env.LIMIT_REGISTRATIONS,
        logins: env.LIMIT_LOGINS,
        wrongPasswords: env.LIMIT_WRONG_PASSWORDS,
      }

function processSettings(env: z.output<typeof environment>): ProcessSettings {
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
    provider: providerOf(env),
    tokenKeys: env.TOKEN_KEYS ? keysIn(env.TOKEN_KEYS) : keysOfSecret(secret),
    logLevel: env.LOG_LEVEL,
    siteLanguages: env.SITE_LANGUAGES ? locales.filter((locale) => env.SITE_LANGUAGES?.split(',').includes(locale)) : null,
    drainSeconds: env.DRAIN_SECONDS ?? (env.MODE === 'production' ? 5 : 0),
    limits: limitsOf(env),
  }
}

/** Reads and checks the environment, for the process and for what a product adds. The reader throws a `SettingsError` that names every setting that is wrong or missing. */
export const settingsReader =
  <Environment, More extends object>(more: MoreSettings<Environment, More>) =>
  (variables: Record<string, string | undefined>): ProcessSettings & More => {
    // A variable left empty, as in files of variables, counts as absent.
    const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
    const [parsed, added] = [environment.safeParse(given), more.environment.safeParse(given)]
    if (!parsed.success || !added.success) {
      const isSecret = (name: string): boolean => secretNames.has(name) || more.secretNames.includes(name)
      const shown = (name: string): string => (isSecret(name) ? '' : ` (is '${given[name] ?? ''}')`)
      const issues = [...(parsed.error?.issues ?? []), ...(added.error?.issues ?? [])]
      throw new SettingsError(issues.map(({ path, message }) => `${path.join('.')}: ${message}${shown(String(path[0]))}`).join('\n'))
    }
    if (parsed.data.MODE === 'production') {
      const gaps = [...productionGaps(parsed.data), ...more.productionGaps(added.data)]
      if (gaps.length > 0) throw new SettingsError(`MODE=production needs\n${gaps.join('\n')}`)
    }
    const own = processSettings(parsed.data)
    return { ...own, ...more.read(added.data, own) }
  }
