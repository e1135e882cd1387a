// Visits that lie where the institute is closed now: named, so that none is lost.
import type { HitVisit } from '@soigne/contract/institute-settings'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Notice } from '#/ui/notice.tsx'
import styles from './institute-settings.module.css'

export type HitVisitsProps = { title: string; visits: readonly HitVisit[]; timeZone: string; children?: ReactNode }

export function HitVisits({ title, visits, timeZone, children }: HitVisitsProps) {
  const { t } = useTranslation('institute-settings')
  const times = useTimes()
  const link = (
    <Link className="link" to={paths.diary}>
      {t('openCalendar')}
    </Link>
  )
  return (
    <Notice tone="warning" title={title} action={link} announce>
      {children}
      <ul className={styles.hits}>
        {visits.map(({ _id, startsAt, customer, services, staff }) => (
          <li key={_id}>
            <bdi className="strong tabular">
              {times.dayOfInstant(startsAt, timeZone)} {times.time(startsAt, timeZone)}
            </bdi>{' '}
            <bdi>{customer.name || t('someone')}</bdi> · {services.join(', ')} · <bdi>{staff.join(', ')}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
