/** Who may make a call: every call states one rule, and the server refuses to start on a call without one. */

/** What a person or a program may do at an institute. A level (owner, manager, reception, staff) is a list of these. */
export const permissions = [
  /** See and change the visits of the team member one is: the own column of the diary, and nobody else's. */
  'diary.own',
  /** See the visits of the institute: who comes, when, to whom, for what. */
  'diary.read',
  /** Book, move and cancel for the institute; note who came; block time. */
  'diary.change',
  /** Put a visit over others on purpose, with a reason. */
  'diary.overbook',
  /** See and search the customer records. */
  'customers.read',
  /** Add, correct, import and merge customer records. */
  'customers.change',
  /** Open and change what is kept of a client's health; every opening is noted. */
  'customers.health',
  /** Take all customer records away as a file. */
  'customers.export',
  /** Read and answer what clients write to the institute. */
  'messages.answer',
  /** See sales, invoices and figures of money. */
  'sales.read',
  /** Take money at the counter, sell, and close the till. */
  'sales.take',
  /** Give money back by a credit note. */
  'sales.refund',
  /** See what the provider of payments sends to the bank, and what it keeps. */
  'payouts.read',
  /** Change the menu and its prices. */
  'services.change',
  /** Change team members, their shifts, absences and resources. */
  'team.change',
  /** Answer reviews in public, and contest them. */
  'reviews.answer',
  /** Change the profile, hours, closures, rules and payments of the institute. */
  'institute.change',
  /** Answer for the business: connect the account that the institute's money goes to, and have the business checked. */
  'payments.connect',
  /** Take everything of the institute away as a file. */
  'institute.export',
  /** Decide who works here with a login, at which level, and which programs have a key. */
  'people.change',
] as const
/** One of the closed list of permissions at an institute. */
export type Permission = (typeof permissions)[number]

/** What an operator of the site may do. */
export const sitePermissions = [
  /** Accept or refuse a claim, suspend an institute and lift it again. */
  'institutes.decide',
  /** Decide on reported and contested reviews. */
  'reviews.decide',
] as const
/** One of the closed list of permissions on the whole site. */
export type SitePermission = (typeof sitePermissions)[number]

/**
 * The rule of one call; there is no default.
 * `public`: anybody, no token is looked at.
 * `self`: whoever is signed in (401 without a token), for rows of their own; with `verified` the email must be confirmed too (403 `email_unverified`).
 * `institute`: a person of an institute whose level has the permission (403 `forbidden` otherwise), for rows of that institute; the email must be confirmed.
 * `site`: an operator of the site (403 `forbidden` otherwise); the email must be confirmed.
 */
export type AccessRule =
  | 'public'
  | { readonly of: 'self'; readonly verified?: true }
  | { readonly of: 'institute'; readonly may: Permission }
  | { readonly of: 'site'; readonly may: SitePermission }

/** Header of an institute call that names the institute it is about; without it the caller's own is meant. */
export const instituteHeader = 'Institute-Id'
