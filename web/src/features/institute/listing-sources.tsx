// Whose open data a page is made of, with the licence it came under, as that licence asks.
import type { Institute } from '@soigne/contract/institutes'
import { Fragment } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import styles from './institute.module.css'

export function ListingSources({ sources }: Pick<Institute, 'sources'>) {
  const { t } = useTranslation('institute')
  if (sources.length === 0) return null
  return (
    <p className={`fine ${styles.sources}`}>
      {t('sources.label')}{' '}
      {sources.map(({ attribution, attributionUrl, licence, licenceUrl }, index) => (
        <Fragment key={attribution}>
          {index > 0 && '; '}
          <a href={attributionUrl} target="_blank" rel="noreferrer">
            <bdi>{attribution}</bdi>
          </a>
          {', '}
          <a href={licenceUrl} target="_blank" rel="noreferrer">
            <bdi>{licence}</bdi>
          </a>
        </Fragment>
      ))}
    </p>
  )
}
