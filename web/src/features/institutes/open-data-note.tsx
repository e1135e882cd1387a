// Below a list with places known from open data: whose data it is. Each place names its own source on its page.
import type { InstituteCard } from '@soigne/contract/institutes'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './results-list.module.css'

const sources = [
  { name: '© OpenStreetMap contributors', licence: 'ODbL 1.0', url: 'https://www.openstreetmap.org/copyright' },
  { name: 'Overture Maps Foundation', licence: 'CDLA Permissive 2.0', url: 'https://docs.overturemaps.org/attribution/' },
  { name: 'INSEE, base SIRENE; tif.hair', licence: 'Licence Ouverte 2.0', url: 'https://www.sirene.fr/' },
  { name: 'Ville de Paris', licence: 'ODbL 1.0', url: 'https://opendata.paris.fr/' },
]

export function OpenDataNote({ cards }: { cards: readonly Pick<InstituteCard, 'claimed'>[] }) {
  const { t } = useTranslation('institutes')
  if (cards.every(({ claimed }) => claimed)) return null
  return (
    <p className={`fine muted ${styles.note}`}>
      {t('openData')}{' '}
      {sources.map(({ name, licence, url }, index) => (
        <Fragment key={name}>
          {index > 0 && ' · '}
          <a href={url} target="_blank" rel="noreferrer">
            <bdi>{name}</bdi>
          </a>{' '}
          (<bdi>{licence}</bdi>)
        </Fragment>
      ))}
    </p>
  )
}
