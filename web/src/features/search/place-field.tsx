// Where to search: a plain text field in the document, which suggests places as soon as someone turns to it,
// and can ask the device where it is. The chosen point travels beside the name.
import { useEffect, useId, useRef, useState, type ComponentType, type RefObject, useEffectEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { ComboboxProps } from '#/ui/combobox.tsx'
import { showToast } from '#/ui/toasts.ts'
import { usePlaceSuggestions, type PlaceSuggestion } from './place-suggestions.ts'
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

/** The suggesting field replaces the plain one when it has come; a hand already typing goes on typing. */
function useSuggestingField() {
  const [Field, setField] = useState<PlaceCombobox | null>(null)
  const plain = useRef<HTMLInputElement>(null)
  const wasFocused = useRef(false)
  const selection = useRef<readonly [from: number | null, to: number | null]>([null, null])
  const frame = useRef<HTMLDivElement>(null)
  const asked = useRef(false)
  // What was selected in the plain field, such as all of it by Tab, stays selected in the other.
  useEffect(() => {
    if (Field && wasFocused.current) frame.current?.querySelector('input')?.setSelectionRange(...selection.current)
  }, [Field])
  function wake() {
    if (asked.current) return
    asked.current = true
    void import('#/ui/combobox.tsx').then(({ Combobox }) => {
      wasFocused.current = document.activeElement === plain.current
      selection.current = [plain.current?.selectionStart ?? null, plain.current?.selectionEnd ?? null]
      setField(() => Combobox as PlaceCombobox)
    })
  }
  return { Field, plain, frame, wasFocused, wake }
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

type PlainFieldProps = {
  variant: PlaceFieldProps['variant']
  input: RefObject<HTMLInputElement | null>
  text: string
  onText: (text: string) => void
}

function PlainField({ variant, input, text, onText }: PlainFieldProps) {
  const { t } = useTranslation('search')
  const id = useId()
  return (
    <div className={variant === 'bar' ? styles.plain : styles.plainField}>
      <label htmlFor={id}>{t('where')}</label>
      <input
        id={id}
        ref={input}
        name="place"
        autoComplete="off"
        value={text}
        placeholder={t('wherePlaceholder')}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    </div>
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

export function PlaceField({ filters, variant }: PlaceFieldProps) {
  const { t } = useTranslation('search')
  const { where, setWhere, choose } = useWhere(filters)
  const { Field, plain, frame, wasFocused, wake } = useSuggestingField()
  // A hand may be faster than the scripts: what it typed and where it stands count.
  const faster = useEffectEvent(() => {
    const input = plain.current
    if (!input) return
    if (input.value !== where.text) setWhere({ text: input.value })
    if (document.activeElement === input) wake()
  })
  useEffect(() => faster(), [])
  const { items, loading } = usePlaceSuggestions(where.text, Field !== null && where.lat === undefined && !where.chosen)
  return (
    <div ref={frame} className={variant === 'bar' ? styles.where : styles.whereField} onFocus={wake} onPointerEnter={wake}>
      {Field ? (
        <Field
          label={t('where')}
          name="place"
          variant={variant}
          autoFocus={wasFocused.current}
          placeholder={t('wherePlaceholder')}
          items={items}
          loading={loading}
          itemKey={(place) => place.key}
          itemText={(place) => place.name}
          renderItem={(place) => <SuggestedPlace place={place} isLast={place === items.at(-1)} />}
          value={where.text}
          onValueChange={(text) => setWhere((before) => (text === before.text ? before : { text }))}
          onSelect={(place) => void choose(place)}
          statusText={(count, busy) => (busy ? t('looking') : t('suggestions', { count }))}
          emptyText={t('unknownPlace')}
          className={styles.grow}
        />
      ) : (
        <PlainField variant={variant} input={plain} text={where.text} onText={(text) => setWhere({ text })} />
      )}
      <PointFields where={where} />
      <NearMe onFound={setWhere} />
    </div>
  )
}
