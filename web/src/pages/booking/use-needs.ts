// What the chosen services ask for first and this person does not have yet.
import type { Institute } from '@soigne/contract/institutes'
import { useQueries } from '@tanstack/react-query'
import type { Choice } from '#/features/cart/choice.ts'
import { needsOf, openFrom, type Need } from '#/features/cart/needs.ts'
import { api } from '#/platform/api.ts'
import { useSession } from '#/platform/session.tsx'
import { parseInstant } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'

/** `from`: it is there, and the service can begin then; null: it is missing. */
export type OpenNeed = Need & { from: string | null }

const lists = ['upcoming', 'over'] as const

/** `from`: before it nothing can begin; null where a test is missing, or nothing is asked for. */
export function useNeeds(institute: Institute, { items }: Choice, now: number): { open: readonly OpenNeed[]; from: string | null } {
  const session = useSession()
  const needs = needsOf(institute, items)
  const visits = useQueries({
    queries: lists.map((when) => ({
      queryKey: when === 'upcoming' ? queryKeys.appointments.upcoming : queryKeys.appointments.list({ when, pageSize: 50 }),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.appointments({ query: { when, pageSize: 50 } }, { signal }),
      enabled: needs.length > 0 && session.kind === 'user',
    })),
    combine: (answers) => answers.flatMap(({ data }) => data?.items ?? []),
  })
  const open = needs
    .map((need) => ({ ...need, from: openFrom(need, visits, institute._id, now) }))
    .filter(({ from }) => from === null || parseInstant(from) > now)
  const starts = open.flatMap(({ from }) => from ?? [])
  return { open, from: starts.length < open.length ? null : (starts.toSorted().at(-1) ?? null) }
}
