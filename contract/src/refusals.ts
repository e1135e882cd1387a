/** The closed list of refusals: every error answer is `{ code, message, details? }` with one of these codes. */

/** Code → HTTP status and when it happens. The server has one message per code and language. */
export const refusals = {
  /** The request is malformed: `details.fields` names the fields and why. Mend and send again. */
  bad_input: 400,
  /** No token, or one that is unknown, expired or revoked. Sign in again. */
  unauthorized: 401,
  /** Wrong email or password; never says which. */
  wrong_credentials: 401,
  /** Signing in at the provider was broken off, took too long, or was answered to another browser: begin again. */
  sign_in_failed: 422,
  /** Signed with a passkey that opens no account here, or not as it should be; never says which. */
  passkey_refused: 401,
  /** What a browser made is no passkey for this site, is known already, or took too long: begin again. */
  passkey_not_added: 422,
  /** The provider was asked for a calendar and gave none. */
  calendar_refused: 422,
  /** Right password, but the account has the other role: `details.role` is the account's. */
  other_role: 403,
  /** The account's email is not confirmed yet. */
  email_unverified: 403,
  /** The account's role or state does not allow this. */
  forbidden: 403,
  /** The site has stopped this conversation: neither side can write in it. */
  chat_stopped: 403,
  /** Unknown, or not yours: the two are not told apart. */
  not_found: 404,
  /** Somebody has an account with this email already. */
  email_taken: 409,
  /** The time was taken meanwhile: `details.nearest` lists free ones. */
  slot_taken: 409,
  /** Something else has this time: `details.taken` lists visits, holds, blocked time, leave and sessions in the way. */
  time_taken: 409,
  /** More seats are taken than the session would have: `details.taken` says how many. */
  seats_taken: 409,
  /** This person works at the institute already. */
  already_member: 409,
  /** This team member has a login already, or somebody was invited to have it. */
  member_has_login: 409,
  /** An account with visits to come is not erased: they are cancelled first, by the rules of each. */
  visits_ahead: 409,
  /** A visit to come, or a fee that is not settled, may be charged to this card. */
  card_needed: 409,
  /** One owner has one institute. */
  has_institute: 409,
  /** A claim of yours waits for an operator; it is decided or taken back first. */
  claim_waiting: 409,
  /** What was sent of this business waits for an operator; it is decided or taken back first. */
  check_waiting: 409,
  /** This member has visits ahead: `details.appointments` lists them, and each needs a colleague, another time or an end. */
  member_has_visits: 409,
  /** Visits ahead take this room, chair or machine: `details.appointments` lists them. */
  resource_has_visits: 409,
  /** It is the last of its type, which services ask for: `details.services` names them. */
  resource_needed: 409,
  /** An institute keeps its owner: they can neither be removed nor given another level. */
  last_owner: 409,
  /** As many people as one institute may have: `details.most`. */
  too_many_members: 409,
  /** A client with this phone or email is known: `details.customers` lists them with `_id` and `name`. */
  customer_known: 409,
  /** Both records have an account of their own: they book as two people. */
  two_accounts: 409,
  /** As many files as one record may have: `details.most`. */
  too_many_files: 409,
  /** As many passkeys as one account may have: `details.most`. */
  too_many_passkeys: 409,
  /** As many entries of waiting lists as one person may have: `details.most`. */
  too_many_waiting: 409,
  /** As many closures as may lie ahead: `details.most`. */
  too_many_closures: 409,
  /** The hold ran out or was released; choose a time again. */
  hold_expired: 409,
  /** The hold was extended once already. */
  hold_extended: 409,
  /** The same idempotency key came with another request, or its first request is still running (`details.isRunning`, `Retry-After`). */
  idempotency_conflict: 409,
  /** The appointment's state does not allow this step (already cancelled, already over). */
  wrong_state: 409,
  /** As many services as one menu may have: `details.most`. */
  menu_full: 409,
  /** Other services ask for this one first: `details.services` names them. */
  service_required: 409,
  /** Each of two services would have to come before the other: `details.services` names what already asks for this one. */
  condition_circle: 409,
  /** Whoever signs in here is no member of the team, so there are no days of theirs. */
  no_member: 409,
  /** Some of these days are asked for or off already. */
  leave_overlaps: 409,
  /** Somebody answered this request before: `details.by` says who, `details.state` what. */
  request_answered: 409,
  /** This time is not free any more. */
  gap_taken: 409,
  /** Nobody who waits fits into this time any more. */
  nobody_waits: 409,
  /** It is night at the institute, and nobody is written to. */
  quiet_hours: 409,
  /** Somebody changed the visit after it was looked at: `details.by` says who, `details.kind` what they did, `details.startsAt` when it is now. */
  changed_meanwhile: 409,
  /** Other visits of the client would miss this one, such as a colour its test: `details.visits` names them, in `details.timeZone`. `anyway` goes on all the same. */
  needed_by: 409,
  /** What was taken is not what the sale comes to: `details.due` says what is left to take, minor units. */
  amount_differs: 409,
  /** Whoever takes the money does not answer, or takes nothing for this institute: nothing was taken. */
  payment_unavailable: 503,
  /** Whoever keeps the accounts of institutes does not answer, makes none there, or institutes need none: nothing was changed. */
  account_unavailable: 503,
  /** The till of this day is closed: nothing is taken or given back on it. */
  till_closed: 409,
  /** More than is left of a line of the invoice: `details.left`, minor units. */
  more_than_left: 409,
  /** The last day of this gift card or package is over: `details.validUntil`. */
  voucher_expired: 409,
  /** This visit has its review already. */
  already_reviewed: 409,
  /** The request or file is larger than allowed. */
  too_large: 413,
  /** The content type is not one this call takes. */
  wrong_type: 415,
  /** The time cannot be booked by a rule: `details.reason` says which, `details.nearest` lists free ones. */
  not_offered: 422,
  /** A condition of the service is not met: `details.prerequisite`. */
  prerequisite_missing: 422,
  /** The window for changing or cancelling online is over. */
  too_late: 422,
  /** The institute is listed only and takes no bookings here. */
  not_bookable: 422,
  /** This service is not done at home, or the institute does not come to people's homes: `details.serviceId`. */
  not_at_home: 422,
  /** The home lies further away than the institute comes: `details.km` and `details.radiusKm`. */
  outside_radius: 422,
  /** A service whose price is on request is agreed with the institute, never booked online: `details.serviceId`. */
  price_on_request: 422,
  /** What was counted is not what should be there: a word about why. `details.difference`, minor units. */
  reason_needed: 422,
  /** This visit cannot be reviewed: `details.reason` is not_yet, not_kept, too_late or own_institute. */
  not_reviewable: 422,
  /** The code is wrong: `details.triesLeft`. */
  code_wrong: 422,
  /** The code is too old or was tried too often; ask for a new one. */
  code_expired: 422,
  /** The reset link is unknown, used or too old. */
  link_expired: 422,
  /** The password is on a list of common ones, or equals the email. */
  password_common: 422,
  /** Before the email is confirmed, so many services cannot be held together: `details.most` says how many can. */
  too_many_services: 422,
  /** As many repeated visits lie ahead as one person may have: `details.most`. */
  too_many_repeats: 422,
  /** Visits of a series are paid for, in part or whole, when they are booked: each is booked by itself. */
  deposit_needed: 422,
  /** You hold as many times as one person may; let one go first. `details.isUnconfirmed`: or confirm the email, which allows more. */
  too_many_holds: 429,
  /** A new code can be asked for after `timeLeft` ms (top level, from the specification). */
  resend_cooldown: 429,
  /** Too many tries; `Retry-After` says when to come back. */
  too_many_requests: 429,
  /** Our mistake; it has been logged under `details.id`. */
  internal: 500,
  /** A part we need is away for the moment; try again. */
  unavailable: 503,
} as const

/** One of the closed list of codes. */
export type RefusalCode = keyof typeof refusals
