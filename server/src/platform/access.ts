/**
 * Who acts, and whose rows that opens. Scopes are made in this file only: their classes are not exported and carry a private
 * field, so neither an object literal nor a copy passes for one. Services and stores ask for the scope they need as an argument.
 */
import { type AccessRule, type Permission, permissions, type SitePermission, sitePermissions } from '@soigne/contract/access'
import { refuse } from './refuse.ts'
import type { SessionProof } from './session-proof.ts'

/** Who does something: kept with what they did. */
export type Actor =
  | { readonly kind: 'client'; readonly userId: string }
  | { readonly kind: 'institute'; readonly userId: string; readonly instituteId: string; readonly level: string }
  | { readonly kind: 'operator'; readonly userId: string }
  | { readonly kind: 'program'; readonly keyId: string; readonly instituteId: string }
  | { readonly kind: 'system'; readonly job: string }

type Granted<P extends string> = { readonly [K in P]: true }
const grantedOf = <P extends string>(granted: readonly P[]): Granted<P> =>
  Object.freeze(Object.fromEntries(granted.map((one) => [one, true]))) as Granted<P>

abstract class Minted<Kind extends string> {
  readonly #minted = true
  readonly kind: Kind
  constructor(kind: Kind) {
    this.kind = kind
  }
  static isOne = (value: object): boolean => #minted in value && value.#minted
}

/** What anybody may read. */
class Everybody extends Minted<'public'> {}

/** The rows of one user. */
class OneUser<Verified extends boolean> extends Minted<'self'> {
  readonly actor: Actor
  readonly userId: string
  /** The session the request came with; null when the system acts. */
  readonly sessionId: string | null
  /** Whether the email is confirmed. */
  readonly verified: Verified
  /** Of a session that is only remembered; null where the database was asked. */
  readonly proof: SessionProof | null
  constructor(actor: Actor, of: { userId: string; sessionId: string | null; verified: Verified; proof?: SessionProof | null }) {
    super('self')
    this.actor = actor
    this.userId = of.userId
    this.sessionId = of.sessionId
    this.verified = of.verified
    this.proof = of.proof ?? null
    Object.freeze(this)
  }
}

/** The rows of one institute, as far as the permissions go. */
class OneInstitute<P extends Permission> extends Minted<'institute'> {
  readonly actor: Actor
  readonly instituteId: string
  /** The team member who acts, where that is one. */
  readonly memberId: string | null
  readonly may: Granted<P>
  constructor(actor: Actor, of: { instituteId: string; memberId: string | null }, may: Granted<P>) {
    super('institute')
    this.actor = actor
    this.instituteId = of.instituteId
    this.memberId = of.memberId
    this.may = may
    Object.freeze(this)
  }
}

/** Rows of the whole site that operators decide about. */
class WholeSite<P extends SitePermission> extends Minted<'site'> {
  readonly actor: Actor
  readonly may: Granted<P>
  constructor(actor: Actor, may: Granted<P>) {
    super('site')
    this.actor = actor
    this.may = may
    Object.freeze(this)
  }
}

/** What the product does by itself: jobs, signing in, the outbox. */
class TheSystem extends Minted<'system'> {
  readonly actor: Actor
  constructor(job: string) {
    super('system')
    this.actor = { kind: 'system', job }
    Object.freeze(this)
  }
  /** The rows of one user, when the system acts for somebody who has no session (yet). */
  user(userId: string): SelfScope<false> {
    return new OneUser(this.actor, { userId, sessionId: null, verified: false })
  }
  /** The rows of one institute, when the system works institute by institute. */
  institute(instituteId: string): InstituteScope<Permission> {
    return new OneInstitute(this.actor, { instituteId, memberId: null }, grantedOf(permissions))
  }
}

export type PublicScope = Everybody
export type SelfScope<Verified extends boolean = boolean> = OneUser<Verified>
export type InstituteScope<P extends Permission> = OneInstitute<P>
export type SiteScope<P extends SitePermission> = WholeSite<P>
export type SystemScope = TheSystem
/** Any scope a request can have. */
export type Scope = PublicScope | SelfScope | InstituteScope<never> | SiteScope<never>

/** The scope that a rule of the contract becomes. */
export type ScopeOf<Rule extends AccessRule> = Rule extends 'public'
  ? PublicScope
  : Rule extends { of: 'self'; verified: true }
    ? SelfScope<true>
    : Rule extends { of: 'self' }
      ? SelfScope
      : Rule extends { of: 'institute'; may: infer P extends Permission }
        ? InstituteScope<P>
        : Rule extends { of: 'site'; may: infer P extends SitePermission }
          ? SiteScope<P>
          : never

