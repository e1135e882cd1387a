// What the name of the place was taken for, and what else it may mean: nobody is sent elsewhere without a word.
import { Fragment } from 'react'
import { Link } from 'react-router'
import { placeText } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { searchPath, type Filters } from '#/search-filters.ts'
import type { Found } from './results-map.tsx'
import styles from './place-taken.module.css'

type Place = Found['otherPlaces'][number]

/** A quarter or a postcode is searched by its name, so that it is searched as close around as people mean. */
function pathOf(filters: Filters, { kind, name, region, lat, lon }: Place, locale: string): string {
  const place =
    kind === 'town'
      ? { place: name, lat: lat.toFixed(4), lon: lon.toFixed(4) }
      : { place: placeText({ name, region }, locale), lat: null, lon: null }
  return searchPath(filters, { ...place, radiusKm: null, area: null })
}

/** Whether the place was asked for by a name that nothing is enough like. */
export const isPlaceUnknown = (found: Found, filters: Filters): boolean =>
  filters.place !== undefined && filters.area === undefined && found.origin === null

export function PlaceTaken({ found: { place, otherPlaces }, filters }: { found: Found; filters: Filters }) {
  const { t, i18n } = useTranslation('institutes')
  const locale = i18n.language
  // A town by its own name is in the heading already.
  const isTold = place !== null && (place.kind !== 'town' || place.name.toLowerCase() !== filters.place?.toLowerCase())
  if (!isTold && otherPlaces.length === 0) return null
  return (
    <p className={`small muted ${styles.taken}`}>
      {isTold && <span>{t('place.taken', { place: placeText(place, locale) })} </span>}
      {otherPlaces.length > 0 && (
        <span>
          {t('place.others')}{' '}
          {otherPlaces.map((other, at) => (
            <Fragment key={other._id}>
              {at > 0 && ' · '}
              <Link to={pathOf(filters, other, locale)} className={styles.other}>
                <bdi>{placeText(other, locale)}</bdi>
              </Link>
            </Fragment>
          ))}
        </span>
      )}
    </p>
  )
}
