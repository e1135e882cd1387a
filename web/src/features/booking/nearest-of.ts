// The free times a refusal names near the one that was lost.
import type { ApiError } from '#/platform/api-error.ts'

function isNearest(value: unknown): value is { startsAt: string } {
  return typeof value === 'object' && value !== null && 'startsAt' in value && typeof value.startsAt === 'string'
}

export function nearestOf(error: ApiError): string[] {
  const nearest = error.body.details?.['nearest']
  return Array.isArray(nearest) ? nearest.filter(isNearest).map(({ startsAt }) => startsAt) : []
}
