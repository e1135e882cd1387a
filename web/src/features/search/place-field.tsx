// Where to search: a plain text field in the document, which suggests places as soon as someone turns to it,
// and can ask the device where it is. The chosen point travels beside the name.
import { useRef, useState, type ComponentType, type MouseEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { ComboboxProps } from '#/ui/combobox.tsx'
import { showToast } from '#/ui/toasts.ts'
import { usePlaceSuggestions, type PlaceSuggestion } from './place-suggestions.ts'
import { PlainField, useSuggestingField } from './suggesting-field.tsx'
import type { Filters } from '#/search-filters.ts'
import { useHydrated } from '#/ui/use-hydrated.ts'
import styles from './search-bar.module.css'

/** chosen: taken from the suggestions, so nothing more is suggested, even while its point is still on the way. */
type Where = { text: string; lat?: string; lon?: string; chosen?: boolean }
type PlaceCombobox = ComponentType<ComboboxProps<PlaceSuggestion>>

export type PlaceFieldProps = { filters: Filters; variant: 'bar' | 'field' }

function whereOf({ place = '', lat, lon }: Filters): Where {
  return { text: place, ...(lat && lon ? { lat, lon } : {}) }
}

function askPosition(): Promise<GeolocationPosition> {
  return new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: 8000, maximumAge: 300_000 }))
}

function NearMe({ onFound }: { onFound: (where: Where) => void }) {
  const { t } = useTranslation('search')
  const [asking, setAsking] = useState(false)
  const hydrated = useHydrated()
  async function find() {
    setAsking(true)
    try {
      const { coords } = await askPosition()
      const point = { lat: Number(coords.latitude.toFixed(3)), lon: Number(coords.longitude.toFixed(3)) }
      const nearest = await api.nearestPlace({ query: point })
      onFound({ text: nearest.name, lat: String(point.lat), lon: String(point.lon) })
    } catch {
      showToast({ type: 'warning', title: t('nowhere'), line: t('nowhereLine') })
    } finally {
      setAsking(false)
    }
  }
  return (
    <button
      type="button"
      className={styles.nearMe}
      aria-label={t('nearMe')}
      title={t('nearMe')}
      aria-busy={asking}
      disabled={!hydrated || !('geolocation' in navigator)}
      onClick={() => void find()}
    >
      <Icon name="target" size={20} />
    </button>
  )
}

async function placeCombobox(): Promise<PlaceCombobox> {
  const { Combobox } = await import('#/ui/combobox.tsx')
  return Combobox
}

/** Where to search: what is typed, and the point of a suggestion once it is known. */
function useWhere(filters: Filters) {
  const [where, setWhere] = useState(() => whereOf(filters))
  async function choose({ name: text, find }: PlaceSuggestion) {
    const chosen: Where = { text, chosen: true }
    setWhere(chosen)
    const point = await find()
    if (!point) return
    const found = { ...chosen, lat: point.lat.toFixed(4), lon: point.lon.toFixed(4) }
    setWhere((now) => (now === chosen ? found : now))
  }
  return { where, setWhere, choose }
}

function SuggestedPlace({ place, isLast }: { place: PlaceSuggestion; isLast: boolean }) {
  return (
    <span>
      <bdi className="medium">{place.name}</bdi> <span className="small muted">{place.detail}</span>
      {place.source === 'google' && isLast && (
        <span aria-hidden="true" translate="no" className={styles.source}>
          Google Maps
        </span>
      )}
    </span>
  )
}

/** Before the scripts nobody could take the point away when another name is typed. */
function PointFields({ where: { lat, lon } }: { where: Where }) {
  const hydrated = useHydrated()
  if (!hydrated || lat === undefined || lon === undefined) return null
  return (
    <>
      <input type="hidden" name="lat" value={lat} />
      <input type="hidden" name="lon" value={lon} />
    </>
  )
}

/** The first tap takes all of a place that stood there before: a thumb would take it away letter by letter. */
function useWholeTap(isBefore: boolean) {
  const isNew = useRef(false)
  return {
    turnTo: () => void (isNew.current = true),
    tap({ target }: MouseEvent) {
      if (isNew.current && isBefore && target instanceof HTMLInputElement) target.select()
      isNew.current = false
    },
  }
}

export function PlaceField({ filters, variant }: PlaceFieldProps) {
  const { t } = useTranslation('search')
  const { where, setWhere, choose } = useWhere(filters)
  const type = (text: string) => setWhere((before) => (text === before.text ? before : { text }))
  const { Field, plain, frame, wasFocused, hasTyped, hear, wake } = useSuggestingField(placeCombobox, where.text, type)
  const whole = useWholeTap(where.text === filters.place)
  const { items, loading } = usePlaceSuggestions(where.text, Field !== null && where.lat === undefined && !where.chosen)
  return (
    <div
      ref={frame}
      className={variant === 'bar' ? styles.where : styles.whereField}
      onFocus={() => {
        whole.turnTo()
        wake()
      }}
      onPointerEnter={wake}
      onClick={whole.tap}
      role="presentation"
    >
      {Field ? (
        <Field
          label={t('where')}
          name="place"
          variant={variant}
          autoFocus={wasFocused.current}
          startsOpen={hasTyped.current}
          placeholder={t('wherePlaceholder')}
          items={items}
          loading={loading}
          itemKey={(place) => place.key}
          itemText={(place) => place.name}
          renderItem={(place) => <SuggestedPlace place={place} isLast={place === items.at(-1)} />}
          value={where.text}
          onValueChange={type}
          onSelect={(place) => void choose(place)}
          statusText={(count, busy) => (busy ? t('looking') : t('suggestions', { count }))}
          emptyText={t('unknownPlace')}
          className={styles.grow}
        />
      ) : (
        <PlainField
          label={t('where')}
          name="place"
          variant={variant}
          input={plain}
          placeholder={t('wherePlaceholder')}
          value={where.text}
          onText={hear}
        />
      )}
      <PointFields where={where} />
      <NearMe onFound={setWhere} />
    </div>
  )
}
