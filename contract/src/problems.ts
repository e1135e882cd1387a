/** What is wrong with an input, in the words of the wire: the server says them of a call's body, forms before they send it. */
import type * as z from 'zod/mini'

/** One thing that is wrong: `required`, `too_short:3`, `email`, `choice` … */
const problemOf = (issue: z.core.$ZodIssue): string => {
  if (issue.message.startsWith('one_of:')) return 'choice'
  if (issue.code === 'custom' && issue.message === 'required') return 'required'
  if (issue.code === 'custom' && issue.message === 'overlap') return 'overlap'
  if (issue.code === 'not_multiple_of') return `step:${issue.divisor}`
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'required' : 'invalid'
  if (issue.code === 'too_small')
    return issue.origin === 'string'
      ? Number(issue.minimum) <= 1
        ? 'required'
        : `too_short:${issue.minimum}`
      : `too_small:${issue.minimum}`
  if (issue.code === 'too_big')
    return issue.origin === 'string' || issue.origin === 'array' ? `too_long:${issue.maximum}` : `too_big:${issue.maximum}`
  if (issue.code === 'invalid_value' || issue.code === 'invalid_union') return 'choice'
  if (issue.code === 'invalid_format')
    return issue.format === 'email' ? 'email' : issue.format === 'date' || issue.format === 'datetime' ? 'date' : 'invalid'
  return 'invalid'
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown => {
  let at = value
  for (const step of path) at = at !== null && typeof at === 'object' ? (at as Record<PropertyKey, unknown>)[step] : undefined
  return at
}

/** Problems by path (`days.0.ranges.1.from`, at most 80 letters, `body` for the whole), the first of each path, of at most 20 issues. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], value: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues.slice(0, 20)) {
    const path = issue.path.map(String).join('.') || 'body'
    fields[path.slice(0, 80)] ??= issue.input === undefined && valueAt(value, issue.path) === undefined ? 'required' : problemOf(issue)
  }
  return fields
}
