// Packages of the signed-in person that are still good, with what is left of each; nothing where there are none.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { salonPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { ownZone, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import styles from './own-packages.module.css'

export function OwnPackages() {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const { data } = useQuery({ queryKey: queryKeys.packages, queryFn: ({ signal }) => api.ownPackages({}, { signal }) })
  if (!data || data.items.length === 0) return null
  return (
    <section className={styles.card} aria-labelledby="own-packages">
      <h2 id="own-packages" className="d4">
        {t('packages.title')}
      </h2>
      <ul>
        {data.items.map(({ _id, name, sessions, left, validUntil, services, institute }) => (
          <li key={_id} className={styles.package}>
            <span>
              <bdi className="strong">{name}</bdi>
              <span className="small muted">{services.map((service) => service.name).join(', ')}</span>
              <Link to={salonPath(institute.slug)} className={styles.where}>
                {t('packages.at', { name: institute.name, day: times.day(validUntil, ownZone(), 'date') })}
              </Link>
            </span>
            <span className="strong">{t('packages.left', { count: left, all: sessions })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