/** Whether the scope of an institute proves another permission too: for what only some may see or do within a call. */
export const mayAlso = (scope: InstituteScope<never>, may: Permission): boolean => Object.hasOwn(scope.may, may)

/** Needs no proof: what it opens is open to anybody. */
export const publicScope: PublicScope = new Everybody('public')

/** The product itself, under the name of what it does. `scripts/check-house.ts` lists who may call this. */
export const systemScope = (job: string): SystemScope => new TheSystem(job)

/** Whose token came with a request. */
export interface Identity {
  userId: string
  sessionId: string
  emailVerified: boolean
  /** Of a session that is only remembered. */
  proof?: SessionProof
}

/** What levels of people may do; operators have one level. */
export interface Grants {
  readonly levels: Readonly<Record<string, readonly Permission[]>>
  readonly operators: readonly SitePermission[]
}

/** What is stored of who works where. */
export interface Memberships {
  /** The institutes somebody works for with their level there; the one that is meant when none is named comes first. */
  institutesOf(scope: SelfScope): Promise<readonly { instituteId: string; level: string; memberId?: string | null }[]>
  isOperator(scope: SelfScope): Promise<boolean>
}

/** Turns the rule of a call into the scope of whoever sends a request. @throws unauthorized, email_unverified, forbidden, not_found for an institute that is not theirs */
export type Authorise = (rule: AccessRule, identity: Identity | null, instituteId: string | null) => Promise<Scope>

export function authoriser(grants: Grants, memberships: Memberships): Authorise {
  async function atInstitute(self: SelfScope, may: Permission, asked: string | null): Promise<Scope> {
    const all = await memberships.institutesOf(self)
    const one = asked === null ? all[0] : all.find(({ instituteId }) => instituteId === asked)
    if (!one) throw refuse(asked === null ? 'forbidden' : 'not_found')
    const granted = grants.levels[one.level] ?? []
    if (!granted.includes(may)) throw refuse('forbidden')
    const { level, memberId = null } = one
    const actor: Actor = { kind: 'institute', userId: self.userId, instituteId: one.instituteId, level }
    return new OneInstitute(actor, { instituteId: one.instituteId, memberId }, grantedOf(granted))
  }
  async function ofSite(self: SelfScope, may: SitePermission): Promise<Scope> {
    if (!grants.operators.includes(may) || !(await memberships.isOperator(self))) throw refuse('forbidden')
    return new WholeSite({ kind: 'operator', userId: self.userId }, grantedOf(grants.operators))
  }
  return async (rule, identity, instituteId) => {
    if (rule === 'public') return publicScope
    if (!identity) throw refuse('unauthorized')
    const { userId, sessionId, emailVerified: verified, proof } = identity
    const self = new OneUser({ kind: 'client', userId }, { userId, sessionId, verified, proof: proof ?? null })
    if ((rule.of !== 'self' || rule.verified) && !verified) throw refuse('email_unverified')
    if (rule.of === 'self') return self
    return rule.of === 'institute' ? atInstitute(self, rule.may, instituteId) : ofSite(self, rule.may)
  }
}

/** Whether a scope is what a rule demands: the last look before a handler runs, wherever the call came from. */
export function fits(rule: AccessRule, scope: Scope): boolean {
  if (!Minted.isOne(scope)) return false
  if (rule === 'public') return scope.kind === 'public'
  if (rule.of === 'self') return scope.kind === 'self' && (!rule.verified || scope.verified)
  return scope.kind === rule.of && Object.hasOwn(scope.may, rule.may)
}

const isRule = (rule: unknown): rule is AccessRule => {
  if (rule === 'public') return true
  const { of, may, verified, ...rest } = (typeof rule === 'object' && rule !== null ? rule : {}) as Record<string, unknown>
  if (Object.keys(rest).length > 0) return false
  if (of === 'self') return may === undefined && (verified === undefined || verified === true)
  if (verified !== undefined) return false
  return (
    (of === 'institute' && (permissions as readonly unknown[]).includes(may)) ||
    (of === 'site' && (sitePermissions as readonly unknown[]).includes(may))
  )
}

/** @throws when a call has no rule or one that is not of the closed list: a process that would let anybody in does not start */
export function checkRules(calls: readonly { name: string; call: { access: AccessRule } }[]): void {
  const wrong = calls.filter(({ call }) => !isRule(call.access)).map(({ name }) => name)
  if (wrong.length > 0) throw new Error(`who may make these calls is not stated: ${wrong.join(', ')}`)
}
