import type { Role } from '@soigne/contract/wire'
import { ApiError, refusalCode } from '#/platform/api-error.ts'

/** The role an account has, where that is why nobody was let in. */
export function otherRoleOf(error: unknown): Role | null {
  if (refusalCode(error) !== 'other_role' || !(error instanceof ApiError)) return null
  const role = error.body.details?.['role']
  return role === 'isPro' || role === 'isClient' ? role : null
}
