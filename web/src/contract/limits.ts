// Numbers that the browser must know. Made from contract/src by `npm run generate`; not to be changed here.

/** Minutes a hold lasts, and an extension adds. */
export const holdMinutes = 10
/** Most services of one visit. */
export const mostServices = 8
/** Fewest characters of a password. */
export const passwordMinimum = 10
/** Passkeys of one account. */
export const mostPasskeys = 10
/** Digits of an email code. */
export const codeLength = 6
/** Milliseconds after which another code may be asked for. */
export const resendCooldownMs = 60000
/** So many or more: what giving up a filter would bring is counted no further. */
export const mostRelaxed = 100
/** Characters of a review. */
export const reviewLength = 2000
/** Characters of an institute's answer. */
export const replyLength = 2000
/** Pictures of one review, and bytes of each. */
export const reviewPicturesMost = 4
export const reviewPictureBytes = 10000000
/** Most characters of a message, and most bytes of its file. */
export const longestMessage = 4000
export const largestMedia = 10000000
/** Milliseconds for which a sign of typing stands. */
export const typingMs = 500
