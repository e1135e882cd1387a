// Another visit of this person at the held time.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { appointmentPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { Trans } from '#/platform/marked-text.tsx'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Notice } from '#/ui/notice.tsx'
import type { HoldKeeper } from './use-hold.ts'

/** Another visit of this person at the held time: worth a word, never a refusal. */
export function OverlapNotice({ keeper }: { keeper: HoldKeeper }) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const hold = keeper.state.kind === 'held' ? keeper.state.hold : null
  const { data } = useQuery({
    queryKey: queryKeys.appointments.upcoming,
    queryFn: ({ signal }) => api.appointments({ query: { when: 'upcoming', pageSize: 50 } }, { signal }),
    enabled: hold !== null,
  })
  const other = data?.items.find(
    (visit) =>
      hold !== null &&
      visit.status !== 'cancelled' &&
      parseInstant(visit.startsAt) < parseInstant(hold.endsAt) &&
      parseInstant(hold.startsAt) < parseInstant(visit.endsAt),
  )
  if (!other) return null
  const { name, timeZone } = other.institute
  return (
    <Notice tone="warning" title={t('overlap.title')}>
      <Trans
        ns="booking"
        i18nKey="overlap.text"
        values={{ name, time: times.time(other.startsAt, timeZone) }}
        components={{ visit: <Link className="link" to={appointmentPath(other._id)} target="_blank" /> }}
      />
    </Notice>
  )
}
