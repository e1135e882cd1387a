/** The sentence of a refusal and of a field's problem. */
import type { RefusalCode } from '@soigne/contract/refusals'
import type { Locale } from '@soigne/contract/wire'
import { hasText, translate } from './translate.ts'

export function refusalText(
  locale: Locale,
  code: RefusalCode,
  details: Record<string, unknown> | undefined,
  values: Record<string, string | number>,
): string {
  if (code === 'other_role' && (details?.['role'] === 'isPro' || details?.['role'] === 'isClient'))
    return translate(locale, 'refusals', `other_role_${details['role']}`)
  if (code === 'not_offered' && typeof details?.['reason'] === 'string')
    return translate(locale, 'reasons', hasText('reasons', details['reason']) ? details['reason'] : 'other')
  if (code === 'not_reviewable') {
    const why = `not_reviewable_${String(details?.['reason'])}`
    return translate(locale, 'refusals', hasText('refusals', why) ? why : code)
  }
  if (code === 'too_many_holds' && details?.['isUnconfirmed'] === true) return translate(locale, 'refusals', 'too_many_holds_unconfirmed')
  if (code === 'too_many_requests' && details?.['about'] === 'holds') return translate(locale, 'refusals', 'too_many_requests_holds')
  return translate(locale, 'refusals', code, { count: 0, ...values })
}

/** `too_short:10` → "At least 10 characters." */
export function fieldText(locale: Locale, problem: string): string {
  const at = problem.indexOf(':')
  const [key, value] = at < 0 ? [problem, ''] : [problem.slice(0, at), problem.slice(at + 1)]
  const count = Number(value)
  return translate(locale, 'fields', hasText('fields', key) ? key : 'invalid', {
    count: Number.isFinite(count) ? count : 0,
    minimum: value,
    maximum: value,
    value,
  })
}
