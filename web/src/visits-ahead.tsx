// Visits that are still to come, with what cancelling each would give back or keep: read before an account is given up.
import type { Appointment } from '@soigne/contract/appointments'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { appointmentPath } from '#/paths.ts'
import { paymentKeys } from '#/payment-keys.ts'
import { api } from '#/platform/api.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { inLine } from '#/platform/lists.ts'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Notice } from '#/ui/notice.tsx'

const asked = { when: 'upcoming', page: 1, pageSize: 50 } as const

function useOutcomes(ids: readonly string[]) {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: paymentKeys.visit(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => dashboardApi.appointmentPayments({ params: { id } }, { signal }),
    })),
    combine: (answers) => new Map(answers.map(({ data }, at) => [ids[at] ?? '', data?.ifCancelled ?? null])),
  })
}

/** Nothing where none is to come. */
export function VisitsAhead({ className }: { className?: string | undefined }) {
  const { t } = useTranslation('settings')
  const money = useMoney()
  const times = useTimes()
  const { data } = useQuery({
    queryKey: queryKeys.appointments.list(asked),
    queryFn: ({ signal }) => api.appointments({ query: asked }, { signal }),
  })
  const visits = data?.items ?? []
  const outcomes = useOutcomes(visits.map(({ _id }) => _id))
  if (visits.length === 0) return null
  const moneyOf = ({ _id }: Appointment): string[] => {
    const { refunded, kept, charged, atBank, atSalon, sessions } = outcomes.get(_id) ?? {}
    return [
      refunded && refunded.amount > 0 && t('erase.refunded', { amount: money(refunded, true) }),
      kept && kept.amount > 0 && t('erase.kept', { amount: money(kept, true) }),
      charged && charged.amount > 0 && t('erase.charged', { amount: money(charged, true) }),
      atBank && t('erase.atBank', { amount: money(atBank, true) }),
      atSalon && t('erase.atSalon', { amount: money(atSalon, true) }),
      sessions && t(sessions === 'back' ? 'erase.sessionBack' : 'erase.sessionGone'),
    ].filter((line) => typeof line === 'string')
  }
  return (
    <Notice tone="kind" icon="calendar" className={className} title={t('erase.ahead', { count: visits.length })}>
      <ul>
        {visits.map((visit) => (
          <li key={visit._id}>
            <Link className="link" to={appointmentPath(visit._id)}>
              {inLine(
                [
                  visit.institute.name,
                  times.dayOfInstant(visit.startsAt, visit.institute.timeZone, 'long'),
                  times.time(visit.startsAt, visit.institute.timeZone),
                ],
                times.locale,
              )}
            </Link>
            {moneyOf(visit).map((line) => (
              <span key={line} className="small muted">
                {' '}
                {line}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
