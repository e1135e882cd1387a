// What the chosen services ask for first and this person does not have yet, and the starts that the tests they have leave.
import type { Institute } from '@soigne/contract/institutes'
import { useQueries } from '@tanstack/react-query'
import type { Choice } from '#/features/cart/choice.ts'
import { needsOf, windowsOf, type Allowed, type Need } from '#/features/cart/needs.ts'
import { api } from '#/platform/api.ts'
import { useSession } from '#/platform/session.tsx'
import { addDays, dayOf, parseInstant } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'

/** `from`: it is booked, and the service can begin then; `lastDay`: it runs out after that day, while more can be booked; neither: it is missing. */
export type OpenNeed = Need & { from: string | null; lastDay: string | null }

const lists = ['upcoming', 'over'] as const

export type Needs = {
  open: readonly OpenNeed[]
  /** Null where every start is allowed, and where a test is missing: then there is nothing to choose from yet. */
  allowed: Allowed | null
}

export function useNeeds(institute: Institute, { items }: Choice, now: number): Needs {
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
  const { timeZone } = institute
  const furthest = addDays(dayOf(now, timeZone), institute.rules.horizonDays)
  const all = needs.map((need) => ({ need, windows: windowsOf(need, visits, institute, now) }))
  const bounded = all.filter(({ windows }) => !windows.some(({ from, lastDay }) => parseInstant(from) <= now && lastDay >= furthest))
  const open = bounded.flatMap(({ need, windows }): OpenNeed[] => {
    const from = windows.map((one) => one.from).toSorted()[0]
    const lastDay = windows
      .map((one) => one.lastDay)
      .toSorted()
      .at(-1)
    if (from === undefined || lastDay === undefined) return [{ ...need, from: null, lastDay: null }]
    const [isAhead, isShort] = [parseInstant(from) > now, lastDay < furthest]
    // One test may begin to hold before another runs out.
    return isAhead || isShort ? [{ ...need, from: isAhead ? from : null, lastDay: isShort ? lastDay : null }] : []
  })
  const isMissing = bounded.some(({ windows }) => windows.length === 0)
  const isFree = isMissing || bounded.length === 0
  return { open, allowed: isFree ? null : { windows: bounded.map(({ windows }) => windows), timeZone } }
}
